// What outsiders may change while it runs, besides commands and targets. All of it is part of the
// state; the model stays as it was compiled.
#include "body/body_near.h"
#include "step/configuration.h"
#include "step/contact_step.h"
#include "step/motion.h"
#include "step/state.h"
#include "step/tolerances.h"

#include <math.h>
#include <string.h>

static lithe_status no_such(lithe_state *s, const char *what, int number, int n)
{
    return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no %s %d; there are %d", what, number,
                      n);
}

static bool is_actuator(const lithe_model *m, int actuator)
{
    return actuator >= 0 && actuator < m->nactuator;
}

// What the row is told, brought within its limits.
static double within(const lithe_state *s, int r, const row_limit *limit)
{
    const double *range = s->command[r] == LITHE_EFFORT ? limit->effort : limit->displacement;
    return fmin(fmax(s->value[r], range[0]), range[1]);
}

static lithe_status take_limit(const lithe_model *m, lithe_state *s, int actuator,
                               const row_limit *limit)
{
    const model_group *group = &m->actuator[actuator].group;
    if (!row_limit_is_sound(limit))
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "actuator '%s': a range needs a lower end that is not above its upper "
                          "one, and a rate is not negative; a modulus is above 0",
                          group->name);
    bool found = s->task.inverse && !m->actuator[actuator].given; // nobody has told it anything
    for (int r = group->adr; r < group->adr + group->n; r++)
        if (!found && within(s, r, limit) != s->value[r])
            return LITHE_FAIL(&s->report, LITHE_INVALID,
                              "actuator '%s': its command %g is outside the new range (SI units); "
                              "command it first",
                              group->name, row_outward(&m->row[r], s->value[r]));
    for (int r = group->adr; r < group->adr + group->n; r++) {
        s->limit[r] = *limit;
        s->value[r] = within(s, r, limit);
    }
    return LITHE_OK;
}

lithe_status lithe_set_limits(const lithe_model *m, lithe_state *s, int actuator,
                              const double effort[2], const double displacement[2])
{
    if (!is_actuator(m, actuator))
        return no_such(s, "actuator", actuator, m->nactuator);
    const row *r = &m->row[m->actuator[actuator].group.adr];
    row_limit limit = s->limit[m->actuator[actuator].group.adr];
    double old[2][2];
    lithe_limits(m, s, actuator, old[0], old[1]);
    row_limit told = row_limit_of(r, effort ? effort : old[0], displacement ? displacement : old[1],
                                  INFINITY, INFINITY);
    memcpy(limit.effort, told.effort, sizeof limit.effort);
    memcpy(limit.displacement, told.displacement, sizeof limit.displacement);
    return take_limit(m, s, actuator, &limit);
}

lithe_status lithe_set_rates(const lithe_model *m, lithe_state *s, int actuator, double effort,
                             double displacement)
{
    static const double any[2] = {1, 1};
    if (!is_actuator(m, actuator))
        return no_such(s, "actuator", actuator, m->nactuator);
    int r = m->actuator[actuator].group.adr;
    row_limit limit = s->limit[r], told = row_limit_of(&m->row[r], any, any, effort, displacement);
    limit.effort_rate = told.effort_rate;
    limit.displacement_rate = told.displacement_rate;
    return take_limit(m, s, actuator, &limit);
}

lithe_status lithe_set_weight(const lithe_model *m, lithe_state *s, int effector, double weight)
{
    if (effector < 0 || effector >= m->neffector)
        return no_such(s, "effector", effector, m->neffector);
    if (!(weight >= 0) || isinf(weight))
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "effector '%s': its weight is %g; give 0 or a number above it",
                          m->effector[effector].group.name, weight);
    s->weight[effector] = weight;
    s->task.secant.started = false; // what was learnt has the old one in it
    return LITHE_OK;
}

double lithe_weight(const lithe_model *m, const lithe_state *s, int effector)
{
    return effector >= 0 && effector < m->neffector ? s->weight[effector] : NAN;
}

lithe_status lithe_set_tolerance(const lithe_model *m, lithe_state *s, double tolerance)
{
    (void)m;
    if (!(tolerance > 0 && tolerance < 1))
        return LITHE_FAIL(&s->report, LITHE_INVALID, "the tolerance %g is not above 0 and below 1",
                          tolerance);
    s->tolerance = tolerance;
    return LITHE_OK;
}

double lithe_tolerance(const lithe_state *s)
{
    return s->tolerance;
}

int lithe_nload(const lithe_model *m)
{
    return m->nload;
}

