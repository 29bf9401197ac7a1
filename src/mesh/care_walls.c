// How thick walls are, and how many elements lie between their sides.
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/care.h"

#include <stdlib.h>
#include <string.h>

// Two sides make a wall where their normals differ from opposite by less than 60 degrees.
#define OPPOSITE (-0.5)

typedef struct wall_finder {
    const mesh *m;
    const double *x;
    const int *neighbour;
    int *start; // (nnode + 1) of each node's tetrahedra in `tet`
    int *tet;   // (4 ntet)
    int *seen;  // (nnode) the last triangle that reached the node in one edge
    int *near;  // nodes reached in one edge
    int nnear;
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
static bool walk(const wall_finder *w, wall_ray *ray, int tet, int problem, int *tet_problem)
{
    for (int steps = 0; steps < w->m->ntet; steps++) {
        int face = leave(w, ray, tet, &ray->length);
        if (face < 0)
            return false;
        tet_problem[tet] |= problem;
        int next = w->neighbour[4 * (size_t)tet + face];
        if (next < 0) {
            face_nodes(w->m, tet, face, ray->exit);
            return ray->length > 0;
        }
        tet = next;
    }
    return false;
}

// Elements between two triangles: edges on the shortest way, 3 standing for all above 2.
static int count_across(wall_finder *w, int id, const int from[3], const int to[3])
{
    w->nnear = 0;
    for (int k = 0; k < 3; k++)
        for (int i = w->start[from[k]]; i < w->start[from[k] + 1]; i++)
            for (int c = 0; c < 4; c++) {
                int node = w->m->tet[4 * (size_t)w->tet[i] + c];
                if (w->seen[node] != id)
                    w->near[w->nnear++] = node;
                w->seen[node] = id;
            }
    for (int k = 0; k < 3; k++)
        if (w->seen[to[k]] == id)
            return 1;
    for (int k = 0; k < 3; k++)
        for (int i = w->start[to[k]]; i < w->start[to[k] + 1]; i++)
            for (int c = 0; c < 4; c++)
                if (w->seen[w->m->tet[4 * (size_t)w->tet[i] + c]] == id)
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
static bool touch(const int a[3], const int b[3])
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
    if (!walk(w, &ray, b->tet[t], 0, care->tet_problem))
        return;
    triangle_normal(w->x, ray.exit, normal);
    if (!(vec_dot(normal, ray.normal) < OPPOSITE) || touch(tri, ray.exit))
        return;
    int across = count_across(w, t, tri, ray.exit) - 1;
    walls->area[across] += area;
    if (across == 0)
        walk(w, &ray, b->tet[t], CARE_THIN, care->tet_problem);
    if (ray.length >= walls->thinnest[across])
        return;
    walls->thinnest[across] = ray.length;
    if (across == 0) {
        walls->node[0] = tri[0];
        walls->node[1] = ray.exit[0];
    }
}

// Which tetrahedra each node is of.
static void list_tets(wall_finder *w)
{
    const mesh *m = w->m;
    memset(w->start, 0, ((size_t)m->nnode + 1) * sizeof *w->start);
    for (size_t i = 0; i < 4 * (size_t)m->ntet; i++)
        w->start[m->tet[i] + 1]++;
    for (int i = 0; i < m->nnode; i++)
        w->start[i + 1] += w->start[i];
    for (size_t i = 4 * (size_t)m->ntet; i-- > 0;)
        w->tet[--w->start[m->tet[i] + 1]] = (int)(i / 4);
    // now start[i + 1] is where node i begins
    for (int i = 0; i < m->nnode; i++)
        w->start[i] = w->start[i + 1];
    w->start[m->nnode] = 4 * m->ntet;
}

lithe_status care_find_walls(const mesh *m, const double *x, const mesh_boundary *boundary,
                             const int *neighbour, mesh_care *care)
{
    size_t n = (size_t)m->nnode;
    wall_finder w = {m, x, neighbour, .start = memory_alloc((n + 1) * sizeof(int))};
    w.tet = memory_alloc(4 * (size_t)m->ntet * sizeof(int));
    w.seen = memory_alloc(n * sizeof(int));
    w.near = memory_alloc(n * sizeof(int));
    care->walls = (care_walls){.thinnest = {INFINITY, INFINITY, INFINITY}, .node = {-1, -1}};
    bool enough = w.start && w.tet && w.seen && w.near;
    if (enough) {
        list_tets(&w);
        memset(w.seen, -1, n * sizeof(int));
        for (int t = 0; t < boundary->ntri; t++)
            measure_wall(&w, boundary, t, care);
    }
    memory_free(w.start);
    memory_free(w.tet);
    memory_free(w.seen);
    memory_free(w.near);
    return enough ? LITHE_OK : LITHE_NO_MEMORY;
}
