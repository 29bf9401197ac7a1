#include "control/task.h"

#include "base/quote.h"
#include "base/spelling.h"
#include "base/status.h"
#include "control/tolerances.h"
#include "step/state.h"

#include <math.h>
#include <string.h>

typedef struct builder {
    const lithe_def *def;
    lithe_model *model;
    lithe_report *report;
    control_task *task;
} builder;

static const char *head(const char *location)
{
    return location ? location : "the task";
}

static lithe_status no_memory(const builder *b)
{
    return report_no_memory(b->report, "the task");
}

static lithe_status name_measures(builder *b)
{
    lithe_model *m = b->model;
    control_task *t = b->task;
    t->effector = arena_new(&m->memory, m->neffector, lithe_measure);
    t->sensor = arena_new(&m->memory, m->nsensor, lithe_measure);
    if (!t->effector || !t->sensor)
        return no_memory(b);
    for (int i = 0; i < m->neffector; i++) {
        t->effector[i] = measure_of_effector(&b->def->effector[i]);
        t->effector[i].name = m->effector[i].group.name;
    }
    for (int i = 0; i < m->nsensor; i++) {
        t->sensor[i] = m->sensor[i].measure;
        t->sensor[i].name = m->sensor[i].group.name;
    }
    return LITHE_OK;
}