const char *lithe_load_name(const lithe_model *m, int load)
{
    return load >= 0 && load < m->nload ? m->load_name[load] : NULL;
}

int lithe_find_load(const lithe_model *m, const char *name)
{
    for (int i = 0; i < m->nload; i++)
        if (strcmp(m->load_name[i], name) == 0)
            return i;
    return -1;
}

lithe_status lithe_scale_load(const lithe_model *m, lithe_state *s, int load, double factor)
{
    const double most = STEP_MOST_FACTOR;
    if (load < 0 || load >= m->nload)
        return no_such(s, "load", load, m->nload);
    if (!(fabs(factor) <= most))
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "load '%s': the factor %g is outside [%g, %g]; 1 is the load as defined",
                          m->load_name[load], factor, -most, most);
    s->setting_wanted[load] = factor;
    return LITHE_OK;
}

double lithe_load_scale(const lithe_model *m, const lithe_state *s, int load)
{
    return load >= 0 && load < m->nload ? s->setting_wanted[load] : NAN;
}

static int value_adr(const lithe_model *m, int load)
{
    return m->nload + 3 + m->nmaterial + 3 * load;
}

static int own_gravity_adr(const lithe_model *m, int body_id)
{
    return value_adr(m, m->nload) + 3 * body_id;
}

static int ncomponent(const lithe_model *m, int load)
{
    return m->load_kind[load] == LITHE_PRESSURE ? 1 : 3;
}

lithe_status lithe_set_load(const lithe_model *m, lithe_state *s, int load, const double *value)
{
    if (load < 0 || load >= m->nload)
        return no_such(s, "load", load, m->nload);
    for (int i = 0; i < ncomponent(m, load); i++)
        if (!isfinite(value[i]))
            return LITHE_FAIL(&s->report, LITHE_INVALID,
                              "load '%s': component %d is %g; give a "
                              "finite number",
                              m->load_name[load], i, value[i]);
    memcpy(&s->setting_wanted[value_adr(m, load)], value,
           (size_t)ncomponent(m, load) * sizeof *value);
    return LITHE_OK;
}

int lithe_load_value(const lithe_model *m, const lithe_state *s, int load, double *value)
{
    if (load < 0 || load >= m->nload)
        return 0;
    int n = ncomponent(m, load);
    memcpy(value, &s->setting_wanted[value_adr(m, load)], (size_t)n * sizeof *value);
    return n;
}

void settings_reset(const lithe_model *m, lithe_state *s)
{
    for (int i = 0; i < value_adr(m, 0); i++)
        s->setting_wanted[i] = i >= m->nload && i < m->nload + 3 ? 0 : 1;
    if (m->nload > 0)
        memcpy(&s->setting_wanted[value_adr(m, 0)], m->load_value,
               3 * (size_t)m->nload * sizeof *m->load_value);
    memset(&s->setting_wanted[own_gravity_adr(m, 0)], 0,
           3 * (size_t)m->nbody * sizeof *s->setting_wanted);
    if (m->nlead > 0)
        memset(&s->setting_wanted[model_lead_adr(m, 0)], 0,
               3 * (size_t)m->nlead * sizeof *s->setting_wanted);
    memcpy(s->setting, s->setting_wanted, (size_t)m->nsetting * sizeof *s->setting);
}

lithe_status lithe_set_gravity(const lithe_model *m, lithe_state *s, const double gravity[3])
{
    for (int i = 0; i < 3; i++)
        if (!isfinite(gravity[i]))
            return LITHE_FAIL(&s->report, LITHE_INVALID, "gravity is not a finite number");
    for (int i = 0; i < 3; i++)
        s->setting_wanted[m->nload + i] = gravity[i] - m->gravity[i];
    return LITHE_OK;
}

void lithe_gravity(const lithe_model *m, const lithe_state *s, double gravity[3])
{
    for (int i = 0; i < 3; i++)
        gravity[i] = m->gravity[i] + s->setting_wanted[m->nload + i];
}

lithe_status lithe_set_body_gravity(const lithe_model *m, lithe_state *s, int body_id,
                                    const double gravity[3])
{
    if (body_id < 0 || body_id >= m->nbody)
        return no_such(s, "body", body_id, m->nbody);
    for (int i = 0; i < 3; i++)
        if (!isfinite(gravity[i]))
            return LITHE_FAIL(&s->report, LITHE_INVALID, "gravity is not a finite number");
    memcpy(&s->setting_wanted[own_gravity_adr(m, body_id)], gravity, 3 * sizeof *gravity);
    return LITHE_OK;
}

