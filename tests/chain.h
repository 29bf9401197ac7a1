// Rigid bars that joints join, and what tests ask of them. Include cmocka first.
#ifndef TESTS_CHAIN_H
#define TESTS_CHAIN_H

#include "base/vec.h"
#include "rigid.h"

enum { CHAIN_MOST = 16 };

typedef struct chain {
    scene s;
    lithe_body_def body[CHAIN_MOST];
    lithe_joint_def joint[CHAIN_MOST];
} chain;

static inline void start(chain *c)
{
    begin(&c->s, LITHE_SOFT, 0, 0, 0);
    c->s.def.body = c->body;
    c->s.def.joint = c->joint;
    c->s.def.nbody = c->s.def.njoint = 0;
    c->s.def.dynamics.spectral_radius = 0.8;
}

// A block from one point to another, in the plane of x and z.
static inline lithe_body_def *add_bar(chain *c, const char *name, const double from[3],
                                      const double to[3], double mass)
{
    lithe_body_def *b = &c->body[c->s.def.nbody++];
    *b = lithe_body_def_default();
    b->name = name;
    b->shape = LITHE_RIGID_BOX;
    b->mass = mass;
    memcpy(b->size, (double[]){0.01, 0.02, vec_distance(from, to)}, sizeof b->size);
    for (int i = 0; i < 3; i++)
        b->move[i] = 0.5 * (from[i] + to[i]);
    b->rotate[1] = atan2(to[0] - from[0], to[2] - from[2]);
    return b;
}

static inline lithe_joint_def *add_joint(chain *c, const char *name, lithe_joint_kind kind,
                                         const char *joined, const char *with, const double at[3],
                                         const double axis[3])
{
    lithe_joint_def *j = &c->joint[c->s.def.njoint++];
    *j = lithe_joint_def_default();
    j->name = name;
    j->kind = kind;
    j->body = joined;
    j->with = with;
    memcpy(j->at, at, sizeof j->at);
    memcpy(j->axis, axis, sizeof j->axis);
    return j;
}

static const double along_x[3] = {1, 0, 0}, along_y[3] = {0, 1, 0}, along_z[3] = {0, 0, 1};

static inline double widest_gap(const chain *c)
{
    double most = 0;
    for (int j = 0; j < lithe_njoint(c->s.model); j++) {
        lithe_joint_info info;
        assert_int_equal(lithe_joint_get(c->s.model, c->s.state, j, &info), LITHE_OK);
        most = fmax(most, info.gap);
    }
    return most;
}

static inline const double *centre_of(const chain *c, int k)
{
    const body *b = &c->s.model->body[k];
    return &c->s.state->now.x[3 * (b->node_adr + b->centre)];
}

static inline const double *rotation_of(const chain *c, int k)
{
    const body *b = &c->s.model->body[k];
    return &c->s.state->now.x[3 * (b->node_adr + b->nnode - 1)];
}

static inline lithe_status tell(chain *c, double value)
{
    return lithe_command(c->s.model, c->s.state, 0, LITHE_DISPLACEMENT, &value);
}

#endif
