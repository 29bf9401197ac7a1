// Time of contact detection: a robot's surface against obstacles and against itself.
#include "base/clock.h"
#include "contact/grid.h"

#include <stdio.h>

enum { ROUNDS = 400 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, contact_world *world, const contact_poses *poses,
                    skin_pose *skins, const double *x, contact_list *list)
{
    static double time[ROUNDS];
    for (int k = 0; k < ROUNDS; k++) {
        double start = clock_now();
        skin_follow(&world->skin[0], &skins[0], x, NULL);
        contact_detect(world, poses, list->max, list);
        time[k] = clock_now() - start;
    }
    qsort(time, ROUNDS, sizeof *time, ascending);
    printf("%-28s %6d %6d %8d %10.3f %10.3f\n", name, world->skin[0].nvertex,
           world->pair[0].second > 0 ? world->skin[1].nvertex : 0, list->n, 1e3 * time[ROUNDS / 2],
           1e3 * time[ROUNDS * 99 / 100]);
}

int main(void)
{
    static shell robot, obstacle;
    static double x[3 * 20000];
    arena memory = {0};
    contact_skin skins[2];
    skin_pose poses[2];
    contact_list list;
    shell_sphere(&robot, 14, (double[3]){0, 0, 0}, 1);
    shell_sphere(&obstacle, 7, (double[3]){0, 0, 1.75}, 0.8);
    memcpy(x, robot.x, sizeof x);
    skin_source own = {robot.nnode, robot.x, 0, 0, robot.ntri, robot.tri, 0, NULL, NULL};
    skin_source other = {obstacle.nnode, obstacle.x, -1,   0,   obstacle.ntri,
                         obstacle.tri,   0,          NULL, NULL};
    if (skin_build(&skins[0], &own, &memory) != LITHE_OK ||
        skin_build(&skins[1], &other, &memory) != LITHE_OK ||
        skin_pose_create(&skins[0], &memory, &poses[0]) != LITHE_OK ||
        skin_pose_create(&skins[1], &memory, &poses[1]) != LITHE_OK ||
        contact_list_create(4000, &memory, &list) != LITHE_OK)
        return 3;
    const contact_shape ball = {SHAPE_SPHERE, 0.8, {0}}, block = {SHAPE_BOX, 0, {0.8, 0.8, 0.8}};
    contact_frame at = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 1.75}};
    contact_pair pair = {.first = 0, .second = -1, .alarm = 0.1};
    contact_world world = {2, skins, 1, &ball, 1, &pair};
    contact_poses where = {poses, NULL, &at, NULL, NULL};
    printf("%-28s %6s %6s %8s %10s %10s\n", "against", "nodes", "nodes", "contacts", "median ms",
           "p99 ms");
    measure("a sphere", &world, &where, poses, x, &list);
    world.shape = &block;
    measure("a box", &world, &where, poses, x, &list);
    pair.second = 1;
    measure("a mesh", &world, &where, poses, x, &list);
    pair.volume = true;
    measure("a mesh, by volume", &world, &where, poses, x, &list);
    pair = (contact_pair){.first = 0, .second = 0, .self = true, .alarm = 0.1};
    measure("itself", &world, &where, poses, x, &list);
    arena_free(&memory);
    return 0;
}
