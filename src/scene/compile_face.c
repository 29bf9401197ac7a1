// Faces of elements: which ones the triangles of a surface make up.
#include "element/tet10.h"
#include "scene/compile.h"

#include <string.h>

enum { MOST_FACES = 6 }; // of a cell

// Node number `corner` (0 … 5) of a face of a cell, around it and outwards; -1: it has no such.
static int face_node(skeleton_cell kind, const int *node, int face, int corner)
{
    static const int hex[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                  {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    if (kind == SKELETON_HEX8)
        return corner < 4 ? node[hex[face][corner]] : -1;
    if (face >= 4)
        return -1;
    int a = surface_face_node[face][corner % 3], b = surface_face_node[face][(corner + 1) % 3];
    if (corner < 3)
        return node[a];
    for (int i = 0; i < 6; i++)
        if ((tet10_edge[i][0] == a && tet10_edge[i][1] == b) ||
            (tet10_edge[i][0] == b && tet10_edge[i][1] == a))
            return node[4 + i];
    return -1;
}

// The face of a cell that has all nodes of a triangle, as MOST_FACES * cell + face; -1: none, the
// triangle is its own face.
static int face_of(const compile_body *part, int triangle)
{
    const mesh_skeleton *cells = &part->skeleton;
    const int *tri = &part->boundary.tri[3 * triangle];
    int tet = part->boundary.tet[triangle];
    int cell = tet < 0 ? -1 : cells->cell_of ? cells->cell_of[tet] : tet;
    if (cell < 0 || cells->kind[cell] == SKELETON_TET4)
        return -1;
    const int *node = &cells->cell_node[cells->cell_adr[cell]];
    for (int face = 0; face < MOST_FACES; face++) {
        int found = 0;
        for (int i = 0; i < 3 * FACE_NODES; i++)
            found += face_node((skeleton_cell)cells->kind[cell], node, face, i % FACE_NODES) ==
                     tri[i / FACE_NODES];
        if (found == 3)
            return MOST_FACES * cell + face;
    }
    return -1;
}

static void put_wide(const compile_body *part, int face, bool flipped, int first, face_set *out)
{
    static const int back[2][FACE_NODES] = {{0, 3, 2, 1, 4, 5}, {0, 2, 1, 5, 4, 3}};
    const mesh_skeleton *cells = &part->skeleton;
    int cell = face / MOST_FACES, *to = &out->wide[FACE_NODES * out->nwide++];
    skeleton_cell kind = (skeleton_cell)cells->kind[cell];
    for (int i = 0; i < FACE_NODES; i++) {
        int corner = flipped ? back[kind == SKELETON_TET10][i] : i;
        int node =
            face_node(kind, &cells->cell_node[cells->cell_adr[cell]], face % MOST_FACES, corner);
        to[i] = node < 0 ? -1 : first + node;
    }
}

void compile_flip_triangle(const int tri[3], bool flipped, int first, int out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = first + tri[flipped && i ? 3 - i : i];
}

lithe_status compile_faces(compiler *c, const compile_body *part, int n, const int *pick,
                           bool flipped, int first, face_set *out)
{
    static const int pieces[SKELETON_NCELL] = {1, 4, 2}; // triangles of a face
    const mesh_skeleton *cells = &part->skeleton;
    arena *memory = &c->model->memory;
    int *face = arena_new(&c->scratch, n, int);
    unsigned char *count = arena_new(&c->scratch, MOST_FACES * (size_t)cells->ncell, unsigned char);
    out->tri = arena_new(memory, 3 * (size_t)n, int);
    out->wide = arena_new(memory, FACE_NODES * (size_t)n, int);
    if (!face || !count || !out->tri || !out->wide)
        return compile_no_memory(c);
    out->ntri = out->nwide = 0;
    for (int i = 0; i < n; i++) {
        face[i] = face_of(part, pick[i]);
        if (face[i] >= 0)
            count[face[i]]++;
    }
    // where not all triangles of a face are there, those that are stay triangles
    for (int i = 0; i < n; i++) {
        int whole = face[i] >= 0 ? pieces[cells->kind[face[i] / MOST_FACES]] : 0;
        if (face[i] < 0 || (count[face[i]] > 0 && count[face[i]] < whole))
            compile_flip_triangle(&part->boundary.tri[3 * pick[i]], flipped, first,
                                  &out->tri[3 * out->ntri++]);
        else if (count[face[i]] == whole) {
            put_wide(part, face[i], flipped, first, out);
            count[face[i]] = 0; // done
        }
    }
    return LITHE_OK;
}

lithe_status compile_find_faces(compiler *c, int body_id, const char *location, const char *name,
                                face_set *out)
{
    int n = 0, *pick = NULL;
    LITHE_TRY(compile_pick_surface(c, body_id, location, name, &n, &pick));
    return compile_faces(c, &c->body[body_id], n, pick, false, 0, out);
}
