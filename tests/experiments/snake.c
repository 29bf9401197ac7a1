// The snake: bending of one link by two ways of actuation, step responses, and how it crawls.
#include "curves.h"
#include "experiments.h"
#include "rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double psi = 6894.757, pi = 3.14159265358979323846;

// ## bending

// The angle of a link under a pressure in its left chamber, or, below 0, in its right one.
static bool bend_link(table *t, bool by_length, double pressure, double *angle)
{
    rig r;
    double value[2] = {0}, rotation[3] = {0};
    if (!rig_open(&r, t, by_length ? "examples/snake/length.yaml" : "examples/snake/link.yaml",
                  "step.mode=converged", (const char *)NULL))
        return false;
    value[pressure < 0] = fabs(pressure);
    for (int i = 0; i < 2; i++)
        lithe_command(r.model, r.state, i, LITHE_EFFORT, &value[i]);
    bool done = lithe_settle(r.model, r.state) == LITHE_OK;
    for (int k = 0; k < 400 && done; k++) { // until the valve has filled it
        double now = 0;
        lithe_effort(r.model, r.state, pressure < 0, &now);
        if (fabs(now - value[pressure < 0]) < 1e-3)
            break;
        done = rig_step(&r);
    }
    rig_measure(&r, "bend", rotation);
    *angle = -rotation[2];
    rig_close(&r);
    return done;
}

static bool bend(table *t)
{
    static curves plot = {
        .title = "Bending of one link", .across = "pressure / psi", .up = "degrees"};
    curve *pressure = curves_add(&plot, "cavity pressure", "#0b6e99"),
          *length = curves_add(&plot, "rest length 1 + p/Y", "#c2571a");
    double worst = 0, found[2][21] = {{0}};
    int by = table_quick(t) ? 10 : 2;
    for (int k = -10; k <= 10; k += by)
        for (int way = 0; way < 2; way++) {
            double *angle = &found[way][k + 10];
            if (!bend_link(t, way, k * psi, angle))
                return false;
            curve_point(way ? length : pressure, k, *angle * 180 / pi);
        }
    for (int k = by; k <= 10; k += by) {
        double scale = found[0][10 + k];
        worst = fmax(worst, fabs(found[0][10 + k] + found[0][10 - k]) / scale);
        table_add(
            t, (finding){.quantity = text("bending at %d psi, by pressure and by rest length", k),
                         .paper = k <= 8 ? "pictures: the rest length's arc follows the link"
                                         : "pictures: it no longer follows",
                         .ours = text("%.2f, %.2f degrees", found[0][10 + k] * 180 / pi,
                                      found[1][10 + k] * 180 / pi),
                         .error = NAN,
                         .gate = NAN,
                         .unit = ""});
    }
    table_add(t, (finding){.quantity = "left and right bend alike, -10 to 10 psi",
                           .error = 100 * worst,
                           .gate = 2,
                           .unit = "%"});
    if (table_quick(t))
        return true;
    if (!curves_write(&plot, "snake-bending.svg"))
        table_broken(t, "docs/pictures/snake-bending.svg could not be written");
    table_note(t, "![bending of one link](pictures/snake-bending.svg)");
    return true;
}

// ## step response

