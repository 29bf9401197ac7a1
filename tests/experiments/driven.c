#include "driven.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct side {
    lithe_scene *scene;
    lithe_model *model;
} side;

typedef struct trial {
    driven *d;
    side model, machine;
    lithe_driver *driver;
    lithe_plant *plant;
    lithe_report report;
    double dt, value[16];
    int row[2], n, room;
    long echo;
} trial;

static bool open_side(trial *t, side *s, const char *const *set, const char *const *more)
{
    const char *all[2 * DRIVEN_SETS];
    char path[1024];
    int n = 0;
    for (; *set; set++)
        all[n++] = *set;
    for (; *more; more++)
        all[n++] = *more;
    snprintf(path, sizeof path, "%s/%s", LITHE_ROOT, t->d->scene);
    return lithe_scene_read(path, n, all, &s->scene, &t->report) == LITHE_OK &&
           lithe_compile(lithe_scene_def(s->scene), &s->model, &t->report) == LITHE_OK;
}

static bool make_room(trial *t)
{
    driven *d = t->d;
    size_t n = (size_t)lithe_driver_steps(t->driver) + 1;
    d->off = calloc(n, sizeof *d->off);
    d->seen = calloc(n, sizeof *d->seen);
    d->at = calloc(3 * n, sizeof *d->at);
    d->there = calloc(3 * n, sizeof *d->there);
    t->room = (int)n;
    return d->off && d->seen && d->at && d->there;
}

static bool open_trial(trial *t)
{
    const char *const own[] = {t->d->law, t->d->steps, NULL};
    t->report = lithe_report_default();
    t->echo = -1;
    bool well = open_side(t, &t->model, t->d->both, own) &&
                open_side(t, &t->machine, t->d->both, t->d->machine) &&
                lithe_driver_create(t->model.model, lithe_scene_drive(t->model.scene), 1,
                                    &t->driver, &t->report) == LITHE_OK &&
                lithe_plant_create(t->machine.model, lithe_scene_drive(t->machine.scene), 1,
                                   &t->plant, &t->report) == LITHE_OK &&
                make_room(t);
    if (!well)
        return false;
    t->dt = lithe_model_step(t->model.model)->dt;
    t->row[0] = lithe_row_of_effector(t->model.model, 0);
    t->row[1] = lithe_row_of_effector(t->machine.model, 0);
    lithe_plant_read(t->plant, t->value);
    return true;
}

static void close_trial(trial *t)
{
    lithe_driver_free(t->driver);
    lithe_plant_free(t->plant);
    lithe_model_free(t->model.model);
    lithe_model_free(t->machine.model);
    lithe_scene_free(t->model.scene);
    lithe_scene_free(t->machine.scene);
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void look(trial *t)
{
    driven *d = t->d;
    int past = lithe_driver_done(t->driver) - lithe_driver_approach(t->driver);
    const double *measured = lithe_driver_measured(t->driver) + t->row[0];
    const double *compared = lithe_driver_compared(t->driver) + t->row[0];
    const double *target = lithe_driver_targets(t->driver) + t->row[0];
    const double *tip = lithe_row_values(lithe_plant_state(t->plant)) + t->row[1];
    if (past <= 0 || past % d->every != 0 || d->n == t->room)
        return;
    d->off[d->n] = distance(tip, target);
    d->seen[d->n] = distance(measured, compared);
    memcpy(d->at + 3 * (size_t)d->n, tip, 3 * sizeof *tip);
    memcpy(d->there + 3 * (size_t)d->n++, target, 3 * sizeof *tip);
}

static bool cycle(trial *t, long k)
{
    lithe_order order;
    lithe_reading r = {.number = k,
                       .time = (double)k * t->dt,
                       .echo = t->echo,
                       .echo_time = (double)k * t->dt,
                       .value = t->value};
    bool well = lithe_driver_hear(t->driver, (double)k * t->dt, &r) == LITHE_OK &&
                lithe_driver_cycle(t->driver, (double)k * t->dt, &order) == LITHE_OK;
    if (well && order.send) {
        well = lithe_plant_tell(t->plant, order.value) == LITHE_OK;
        t->echo = order.number;
    }
    for (int i = 0; i < t->d->substeps && well; i++)
        well = lithe_plant_step(t->plant) == LITHE_OK;
    if (!well) {
        const char *said = lithe_driver_text(t->driver);
        snprintf(t->d->problem, sizeof t->d->problem, "cycle %ld: %s", k,
                 said[0] ? said : lithe_state_error(lithe_plant_state(t->plant)));
        return false;
    }
    bool limited = false;
    for (int i = 0; i < lithe_driver_nout(t->driver); i++)
        limited = limited || lithe_gate_limited(lithe_driver_gate(t->driver), i);
    t->d->limited += limited;
    look(t);
    lithe_plant_read(t->plant, t->value);
    return true;
}

static void run_one(driven *d)
{
    trial t = {.d = d};
    d->n = d->limited = 0;
    d->problem[0] = 0;
    if (!open_trial(&t))
        snprintf(d->problem, sizeof d->problem, "%s",
                 t.report.error[0] ? t.report.error : "there is no memory");
    else
        for (long k = 0; lithe_driver_done(t.driver) < lithe_driver_steps(t.driver); k++)
            if (!cycle(&t, k))
                break;
    close_trial(&t);
}

typedef struct work {
    driven *list;
    int n;
    atomic_int next;
} work;

static void *run_some(void *context)
{
    work *w = context;
    for (int i; (i = atomic_fetch_add(&w->next, 1)) < w->n;)
        run_one(&w->list[i]);
    return NULL;
}

bool driven_run(driven *list, int n)
{
    enum { MOST = 64 };
    pthread_t thread[MOST];
    work w = {.list = list, .n = n};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int nthread = 0, wanted = (int)(processors < n ? processors : n);
    while (nthread < wanted - 1 && nthread < MOST &&
           pthread_create(&thread[nthread], NULL, run_some, &w) == 0)
        nthread++;
    run_some(&w);
    for (int i = 0; i < nthread; i++)
        pthread_join(thread[i], NULL);
    bool well = true;
    for (int i = 0; i < n; i++)
        well = well && !list[i].problem[0];
    return well;
}

void driven_free(driven *list, int n)
{
    for (int i = 0; i < n; i++) {
        free(list[i].off);
        free(list[i].seen);
        free(list[i].at);
        free(list[i].there);
        list[i].off = list[i].seen = list[i].at = list[i].there = NULL;
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Between the two values nearest to a share of the list.
static double quantile(const double *sorted, int n, double share)
{
    double at = share * (n - 1);
    int low = (int)at, high = low + 1 < n ? low + 1 : low;
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

spread spread_of(const double *value, int n)
{
    spread s = {NAN, NAN, NAN, NAN, NAN, NAN};
    double *sorted = n > 0 ? malloc((size_t)n * sizeof *sorted) : NULL;
    if (!sorted)
        return s;
    memcpy(sorted, value, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sorted[i];
    s = (spread){sorted[0], quantile(sorted, n, 0.25), quantile(sorted, n, 0.5),
                 sum / n,   quantile(sorted, n, 0.75), sorted[n - 1]};
    free(sorted);
    return s;
}
