// Elements: which ones a body has, and the families they form.
#include "base/vec.h"
#include "element/hex8.h"
#include "element/tet10.h"
#include "element/tet4.h"
#include "mesh/care.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A surface has no inside to compute with.
static lithe_status fail_surface(const compiler *c, const lithe_body_def *def)
{
    const char *file = def->mesh_file;
    if (!file)
        return compile_fail(c, def->location,
                            "body '%s': its mesh has no tetrahedra; a body needs a volume mesh, "
                            "rods or shells",
                            def->name);
    const char *end = strrchr(file, '.');
    bool bare = end && (strcasecmp(end, ".stl") == 0 || strcasecmp(end, ".obj") == 0);
    if (!bare)
        return compile_fail(c, def->location,
                            "body '%s': '%s' holds triangles and no volumes, and a body needs "
                            "volumes; mesh its inside (Gmsh: with -3, and a Physical Volume or "
                            "Mesh.SaveAll = 1), or fill it with a grid by 'cell: 5 mm' beside it; "
                            "a thin wall is a shell: bodies.%s.shells",
                            def->name, file, def->name);
    return compile_fail(c, def->location,
                        "body '%s': '%s' is a surface, and a body needs volumes; fill it with "
                        "'lithe mesh %s --size 5mm' (the length of edges that you want) and name "
                        "the .msh file that it makes, or with a grid by 'cell: 5 mm' beside it; a "
                        "thin wall is a shell: bodies.%s.shells",
                        def->name, file, file, def->name);
}

// One kind of volume a body: where linear and quadratic cells meet, or a square face meets
// triangles, there would be gaps.
static lithe_status check_kinds(const compiler *c, const compile_body *part, mesh_kind *only)
{
    const mesh *m = part->mesh;
    int nkind = m->ntet > 0;
    *only = MESH_NKIND;
    for (int kind = 0; kind < MESH_NKIND; kind++) {
        if (m->other[kind].n == 0)
            continue;
        nkind++;
        *only = (mesh_kind)kind;
        if (kind != MESH_TET10 && kind != MESH_HEX8)
            return compile_fail(
                c, part->def->location,
                "body '%s': its mesh has %d %s, and Lithe has no such element; mesh it again with "
                "tetrahedra, linear or quadratic, or with hexahedra of eight nodes",
                part->def->name, m->other[kind].n, mesh_kind_plural((mesh_kind)kind));
    }
    if (nkind == 0 && !compile_is_rigid(part) && part->def->nrod + part->def->nshell == 0)
        return fail_surface(c, part->def);
    if (nkind > 1)
        return compile_fail(c, part->def->location,
                            "body '%s': its mesh mixes %s with other volumes, which leaves gaps "
                            "between them; mesh it again with volumes of one kind",
                            part->def->name, mesh_kind_plural(*only));
    return LITHE_OK;
}

static lithe_status check_wish(const compiler *c, const compile_body *part, mesh_kind only)
{
    bool tets = only == MESH_NKIND, hexes = only == MESH_HEX8;
    switch (part->def->element) {
    case LITHE_AS_MESHED:
    case LITHE_TET4:
    case LITHE_TET4_AVERAGED: return LITHE_OK;
    case LITHE_TET10:
        return hexes ? compile_fail(c, part->def->location,
                                    "body '%s': hexahedra cannot become tet10; leave out element, "
                                    "or take tet4, tet4-averaged or hex8",
                                    part->def->name)
                     : LITHE_OK;
    case LITHE_HEX8:
        return hexes ? LITHE_OK
                     : compile_fail(c, part->def->location,
                                    "body '%s': its mesh has %s, and hex8 needs hexahedra; in "
                                    "Gmsh, extrude with Recombine or make transfinite volumes",
                                    part->def->name,
                                    tets ? "tetrahedra" : mesh_kind_plural(MESH_TET10));
    }
    return compile_fail(c, part->def->location, "body '%s': there is no element number %d",
                        part->def->name, (int)part->def->element);
}