static bool respond(table *t)
{
    static curves plot = {.title = "A link told 8 psi at 0 s and nothing from 0.4 s on",
                          .across = "time / s",
                          .up = "share of what is told, of the curvature at rest under it"};
    curve *air = curves_add(&plot, "pressure", "#0b6e99"),
          *angle = curves_add(&plot, "curvature", "#c2571a");
    rig r;
    double still = 0, worst = 0, p = 0, told = 8 * psi;
    if (!bend_link(t, false, told, &still) ||
        !rig_open(&r, t, "examples/snake/link.yaml",
                  "dynamics={scheme: euler, stiffness_damping: 2 ms}", (const char *)NULL))
        return false;
    bool done = true;
    for (int k = 1; k <= 400 && done; k++) {
        double rotation[3] = {0}, now = 0, h = 2e-3, time = h * k;
        double aim = time <= 0.4 + 1e-9 ? told : 0;
        lithe_command(r.model, r.state, 0, LITHE_EFFORT, &aim);
        done = rig_step(&r);
        lithe_effort(r.model, r.state, 0, &now);
        rig_measure(&r, "bend", rotation);
        // the closed form, from the start of each half
        p = aim > 0 ? told * (1 - exp(-time / 0.03))
                    : told * (1 - exp(-0.4 / 0.03)) * exp(-(time - 0.4) / 0.05);
        worst = fmax(worst, fabs(now - p));
        curve_point(air, time, now / told);
        curve_point(angle, time, -rotation[2] / still);
    }
    rig_close(&r);
    table_add(t, (finding){.quantity = "step of the pressure against its closed form",
                           .paper = "figure 6, without numbers",
                           .ours = "inflation 30 ms, deflation 50 ms",
                           .error = 100 * worst / told,
                           .gate = 1e-6,
                           .unit = "%"});
    if (table_quick(t))
        return done;
    if (!curves_write(&plot, "snake-step.svg"))
        table_broken(t, "docs/pictures/snake-step.svg could not be written");
    table_note(t, "![step response of a link](pictures/snake-step.svg)");
    return done;
}

// ## crawling

typedef struct gait {
    double period, offset, friction, duration; // s, Pa, -, s
    bool slides;                               // on its plates, without wheels
} gait;

typedef struct crawl {
    double way[2];      // of the head's plate over the last whole periods, m
    double speed;       // m/s, along the way
    double rotated;     // direction of the body, from the first period's end, rad
    double median, p99; // ms a step
    double overlap;     // m
    double gap;         // widest of a joint, m
    int steps;
} crawl;

