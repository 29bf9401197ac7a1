#include "app/robustness.h"

#include "app/interrupt.h"
#include "app/progress.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

// Halton's sequence, which fills a box evenly whatever the number of points: the k-th number in
// base b, mirrored at its point.
static double halton(int k, int base)
{
    double share = 1, sum = 0;
    for (; k > 0; k /= base) {
        share /= base;
        sum += share * (k % base);
    }
    return sum;
}

static int prime(int k)
{
    int p = 1;
    for (int found = -1; found < k;) {
        bool is = ++p >= 2;
        for (int d = 2; d * d <= p && is; d++)
            is = p % d != 0;
        found += is;
    }
    return p;
}

static lithe_status find_range(robust *r, int actuator, double limit[2])
{
    double effort[2], displacement[2], value[3];
    session *s = &r->session;
    lithe_command_kind kind = lithe_actuator_command(s->model, actuator, value);
    lithe_actuator_limits(r->plant, actuator, effort, displacement);
    memcpy(limit, kind == LITHE_EFFORT ? effort : displacement, 2 * sizeof *limit);
    if (isfinite(limit[0]) && isfinite(limit[1]))
        return LITHE_OK;
    const char *name = lithe_actuator_quantity(lithe_actuator_type(s->model, actuator), kind)->name;
    return LITHE_FAIL(&s->report, LITHE_INVALID,
                      "%s: poses are spread over the actuators' limits, and the %s of '%s' has "
                      "none; add limits: {%s: [LOW, HIGH]}",
                      s->options.scene, name, lithe_actuator_name(s->model, actuator), name);
}

// The robot's commands of the k-th pose.
static lithe_status give(robust *r, int k, double *told)
{
    const lithe_model *m = r->session.model;
    double limit[2], value[3];
    for (int a = 0, column = 0; a < lithe_nactuator(m); a++) {
        lithe_command_kind kind = lithe_actuator_command(m, a, value);
        bool free = lithe_actuator_is_free(m, a);
        if (free)
            LITHE_TRY(find_range(r, a, limit));
        for (int i = 0; i < lithe_actuator_rows(m, a); i++) {
            int row = lithe_row_of_actuator(m, a) + i;
            if (free)
                value[i] = limit[0] + (limit[1] - limit[0]) * halton(k + 1, prime(column++));
            told[row] = value[i];
        }
        if (lithe_command(r->plant, r->plant_state, a, kind, value) != LITHE_OK)
            return LITHE_FAIL(&r->session.report, LITHE_INVALID, "%s",
                              lithe_state_error(r->plant_state));
    }
    return LITHE_OK;
}

static void start_again(const robust *r)
{
    lithe_state_reset(r->session.model, r->state);
    lithe_state_reset(r->plant, r->plant_state);
}

// Is there a sensor that the model follows?
static bool sees_shape(const robust *r)
{
    int effort_sensors = 0, n = lithe_nsensor(r->plant);
    for (int k = 0; k < n; k++)
        effort_sensors += lithe_scene_def(r->plant_scene)->sensor[k].kind == LITHE_SENSOR_EFFORT;
    return effort_sensors < n;
}

// One pose; false in *reached where one of the models has no answer.
static lithe_status measure_pose(robust *r, int k, bool *reached)
{
    robust_pose *p = &r->pose[r->npose];
    double position[ROBUST_TOLD] = {0};
    LITHE_TRY(give(r, k, p->told));
    *reached = lithe_step(r->plant, r->plant_state) == LITHE_OK;
    if (!*reached)
        return LITHE_OK;
    lithe_status status = lithe_measure_inversion(r->session.model, r->state, r->plant,
                                                  r->plant_state, &p->inversion);
    if (status == LITHE_INVALID || status == LITHE_NO_MEMORY)
        return LITHE_FAIL(&r->session.report, status, "%s", lithe_state_error(r->state));
    // where limits or another equilibrium keep the model from the robot's readings, nothing is told
    *reached = status == LITHE_OK &&
               (!sees_shape(r) || p->inversion.apart <= 10 * lithe_length_tolerance(r->plant));
    if (lithe_neffector(r->plant) > 0 && lithe_effector_rows(r->plant, 0) <= ROBUST_TOLD)
        lithe_effector_value(r->plant, r->plant_state, 0, position);
    memcpy(p->position, position, sizeof p->position);
    return LITHE_OK;
}

lithe_status robust_measure(robust *r)
{
    session *s = &r->session;
    int n = s->options.poses ? s->options.poses : 64;
    r->pose = arena_new(&s->memory, n, robust_pose);
    if (!r->pose)
        return report_no_memory(&s->report, "the poses");
    LITHE_TRY(lithe_state_create(s->model, s->options.threads, &r->state, &s->report));
    LITHE_TRY(lithe_state_create(r->plant, s->options.threads, &r->plant_state, &s->report));
    interrupt_ends(r->state);
    progress bar = progress_start("lithe robust", n);
    lithe_status status = LITHE_OK;
    for (int k = 0; k < n && status == LITHE_OK && !interrupt_seen(); k++) {
        bool reached = false;
        status = measure_pose(r, k, &reached);
        if (!reached)
            start_again(r);
        else if (r->pose[r->npose].inversion.gamma > r->pose[r->worst].inversion.gamma)
            r->worst = r->npose;
        r->nfailed += !reached;
        r->npose += reached;
        progress_at(&bar, k + 1);
    }
    progress_end(&bar);
    return status;
}