// Where energy is watched, what the change of a modulus puts in or takes out is not known.
lithe_status lithe_scale_material(const lithe_model *m, lithe_state *s, int material, double factor)
{
    const double least = STEP_LEAST_FACTOR, most = STEP_MOST_FACTOR;
    if (material < 0 || material >= m->nmaterial)
        return no_such(s, "material", material, m->nmaterial);
    if (!(factor >= least && factor <= most))
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "material '%s': the factor %g is outside [%g, %g]; 1 is the material as "
                          "defined",
                          m->material_name[material], factor, least, most);
    s->setting_wanted[m->nload + 3 + material] = factor;
    s->truth.energy.on = false;
    return LITHE_OK;
}

double lithe_material_scale(const lithe_model *m, const lithe_state *s, int material)
{
    return material >= 0 && material < m->nmaterial ? s->setting_wanted[m->nload + 3 + material]
                                                    : NAN;
}

static bool are_numbers(const double *value, size_t n)
{
    for (size_t i = 0; value && i < n; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

static lithe_status check_position(const lithe_model *m, lithe_state *s, const double *position,
                                   const double *rotation)
{
    size_t n = 3 * (size_t)model_seen(m)->nposition;
    if (!are_numbers(position, n) || !are_numbers(rotation, n))
        return LITHE_FAIL(&s->report, LITHE_INVALID, "a position is not a finite number");
    return LITHE_OK;
}

// Velocities of a reduced model's own nodes that come nearest to those of the whole one's.
static lithe_status spread_velocity(const lithe_model *m, lithe_state *s, const double *velocity)
{
    const body *b = &m->body[0], *all = m->reduction->all;
    if (all && !body_nearest(all, s->whole->near, s->now.q, velocity, s->pass.dq))
        return LITHE_FAIL(&s->report, LITHE_INVALID, "body '%s' has nodes without mass", b->name);
    if (!all)
        state_project(m, velocity, s->pass.dq);
    b->space->push(b, body_jacobian(b, s->now.J), s->pass.dq, s->motion.velocity);
    return LITHE_OK;
}

// Does a reduced model have other nodes than the whole one?
static bool has_own_nodes(const lithe_model *m)
{
    return m->reduction && (m->reduction->Phi || m->reduction->all);
}

// x of positions and of the rotations that some of them have; both of all bodies' position nodes.
static void spread_nodes(const lithe_model *m, const double *position, const double *rotation,
                         double *out)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        double *x = out + 3 * (size_t)b->node_adr;
        memcpy(x, position + 3 * (size_t)b->position_adr,
               3 * (size_t)body_nposition(b) * sizeof *position);
        for (int i = 0; rotation && b->rotation && i < body_nposition(b); i++)
            if (b->rotation[i] >= 0)
                memcpy(x + 3 * (size_t)b->rotation[i], rotation + 3 * (size_t)(b->position_adr + i),
                       3 * sizeof *rotation);
    }
}

// Where nodes follow frames or modes: by Gauss-Newton, to the shape that is nearest in the measure
// of the mass.
static lithe_status approach(const lithe_model *m, lithe_state *s, int k, const double *wanted)
{
    enum { MOST = 50 };
    const body *b = &m->body[k];
    double moved = INFINITY;
    for (int i = 0; i < MOST && moved > STEP_SHAPE_FOUND * m->size; i++) {
        step_way(m, s->now.x, wanted, s->nodal);
        LITHE_TRY(motion_nearest(m, s, k, s->nodal));
        b->space->advance(b, s->now.q + b->q_adr, 1, s->pass.dq + b->q_adr, s->now.q + b->q_adr);
        step_positions(m, &s->now);
        moved = b->space->largest(b, s->pass.dq + b->q_adr);
    }
    return LITHE_OK;
}

// The same of the whole one's nodes in a beam space that has others itself.
static lithe_status approach_all(const lithe_model *m, lithe_state *s, const double *wanted)
{
    enum { MOST = 50 };
    const body *all = m->reduction->all;
    double *way = s->whole->state->trial.x, moved = INFINITY; // scratch between steps
    for (int i = 0; i < MOST && moved > STEP_SHAPE_FOUND * m->size; i++) {
        all->space->positions(all, s->now.q, way);
        for (int k = 0; k < 3 * all->nnode; k++)
            way[k] = wanted[k] - way[k];
        if (!body_nearest(all, s->whole->near, s->now.q, way, s->pass.dq))
            return LITHE_INVALID;
        all->space->advance(all, s->now.q, 1, s->pass.dq, s->now.q);
        moved = all->space->largest(all, s->pass.dq);
    }
    return LITHE_OK;
}

