// How thick walls are, and how many elements lie between their sides.
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/care.h"

#include <stdlib.h>
#include <string.h>

// Two sides make a wall where their normals differ from opposite by less than 60 degrees.
#define OPPOSITE (-0.5)

typedef struct wall_finder {
    const mesh_skeleton *s;
    const mesh *m; // of tetrahedra, which the ray passes
    const double *x;
    const int *neighbour;
    int *start; // (nnode + 1) of each node's elements in `cell`
    int *cell;
    int *seen; // (nnode) the last triangle that reached the node in one element
} wall_finder;

// The way of one ray: entered at a boundary triangle, left through another one.
typedef struct wall_ray {
    double from[3];
    double along[3]; // unit
    double normal[3];
    double length;
    int exit[3]; // nodes
} wall_ray;

// Area, and the unit normal.
static double triangle_normal(const double *x, const int tri[3], double normal[3])
{
    double p[3], q[3];
    vec_sub(p, x + 3 * (size_t)tri[1], x + 3 * (size_t)tri[0]);
    vec_sub(q, x + 3 * (size_t)tri[2], x + 3 * (size_t)tri[0]);
    vec_cross(normal, p, q);
    double twice = vec_norm(normal);
    for (int k = 0; k < 3; k++)
        normal[k] /= twice;
    return twice / 2;
}

static void face_nodes(const mesh *m, int tet, int face, int node[3])
{
    for (int k = 0; k < 3; k++)
        node[k] = m->tet[4 * (size_t)tet + surface_face_node[face][k]];
}

// The face through which the ray leaves the tetrahedron, and where; -1 if there is none.
static int leave(const wall_finder *w, const wall_ray *ray, int tet, double *at)
{
    int through = -1;
    *at = INFINITY;
    for (int face = 0; face < 4; face++) {
        int node[3];
        double normal[3], to[3];
        face_nodes(w->m, tet, face, node);
        triangle_normal(w->x, node, normal);
        double speed = vec_dot(normal, ray->along);
        vec_sub(to, w->x + 3 * (size_t)node[0], ray->from);
        double distance = vec_dot(to, normal) / speed;
        if (speed > 0 && distance < *at) {
            *at = distance;
            through = face;
        }
    }
    return through;
}

// Walks from tetrahedron to tetrahedron. Marks those passed with `problem`. False where rounding
// leads the ray astray.
static bool walk(const wall_finder *w, wall_ray *ray, int tet, int problem, int *cell_problem)
{
    for (int steps = 0; steps < w->m->ntet; steps++) {
        int face = leave(w, ray, tet, &ray->length);
        if (face < 0)
            return false;
        cell_problem[skeleton_cell_of(w->s, tet)] |= problem;
        int next = w->neighbour[4 * (size_t)tet + face];
        if (next < 0) {
            face_nodes(w->m, tet, face, ray->exit);
            return ray->length > 0;
        }
        tet = next;
    }
    return false;
}

// Elements between two triangles: those on the shortest way, 3 standing for all above 2.
static int count_across(wall_finder *w, int id, const int from[3], const int to[3])
{
    const int *adr = w->s->cell_adr, *node = w->s->cell_node;
    for (int k = 0; k < 3; k++)
        for (int i = w->start[from[k]]; i < w->start[from[k] + 1]; i++)
            for (int c = adr[w->cell[i]]; c < adr[w->cell[i] + 1]; c++)
                w->seen[node[c]] = id;
    for (int k = 0; k < 3; k++)
        if (w->seen[to[k]] == id)
            return 1;
    for (int k = 0; k < 3; k++)
        for (int i = w->start[to[k]]; i < w->start[to[k] + 1]; i++)
            for (int c = adr[w->cell[i]]; c < adr[w->cell[i] + 1]; c++)
                if (w->seen[node[c]] == id)
                    return 2;
    return 3;
}

static wall_ray start_ray(const wall_finder *w, const int tri[3], double *area)
{
    wall_ray ray = {.from = {0}};
    *area = triangle_normal(w->x, tri, ray.normal);
    for (int k = 0; k < 3; k++) {
        vec_axpy(ray.from, 1.0 / 3, w->x + 3 * (size_t)tri[k]);
        ray.along[k] = -ray.normal[k];
    }
    return ray;
}

// Triangles that share a node make a sharp edge, not a wall.
static bool share_node(const int a[3], const int b[3])
{
    for (int i = 0; i < 9; i++)
        if (a[i / 3] == b[i % 3])
            return true;
    return false;
}

static void measure_wall(wall_finder *w, const mesh_boundary *b, int t, mesh_care *care)
{
    const int *tri = b->tri + 3 * (size_t)t;
    care_walls *walls = &care->walls;
    double area, normal[3];
    wall_ray ray = start_ray(w, tri, &area);
    if (!walk(w, &ray, b->tet[t], 0, care->cell_problem))
        return;
    triangle_normal(w->x, ray.exit, normal);
    if (!(vec_dot(normal, ray.normal) < OPPOSITE) || share_node(tri, ray.exit))
        return;
    int across = count_across(w, t, tri, ray.exit) - 1;
    walls->area[across] += area;
    if (across == 0)
        walk(w, &ray, b->tet[t], CARE_THIN, care->cell_problem);
    if (ray.length >= walls->thinnest[across])
        return;
    walls->thinnest[across] = ray.length;
    if (across == 0) {
        walls->node[0] = tri[0];
        walls->node[1] = ray.exit[0];
    }
}

// Which elements each node is of.
static void list_cells(wall_finder *w)
{
    const mesh_skeleton *s = w->s;
    int nnode = s->mesh->nnode, n = s->cell_adr[s->ncell];
    memset(w->start, 0, ((size_t)nnode + 1) * sizeof *w->start);
    for (int i = 0; i < n; i++)
        w->start[s->cell_node[i] + 1]++;
    for (int i = 0; i < nnode; i++)
        w->start[i + 1] += w->start[i];
    for (int e = s->ncell; e-- > 0;)
        for (int i = s->cell_adr[e]; i < s->cell_adr[e + 1]; i++)
            w->cell[--w->start[s->cell_node[i] + 1]] = e;
    // now start[i + 1] is where node i begins
    for (int i = 0; i < nnode; i++)
        w->start[i] = w->start[i + 1];
    w->start[nnode] = n;
}

lithe_status care_find_walls(const mesh_skeleton *s, const double *x, const mesh_boundary *boundary,
                             const int *neighbour, mesh_care *care)
{
    size_t n = (size_t)s->mesh->nnode;
    wall_finder w = {s, s->mesh, x, neighbour, .start = memory_alloc((n + 1) * sizeof(int))};
    w.cell = memory_alloc((size_t)s->cell_adr[s->ncell] * sizeof(int));
    w.seen = memory_alloc(n * sizeof(int));
    care->walls = (care_walls){.thinnest = {INFINITY, INFINITY, INFINITY}, .node = {-1, -1}};
    bool enough = w.start && w.cell && w.seen;
    if (enough) {
        list_cells(&w);
        memset(w.seen, -1, n * sizeof(int));
        for (int t = 0; t < boundary->ntri; t++)
            measure_wall(&w, boundary, t, care);
    }
    memory_free(w.start);
    memory_free(w.cell);
    memory_free(w.seen);
    return enough ? LITHE_OK : LITHE_NO_MEMORY;
}