lithe_status compile_cells(compiler *c, compile_body *part)
{
    mesh_kind only;
    LITHE_TRY(check_kinds(c, part, &only));
    LITHE_TRY(check_wish(c, part, only));
    static const skeleton_wish wishes[] = {[LITHE_AS_MESHED] = SKELETON_AS_IT_IS,
                                           [LITHE_TET4] = SKELETON_LINEAR,
                                           [LITHE_TET10] = SKELETON_QUADRATIC,
                                           [LITHE_HEX8] = SKELETON_AS_IT_IS,
                                           [LITHE_TET4_AVERAGED] = SKELETON_LINEAR};
    if (skeleton_create(part->mesh, wishes[part->def->element], &part->skeleton) != LITHE_OK)
        return compile_no_memory(c);
    part->mesh = part->skeleton.mesh;
    if (compile_is_rigid(part))
        part->skeleton.ncell = 0; // its skin is all that is shown of it
    return LITHE_OK;
}

typedef lithe_status family_function(element_family *f, int n, const int *node, const double *X,
                                     const law_material *const *stuff, arena *memory, int *bad);

static family_function *const builders[SKELETON_NCELL] = {
    [SKELETON_TET4] = tet4_family, [SKELETON_TET10] = tet10_family, [SKELETON_HEX8] = hex8_family};

static lithe_status fail_element(const compiler *c, const compile_body *part, skeleton_cell kind,
                                 int element)
{
    static const char *const what[SKELETON_NCELL] = {
        "tetrahedron %d has no volume", "quadratic tetrahedron %d is inside out somewhere",
        "hexahedron %d is flat or inside out somewhere"};
    char text[64];
    int cell = 0;
    while (part->element[cell] != element)
        cell++;
    snprintf(text, sizeof text, what[kind], cell);
    return compile_fail(c, part->def->location, "body '%s': %s (the first is 0); mesh it again%s",
                        part->def->name, text,
                        kind == SKELETON_TET10 ? ", finer where it is curved" : "");
}

lithe_status compile_families(compiler *c, const compile_body *part, int *nfamily,
                              element_family family[LAW_KINDS])
{
    const mesh_skeleton *cells = &part->skeleton;
    int n = cells->ncell;
    skeleton_cell kind = n > 0 ? (skeleton_cell)cells->kind[0] : SKELETON_TET4;
    size_t width = (size_t)skeleton_width(kind);
    int *node = arena_new(&c->scratch, width * (size_t)n, int);
    if (!node)
        return compile_no_memory(c);
    for (int e = 0; e < n; e++)
        memcpy(&node[width * (size_t)part->element[e]], &cells->cell_node[cells->cell_adr[e]],
               width * sizeof *node);
    *nfamily = 0;
    for (int first = 0, last; first < n; first = last) {
        int bad = -1;
        for (last = first; last < n && part->stuff[last]->law == part->stuff[first]->law &&
                           part->still[last] == part->still[first];
             last++)
            ;
        lithe_status status =
            builders[kind](&family[*nfamily], last - first, &node[width * (size_t)first], part->X,
                           &part->stuff[first], &c->model->memory, &bad);
        if (status == LITHE_INVALID)
            return fail_element(c, part, kind, first + bad);
        if (status != LITHE_OK)
            return compile_no_memory(c);
        family[(*nfamily)++].still = part->still[first];
    }
    return LITHE_OK;
}

// The cell whose tetrahedron has these nodes.
static int cell_with(const mesh_skeleton *cells, const int node[4])
{
    const mesh *m = cells->mesh;
    int tet = 0;
    while (tet < m->ntet && memcmp(&m->tet[4 * (size_t)tet], node, 4 * sizeof *node) != 0)
        tet++;
    return tet == m->ntet ? -1 : cells->cell_of ? cells->cell_of[tet] : tet;
}

static void shape_at(skeleton_cell kind, const double at[3], double *N, double (*dN)[3])
{
    if (kind == SKELETON_TET10) {
        tet10_shape(at[0], at[1], at[2], N);
        tet10_slope(at[0], at[1], at[2], dN);
    } else {
        hex8_shape(at[0], at[1], at[2], N);
        hex8_slope(at[0], at[1], at[2], dN);
    }
}