static void approach_modes(const lithe_model *m, lithe_state *s, const double *wanted)
{
    const lithe_model *whole = m->reduction->whole;
    double *way = s->whole->state->trial.x;
    for (int i = 0; i < 3 * whole->nnode; i++)
        way[i] = wanted[i] - whole->X[i];
    state_project(m, way, s->now.q);
}

lithe_status state_go_near(const lithe_model *m, lithe_state *s, const double *wanted)
{
    if (has_own_nodes(m) && m->reduction->all)
        LITHE_TRY(approach_all(m, s, wanted));
    else if (has_own_nodes(m))
        approach_modes(m, s, wanted);
    for (int k = 0; k < m->nbody && !has_own_nodes(m); k++) {
        const body *b = &m->body[k];
        if (b->space == &space_nodal) // there q are the nodes
            memcpy(s->now.q + b->q_adr, wanted + 3 * (size_t)b->node_adr,
                   (size_t)b->nq * sizeof *wanted);
        else
            LITHE_TRY(approach(m, s, k, wanted));
    }
    step_positions(m, &s->now);
    return LITHE_OK;
}

lithe_status lithe_set_position(const lithe_model *m, lithe_state *s, const double *position,
                                const double *rotation)
{
    double *nodes = s->trial.x;
    LITHE_TRY(check_position(m, s, position, rotation));
    memcpy(nodes, s->now.x, 3 * (size_t)m->nnode * sizeof *nodes);
    if (!has_own_nodes(m))
        spread_nodes(m, position, rotation, nodes);
    if (state_go_near(m, s, has_own_nodes(m) ? position : nodes) != LITHE_OK) {
        state_refresh(m, s); // as far as it has come
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "nodes that follow frames or modes are put where their mass is nearest, "
                          "and some have none: give the material a density");
    }
    s->aim_load = s->load;
    contact_forget(m, s);
    s->task.secant.started = false;
    state_refresh(m, s);
    s->last = (lithe_residual){.force = s->now.relative, .load = s->load};
    return LITHE_OK;
}

// Coordinates that are held stay where their supports are.
static void hold_nodes(const lithe_model *m, double *velocity)
{
    for (int k = 0; k < m->nbody; k++)
        for (int i = 0; i < m->body[k].nnode; i++)
            for (int axis = 0; axis < 3; axis++)
                if (body_is_held(&m->body[k], i, 1 << axis))
                    velocity[3 * (m->body[k].node_adr + i) + axis] = 0;
}

lithe_status lithe_set_velocity(const lithe_model *m, lithe_state *s, const double *velocity,
                                const double *spin)
{
    if (m->dynamics.scheme == LITHE_STATIC)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "in statics nothing has a velocity; add a section dynamics");
    size_t n = 3 * (size_t)model_seen(m)->nposition;
    if (!are_numbers(velocity, n) || !are_numbers(spin, n))
        return LITHE_FAIL(&s->report, LITHE_INVALID, "a velocity is not a finite number");
    memset(s->motion.velocity, 0, 3 * (size_t)m->nnode * sizeof *s->motion.velocity);
    if (has_own_nodes(m))
        LITHE_TRY(spread_velocity(m, s, velocity));
    else
        spread_nodes(m, velocity, spin, s->motion.velocity);
    hold_nodes(m, s->motion.velocity);
    s->motion.started = s->motion.on = false; // the next step finds accelerations anew
    return LITHE_OK;
}

lithe_status lithe_command_all(const lithe_model *m, lithe_state *s, const lithe_command_kind *kind,
                               const double *value)
{
    for (int a = 0; a < m->nactuator; a++) {
        int r = m->actuator[a].group.adr;
        LITHE_TRY(step_check_command(m, s, a, kind ? kind[a] : s->command[r], value + r));
    }
    for (int a = 0; a < m->nactuator; a++) {
        int r = m->actuator[a].group.adr;
        LITHE_TRY(lithe_command(m, s, a, kind ? kind[a] : s->command[r], value + r));
    }
    return LITHE_OK;
}

lithe_command_kind lithe_told(const lithe_model *m, const lithe_state *s, int actuator,
                              double *value)
{
    if (!is_actuator(m, actuator))
        return LITHE_EFFORT;
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++)
        value[i] = row_outward(&m->row[group->adr + i], s->value[group->adr + i]);
    return s->command[group->adr];
}
