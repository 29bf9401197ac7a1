// Surfaces, obstacles and matches for the tests of proximity. Include cmocka first.
#ifndef TESTS_CONTACT_WORLD_H
#define TESTS_CONTACT_WORLD_H

#include "base/vec.h"
#include "contact/brute.h"
#include "contact/proximity.h"

#include <stdlib.h>

enum { WORLD_SURFACES = 6, WORLD_NODES = 4000 };

typedef struct stage {
    arena memory;
    int nnode;
    double x[3 * WORLD_NODES]; // of all bodies
    contact_surface surface[WORLD_SURFACES];
    contact_shape shape[WORLD_SURFACES];
    contact_frame frame[WORLD_SURFACES];
    proximity_match match[WORLD_SURFACES];
    proximity_world world;
    proximity_positions positions, end;
    proximity_list list;
} stage;

static const contact_frame stage_still = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static inline stage *stage_create(void)
{
    stage *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->world = (proximity_world){
        .surface = s->surface, .shape = s->shape, .match = s->match, .soft = 0.02};
    return s;
}

static inline int stage_add(stage *s, surface_source from, bool rigid)
{
    int k = s->world.nsurface++;
    from.node_adr = rigid ? -1 : s->nnode;
    assert_int_equal(contact_surface_build(&s->surface[k], &from, &s->memory), LITHE_OK);
    if (rigid)
        return k;
    memcpy(&s->x[3 * (size_t)s->nnode], from.x, 3 * (size_t)from.nnode * sizeof *from.x);
    s->nnode += from.nnode;
    assert_true(s->nnode <= WORLD_NODES);
    return k;
}

// An obstacle with the surface that it has; returns its number among the shapes.
static inline int stage_obstacle(stage *s, contact_shape shape, contact_frame at, int *surface)
{
    int o = s->world.nshape++;
    s->shape[o] = shape;
    s->frame[o] = at;
    *surface = s->world.nsurface++;
    assert_int_equal(contact_surface_of_shape(&s->surface[*surface], &shape, o, &s->memory),
                     LITHE_OK);
    return o;
}

static inline void stage_match(stage *s, proximity_match m)
{
    s->match[s->world.nmatch++] = m;
}

// After all surfaces and matches are there.
static inline void stage_ready(stage *s)
{
    assert_int_equal(proximity_world_prepare(&s->world, &s->memory), LITHE_OK);
    assert_int_equal(proximity_positions_create(&s->world, &s->memory, &s->positions), LITHE_OK);
    assert_int_equal(proximity_positions_create(&s->world, &s->memory, &s->end), LITHE_OK);
    proximity_positions_at(&s->world, &s->positions, s->x, s->frame);
    proximity_positions_at(&s->world, &s->end, s->x, s->frame);
}

static inline int stage_find(stage *s, double reach)
{
    int n;
    proximity_positions_at(&s->world, &s->positions, s->x, s->frame);
    while ((n = proximity_find(&s->world, &s->positions, NULL, reach, &s->list)) > s->list.max)
        assert_int_equal(proximity_reserve(&s->list, n), LITHE_OK);
    return n;
}

static inline void stage_free(stage *s)
{
    proximity_list_free(&s->list);
    arena_free(&s->memory);
    free(s);
}

// A box of n squares along each side, each of two triangles (or as one face of four nodes), put
// somewhere and shaken a little.
typedef struct crate {
    int nnode, ntri, nface;
    double x[3 * 800];
    int tri[3 * 1600], face[SURFACE_FACE * 800];
} crate;

static inline int crate_node(crate *c, const int at[3], int n)
{
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = 2.0 * at[k] / n - 1;
    for (int i = 0; i < c->nnode; i++)
        if (vec_distance(&c->x[3 * i], p) < 1e-9)
            return i;
    memcpy(&c->x[3 * c->nnode], p, sizeof p);
    return c->nnode++;
}

static inline crate *crate_create(dice *d, int n, const double at[3], double half, double shake)
{
    crate *c = calloc(1, sizeof *c);
    for (int side = 0; side < 6; side++)
        for (int i = 0; i < n * n; i++) {
            int axis = side / 2, around[4], up = side % 2;
            for (int k = 0; k < 4; k++) {
                int step[2] = {(k == 1 || k == 2), (k >= 2)}, q[3];
                q[axis] = up ? n : 0;
                q[(axis + 1) % 3] = i % n + step[!up];
                q[(axis + 2) % 3] = i / n + step[up];
                around[k] = crate_node(c, q, n);
            }
            int two[6] = {around[0], around[1], around[2], around[0], around[2], around[3]};
            memcpy(&c->tri[3 * c->ntri], two, sizeof two);
            c->ntri += 2;
            int *face = &c->face[SURFACE_FACE * c->nface++];
            memcpy(face, around, sizeof around);
            face[4] = face[5] = -1;
        }
    for (int i = 0; i < 3 * c->nnode; i++)
        c->x[i] = at[i % 3] + half * c->x[i] + dice_between(d, -shake, shake);
    return c;
}

static inline int stage_crate(stage *s, const crate *c, bool rigid, int frame)
{
    return stage_add(
        s,
        (surface_source){
            .nnode = c->nnode, .x = c->x, .frame = frame, .ntri = c->ntri, .tri = c->tri},
        rigid);
}

#endif
