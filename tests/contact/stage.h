// Two skins and a shape on a stage, for the tests of contact. Include cmocka first.
#ifndef TESTS_CONTACT_STAGE_H
#define TESTS_CONTACT_STAGE_H

#include "contact/grid.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

// Two skins at most, their nodes one after the other, and one shape.
typedef struct scene {
    arena memory;
    int nnode;
    double *x;
    contact_skin skin[2];
    skin_pose pose[2], before[2];
    contact_shape shape;
    contact_frame at;
    contact_pair pair;
    contact_world world;
    contact_poses poses;
    contact_list list;
} scene;

static inline void scene_add(scene *s, const shell *from, bool obstacle)
{
    int k = s->world.nskin++;
    contact_skin *own = &s->skin[k];
    skin_source source = {.nnode = from->nnode,
                          .x = from->x,
                          .node_adr = obstacle ? -1 : s->nnode,
                          .ntri = from->ntri,
                          .tri = from->tri};
    assert_int_equal(skin_build(own, &source, &s->memory), LITHE_OK);
    assert_int_equal(skin_pose_create(own, &s->memory, &s->pose[k]), LITHE_OK);
    assert_int_equal(skin_pose_create(own, &s->memory, &s->before[k]), LITHE_OK);
    for (int i = 0; i < own->nvertex && !obstacle; i++)
        memcpy(&s->x[3 * own->node[i]], &own->rest[3 * i], 3 * sizeof *s->x);
    s->nnode += obstacle ? 0 : from->nnode;
}

static inline scene *scene_create(void)
{
    scene *s = calloc(1, sizeof *s);
    s->x = calloc(3 * 40000, sizeof *s->x);
    s->at = *pose_identity();
    s->pair = (contact_pair){.first = 0, .second = -1, .alarm = 0.1};
    s->world = (contact_world){0, s->skin, 1, &s->shape, 1, &s->pair, true, INFINITY};
    s->poses = (contact_poses){s->pose, NULL, &s->at, NULL, NULL};
    assert_int_equal(contact_list_create(4000, &s->memory, &s->list), LITHE_OK);
    return s;
}

static inline void scene_free(scene *s)
{
    arena_free(&s->memory);
    free(s->x);
    free(s);
}

static inline void scene_detect(scene *s, int most)
{
    for (int k = 0; k < s->world.nskin; k++)
        if (s->skin[k].node[0] >= 0)
            skin_follow(&s->skin[k], &s->pose[k], s->x, NULL);
    contact_detect(&s->world, &s->poses, most, &s->list);
}

static inline const contact *scene_find(const scene *s, uint64_t id)
{
    for (int i = 0; i < s->list.n; i++)
        if (s->list.contact[i].id == id)
            return &s->list.contact[i];
    return NULL;
}

static inline shell *box_of(int n, double x, double y, double z, double half)
{
    shell *s = calloc(1, sizeof *s);
    shell_box(s, n, (double[3]){x, y, z}, (double[3]){half, half, half});
    return s;
}

static inline shell *sphere_of(int n, double x, double y, double z, double radius)
{
    shell *s = calloc(1, sizeof *s);
    shell_sphere(s, n, (double[3]){x, y, z}, radius);
    return s;
}

#endif
