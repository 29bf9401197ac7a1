// A mesh as outsiders look at it.
#include "base/memory.h"
#include "lithe/mesh.h"
#include "mesh/care.h"

#include <string.h>

lithe_mesh_info lithe_mesh_get(const lithe_mesh *m)
{
    return (lithe_mesh_info){m->nnode, m->x, m->ntri, m->tri, m->ngroup};
}

const char *lithe_mesh_group(const lithe_mesh *m, int group)
{
    return group >= 0 && group < m->ngroup ? m->group[group].name : NULL;
}

const char *lithe_mesh_odd(const lithe_mesh *m, bool *mixed)
{
    int nkind = m->ntet > 0;
    mesh_kind odd = MESH_NKIND;
    for (int kind = 0; kind < MESH_NKIND; kind++) {
        nkind += m->other[kind].n > 0;
        if (m->other[kind].n > 0 && (nkind > 1 || (kind != MESH_TET10 && kind != MESH_HEX8)))
            odd = (mesh_kind)kind;
    }
    *mixed = nkind > 1;
    return odd == MESH_NKIND ? NULL : mesh_kind_plural(odd);
}

lithe_status lithe_mesh_closed(const lithe_mesh *m, bool *closed, int edge[2], double *volume)
{
    *volume = surface_volume(m->ntri, m->tri, m->x);
    return surface_is_closed(m->ntri, m->tri, closed, edge);
}

typedef struct own_check {
    lithe_mesh_check out;
    arena memory;
    mesh_skeleton skeleton;
    mesh_boundary boundary;
    mesh_care care;
} own_check;

// The file is looked at as it is, even where the middles of its edges become nodes.
static skeleton_wish wish(lithe_element element)
{
    return element == LITHE_TET4 || element == LITHE_TET4_AVERAGED ? SKELETON_LINEAR
                                                                   : SKELETON_AS_IT_IS;
}

static lithe_status list_cells(own_check *c)
{
    static const unsigned char vtk[SKELETON_NCELL] = {
        [SKELETON_TET4] = 10, [SKELETON_TET10] = 24, [SKELETON_HEX8] = 12};
    unsigned char *cell = arena_new(&c->memory, c->skeleton.ncell, unsigned char);
    if (!cell)
        return LITHE_NO_MEMORY;
    c->out.linear = c->skeleton.ncell > 0;
    for (int e = 0; e < c->skeleton.ncell; e++) {
        cell[e] = vtk[c->skeleton.kind[e]];
        c->out.linear = c->out.linear && c->skeleton.kind[e] == SKELETON_TET4;
    }
    c->out.ncell = c->skeleton.ncell;
    c->out.cell = cell;
    c->out.cell_start = c->skeleton.cell_adr;
    c->out.cell_node = c->skeleton.cell_node;
    return LITHE_OK;
}

static void show_problems(own_check *c)
{
    lithe_mesh_check *out = &c->out;
    const mesh_care *care = &c->care;
    out->quality = care->quality;
    out->cell_problem = care->cell_problem;
    out->node_problem = care->node_problem;
    out->tri_problem = care->tri_problem;
    out->twin = care->twin;
    memcpy(out->histogram, care->histogram, sizeof out->histogram);
    memcpy(out->edge, care->edge, sizeof out->edge);
    out->nsliver = care->nsliver;
    out->nloose = care->nloose;
    out->nfold = care->nfold;
    out->ncoincident = care->ncoincident;
    out->norphan = care->norphan;
    out->nstray = care->nstray;
    out->npart = care->npart;
    out->ninward = care->ninward;
    out->walls = care->walls;
}

static lithe_status examine(own_check *c, const lithe_mesh *m, lithe_element element,
                            lithe_report *report)
{
    lithe_mesh_check *out = &c->out;
    LITHE_TRY(skeleton_create(m, wish(element), &c->skeleton));
    LITHE_TRY(list_cells(c));
    LITHE_TRY(mesh_find_boundary(c->skeleton.mesh, out->x, &c->memory, &c->boundary, report));
    LITHE_TRY(mesh_examine(&c->skeleton, out->x, &c->boundary, &c->memory, &c->care));
    show_problems(c);
    out->nboundary = c->boundary.ntri;
    out->npiece = c->boundary.npiece;
    out->volume = surface_volume(c->boundary.ntri, c->boundary.tri, out->x);
    out->ncavity = c->boundary.ncavity;
    out->cavity_volume = c->boundary.volume;
    return LITHE_OK;
}

lithe_status lithe_mesh_examine(const lithe_mesh *m, lithe_element element, const double *x,
                                lithe_mesh_check **check, lithe_report *report)
{
    bool mixed;
    *check = NULL;
    const char *odd = lithe_mesh_odd(m, &mixed);
    if (odd)
        return LITHE_FAIL(report, LITHE_INVALID, "the mesh has %s%s, of which no body is made", odd,
                          mixed ? " beside other volumes" : "");
    own_check *c = memory_alloc(sizeof *c);
    if (!c)
        return report_no_memory(report, "looking at the mesh");
    memset(c, 0, sizeof *c);
    c->out = (lithe_mesh_check){.nnode = m->nnode, .ntri = m->ntri, .tri = m->tri};
    c->out.x = x ? x : m->x;
    lithe_status status = examine(c, m, element, report);
    if (status == LITHE_OK)
        *check = &c->out;
    else
        lithe_mesh_check_free(&c->out);
    return status == LITHE_NO_MEMORY ? report_no_memory(report, "looking at the mesh") : status;
}

void lithe_mesh_check_free(lithe_mesh_check *check)
{
    own_check *c = (own_check *)check; // its first member
    if (!c)
        return;
    skeleton_free(&c->skeleton);
    arena_free(&c->memory);
    memory_free(c);
}
