// What dynamics needs of bodies: mass everywhere, and how they move at the start.
#include "base/vec.h"
#include "scene/compile.h"

static lithe_status check_dynamics(const compiler *c)
{
    const lithe_dynamics_def *d = &c->def->dynamics;
    if (c->def->step.mode == LITHE_ASYNCHRONOUS)
        return compile_fail(c, NULL,
                            "dynamics does not go with the mode asynchronous; take mode: realtime");
    if (!isnan(d->spectral_radius) && !(d->spectral_radius >= 0 && d->spectral_radius <= 1))
        return compile_fail(c, NULL,
                            "dynamics: the spectral radius is %g; it must lie between 0 and 1",
                            d->spectral_radius);
    if (!(d->mass_damping >= 0) || !isfinite(d->mass_damping) || !(d->stiffness_damping >= 0) ||
        !isfinite(d->stiffness_damping))
        return compile_fail(c, NULL, "dynamics: damping must not be negative");
    if (!(d->local_error >= 0) || !isfinite(d->local_error) || !(d->shortest >= 0))
        return compile_fail(c, NULL, "dynamics: the error of adaptive steps must not be negative");
    if (d->local_error > 0 && c->def->step.mode != LITHE_CONVERGED)
        return compile_fail(c, NULL,
                            "dynamics: adaptive steps need the mode converged: a realtime step has "
                            "one length; remove adaptive, or take mode: converged");
    if (d->shortest > c->def->step.dt)
        return compile_fail(c, NULL,
                            "dynamics: adaptive steps may not be shorter than %g s, and dt is %g "
                            "s: lower shortest",
                            d->shortest, c->def->step.dt);
    if (!(d->duration >= 0) || !isfinite(d->duration))
        return compile_fail(c, NULL, "dynamics: the duration is %g s; it must not be negative",
                            d->duration);
    return LITHE_OK;
}

static lithe_status check_masses(const compiler *c, int k)
{
    const body *b = &c->model->body[k];
    const lithe_body_def *d = c->body[k].def;
    for (int i = 0; i < b->nnode; i++)
        if (b->block[i] >= 0 && !(b->mass[i] > 0) && !(b->carry && b->carry->triple[i] < 0))
            return compile_fail(c, d->location,
                                "body '%s' has no mass around (%.4g, %.4g, %.4g) m, and what moves "
                                "needs one: give its material a density (silicone: about 1070 "
                                "kg/m^3), or the body a mass",
                                d->name, b->X[3 * i], b->X[3 * i + 1], b->X[3 * i + 2]);
    return LITHE_OK;
}

// v = velocity + spin x (X - centre of mass), where nothing holds the node.
static void set_velocity(const compiler *c, int k)
{
    const body *b = &c->model->body[k];
    const lithe_body_def *d = c->body[k].def;
    double centre[3] = {0}, mass = 0;
    for (int i = 0; i < body_nposition(b); i++) {
        vec_axpy(centre, b->weigh[i], &b->X[3 * i]);
        mass += b->weigh[i];
    }
    for (int i = 0; i < b->nnode; i++) {
        double arm[3], spun[3], *v = &c->model->velocity[3 * (b->node_adr + i)];
        bool is_position = i < body_nposition(b);
        for (int axis = 0; axis < 3; axis++)
            arm[axis] = b->X[3 * i + axis] - centre[axis] / mass;
        vec_cross(spun, d->spin, arm);
        for (int axis = 0; axis < 3; axis++)
            if (!(b->held[i] & (1 << axis)))
                v[axis] = is_position ? d->velocity[axis] + spun[axis] : d->spin[axis];
    }
}

static bool is_still(const lithe_body_def *d)
{
    for (int i = 0; i < 3; i++)
        if (d->velocity[i] != 0 || d->spin[i] != 0)
            return false;
    return true;
}

void compile_spectral_radius(lithe_model *m)
{
    const double usual = 0.8, in_contact = 0.5;
    if (isnan(m->dynamics.spectral_radius))
        m->dynamics.spectral_radius = m->contact.on ? in_contact : usual;
}

lithe_status compile_motion(compiler *c)
{
    lithe_model *m = c->model;
    bool moving = m->dynamics.scheme != LITHE_STATIC;
    for (int k = 0; k < m->nbody; k++) {
        const lithe_body_def *d = c->body[k].def;
        for (int i = 0; i < 3; i++)
            if (!isfinite(d->velocity[i]) || !isfinite(d->spin[i]))
                return compile_fail(c, d->location, "body '%s': its velocity is not a number",
                                    d->name);
        if (!moving && !is_still(d))
            return compile_fail(c, d->location,
                                "body '%s' has a velocity at the start, and in statics nothing "
                                "moves on its own; add a section dynamics",
                                d->name);
    }
    if (!moving)
        return LITHE_OK;
    LITHE_TRY(check_dynamics(c));
    m->velocity = arena_new(&m->memory, 3 * (size_t)m->nnode, double);
    if (!m->velocity)
        return compile_no_memory(c);
    for (int k = 0; k < m->nbody; k++) {
        LITHE_TRY(check_masses(c, k));
        set_velocity(c, k);
        for (int i = 0; i < m->body[k].nnode; i++)
            m->mass += 3 * m->body[k].mass[i] * m->body[k].mass[i];
        for (int i = 0; i < 9 * m->body[k].nrotation && m->body[k].inertia; i++)
            m->mass += m->body[k].inertia[i] * m->body[k].inertia[i];
    }
    m->mass = sqrt(m->mass);
    if (!isfinite(m->mass))
        return compile_fail(c, NULL,
                            "the masses of the bodies are too large to be squared; check "
                            "densities, sizes of rods and shells, and units");
    return LITHE_OK;
}
