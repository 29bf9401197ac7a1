// The reduced model that a definition asks for, and whether its file is one for this robot.
#include "base/quantity.h"
#include "base/status.h"
#include "reduce/reduction.h"
#include "row/row.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

#include <math.h>
#include <string.h>

// A failure of a later stage, with where the scene asks for it.
static lithe_status told_where(const compiler *c, const char *location, lithe_status status)
{
    char text[LITHE_TEXT_MAX];
    if (status == LITHE_OK || !c->report)
        return status;
    memcpy(text, c->report->error, sizeof text);
    return LITHE_FAIL(c->report, status, "%.300s%s%s", location ? location : "",
                      location ? ": " : "", text);
}

static void supervise(const lithe_reduction_def *d, lithe_model *reduced)
{
    enum { OFTEN = 20 }; // where the whole model is to step in and nothing else is said
    reduced->reduction->every = d->every > 0 ? d->every : d->beyond_full ? OFTEN : 0;
    reduced->reduction->beyond_full = d->beyond_full;
    reduced->reduction->tolerance =
        d->tolerance > 0 ? d->tolerance : reduced->reduction->info.tolerance;
}

// Of the whole model: nodes of the patch that can move.
static lithe_status find_patch(compiler *c, lithe_model *m)
{
    const lithe_reduction_def *d = &c->def->reduction;
    int n = 0, *node = NULL;
    if (d->patch != LITHE_PATCH_SELECTED || m->nbody != 1)
        return LITHE_OK;
    if (!d->patch_where)
        return compile_fail(c, d->location, "a patch that is selected needs a selection");
    LITHE_TRY(compile_find_nodes(c, 0, d->location, d->patch_where, &n, &node));
    m->patch = arena_new(&m->memory, n, int);
    if (!m->patch)
        return compile_no_memory(c);
    for (int i = 0; i < n; i++)
        if (!body_is_held(&m->body[0], node[i], LITHE_X | LITHE_Y | LITHE_Z))
            m->patch[m->npatch++] = node[i];
    if (m->npatch == 0)
        return compile_fail(c, d->location, "all nodes of the patch are held: select others");
    return LITHE_OK;
}

// Where an actuator may go, or is told to go, which it did not in the samples.
static bool goes_beyond(const row *of, const reduction_range *range, bool given, double span[2])
{
    const double *limit = range->kind == LITHE_EFFORT ? of->limit.effort : of->limit.displacement;
    double slack = RANGE_ROUNDING * (fabs(range->low) + fabs(range->high));
    bool told = of->command == range->kind;
    memcpy(span, given && told ? (const double[]){of->value, of->value} : limit, 2 * sizeof *span);
    if (given && !told)
        return true;
    return span[0] < range->low - slack || span[1] > range->high + slack;
}

static void tell_range(const compiler *c, const lithe_actuator_def *d, const row *of,
                       const reduction_range *range, const double span[2])
{
    const lithe_quantity *q = lithe_actuator_quantity(d->kind, range->kind);
    const char *si = quantity_si_unit(q->dimension);
    bool effort = range->kind == LITHE_EFFORT;
    double end[4] = {span[0], span[1], range->low, range->high};
    for (int i = 0; i < 4 && effort; i++)
        end[i] = row_outward(of, end[i]);
    report_notice(c->report,
                  "actuator '%s' may go from %s %g to %g %s, and the reduced model was made from "
                  "%g to %g %s: outside it may be farther off than it tells; make a new one by "
                  "lithe reduce, or give the actuator these limits",
                  d->name, q->name, end[0], end[1], si, end[2], end[3], si);
}

static void check_range(const compiler *c, const lithe_reduction *r, const lithe_model *m)
{
    for (int a = 0; a < m->nactuator && r->nrange == m->nact; a++)
        for (int i = 0; i < m->actuator[a].group.n; i++) {
            int row_id = m->actuator[a].group.adr + i;
            double span[2];
            if (!goes_beyond(&m->row[row_id], &r->range[row_id], m->actuator[a].given, span))
                continue;
            tell_range(c, &c->def->actuator[a], &m->row[row_id], &r->range[row_id], span);
            break;
        }
}

static lithe_status apply(const compiler *c, const lithe_reduction *r, lithe_model *whole,
                          lithe_model **out)
{
    LITHE_TRY(reduction_check_beam(r, &c->def->reduction, c->report));
    LITHE_TRY(reduction_check_patch(r, &c->def->reduction, whole, c->report));
    LITHE_TRY(reduction_apply(r, whole, out, c->report));
    check_range(c, r, whole);
    return LITHE_OK;
}

lithe_status compile_reduction(compiler *c, lithe_model **model)
{
    const lithe_reduction_def *d = &c->def->reduction;
    lithe_reduction *read = NULL;
    lithe_model *whole = *model, *reduced = NULL;
    LITHE_TRY(find_patch(c, whole));
    if (!d->file && !d->given && !d->beam)
        return LITHE_OK;
    lithe_status status = d->given  ? LITHE_OK
                          : d->file ? lithe_reduction_read(d->file, &read, c->report)
                                    : reduction_of_beam(d, whole, &read, c->report);
    if (status == LITHE_OK)
        status = apply(c, d->given ? d->given : read, whole, &reduced);
    lithe_reduction_free(read);
    if (status == LITHE_OK)
        supervise(d, reduced);
    *model = status == LITHE_OK ? reduced : whole;
    return told_where(c, d->location, status);
}
