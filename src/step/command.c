// What outsiders may change between steps: commands, also those that go on in time, loads,
// friction.
#include "step/outline.h"

#include "base/rotation.h"
#include "base/vec.h"
#include "step/inverse.h"
#include "step/state.h"
#include "step/target.h"

#include <math.h>
#include <string.h>

// Says why not, in SI units.
static lithe_status check_number(const lithe_model *m, lithe_state *s, int actuator,
                                 lithe_command_kind kind, double value)
{
    const model_actuator *a = &m->actuator[actuator];
    const row *r = &m->row[a->group.adr];
    if (kind != LITHE_EFFORT && kind != LITHE_DISPLACEMENT)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "actuator '%s': there is no command of kind %d; LITHE_EFFORT and "
                          "LITHE_DISPLACEMENT are",
                          a->group.name, (int)kind);
    if (row_is_parameter(r) && (kind == LITHE_EFFORT) == row_drives_support(r))
        return LITHE_FAIL(&s->report, LITHE_INVALID, "actuator '%s' is told its %s, not its %s",
                          a->group.name, row_drives_support(r) ? "travel" : "modulus",
                          row_drives_support(r) ? "effort" : "displacement");
    double inside = row_inward(r, value);
    const row_limit *own = &s->limit[a->group.adr];
    const double *limit = kind == LITHE_EFFORT ? own->effort : own->displacement;
    if (!isfinite(inside) || inside < limit[0] || inside > limit[1])
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "actuator '%s': %s %g is outside its limits [%g, %g] (SI units)",
                          a->group.name, kind == LITHE_EFFORT ? "effort" : "displacement", value,
                          row_outward(r, limit[0]), row_outward(r, limit[1]));
    return LITHE_OK;
}

lithe_status step_check_command(const lithe_model *m, lithe_state *s, int actuator,
                                lithe_command_kind kind, const double *value)
{
    if (actuator < 0 || actuator >= m->nactuator)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no actuator %d; there are %d",
                          actuator, m->nactuator);
    for (int i = 0; i < m->actuator[actuator].group.n; i++)
        LITHE_TRY(check_number(m, s, actuator, kind, value[i]));
    return LITHE_OK;
}

lithe_status lithe_command(const lithe_model *m, lithe_state *s, int actuator,
                           lithe_command_kind kind, const double *value)
{
    LITHE_TRY(step_check_command(m, s, actuator, kind, value));
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++) {
        s->command[group->adr + i] = kind;
        s->value[group->adr + i] = row_inward(&m->row[group->adr + i], value[i]);
    }
    return LITHE_OK;
}

lithe_status lithe_command_share(const lithe_model *m, lithe_state *s, int actuator,
                                 lithe_command_kind kind, const double *from, const double *value,
                                 double share)
{
    double effort[2], displacement[2], part[3];
    LITHE_TRY(lithe_limits(m, s, actuator, effort, displacement));
    const double *limit = kind == LITHE_EFFORT ? effort : displacement;
    const model_group *group = &m->actuator[actuator].group;
    if (share >= 1 || row_scales_modulus(&m->row[group->adr]))
        return lithe_command(m, s, actuator, kind, value);
    for (int k = 0; k < group->n; k++) {
        double start = from ? from[k] : 0, to = start + share * (value[k] - start);
        part[k] = to < limit[0] ? limit[0] : to > limit[1] ? limit[1] : to; // NaN: to be refused
    }
    return lithe_command(m, s, actuator, kind, part);
}

static double duration_of(const model_play *p)
{
    return fmax(p->period, p->nwaypoint > 0 ? p->time[p->nwaypoint - 1] : 0);
}

double lithe_play_duration(const lithe_model *m)
{
    double duration = 0;
    for (int a = 0; a < m->nactuator; a++)
        duration = fmax(duration, duration_of(&m->actuator[a].play));
    for (int l = 0; l < m->nlead; l++)
        duration = fmax(duration, duration_of(&m->lead[l].play));
    for (int k = 0; k < m->nmoved; k++)
        duration = fmax(duration, m->moved[k].path.time[m->moved[k].path.n - 1]);
    for (int o = 0; o < m->contact.world.nshape; o++) {
        const contact_path *p = &m->contact.path[o];
        if (p->n > 0)
            duration = fmax(duration, p->time[p->n - 1]);
    }
    return duration;
}

// One number at a time: from `first` at time 0 to the waypoints, straight between them.
// waypoint: (nwaypoint x n), at (nwaypoint) s
static double along_waypoints(int nwaypoint, const double *waypoint, const double *at, int n,
                              int number, double first, double time)
{
    double value = first, before = 0;
    for (int i = 0; i < nwaypoint; i++) {
        double next = waypoint[i * n + number];
        if (time < at[i])
            return value + (next - value) * (time - before) / (at[i] - before);
        value = next;
        before = at[i];
    }
    return value;
}