static lithe_status fail_unknown(const builder *b, const lithe_goal_def *d)
{
    const char *wanted = d->effector ? d->effector : d->sensor ? d->sensor : "";
    nearest near = nearest_start(wanted);
    for (int i = 0; d->effector && i < b->def->neffector; i++)
        nearest_offer(&near, b->def->effector[i].name);
    for (int i = 0; d->sensor && i < b->def->nsensor; i++)
        nearest_offer(&near, b->def->sensor[i].name);
    const char *meant = nearest_found(&near);
    return LITHE_FAIL(b->report, LITHE_INVALID, "%s: there is no %s '%s'%s%s%s", head(d->location),
                      d->effector ? "effector" : "sensor", QUOTE(wanted),
                      meant ? ": did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

static void enter_effector(const lithe_model *m, const lithe_goal_def *d, control_goal *g)
{
    const model_effector *e = &m->effector[g->effector];
    g->adr = e->group.adr;
    g->path.n = e->group.n;
    g->priority = d->kept ? 1 : e->priority;
}

// Which rows the goal is about.
static lithe_status find_rows(const builder *b, const lithe_goal_def *d, control_goal *g)
{
    const lithe_model *m = b->model;
    g->effector = d->effector ? lithe_find_effector(m, d->effector) : -1;
    g->sensor = d->sensor && !d->effector ? lithe_find_sensor(m, d->sensor) : -1;
    if (g->effector < 0 && g->sensor < 0)
        return fail_unknown(b, d);
    g->kept = d->kept;
    if (g->effector >= 0) {
        enter_effector(m, d, g);
        return LITHE_OK;
    }
    g->adr = m->sensor[g->sensor].group.adr;
    g->path.n = m->sensor[g->sensor].group.n;
    g->priority = 1;
    if (g->path.n > 0)
        return LITHE_OK;
    return LITHE_FAIL(b->report, LITHE_INVALID,
                      "%s: the sensor '%s' reads an actuator and can have no target; give that "
                      "actuator a command and given: true instead",
                      head(d->location), d->sensor);
}

static lithe_status compile_goal(const builder *b, const lithe_goal_def *d, control_goal *g)
{
    LITHE_TRY(find_rows(b, d, g));
    for (const control_goal *other = b->task->goal; other < g; other++)
        if (other->adr == g->adr)
            return LITHE_FAIL(b->report, LITHE_INVALID,
                              "%s: '%s' has a target already; give it one", head(d->location),
                              d->effector ? d->effector : d->sensor);
    const char *fault = path_fault(d, g->path.n);
    if (fault)
        return LITHE_FAIL(b->report, LITHE_INVALID, "%s: %s", head(d->location), fault);
    if (d->kept && b->def->step.method == LITHE_SEIDEL)
        return LITHE_FAIL(b->report, LITHE_INVALID,
                          "%s: the method seidel cannot keep a value exactly; use hierarchy",
                          head(d->location));
    if (!path_create(d, g->path.n, &b->model->memory, &g->path))
        return no_memory(b);
    b->task->duration = fmax(b->task->duration, g->path.duration);
    return LITHE_OK;
}

static lithe_status check_actuators(const builder *b)
{
    for (int i = 0; i < b->def->nactuator; i++)
        if (!b->def->actuator[i].given)
            return LITHE_OK;
    return LITHE_FAIL(b->report, LITHE_INVALID,
                      "%s: no actuator is free to move, %s; a task needs one or more",
                      head(b->def->task.location),
                      b->def->nactuator > 0 ? "as all are given" : "as there is none");
}

// Where a target only stays, one converged step is enough; realtime steps need some.
static int settle_steps(const lithe_def *def, double duration)
{
    if (def->task.settle >= 0)
        return def->task.settle;
    return duration == 0 && def->step.mode != LITHE_CONVERGED ? def->step.steps : 0;
}

static lithe_status check_task(const builder *b)
{
    const lithe_task_def *d = &b->def->task;
    if (!(d->approach > 0))
        return LITHE_FAIL(b->report, LITHE_INVALID, "%s: the approach must be above 0 m/s",
                          head(d->location));
    double steps = b->task->duration / b->def->step.dt + b->task->settle;
    if (steps > CONTROL_STEPS_MAX)
        return LITHE_FAIL(b->report, LITHE_INVALID,
                          "%s: %.3g s in steps of %g s are more than %d steps; lengthen dt, or "
                          "shorten the task",
                          head(d->location), b->task->duration, b->def->step.dt, CONTROL_STEPS_MAX);
    return LITHE_OK;
}

lithe_status control_compile(const lithe_def *def, lithe_model *m, lithe_report *report)
{
    builder b = {def, m, report, arena_new(&m->memory, 1, control_task)};
    if (!b.task)
        return no_memory(&b);
    m->task = b.task;
    b.task->approach = def->task.approach;
    LITHE_TRY(name_measures(&b));
    if (def->task.ngoal == 0)
        return LITHE_OK;
    b.task->goal = arena_new(&m->memory, def->task.ngoal, control_goal);
    if (!b.task->goal)
        return no_memory(&b);
    for (int i = 0; i < def->task.ngoal; i++)
        LITHE_TRY(compile_goal(&b, &def->task.goal[i], &b.task->goal[b.task->ngoal++]));
    b.task->settle = settle_steps(def, b.task->duration);
    LITHE_TRY(check_actuators(&b));
    return check_task(&b);
}

const control_task *control_of(const lithe_model *m)
{
    return m->task;
}

int lithe_ngoal(const lithe_model *m)
{
    return m->task->ngoal;
}

void lithe_task_start(const lithe_model *m, const lithe_state *s, double *start)
{
    memcpy(start, s->now.delta, (size_t)m->nrow * sizeof *start);
}

double lithe_task_duration(const lithe_model *m)
{
    return m->task->duration;
}

const lithe_measure *control_goal_measure(const control_task *t, const control_goal *g)
{
    return g->effector >= 0 ? &t->effector[g->effector] : &t->sensor[g->sensor];
}

const double *control_sensor_value(const lithe_model *m, const lithe_state *s, int sensor,
                                   double effort_sensor[3])
{
    if (m->sensor[sensor].group.n > 0)
        return &s->now.delta[m->sensor[sensor].group.adr];
    lithe_sensor_value(m, s, sensor, effort_sensor);
    return effort_sensor;
}

static bool is_length(const lithe_model *m, const control_goal *g)
{
    return control_goal_measure(m->task, g)->dimension == QUANTITY_LENGTH;
}

// Farthest way of a target to the start of its path.
static double farthest_start(const lithe_model *m, const double *start)
{
    double farthest = 0;
    for (int i = 0; i < m->task->ngoal; i++) {
        const control_goal *g = &m->task->goal[i];
        double sum = 0;
        for (int k = 0; k < g->path.n && is_length(m, g); k++) {
            double way = path_start(&g->path, k) - start[g->adr + k];
            sum += way * way;
        }
        farthest = fmax(farthest, sqrt(sum));
    }
    return farthest;
}

// At least the step that takes targets to the start. Angles and volumes come along.
static double approach_steps(const lithe_model *m, const double *start)
{
    if (isinf(m->task->approach))
        return m->step.mode != LITHE_CONVERGED ? m->step.steps : 1;
    double steps = farthest_start(m, start) / (m->task->approach * m->step.dt);
    return fmax(ceil(steps - CONTROL_WHOLE_STEPS), 1);
}

double lithe_task_approach(const lithe_model *m, const double *start)
{
    return approach_steps(m, start) * m->step.dt;
}

lithe_status lithe_task_steps(const lithe_model *m, const double *start, int *approach, int *all,
                              lithe_report *report)
{
    double first = approach_steps(m, start);
    double follow = ceil(m->task->duration / m->step.dt - CONTROL_WHOLE_STEPS);
    double sum = first + follow + m->task->settle;
    if (sum > CONTROL_STEPS_MAX)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "the approach at %g m/s takes the task beyond %d steps; approach faster, "
                          "or lengthen dt",
                          m->task->approach, CONTROL_STEPS_MAX);
    *approach = (int)first;
    *all = (int)sum;
    return LITHE_OK;
}

static void goal_at(const lithe_model *m, const control_goal *g, const double *start, double time,
                    double *target)
{
    double approach = lithe_task_approach(m, start);
    path_at(&g->path, time - approach, target);
    // times are multiples of dt that were rounded on the way: nearly there is there
    for (int k = 0; k < g->path.n && time < approach - CONTROL_MOMENT * m->step.dt; k++)
        target[k] = start[g->adr + k] + time / approach * (target[k] - start[g->adr + k]);
}

void lithe_task_targets(const lithe_model *m, const double *start, double time, double *target)
{
    for (int r = 0; r < m->nrow; r++)
        target[r] = NAN;
    for (int i = 0; i < m->task->ngoal; i++)
        goal_at(m, &m->task->goal[i], start, time, &target[m->task->goal[i].adr]);
}

lithe_status lithe_task_apply(const lithe_model *m, lithe_state *s, const double *start,
                              double time)
{
    for (int i = 0; i < m->task->ngoal; i++) {
        const control_goal *g = &m->task->goal[i];
        double *target = &s->task.next[g->adr]; // what it was is compared with it
        goal_at(m, g, start, time, target);
        if (g->effector >= 0)
            LITHE_TRY(lithe_target_effector(m, s, g->effector, target, g->kept));
        else
            LITHE_TRY(lithe_target_sensor(m, s, g->sensor, target, g->kept));
    }
    return LITHE_OK;
}

double control_error(const lithe_state *s, const control_goal *goal, const double *target)
{
    double sum = 0;
    for (int r = goal->adr; r < goal->adr + goal->path.n; r++)
        sum += (s->now.delta[r] - target[r]) * (s->now.delta[r] - target[r]);
    return sqrt(sum);
}

double control_tolerance(const lithe_model *m, const control_goal *goal)
{
    return CONTROL_REACHED * m->row[goal->adr].scale;
}

double lithe_length_tolerance(const lithe_model *m)
{
    return CONTROL_REACHED * m->size;
}

int lithe_first_priority(const lithe_model *m)
{
    int first = STEP_LEVELS + 1;
    for (int i = 0; i < m->task->ngoal; i++)
        if (!m->task->goal[i].kept && m->task->goal[i].priority < first)
            first = m->task->goal[i].priority;
    return first <= STEP_LEVELS ? first : 1;
}

double lithe_first_error(const lithe_model *m, const lithe_state *s, const double *target)
{
    int first = lithe_first_priority(m);
    double sum = 0;
    for (int i = 0; i < m->task->ngoal; i++) {
        const control_goal *g = &m->task->goal[i];
        double weight = g->effector >= 0 ? s->weight[g->effector] : 1;
        double miss = control_error(s, g, target) / m->row[g->adr].scale;
        if (!g->kept && g->priority == first)
            sum += weight * miss * miss;
    }
    return m->size * sqrt(sum);
}

static const control_goal *goal_of(const lithe_model *m, int goal)
{
    return goal >= 0 && goal < m->task->ngoal ? &m->task->goal[goal] : NULL;
}

lithe_status lithe_goal_get(const lithe_model *m, int goal, lithe_goal *out)
{
    const control_goal *g = goal_of(m, goal);
    if (!g)
        return LITHE_INVALID;
    *out = (lithe_goal){.effector = g->effector,
                        .sensor = g->sensor,
                        .row = g->adr,
                        .nrow = g->path.n,
                        .priority = g->priority,
                        .kept = g->kept,
                        .tolerance = control_tolerance(m, g)};
    return LITHE_OK;
}

const char *lithe_goal_name(const lithe_model *m, int goal)
{
    const control_goal *g = goal_of(m, goal);
    return g ? control_goal_measure(m->task, g)->name : NULL;
}

double lithe_goal_error(const lithe_model *m, const lithe_state *s, int goal, const double *target)
{
    const control_goal *g = goal_of(m, goal);
    bool asked = g && (target || (s->task.inverse && s->task.wanted[g->adr]));
    return asked ? control_error(s, g, target ? target : s->task.target) : NAN;
}

const lithe_measure *lithe_effector_measure(const lithe_model *m, int effector)
{
    return effector >= 0 && effector < m->neffector ? &m->task->effector[effector] : NULL;
}

const lithe_measure *lithe_sensor_measure(const lithe_model *m, int sensor)
{
    return sensor >= 0 && sensor < m->nsensor ? &m->task->sensor[sensor] : NULL;
}