// One Newton step towards the coordinates in the cell where the point is; how far off it was.
static double approach(const compile_body *part, const int *node, int width, const double *N,
                       const double (*dN)[3], const double point[3], double at[3])
{
    double off[3], J[3][3] = {{0}}, cof[3][3]; // rows of J: dX/ds, dX/dt, dX/du
    memcpy(off, point, sizeof off);
    for (int a = 0; a < width; a++) {
        vec_axpy(off, -N[a], &part->X[3 * node[a]]);
        for (int j = 0; j < 3; j++)
            vec_axpy(J[j], dN[a][j], &part->X[3 * node[a]]);
    }
    for (int j = 0; j < 3; j++)
        vec_cross(cof[j], J[(j + 1) % 3], J[(j + 2) % 3]);
    double det = vec_dot(J[0], cof[0]);
    for (int j = 0; j < 3; j++)
        at[j] += vec_dot(off, cof[j]) / det;
    return vec_norm(off) / vec_norm(J[0]);
}

// A cell carries a point by its shape functions. Where its coordinates are not found nearby, which
// a point far outside a curved cell can bring, by the tetrahedron of the skeleton.
void compile_carry(const compile_body *part, const mesh_point *embedded, const double point[3],
                   row_point *out)
{
    enum { ROUNDS = 12, MOST = 10 };
    const mesh_skeleton *cells = &part->skeleton;
    int cell = cells->kind[0] == SKELETON_TET4 ? -1 : cell_with(cells, embedded->node);
    out->nposition = 4;
    memcpy(out->weight, embedded->weight, sizeof embedded->weight);
    memcpy(out->node, embedded->node, sizeof embedded->node);
    if (cell < 0)
        return;
    skeleton_cell kind = (skeleton_cell)cells->kind[cell];
    const int *node = &cells->cell_node[cells->cell_adr[cell]];
    int width = skeleton_width(kind);
    double start = kind == SKELETON_TET10 ? 0.25 : 0, at[3] = {start, start, start};
    for (int round = 0; round < ROUNDS; round++) {
        double N[MOST], dN[MOST][3];
        shape_at(kind, at, N, dN);
        if (approach(part, node, width, N, (const double(*)[3])dN, point, at) > SCENE_LOCATED)
            continue;
        for (int j = 0; j < 3; j++)
            if (!(fabs(at[j]) < 2))
                return;
        out->nposition = width;
        memcpy(out->node, node, (size_t)width * sizeof *node);
        memcpy(out->weight, N, (size_t)width * sizeof *N);
        return;
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Of a quadratic tetrahedron: by its corners. Of a hexahedron: of the tetrahedra that it is cut
// into.
lithe_status compile_quality(compiler *c, const compile_body *part, body *b)
{
    const mesh_skeleton *cells = &part->skeleton;
    bool hexes = cells->ncell > 0 && cells->kind[0] == SKELETON_HEX8;
    int n = hexes ? part->mesh->ntet : cells->ncell;
    double *quality = arena_new(&c->scratch, n, double);
    if (!quality)
        return compile_no_memory(c);
    for (int e = 0; e < n; e++)
        quality[e] = care_quality(part->X, hexes ? &part->mesh->tet[4 * e]
                                                 : &cells->cell_node[cells->cell_adr[e]]);
    qsort(quality, (size_t)n, sizeof *quality, ascending);
    b->quality[0] = n > 0 ? quality[0] : 1;
    b->quality[1] = n > 0 ? quality[n / 2] : 1;
    return LITHE_OK;
}

// What dynamics makes of it.
static lithe_status set_inertia(compiler *c, const double *density, double mass, body *b)
{
    if (c->def->dynamics.scheme == LITHE_STATIC)
        return LITHE_OK;
    if (c->def->dynamics.mass == LITHE_LUMPED)
        body_lump(b);
    else if (body_couple_mass(b, density, mass, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    return LITHE_OK;
}

lithe_status compile_mass(compiler *c, const compile_body *part, body *b)
{
    if (part->def->mass > 0) {
        body_set_mass(b, part->def->mass);
        return set_inertia(c, NULL, part->def->mass, b);
    }
    double *density = arena_new(&c->scratch, b->nelement, double);
    if (!density)
        return compile_no_memory(c);
    for (int e = 0; e < b->nelement; e++)
        density[e] = part->stuff[e]->density;
    LITHE_TRY(compile_member_density(c, part, density));
    body_set_density(b, density);
    LITHE_TRY(set_inertia(c, density, 0, b));
    return compile_member_mass(c, part, b);
}