// Serpenoid: a wave along the links, left and right opposite.
static void tell_gait(rig *r, const gait *g, double time)
{
    for (int a = 0; a < lithe_nactuator(r->model); a++) {
        double side = a % 2 == 0 ? 1 : -1;
        double wave = sin(2 * pi * time / g->period + a / 2 * pi / 3);
        double p = 20e3 + side * (0.5 * g->offset + 18e3 * wave);
        lithe_command(r->model, r->state, a, LITHE_EFFORT, &p);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Of this thread alone, whatever else the machine does.
static double seconds(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double heading(const rig *r)
{
    double head[3] = {0}, tail[3] = {0};
    rig_measure(r, "head", head);
    rig_measure(r, "tail", tail);
    return atan2(head[1] - tail[1], head[0] - tail[0]);
}

static double widest_joint(const rig *r)
{
    double most = 0;
    for (int j = 0; j < lithe_njoint(r->model); j++) {
        lithe_joint_info joint;
        lithe_joint_get(r->model, r->state, j, &joint);
        most = fmax(most, joint.gap);
    }
    return most;
}

static bool crawl_for(table *t, const gait *g, crawl *out)
{
    rig r;
    const double dt = 5e-3;
    int n = (int)lround(g->duration / dt), from = (int)lround(g->period / dt);
    double *ms = malloc((size_t)n * sizeof *ms), start[3] = {0}, end[3] = {0}, before = 0;
    *out = (crawl){.steps = n};
    const char *scene = g->slides ? "examples/snake/patch.yaml" : "examples/snake/robot.yaml";
    const char *rough =
        text(g->slides ? "contacts.pairs.0.friction_across=%g" : "obstacles.floor.friction=%g",
             g->friction);
    bool done = ms && rig_open(&r, t, scene, rough, (const char *)NULL);
    for (int k = 1; k <= n && done; k++) {
        tell_gait(&r, g, k * dt);
        double began = seconds();
        done = rig_step(&r);
        ms[k - 1] = 1e3 * (seconds() - began);
        out->overlap = fmax(out->overlap, lithe_penetration(r.state));
        out->gap = fmax(out->gap, widest_joint(&r));
        if (k == from) {
            rig_measure(&r, "head", start);
            before = heading(&r);
        }
    }
    if (done) {
        rig_measure(&r, "head", end);
        out->rotated = heading(&r) - before;
        out->way[0] = end[0] - start[0];
        out->way[1] = end[1] - start[1];
        out->speed = hypot(out->way[0], out->way[1]) / ((n - from) * dt);
        qsort(ms, (size_t)n, sizeof *ms, ascending);
        out->median = ms[n / 2];
        out->p99 = ms[n * 99 / 100];
        rig_close(&r);
    }
    free(ms);
    return done;
}

// Plates that slide along the body and hold across it do what wheels do, but for what they lose.
static bool crawl_without_wheels(table *t)
{
    crawl found;
    if (!crawl_for(t, &(gait){1, 0, 0.6, 4, true}, &found))
        return false;
    table_add(t,
              (finding){.quantity = "without wheels, on plates with friction 0.05 along the body "
                                    "and 0.6 across, 1 Hz: speed",
                        .ours = text("%.1f mm/s", 1e3 * found.speed),
                        .error = NAN,
                        .gate = NAN,
                        .unit = ""});
    return true;
}

static bool crawl_long(table *t)
{
    crawl straight, round;
    if (!crawl_for(t, &(gait){1, 0, 0.6, 10, false}, &straight) ||
        !crawl_for(t, &(gait){1, 8e3, 0.6, 4, false}, &round))
        return false;
    table_add(t, (finding){.quantity = "10 s at dt 5 ms, period 1 s, friction 0.6: way of the head",
                           .ours = text("%.1f mm, %.1f mm to the side", 1e3 * straight.way[0],
                                        1e3 * straight.way[1]),
                           .error = NAN,
                           .gate = NAN,
                           .unit = ""});
    table_add(t, (finding){.quantity = "the same: deepest overlap",
                           .error = 1e3 * straight.overlap,
                           .gate = 0.3,
                           .unit = "mm"});
    table_add(t, (finding){.quantity = "the same: processor time of a step, median and p99",
                           .paper = "11.63 ms on a GPU",
                           .expected = "5 ms, 10 ms",
                           .ours = text("%.1f ms, %.1f ms", straight.median, straight.p99),
                           .error = NAN,
                           .gate = NAN,
                           .unit = ""});
    table_add(t, (finding){.quantity = "left 8 kPa above right, 3 s: turned by",
                           .ours = text("%.1f degrees", round.rotated * 180 / pi),
                           .error = NAN,
                           .gate = NAN,
                           .unit = ""});
    return true;
}

// 100,000 steps. Of its length; nothing is put back in between.
static bool crawl_far(table *t)
{
    const double length = 0.256; // from plate to plate
    crawl found;
    if (!crawl_for(t, &(gait){1, 0, 0.6, 500, false}, &found))
        return false;
    table_add(t, (finding){.quantity = "500 s, 100,000 steps: widest gap of a joint, of its length",
                           .ours = text("%.2g m", found.gap),
                           .error = found.gap / length,
                           .gate = 1e-6,
                           .unit = ""});
    table_add(t, (finding){.quantity = "the same: deepest overlap",
                           .error = 1e3 * found.overlap,
                           .gate = 0.3,
                           .unit = "mm"});
    return true;
}

// The whole state after a second on so many threads; NULL: it is told.
static void *crawl_on(rig *r, int threads, size_t *size)
{
    void *saved = NULL;
    bool done = true;
    lithe_state_free(r->state);
    r->state = NULL;
    if (lithe_state_create(r->model, threads, &r->state, &r->report) != LITHE_OK) {
        table_broken(r->t, "%s", r->report.error);
        return NULL;
    }
    for (int k = 1; k <= 200 && done; k++) {
        tell_gait(r, &(gait){1, 0, 0.6, 1, false}, k * 5e-3);
        done = rig_step(r);
    }
    *size = lithe_state_size(r->model, r->state);
    if (done && (saved = malloc(*size)))
        lithe_state_save(r->model, r->state, saved);
    return saved;
}

static bool crawl_alike(table *t)
{
    rig r;
    size_t size[3] = {0};
    void *saved[3];
    if (!rig_open(&r, t, "examples/snake/robot.yaml", (const char *)NULL))
        return false;
    for (int i = 0; i < 3; i++)
        saved[i] = crawl_on(&r, 1 << i, &size[i]);
    bool whole = saved[0] && saved[1] && saved[2];
    bool same = whole && size[0] == size[1] && size[0] == size[2] &&
                !memcmp(saved[0], saved[1], size[0]) && !memcmp(saved[0], saved[2], size[0]);
    for (int i = 0; i < 3; i++)
        free(saved[i]);
    table_add(t, (finding){.quantity = "200 steps on 1, 2 and 4 threads: states that differ",
                           .ours = same ? "none" : "some",
                           .error = same ? 0 : 1,
                           .gate = 0.5,
                           .unit = ""});
    rig_close(&r);
    return whole;
}

static bool crawl_many(table *t)
{
    static const double friction[] = {0.1, 0.3, 0.6}, period[] = {2, 1, 0.5};
    static const char *const colour[] = {"#0b6e99", "#c2571a", "#3a7d34"};
    static const char *const name[] = {"friction 0.1", "friction 0.3", "friction 0.6"};
    static curves plot = {.title = "Speed of the snake", .across = "frequency / Hz", .up = "mm/s"};
    for (int i = 0; i < 3; i++) {
        curve *c = curves_add(&plot, name[i], colour[i]);
        for (int k = 0; k < 3; k++) {
            crawl found;
            if (!crawl_for(t, &(gait){period[k], 0, friction[i], 2 * period[k], false}, &found))
                return false;
            curve_point(c, 1 / period[k], 1e3 * found.speed);
            table_add(t, (finding){.quantity = text("speed at friction %g, %g Hz", friction[i],
                                                    1 / period[k]),
                                   .ours = text("%.1f mm/s", 1e3 * found.speed),
                                   .error = NAN,
                                   .gate = NAN,
                                   .unit = ""});
        }
    }
    if (!curves_write(&plot, "snake-speed.svg"))
        table_broken(t, "docs/pictures/snake-speed.svg could not be written");
    table_note(t, "![speed of the snake](pictures/snake-speed.svg)");
    return true;
}

// Quick: how it begins.
static bool crawl_shortly(table *t)
{
    crawl found;
    if (!crawl_for(t, &(gait){0.05, 0, 0.6, 0.1, false}, &found))
        return false;
    table_add(t, (finding){.quantity = "20 steps: deepest overlap",
                           .ours = text("widest gap of a joint %.2g m", found.gap),
                           .error = 1e3 * found.overlap,
                           .gate = 0.3,
                           .unit = "mm"});
    return true;
}

void experiment_snake(table *t)
{
    table_experiment(t, 'P', "snake");
    table_note(
        t,
        "gasoto2019, a poster: a snake of four soft links with two chambers each, of 1504 "
        "particles, 4536 "
        "tetrahedra, 1460 distance constraints, 15 rigid bodies, 10 joints and 217 attachments. "
        "Ours "
        "(examples/snake) has 1368 soft nodes, 4224 tetrahedra, 40 threads, 15 rigid bodies, 10 "
        "hinges and 320 attached nodes. The poster prints no lengths, modulus, masses, friction or "
        "valve constants, and of figures 5 to 7 no numbers: ours are our own, and what can be "
        "compared "
        "is the kind of behaviour. The wave of bending goes along the body at 384 mm times the "
        "frequency, and this gait cannot be faster. Times are those of the machine that made this "
        "page.");
    if (!bend(t) || !respond(t))
        return;
    if (table_quick(t))
        (void)crawl_shortly(t);
    else if (crawl_long(t) && crawl_far(t) && crawl_alike(t) && crawl_without_wheels(t))
        (void)crawl_many(t);
}
