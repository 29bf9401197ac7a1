// What can be reduced, and which reduction belongs to which model.
#include "base/status.h"
#include "reduce/reduction.h"

#include <string.h>

// Nodes that no element has are held by themselves, and do not count.
static bool is_held(const body *b)
{
    for (int k = 0; k < b->nfamily; k++)
        for (int i = 0; i < b->family[k].n * b->family[k].kind->nnode; i++)
            if (body_is_held(b, b->family[k].node[i], LITHE_X | LITHE_Y | LITHE_Z))
                return true;
    return false;
}

static const char *obstacle_of(const lithe_model *m)
{
    const body *b = &m->body[0];
    if (m->nbody != 1)
        return "it has more than one body";
    if (m->step.mode == LITHE_ASYNCHRONOUS)
        return "its mode is asynchronous; use realtime or converged";
    if (b->space != &space_nodal || b->nrotation > 0)
        return "it has rods, shells, rigid parts, servos or modes";
    if (!is_held(b))
        return "nothing holds it; what flies has motions that no sample shows";
    if (b->moves)
        return "it has displaced supports or sliders";
    if (b->prony)
        return "a material of it has a Prony series";
    if (b->npressure > 0 || b->nliquid > 0)
        return "it has pressure loads or liquids; an air chamber is an actuator of kind cavity";
    for (int i = 0; i < b->nfamily; i++)
        if (!family_can_pick(&b->family[i]))
            return "it has glue, or elements of kind tet4-averaged";
    for (int r = 0; r < m->nrow; r++)
        if (m->row[r].kind == ROW_SLIDER || m->row[r].kind == ROW_ANGLE ||
            m->row[r].kind == ROW_LINK)
            return "it has sliders, servos or joints";
    return NULL;
}

lithe_status reduction_check_model(const lithe_model *whole, lithe_report *report)
{
    const char *why = obstacle_of(whole);
    if (!why)
        return LITHE_OK;
    return LITHE_FAIL(report, LITHE_INVALID, "this robot cannot be reduced: %s", why);
}

lithe_status reduction_check(const lithe_reduction *r, const lithe_model *whole,
                             lithe_report *report)
{
    static const char *const part[] = {[REDUCTION_MESH] = "mesh, or is held elsewhere",
                                       [REDUCTION_MATERIAL] = "materials",
                                       [REDUCTION_ACTUATOR] = "actuators",
                                       [REDUCTION_LOAD] = "loads or gravity"};
    uint64_t hash[REDUCTION_PARTS];
    LITHE_TRY(reduction_check_model(whole, report));
    reduction_hash(whole, hash);
    bool same = r->nnode == whole->nnode && r->nwhole == whole->nelement;
    for (int i = 0; i < REDUCTION_PARTS; i++)
        if (!same || hash[i] != r->hash[i])
            return LITHE_FAIL(
                report, LITHE_INVALID,
                "the reduction is of another robot: this one has other %s; make a new "
                "one by lithe reduce",
                part[i]);
    for (int i = 0; i < r->ncell; i++) {
        int row_id = r->cell[2 * i], triangle = r->cell[2 * i + 1];
        const row_shell *shell = row_id < whole->nact ? row_as_cavity(&whole->row[row_id]) : NULL;
        if (!shell || triangle >= shell->face.ntri || shell->face.nwide > 0)
            return LITHE_FAIL(report, LITHE_INVALID,
                              "the reduction has cells of a cavity that this robot does not have; "
                              "make a new one by lithe reduce");
    }
    return LITHE_OK;
}

static bool same_nodes(const lithe_reduction *r, const lithe_model *whole)
{
    return r->npatch == whole->npatch &&
           memcmp(r->patch, whole->patch, (size_t)r->npatch * sizeof *r->patch) == 0;
}

lithe_status reduction_check_patch(const lithe_reduction *r, const lithe_reduction_def *d,
                                   const lithe_model *whole, lithe_report *report)
{
    for (int i = 0; i < r->npatch; i++)
        if (r->patch[i] >= whole->nnode)
            return LITHE_FAIL(report, LITHE_INVALID, "the reduction's patch is none of this mesh");
    if (d->patch == LITHE_NO_PATCH ||
        (d->patch == r->patch_kind && (d->patch == LITHE_PATCH_CONTACT || same_nodes(r, whole))))
        return LITHE_OK;
    return LITHE_FAIL(report, LITHE_INVALID,
                      "the reduction is another one than patch asks for: %s; make a new one by "
                      "lithe reduce",
                      r->npatch == 0 ? "it has none" : "its patch has other nodes");
}

lithe_reduction_patch reduction_patch(const lithe_reduction *r)
{
    return (lithe_reduction_patch){r->npatch, r->npatch_shape};
}
