// What can be told wrong of definitions alone. The scene reader says most of this with better
// locations; a C program's definitions come here unread.
#include "scene/actuator_kind.h"
#include "scene/actuator_quantity.h"

#include <string.h>

static lithe_status check_material(const compiler *c, const lithe_material_def *d)
{
    if (!d->name || !d->name[0])
        return compile_fail(c, d->location, "a material has no name");
    material_fault fault;
    if (!material_check(d, &fault))
        return compile_fail(c, d->location, "material '%s': %s", d->name, fault.text);
    return LITHE_OK;
}

static bool all_finite(const double *v, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return false;
    return true;
}

lithe_status compile_check_filled(const compiler *c, const lithe_body_def *d, const char *what)
{
    if (d->cell != 0 && (d->nmember > 0 || d->shape != LITHE_SOFT))
        return compile_fail(c, d->location,
                            "%s '%s' has a cell, which is for what is soft and filled here", what,
                            d->name);
    if (d->solid && (d->mesh || d->mesh_file || d->shape != LITHE_SOFT))
        return compile_fail(c, d->location,
                            "%s '%s' is a box, ball or cylinder that is filled here, so it has no "
                            "mesh and is not rigid; leave one of them out",
                            what, d->name);
    return LITHE_OK;
}

static lithe_status check_body(const compiler *c, const lithe_body_def *d)
{
    if (!d->name || !d->name[0])
        return compile_fail(c, d->location, "a body has no name");
    if (!d->mesh && !d->mesh_file && !d->solid && d->nrod + d->nshell + d->nmember == 0 &&
        d->shape == LITHE_SOFT)
        return compile_fail(c, d->location, "body '%s' has no mesh, no rods and no shells",
                            d->name);
    LITHE_TRY(compile_check_filled(c, d, "body"));
    if (!(d->mesh_unit > 0) || !isfinite(d->mesh_unit))
        return compile_fail(c, d->location,
                            "body '%s': one unit of its mesh is %g m; it must be above 0", d->name,
                            d->mesh_unit);
    if (!(d->mass >= 0) || !isfinite(d->mass))
        return compile_fail(c, d->location, "body '%s': mass is %g kg; it must not be negative",
                            d->name, d->mass);
    if (!all_finite(d->rotate, 3) || !all_finite(d->move, 3))
        return compile_fail(c, d->location, "body '%s' is placed at something that is not a number",
                            d->name);
    return LITHE_OK;
}

static lithe_status check_command(const compiler *c, const lithe_actuator_def *d,
                                  const double limit[2])
{
    for (int i = 0; i < command_count(d); i++)
        if (!isfinite(d->value[i]) || d->value[i] < limit[0] || d->value[i] > limit[1])
            return compile_fail(
                c, d->location,
                "actuator '%s': its command %g is outside its limits [%g, %g] (SI units)", d->name,
                d->value[i], limit[0], limit[1]);
    if (lithe_actuator_quantity(d->kind, d->command)->read_only)
        return compile_fail(c, d->location,
                            "actuator '%s': a slider is told its travel, a modulus itself",
                            d->name);
    return LITHE_OK;
}

static lithe_status check_kind(const compiler *c, const lithe_actuator_def *d)
{
    if (!(d->effort_rate > 0) || !(d->displacement_rate > 0))
        return compile_fail(c, d->location, "actuator '%s': a rate limit must be above 0", d->name);
    const row_valve valve = {{d->deflation_time, d->inflation_time},
                             {d->deflation_rate, d->inflation_rate}};
    for (int i = 0; i < 2; i++)
        if (!(valve.time[i] >= 0) || !isfinite(valve.time[i]) || !(valve.rate[i] > 0))
            return compile_fail(c, d->location,
                                "actuator '%s': the times of its valve must be 0 or more, its "
                                "rates above 0",
                                d->name);
    if (valve_lags(&valve) && !actuator_kinds[d->kind]->has_valve)
        return compile_fail(c, d->location,
                            "actuator '%s' has a valve, and is told no pressure; leave it out",
                            d->name);
    if (!(d->compliance >= 0) || !isfinite(d->compliance))
        return compile_fail(c, d->location,
                            "actuator '%s': its compliance %g m/N must not be negative", d->name,
                            d->compliance);
    return LITHE_OK;
}

static lithe_status check_actuator(const compiler *c, const lithe_actuator_def *d)
{
    if (!d->name || !d->name[0])
        return compile_fail(c, d->location, "an actuator has no name");
    const double *limit[2] = {d->effort_limit, d->displacement_limit};
    for (int k = 0; k < 2; k++)
        if (!(limit[k][0] <= limit[k][1]))
            return compile_fail(c, d->location,
                                "actuator '%s': a lower limit %g is above its upper limit %g",
                                d->name, limit[k][0], limit[k][1]);
    const double *own = d->command == LITHE_EFFORT ? d->effort_limit : d->displacement_limit;
    LITHE_TRY(check_command(c, d, own));
    LITHE_TRY(check_kind(c, d));
    const actuator_kind *kind = actuator_kinds[d->kind];
    return kind->check ? kind->check(c, d) : LITHE_OK;
}

enum { FACTOR_AGE_MAX = 10000 }; // a shape is kept for each step

static lithe_status check_step(const compiler *c)
{
    const lithe_step_def *d = &c->def->step;
    if (d->iterations < 1 || d->max_iteration < 1 || d->steps < 1)
        return compile_fail(c, NULL,
                            "step: steps, iterations and max_iterations must be 1 or more");
    if (!(d->tolerance > 0 && d->tolerance < 1) || !(d->dt > 0) || !isfinite(d->dt))
        return compile_fail(c, NULL, "step: tolerance must lie between 0 and 1, and dt above 0");
    if (d->mode == LITHE_ASYNCHRONOUS && c->def->dynamics.scheme != LITHE_STATIC)
        return compile_fail(c, NULL,
                            "step: the mode asynchronous is for statics; use realtime or converged "
                            "with dynamics");
    if (!(d->deadline >= 0) || d->factor_age < 0 || d->factor_age > FACTOR_AGE_MAX)
        return compile_fail(c, NULL,
                            "step: deadline must be 0 or more, and factor_age from 0 to %d",
                            FACTOR_AGE_MAX);
    return LITHE_OK;
}

lithe_status compile_check(compiler *c)
{
    const lithe_def *d = c->def;
    LITHE_TRY(compile_check_kinds(c));
    LITHE_TRY(check_step(c));
    if (d->nbody < 1)
        return compile_fail(c, NULL, "there is no body; a robot needs at least one");
    if (!all_finite(d->gravity, 3))
        return compile_fail(c, NULL, "gravity is not a number");
    for (int i = 0; i < d->nmaterial; i++)
        LITHE_TRY(check_material(c, &d->material[i]));
    for (int k = 0; k < d->nbody; k++) {
        LITHE_TRY(check_body(c, &d->body[k]));
        for (int j = 0; j < k; j++)
            if (strcmp(d->body[j].name, d->body[k].name) == 0)
                return compile_fail(c, d->body[k].location, "two bodies are called '%s'",
                                    d->body[k].name);
    }
    for (int r = 0; r < d->nactuator; r++)
        LITHE_TRY(check_actuator(c, &d->actuator[r]));
    return LITHE_OK;
}
