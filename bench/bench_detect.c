// Time of contact detection: a trunk's surface of 1046 nodes against obstacles, a cylinder of 273
// nodes among them as in the thesis [coevoet2019, table 4.1], and against itself. The table is
// Markdown; time that the thread computed.
#include "app/pin.h"
#include "contact/grid.h"
#include "robot.h"

#include <stdio.h>

enum { ROUNDS = 400 };

static const double full_turn = 6.283185307179586;

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

// The trunk: ten segments, thinner towards the tip, along z.
static void make_trunk(shell *s, int rings, int around)
{
    for (int r = 0; r < rings; r++) {
        double along = (r + 0.5) / rings;
        double radius = (0.2 - 0.08 * along) * (1 - 0.15 * cos(10 * full_turn * along));
        for (int i = 0; i < around; i++)
            shell_node(s, radius * cos(full_turn * i / around),
                       radius * sin(full_turn * i / around), 2 * along);
        if (r > 0)
            join_rings(s, around, (r - 1) * around, r * around);
    }
    join_pole(s, around, shell_node(s, 0, 0, 0), 0, true);
    join_pole(s, around, shell_node(s, 0, 0, 2), (rings - 1) * around, false);
}

// Across the trunk, along y, a little within it.
static void make_cylinder(shell *s, int rings, int around, const double at[3], double radius)
{
    for (int r = 0; r < rings; r++) {
        for (int i = 0; i < around; i++)
            shell_node(s, at[0] + radius * sin(full_turn * i / around),
                       at[1] + (double)r / (rings - 1) - 0.5,
                       at[2] + radius * cos(full_turn * i / around));
        if (r > 0)
            join_rings(s, around, (r - 1) * around, r * around);
    }
    for (int i = 1; i + 1 < around; i++) {
        int last = (rings - 1) * around, two[6] = {0, i + 1, i, last, last + i, last + i + 1};
        memcpy(&s->tri[3 * s->ntri], two, sizeof two);
        s->ntri += 2;
    }
}

static void measure(const char *name, contact_world *world, const contact_poses *poses,
                    skin_pose *skins, const double *x, contact_list *list, const char *goal)
{
    static double time[ROUNDS];
    for (int k = 0; k < ROUNDS; k++) {
        double start = cpu_now();
        skin_follow(&world->skin[0], &skins[0], x, NULL);
        contact_detect(world, poses, list->max, list);
        time[k] = 1e3 * (cpu_now() - start);
    }
    double median = time_rank(ROUNDS, time, 0.5), p99 = time_rank(ROUNDS, time, 0.99);
    printf("| %d | %s | %d | %.3f | %.3f | %s |\n", world->skin[0].nvertex, name, list->n, median,
           p99, goal);
}

int main(void)
{
    static shell trunk, obstacle;
    static double x[3 * 20000];
    arena memory = {0};
    contact_skin skins[2];
    skin_pose poses[2];
    contact_list list;
    pin_to_core();
    const double beside[3] = {0.36, 0, 1.2};
    make_trunk(&trunk, 58, 18);
    make_cylinder(&obstacle, 13, 21, beside, 0.2);
    memcpy(x, trunk.x, sizeof x);
    skin_source own = {trunk.nnode, trunk.x, 0, 0, trunk.ntri, trunk.tri, 0, NULL, NULL};
    skin_source other = {obstacle.nnode, obstacle.x, -1,   0,   obstacle.ntri,
                         obstacle.tri,   0,          NULL, NULL};
    if (skin_build(&skins[0], &own, &memory) != LITHE_OK ||
        skin_build(&skins[1], &other, &memory) != LITHE_OK ||
        skin_pose_create(&skins[0], &memory, &poses[0]) != LITHE_OK ||
        skin_pose_create(&skins[1], &memory, &poses[1]) != LITHE_OK ||
        contact_list_create(4000, &memory, &list) != LITHE_OK)
        return 3;
    const contact_shape ball = {SHAPE_SPHERE, 0.2, {0}}, block = {SHAPE_BOX, 0, {0.2, 0.2, 0.2}};
    contact_frame at = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.36, 0, 1.2}};
    contact_pair pair = {.first = 0, .second = -1, .alarm = 0.02};
    contact_world world = {2, skins, 1, &ball, 1, &pair, true, INFINITY};
    contact_poses where = {poses, NULL, &at, NULL, NULL};
    printf("| nodes | against | contacts | median ms | p99 ms | goal, thesis |\n"
           "|---|---|---|---|---|---|\n");
    measure("a sphere", &world, &where, poses, x, &list, "");
    world.shape = &block;
    measure("a box", &world, &where, poses, x, &list, "");
    pair.second = 1;
    measure("a mesh of 273 nodes", &world, &where, poses, x, &list, "1 ms, 38.9 ms");
    contact_patches patches;
    if (contact_patches_build(&skins[0], 0, pair.alarm, &memory, &patches) != LITHE_OK)
        return 3;
    pair.patches = &patches;
    pair.alarm = 0.02 / CONTACT_LAYER; // its soft edge is as wide as the alarm distance of points
    measure("the same, by volume", &world, &where, poses, x, &list, "");
    pair = (contact_pair){.first = 0, .second = 0, .self = true, .alarm = 0.02};
    measure("itself", &world, &where, poses, x, &list, "");
    arena_free(&memory);
    return 0;
}
