// Time of finding pairs, their derivatives, and safe steps: a trunk's surface of 1046 vertices
// against obstacles, a cylinder of 273 vertices among them as in the thesis [coevoet2019, table
// 4.1], and against itself. The table is Markdown; time that the thread computed.
#include "app/pin.h"
#include "base/vec.h"
#include "contact/advance.h"
#include "robot.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 300, NODES = 2000 };

static const double full_circle = 6.283185307179586;

typedef struct shell {
    int nnode, ntri;
    double x[3 * NODES];
    int tri[6 * NODES];
} shell;

static int add_node(shell *s, double x, double y, double z)
{
    double p[3] = {x, y, z};
    memcpy(&s->x[3 * s->nnode], p, sizeof p);
    return s->nnode++;
}

// Triangles between two rings of n nodes, the second one after the first, both around the same way.
static void join_rings(shell *s, int n, int first, int second)
{
    for (int i = 0; i < n; i++) {
        int next = (i + 1) % n;
        int two[6] = {first + i, first + next, second + next, first + i, second + next, second + i};
        memcpy(&s->tri[3 * s->ntri], two, sizeof two);
        s->ntri += 2;
    }
}

static void join_pole(shell *s, int n, int pole, int ring, bool below)
{
    for (int i = 0; i < n; i++) {
        int next = (i + 1) % n;
        int tri[3] = {pole, ring + (below ? next : i), ring + (below ? i : next)};
        memcpy(&s->tri[3 * s->ntri++], tri, sizeof tri);
    }
}

// Ten segments, thinner towards the tip, along z.
static void make_trunk(shell *s, int rings, int around)
{
    for (int r = 0; r < rings; r++) {
        double along = (r + 0.5) / rings;
        double radius = (0.2 - 0.08 * along) * (1 - 0.15 * cos(10 * full_circle * along));
        for (int i = 0; i < around; i++)
            add_node(s, radius * cos(full_circle * i / around),
                     radius * sin(full_circle * i / around), 2 * along);
        if (r > 0)
            join_rings(s, around, (r - 1) * around, r * around);
    }
    join_pole(s, around, add_node(s, 0, 0, 0), 0, true);
    join_pole(s, around, add_node(s, 0, 0, 2), (rings - 1) * around, false);
}

// Across the trunk, along y.
static void make_cylinder(shell *s, int rings, int around, double radius)
{
    for (int r = 0; r < rings; r++) {
        for (int i = 0; i < around; i++)
            add_node(s, radius * sin(full_circle * i / around), (double)r / (rings - 1) - 0.5,
                     radius * cos(full_circle * i / around));
        if (r > 0)
            join_rings(s, around, (r - 1) * around, r * around);
    }
    for (int i = 1; i + 1 < around; i++) {
        int last = (rings - 1) * around, two[6] = {0, i + 1, i, last, last + i, last + i + 1};
        memcpy(&s->tri[3 * s->ntri], two, sizeof two);
        s->ntri += 2;
    }
}

typedef struct bench {
    arena memory;
    contact_surface surface[2];
    contact_shape shape;
    contact_frame frame;
    proximity_match match;
    proximity_world world;
    proximity_positions positions, end;
    proximity_list list;
    const double *x;
    double *to;
} bench;

static bool prepare(bench *b, const shell *trunk, const shell *wall, proximity_match match)
{
    surface_source own = {
        .nnode = trunk->nnode, .x = trunk->x, .ntri = trunk->ntri, .tri = trunk->tri};
    b->match = match;
    b->world = (proximity_world){.nsurface = 2,
                                 .surface = b->surface,
                                 .nshape = 1,
                                 .shape = &b->shape,
                                 .nmatch = 1,
                                 .match = &b->match,
                                 .soft = 1e-3};
    lithe_status made = contact_surface_build(&b->surface[0], &own, &b->memory);
    if (wall) {
        surface_source other = {.nnode = wall->nnode,
                                .x = wall->x,
                                .node_adr = -1,
                                .ntri = wall->ntri,
                                .tri = wall->tri};
        made = made ? made : contact_surface_build(&b->surface[1], &other, &b->memory);
    } else {
        made = made ? made : contact_surface_of_shape(&b->surface[1], &b->shape, 0, &b->memory);
    }
    made = made ? made : proximity_world_prepare(&b->world, &b->memory);
    made = made ? made : proximity_positions_create(&b->world, &b->memory, &b->positions);
    made = made ? made : proximity_positions_create(&b->world, &b->memory, &b->end);
    return made == LITHE_OK && proximity_reserve(&b->list, 100000) == LITHE_OK;
}

