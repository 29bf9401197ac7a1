// One rigid body, the first of a scene, and what tests ask of it. Include cmocka first.
#ifndef TESTS_RIGID_H
#define TESTS_RIGID_H

#include "robot.h"

static const double g = 9.81;

static inline void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        print_error("%.12g is not %.12g to %g\n", found, expected, tolerance);
    assert_true(fabs(found - expected) <= tolerance);
}

typedef struct scene {
    lithe_material_def material;
    lithe_body_def body[2];
    lithe_obstacle_def obstacle;
    lithe_load_def load;
    lithe_fix_def fix[2];
    lithe_actuator_def servo;
    lithe_def def;
    lithe_report report;
    lithe_model *model;
    lithe_state *state;
} scene;

static inline void begin(scene *s, lithe_rigid_shape shape, double a, double b, double c)
{
    memset(s, 0, sizeof *s);
    s->report = lithe_report_default();
    s->material = lithe_material_def_default();
    s->material.name = "steel";
    s->material.young = 2e11;
    s->material.poisson = 0.3;
    s->material.density = 7800;
    s->body[0] = lithe_body_def_default();
    s->body[0].name = "rigid";
    s->body[0].shape = shape;
    memcpy(s->body[0].size, (double[]){a, b, c}, sizeof s->body[0].size);
    s->body[0].material = "steel";
    s->def = lithe_def_default();
    s->def.nmaterial = 1;
    s->def.material = &s->material;
    s->def.nbody = 1;
    s->def.body = s->body;
    s->def.step.dt = 1e-3;
    s->def.dynamics.scheme = LITHE_ALPHA;
    s->def.dynamics.spectral_radius = 1;
}

static inline void put_floor(scene *s, double friction)
{
    s->obstacle = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    s->obstacle.name = "floor";
    s->obstacle.friction = friction;
    s->def.obstacle = &s->obstacle;
    s->def.nobstacle = 1;
    s->def.gravity[2] = -g;
    s->def.dynamics.scheme = LITHE_EULER;
}

static inline void compile(scene *s)
{
    lithe_status status = lithe_compile(&s->def, &s->model, &s->report);
    if (status != LITHE_OK)
        print_error("%s\n", s->report.error);
    assert_int_equal(status, LITHE_OK);
    assert_int_equal(lithe_state_create(s->model, 1, &s->state, &s->report), LITHE_OK);
}

static inline void end(scene *s)
{
    lithe_state_free(s->state);
    lithe_model_free(s->model);
}

static inline void take_step(scene *s)
{
    lithe_status status = lithe_step(s->model, s->state);
    if (status != LITHE_OK)
        print_error("%s\n", lithe_state_error(s->state));
    assert_int_equal(status, LITHE_OK);
}

static inline const double *velocity(const scene *s)
{
    return &s->state->motion.velocity[3 * s->model->body[0].centre];
}

static inline const double *spin(const scene *s)
{
    return &s->state->motion.velocity[3 * (s->model->body[0].nnode - 1)];
}

static inline const double *centre(const scene *s)
{
    return &s->state->now.x[3 * s->model->body[0].centre];
}

static inline const double *inertia(const scene *s)
{
    return s->model->body[0].inertia;
}

static inline void refuse(scene *s, const char *text)
{
    lithe_model *model = NULL;
    assert_int_equal(lithe_compile(&s->def, &model, &s->report), LITHE_INVALID);
    if (!strstr(s->report.error, text))
        print_error("%s\n", s->report.error);
    assert_non_null(strstr(s->report.error, text));
}

#endif