// Number i of n that go on in time from what they were at time 0.
static double played(const model_play *p, int n, int i, double first, double time)
{
    const double pi = 3.14159265358979323846;
    double value = along_waypoints(p->nwaypoint, p->waypoint, p->time, n, i, first, time);
    return p->period > 0 ? value + p->amplitude[i] * sin(2 * pi * time / p->period + p->phase)
                         : value;
}

bool lithe_obstacle_path(const lithe_model *m, int obstacle, double time, double rotate[3],
                         double move[3])
{
    bool known = obstacle >= 0 && obstacle < lithe_nobstacle(m);
    memset(rotate, 0, 3 * sizeof *rotate);
    memset(move, 0, 3 * sizeof *move);
    if (!known || m->contact.path[obstacle].n == 0)
        return false;
    const contact_path *p = &m->contact.path[obstacle];
    for (int i = 0; i < 3; i++) {
        rotate[i] = along_waypoints(p->n, p->way, p->time, 6, i, 0, time);
        move[i] = along_waypoints(p->n, p->way, p->time, 6, 3 + i, 0, time);
    }
    return true;
}

static void play_fixes(const lithe_model *m, lithe_state *s, double time)
{
    for (int l = 0; l < m->nlead; l++)
        for (int i = 0; i < 3; i++)
            s->setting_wanted[model_lead_adr(m, l) + i] =
                played(&m->lead[l].play, 3, i, m->lead[l].first[i], time) - m->lead[l].first[i];
}

static void play_bodies(const lithe_model *m, lithe_state *s, double time)
{
    for (int k = 0; k < m->nmoved; k++) {
        const contact_path *p = &m->moved[k].path;
        double angle[3], R[9], *value = &s->value[m->moved[k].row];
        for (int i = 0; i < 3; i++) {
            angle[i] = along_waypoints(p->n, p->way, p->time, 6, i, 0, time);
            value[i] = along_waypoints(p->n, p->way, p->time, 6, 3 + i, 0, time);
        }
        mat_from_angles(R, angle);
        rotation_of_matrix(R, value + 3);
    }
}

static lithe_status play_obstacles(const lithe_model *m, lithe_state *s, double time)
{
    for (int o = 0; o < m->contact.world.nshape; o++) {
        double rotate[3], move[3];
        if (lithe_obstacle_path(m, o, time, rotate, move))
            LITHE_TRY(lithe_move_obstacle(m, s, o, rotate, move));
    }
    return LITHE_OK;
}

lithe_status lithe_play(const lithe_model *m, lithe_state *s, double time)
{
    for (int a = 0; a < m->nactuator; a++) {
        const model_play *p = &m->actuator[a].play;
        const model_group *group = &m->actuator[a].group;
        double value[3] = {0};
        bool found = s->task.inverse && !m->actuator[a].given;
        if (found || (p->nwaypoint == 0 && p->period == 0))
            continue;
        for (int i = 0; i < group->n; i++) {
            const row *r = &m->row[group->adr + i];
            value[i] = played(p, group->n, i, row_outward(r, r->value), time);
        }
        LITHE_TRY(lithe_command(m, s, a, m->row[group->adr].command, value));
    }
    play_fixes(m, s, time);
    play_bodies(m, s, time);
    return play_obstacles(m, s, time);
}

lithe_status lithe_set_friction(const lithe_model *m, lithe_state *s, int pair, double coefficient)
{
    const double most = 10;
    if (pair < 0 || pair >= m->contact.nsides)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no pair %d; there are %d", pair,
                          m->contact.nsides);
    if (!(coefficient >= 0 && coefficient <= most))
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "'%s' and '%s': the coefficient of friction %g is outside [0, %g]",
                          m->contact.sides[pair].name[0], m->contact.sides[pair].name[1],
                          coefficient, most);
    step_contact *t = &s->contact;
    t->rubs = false;
    for (int k = 0; k < m->contact.world.nmatch; k++) {
        if (m->contact.law[k].sides == pair)
            t->friction[k] = coefficient;
        t->rubs = t->rubs || t->friction[k] > 0 || m->contact.law[k].across > 0;
    }
    return LITHE_OK;
}

double lithe_friction(const lithe_model *m, const lithe_state *s, int pair)
{
    for (int k = 0; k < m->contact.world.nmatch; k++)
        if (m->contact.law[k].sides == pair)
            return s->contact.friction[k];
    return NAN;
}