static double derive_all(const bench *b)
{
    double H[144], sum = 0;
    for (int i = 0; i < b->list.n; i++) {
        proximity_measure m;
        proximity_measure_pair(&b->world, &b->positions, &b->list.pair[i], &m);
        proximity_hessian(&b->world, &b->positions, &b->list.pair[i], &m, H);
        sum += H[0];
    }
    return sum;
}

// The first look has to grow its list; one round of each is not counted.
static void measure(bench *b, const char *name, double reach, const char *goal)
{
    static double anew[ROUNDS], find[ROUNDS], derive[ROUNDS], advance[ROUNDS];
    volatile double used = 0;
    advance_way way = {&b->positions, &b->end, 0.1, reach, 0};
    int n = 0;
    double share = 1;
    for (int k = 0; k < ROUNDS; k++) {
        double forgotten = cpu_now();
        proximity_positions_at(&b->world, &b->positions, b->x, &b->frame);
        b->positions.kept.margin = 0;
        proximity_find(&b->world, &b->positions, NULL, reach, &b->list);
        double start = cpu_now();
        anew[k] = 1e3 * (start - forgotten);
        proximity_positions_at(&b->world, &b->positions, b->x, &b->frame);
        n = proximity_find(&b->world, &b->positions, NULL, reach, &b->list);
        double found = cpu_now();
        used += derive_all(b);
        double derived = cpu_now();
        proximity_positions_at(&b->world, &b->end, b->to, &b->frame);
        share = advance_safe(&b->world, &way, NULL, 1, NULL, NULL);
        find[k] = 1e3 * (found - start);
        derive[k] = 1e3 * (derived - found);
        advance[k] = 1e3 * (cpu_now() - derived);
    }
    printf("| %d | %s | %d | %.3f | %.3f | %.3f | %.3f | %.2g | %.3f | %s |\n",
           b->surface[0].nvertex, name, n, time_rank(ROUNDS, anew, 0.5),
           time_rank(ROUNDS, anew, 0.99), time_rank(ROUNDS, find, 0.5),
           time_rank(ROUNDS, derive, 0.5), share, time_rank(ROUNDS, advance, 0.5), goal);
}

int main(void)
{
    static shell trunk, post;
    static double to[3 * NODES];
    pin_to_core();
    make_trunk(&trunk, 58, 18);
    make_cylinder(&post, 13, 21, 0.2);
    for (int i = 0; i < 3 * trunk.nnode; i++) // a step: bends by 3 mm
        to[i] = trunk.x[i] + (i % 3 == 0 ? 0.003 * trunk.x[i + 2] * trunk.x[i + 2] / 4 : 0);
    const char *name[6] = {"a sphere", "a box", "a capsule", "a cylinder", "a mesh of 273 nodes",
                           "itself"};
    const char *goal[6] = {"", "", "", "", "1 ms, 38.9 ms", ""};
    const contact_shape shape[6] = {{SHAPE_SPHERE, 0.2, {0}},
                                    {SHAPE_BOX, 0, {0.2, 0.2, 0.2}},
                                    {SHAPE_CAPSULE, 0.2, {0, 0, 0.5}},
                                    {SHAPE_CYLINDER, 0.2, {0, 0, 0.5}},
                                    {SHAPE_MESH, 0, {0}},
                                    {SHAPE_MESH, 0, {0}}};
    printf(
        "| vertices | against | pairs | anew ms | p99 ms | again ms | derivatives ms | safe share "
        "| safe step ms | goal, thesis |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < 6; k++) {
        bench b = {.shape = shape[k],
                   .frame = {{1, 0, 0, 0, 0, -1, 0, 1, 0}, {0.365, 0, 1.2}},
                   .x = trunk.x,
                   .to = to};
        if (k == 1 || k >= 4)
            b.frame = (contact_frame){{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.365, 0, 1.2}};
        proximity_match match = {.first = 0,
                                 .second = k == 3   ? -1
                                           : k == 5 ? 0
                                                    : 1,
                                 .self = k == 5};
        if (!prepare(&b, &trunk, k >= 4 ? &post : NULL, match))
            return 3;
        measure(&b, name[k], k == 5 ? 2e-3 : 0.02, goal[k]);
        proximity_list_free(&b.list);
        arena_free(&b.memory);
    }
    return 0;
}