bool task_create(const lithe_model *m, arena *memory, step_task *t)
{
    size_t n = (size_t)m->nact, rows = (size_t)m->nrow, limits = n + rows;
    secant_hessian *b = &t->secant;
    struct {
        double **array;
        size_t n;
    } scratch[] = {
        {&b->B, n * n},      {&b->V, n * n},     {&b->value, n},    {&b->step, n},
        {&b->y, n},          {&b->miss, n},      {&t->next, rows},  {&t->lower, n},
        {&t->upper, n},      {&t->shortest, n},  {&t->farthest, n}, {&t->J, rows * n},
        {&t->e, rows},       {&t->weight, rows}, {&t->lo, n},       {&t->hi, n},
        {&t->A, limits * n}, {&t->blo, limits},  {&t->bhi, limits}, {&t->shift, rows},
        {&t->delta, n},      {&t->last, n},      {&t->home, n},     {&t->home_q, (size_t)m->nq},
    };
    for (size_t k = 0; k < sizeof scratch / sizeof *scratch; k++)
        if (!(*scratch[k].array = arena_new(memory, scratch[k].n, double)))
            return false;
    t->row_of = arena_new(memory, limits + rows, int);
    t->level = arena_new(memory, STEP_LEVELS + 1, hierarchy_level);
    t->work = hierarchy_create(memory, m->nact, (int)limits, STEP_LEVELS, m->nrow);
    return t->row_of && t->level && t->work;
}

static lithe_status set_target(const lithe_model *m, lithe_state *s, const model_group *group,
                               const double *target, bool kept)
{
    for (int i = 0; i < group->n; i++)
        if (target[i] - target[i] != 0)
            return LITHE_FAIL(&s->report, LITHE_INVALID,
                              "the target of '%s' is not a finite number", group->name);
    if (kept && m->step.method == LITHE_SEIDEL)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "method seidel cannot keep '%s' at a value; use hierarchy", group->name);
    for (int i = 0; i < group->n; i++) {
        if (s->task.target[group->adr + i] != target[i])
            s->task.secant.started = false; // what was learnt of the way to another target
        s->task.wanted[group->adr + i] = true;
        s->task.kept[group->adr + i] = kept;
        s->task.target[group->adr + i] = target[i];
    }
    s->task.inverse = true;
    return LITHE_OK;
}

lithe_status lithe_target_effector(const lithe_model *m, lithe_state *s, int effector,
                                   const double *target, bool kept)
{
    if (effector < 0 || effector >= m->neffector)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no effector %d; there are %d",
                          effector, m->neffector);
    return set_target(m, s, &m->effector[effector].group, target, kept);
}

lithe_status lithe_target_sensor(const lithe_model *m, lithe_state *s, int sensor,
                                 const double *target, bool kept)
{
    if (sensor < 0 || sensor >= m->nsensor || m->sensor[sensor].group.n == 0)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no sensor %d that can have a target",
                          sensor);
    return set_target(m, s, &m->sensor[sensor].group, target, kept);
}

static bool is_asked(const model_group *group, const double *target)
{
    bool asked = false;
    for (int i = 0; i < group->n; i++)
        asked = asked || !isnan(target[group->adr + i]);
    return asked;
}

static lithe_status target_group(const lithe_model *m, lithe_state *s, const model_group *group,
                                 const double *target, const bool *kept)
{
    if (!is_asked(group, target)) {
        memset(&s->task.wanted[group->adr], 0, (size_t)group->n * sizeof *s->task.wanted);
        memset(&s->task.kept[group->adr], 0, (size_t)group->n * sizeof *s->task.kept);
        return LITHE_OK;
    }
    return set_target(m, s, group, &target[group->adr], kept && kept[group->adr]);
}

lithe_status lithe_target_all(const lithe_model *m, lithe_state *s, const double *target,
                              const bool *kept)
{
    bool any = false;
    for (int e = 0; e < m->neffector; e++) {
        LITHE_TRY(target_group(m, s, &m->effector[e].group, target, kept));
        any = any || is_asked(&m->effector[e].group, target);
    }
    for (int k = 0; k < m->nsensor; k++) {
        LITHE_TRY(target_group(m, s, &m->sensor[k].group, target, kept));
        any = any || is_asked(&m->sensor[k].group, target);
    }
    if (!any)
        lithe_forget_targets(m, s);
    return LITHE_OK;
}

void lithe_targets(const lithe_model *m, const lithe_state *s, double *target)
{
    for (int r = 0; r < m->nrow; r++)
        target[r] = s->task.inverse && s->task.wanted[r] ? s->task.target[r] : NAN;
}

void lithe_forget_targets(const lithe_model *m, lithe_state *s)
{
    memset(s->task.wanted, 0, (size_t)m->nrow * sizeof *s->task.wanted);
    memset(s->task.kept, 0, (size_t)m->nrow * sizeof *s->task.kept);
    s->task.inverse = false;
    s->task.secant.started = false;
    hierarchy_forget(s->task.work);
}
