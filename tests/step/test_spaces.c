// Spaces of bodies: rigid parts, servos and modes, against what they must agree with.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rotation.h"
#include "base/vec.h"
#include "robot.h"
#include "step/phases.h"

#include <stdlib.h>

// The upper third of the bar.
static const lithe_selection head = {.kind = LITHE_BOX, .a = {-1, -1, 0.0699}, .b = {1, 1, 1}};

static void make_rigid(robot *r, lithe_rigid_def *part)
{
    *part = lithe_rigid_def_default();
    part->name = "head";
    part->where = head;
    r->body.nrigid = 1;
    r->body.rigid = part;
}

// The same robot with a head that is only stiff.
static void make_stiff(robot *r, lithe_material_def material[2], lithe_region_def *region)
{
    material[0] = r->material;
    material[1] = r->material;
    material[1].name = "steel";
    material[1].young = 1e6 * r->material.young;
    *region = lithe_region_def_default();
    region->where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.0701}, .b = {1, 1, 1}};
    region->material = "steel";
    r->def.nmaterial = 2;
    r->def.material = material;
    r->body.nregion = 1;
    r->body.region = region;
}

// Where two robots of the same nodes differ most, over their size.
static double difference(const robot *a, const robot *b)
{
    const double *x = lithe_position(a->state), *y = lithe_position(b->state);
    double worst = 0;
    for (int i = 0; i < a->model->nposition; i++)
        worst = fmax(worst, vec_distance(&x[3 * i], &y[3 * i]));
    return worst / a->model->size;
}

typedef struct pair {
    robot rigid, stiff;
    lithe_rigid_def part;
    lithe_material_def material[2];
    lithe_region_def region;
} pair;

static void pair_begin(pair *p)
{
    robot *both[2] = {&p->rigid, &p->stiff};
    for (int k = 0; k < 2; k++) {
        robot *r = both[k];
        robot_begin(r, false);
        add_cable(r, "east", 0.008);
        r->load[0] = lithe_load_def_default();
        r->load[0].name = "push";
        r->load[0].body = "bar";
        r->load[0].at[2] = 0.1;
        r->load[0].value[1] = 0.05;
        r->def.nload = 1;
        r->def.gravity[2] = -9.81;
        r->def.gravity[0] = 2;
    }
    make_rigid(&p->rigid, &p->part);
    make_stiff(&p->stiff, p->material, &p->region);
}

static void pair_end(pair *p)
{
    robot_end(&p->rigid);
    robot_end(&p->stiff);
}

static void a_rigid_part_is_a_very_stiff_one_in_statics(void **unused)
{
    (void)unused;
    pair p;
    pair_begin(&p);
    robot *both[2] = {&p.rigid, &p.stiff};
    for (int k = 0; k < 2; k++) {
        robot_compile(both[k]);
        command(both[k], 0, LITHE_EFFORT, 0.4);
        assert_int_equal(lithe_step(both[k]->model, both[k]->state), LITHE_OK);
    }
    double moved = vec_distance(&lithe_position(p.rigid.state)[3 * (p.rigid.model->nposition - 1)],
                                &p.rigid.model->rest[3 * (p.rigid.model->nposition - 1)]);
    assert_true(moved > 0.1 * p.rigid.model->size);
    assert_true(difference(&p.rigid, &p.stiff) < 1e-4);
    assert_true(p.rigid.model->ndof < p.stiff.model->ndof);
    pair_end(&p);
}

static void a_rigid_part_is_a_very_stiff_one_in_motion(void **unused)
{
    (void)unused;
    for (int scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        pair p;
        pair_begin(&p);
        robot *both[2] = {&p.rigid, &p.stiff};
        for (int k = 0; k < 2; k++) {
            both[k]->def.dynamics.scheme = (lithe_scheme)scheme;
            both[k]->def.step.dt = 5e-3;
            robot_compile(both[k]);
            command(both[k], 0, LITHE_EFFORT, 0.2);
            for (int i = 0; i < 20; i++)
                assert_int_equal(lithe_step(both[k]->model, both[k]->state), LITHE_OK);
        }
        assert_true(difference(&p.rigid, &p.stiff) < 1e-4);
        pair_end(&p);
    }
}

static double some(int i)
{
    return sin(1.7 * i + 0.3) + cos(0.3 * i * i);
}

// Energy of the robot's elements some way from s->now.
static double energy_at(const robot *r, const double *motion, double share)
{
    lithe_state *s = r->state;
    step_move(r->model, &s->now, share, motion, &s->trial);
    point_evaluate(r->model, s, &s->trial);
    return s->trial.energy;
}

// J' f is the slope of the energy along the retraction, and, somewhere that is no equilibrium, A
// its second derivative: along dq = A^-1 g that is g . dq.
static void check_derivatives(robot *r)
{
    lithe_state *s = r->state;
    const body *b = &r->model->body[0];
    int n = r->model->nq;
    double *dq = calloc((size_t)n, sizeof *dq), *line = calloc((size_t)b->nline, sizeof *line);
    for (int i = 0; i < b->nline; i++)
        line[i] = 2e-4 * some(i);
    b->space->spread(b, NULL, line, dq);
    step_move(r->model, &s->now, 0.5, dq, &s->now);
    point_evaluate(r->model, s, &s->now);
    assert_int_equal(step_linearize(r->model, s, STEP_FORWARD, false), LITHE_OK);
    memset(dq, 0, (size_t)n * sizeof *dq);
    step_solve_body(r->model, s, 0, s->now.internal, dq);
    double small = 1e-3 * r->model->size / b->space->largest(b, dq), slope = 0;
    const double *g = b->space->pull(b, body_jacobian(b, s->now.J), s->now.internal, s->pulled);
    for (int i = 0; i < n; i++) {
        slope += g[i] * dq[i];
        dq[i] *= small;
    }
    double up = energy_at(r, dq, 1), down = energy_at(r, dq, -1), at = s->now.energy;
    assert_true(fabs(small * slope - 0.5 * (up - down)) < 1e-3 * fabs(small * slope));
    assert_true(fabs(small * small * slope - (up - 2 * at + down)) <
                1e-3 * fabs(small * small * slope));
    free(dq);
    free(line);
}

// What panels of half solves say of A^-1, against whole solves: forces on nodes by displacements of
// nodes, with columns of several panels, and what is left of a right-hand side.
static void check_panels(robot *r)
{
    enum { COLUMNS = PANEL_WIDTH + 3, RIGHT = 2, MANY = 7 };
    lithe_state *s = r->state;
    arena memory = {0};
    const body *b = &r->model->body[0];
    const double *J = body_jacobian(b, s->now.J), force[3] = {1, 0.5, -2};
    double *Y = arena_new(&memory, b->nline * COLUMNS, double), W[COLUMNS * RIGHT] = {0},
           *f = arena_new(&memory, 3 * b->nnode, double), *dq = arena_new(&memory, b->nq, double),
           *x = arena_new(&memory, 3 * b->nnode, double), *y = arena_new(&memory, b->nline, double),
           *z = arena_new(&memory, b->nline, double), u[COLUMNS] = {0};
    space_tangent t = {0};
    assert_int_equal(b->space->create(b, &(space_size){PANEL_WIDTH, 1, false}, &memory, &t), 0);
    assert_int_equal(b->space->create_nodal(b, &memory, &t), LITHE_OK);
    body_elastic(b, &s->tangent.work[0], s->now.x, NULL, ELEMENT_EXACT, NULL, s->now.internal, t.K);
    b->space->assemble(b, s->now.q, J, NULL, &t);
    assert_int_equal(b->space->factor(b, &t, NULL, NULL).negative, 0);
    memcpy(&f[3 * (PANEL_WIDTH * MANY % b->nnode)], force, sizeof force);
    b->space->gather(b, J, f, 1, y);
    b->space->forward(b, &t, 1, 0, NULL, y);
    memcpy(z, y, (size_t)b->nline * sizeof *z);
    b->space->backward(b, &t, 1, z);
    b->space->spread(b, J, z, dq);
    b->space->push(b, J, dq, x);
    for (int first = 0; first < COLUMNS; first += PANEL_WIDTH) {
        space_panel p = panel_of(b, Y, COLUMNS, first);
        panel_begin(b, p.width, &p);
        for (int c = 0; c < p.width; c++)
            panel_add(b, J, (first + c) * MANY % b->nnode, force, c, &p);
        panel_solve(b, &t, &p);
    }
    space_panel right = panel_of(b, Y, COLUMNS, PANEL_WIDTH);
    for (int first = 0; first < COLUMNS; first += PANEL_WIDTH) {
        space_panel p = panel_of(b, Y, COLUMNS, first);
        panel_multiply(b, &t, &p, RIGHT, &right, RIGHT, &W[first * RIGHT]);
        panel_project(b, &t, &p, y, &u[first]);
    }
    double own = W[PANEL_WIDTH * RIGHT];
    assert_true(own > 0);
    for (int c = 0; c < COLUMNS; c++) {
        double moved = vec_dot(force, &x[3 * (c * MANY % b->nnode)]);
        assert_true(fabs(W[c * RIGHT] - moved) < 1e-9 * own && fabs(u[c] - moved) < 1e-9 * own);
    }
    panel_spread(b, &right, 1, (double[]){-1}, y);
    for (int i = 0; i < b->nline; i++)
        assert_true(fabs(y[i]) < 1e-9);
    arena_free(&memory);
}

static void panels_know_the_inverse(void **unused)
{
    (void)unused;
    for (int rigid = 0; rigid < 2; rigid++) {
        robot r;
        lithe_rigid_def part;
        robot_begin(&r, false);
        if (rigid)
            make_rigid(&r, &part);
        robot_compile(&r);
        check_panels(&r);
        robot_end(&r);
    }
}

static void add_servo(robot *r, const char *part)
{
    int k = r->def.nactuator++;
    r->actuator[k] = lithe_actuator_def_default(LITHE_SERVO);
    r->actuator[k].name = "servo";
    r->actuator[k].body = "bar";
    r->actuator[k].part = part;
    r->actuator[k].where = r->fix[0].where;
    memcpy(r->actuator[k].direction, (double[]){0, 2, 0}, sizeof r->actuator[k].direction);
    memcpy(r->actuator[k].through, (double[]){0.004, 0.3, -0.01}, sizeof r->actuator[k].through);
}

static void the_tangent_of_frames_is_the_second_derivative_of_the_energy(void **unused)
{
    (void)unused;
    for (int hinge = 0; hinge < 2; hinge++) {
        robot r;
        lithe_rigid_def part;
        robot_begin(&r, false);
        make_rigid(&r, &part);
        if (hinge) {
            r.body.nfix = 0;
            add_servo(&r, NULL);
        }
        robot_compile(&r);
        check_derivatives(&r);
        robot_end(&r);
    }
}

// Rotated as a whole by any angle, nothing is strained.
// Nodes that move as coordinates can have them do tell the coordinates, somewhere far from rest.
static void check_fit(robot *r)
{
    const body *b = &r->model->body[0];
    step_point *at = &r->state->now;
    double *dq = calloc(2 * (size_t)b->nq, sizeof *dq), *found = dq + b->nq;
    double *line = calloc((size_t)b->nline, sizeof *line);
    double *dx = calloc(6 * (size_t)b->nnode, sizeof *dx), *again = dx + 3 * (size_t)b->nnode;
    for (int i = 0; i < b->nline; i++)
        line[i] = some(i);
    b->space->spread(b, NULL, line, dq);
    step_move(r->model, at, 0.3, dq, at);
    b->space->push(b, body_jacobian(b, at->J), dq, dx);
    b->space->fit(b, at->q, dx, found);
    b->space->push(b, body_jacobian(b, at->J), found, again);
    for (int i = 0; i < 3 * b->nnode; i++)
        assert_true(fabs(again[i] - dx[i]) < 1e-9);
    free(dq);
    free(line);
    free(dx);
}

static void nodes_that_move_tell_how_frames_do(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 3; kind++) {
        robot r;
        lithe_rigid_def part;
        robot_begin(&r, false);
        if (kind > 0)
            make_rigid(&r, &part);
        if (kind > 1) {
            r.body.nfix = 0;
            add_servo(&r, NULL);
        }
        robot_compile(&r);
        check_fit(&r);
        robot_end(&r);
    }
}

static void a_rotated_robot_with_a_rigid_part_has_no_force(void **unused)
{
    (void)unused;
    robot r;
    lithe_rigid_def part;
    robot_begin(&r, false);
    make_rigid(&r, &part);
    r.body.nfix = 0;
    r.def.dynamics.scheme = LITHE_EULER;
    robot_compile(&r);
    lithe_state *s = r.state;
    const body *b = &r.model->body[0];
    for (int rotation = 1; rotation < 12; rotation++) {
        double theta[3] = {0.5 * rotation, -0.3 * rotation, 0.2 * rotation}, R[9], worst = 0;
        rotation_matrix(theta, R);
        step_rest(r.model, &s->now);
        for (int t = 0; t < b->carry->ntriple; t++)
            if (b->carry->kind[t] == CARRY_ROTATION)
                rotation_of_matrix(R, &s->now.q[3 * t]);
            else
                mat_apply(&s->now.q[3 * t], R, &s->now.q[3 * t]);
        step_positions(r.model, &s->now);
        point_evaluate(r.model, s, &s->now);
        for (int i = 0; i < 3 * r.model->nnode; i++)
            worst = fmax(worst, fabs(s->now.internal[i]));
        assert_true(worst < 1e-9 && s->now.energy < 1e-12);
        for (int i = 0; i < r.model->nposition; i++) {
            double at[3];
            mat_apply(at, R, &r.model->rest[3 * i]);
            assert_true(vec_distance(at, &s->now.x[3 * i]) < 1e-13);
        }
    }
    robot_end(&r);
}

static void a_tumbling_robot_with_a_rigid_part_keeps_momentum(void **unused)
{
    (void)unused;
    for (int scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        robot r;
        lithe_rigid_def part;
        robot_begin(&r, false);
        make_rigid(&r, &part);
        r.body.nfix = 0;
        memcpy(r.body.velocity, (double[]){0.3, -0.2, 0.1}, sizeof r.body.velocity);
        memcpy(r.body.spin, (double[]){4, 2, -3}, sizeof r.body.spin);
        r.def.dynamics.scheme = (lithe_scheme)scheme;
        r.def.step.dt = 2e-3;
        r.def.step.tolerance = 1e-12;
        robot_compile(&r);
        lithe_energy start = lithe_last_energy(r.model, r.state);
        double size = vec_norm(start.linear);
        for (int i = 0; i < 100; i++)
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        lithe_energy end = lithe_last_energy(r.model, r.state);
        assert_true(vec_distance(start.linear, end.linear) < 1e-10 * size);
        assert_true(end.kinetic + end.elastic < 1.0001 * start.kinetic);
        robot_end(&r);
    }
}

// What hangs on the axis alone follows it exactly, by any angle, and costs no torque.
static void a_servo_rotates_what_nothing_else_holds(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.body.nfix = 0;
    add_servo(&r, NULL);
    robot_compile(&r);
    for (int k = 1; k < 6; k++) {
        double angle = 0.9 * k, torque, R[9], worst = 0;
        command(&r, 0, LITHE_DISPLACEMENT, angle);
        settle(&r);
        lithe_effort(r.model, r.state, 0, &torque);
        rotation_matrix((double[]){0, angle, 0}, R);
        const double *x = lithe_position(r.state);
        for (int i = 0; i < r.model->nposition; i++) {
            double arm[3], at[3];
            vec_sub(arm, &r.model->rest[3 * i], r.actuator[0].through);
            mat_apply(at, R, arm);
            vec_axpy(at, 1, r.actuator[0].through);
            worst = fmax(worst, vec_distance(at, &x[3 * i]));
        }
        assert_true(worst < 1e-8);
        assert_true(fabs(torque) < 1e-8);
    }
    robot_end(&r);
}

// Under gravity the torque is the moment of the weight about the axis; told as an effort it holds
// the same pose.
static void a_servo_carries_the_moment_of_the_weight(void **unused)
{
    (void)unused;
    for (int rigid = 0; rigid < 2; rigid++) {
        robot r;
        lithe_rigid_def part;
        robot_begin(&r, false);
        r.body.nfix = 0;
        r.def.gravity[2] = -9.81;
        if (rigid) {
            make_rigid(&r, &part);
            part.where = r.fix[0].where;
            part.name = "foot";
        }
        add_servo(&r, rigid ? "foot" : NULL);
        robot_compile(&r);
        double torque, angle, moment = 0, before;
        command(&r, 0, LITHE_DISPLACEMENT, 2.6); // hangs down, so that a torque can hold it
        for (int k = 0; k < 3; k++)
            settle(&r);
        lithe_effort(r.model, r.state, 0, &torque);
        lithe_displacement(r.model, r.state, 0, &before);
        const double *x = lithe_position(r.state);
        const body *b = &r.model->body[0];
        for (int i = 0; i < b->nnode - b->nrotation; i++) // (r x m g) . y
            moment += (x[3 * i] - 0.004) * b->mass[i] * 9.81;
        assert_true(fabs(torque + moment) < 1e-7 * fabs(moment));
        command(&r, 0, LITHE_EFFORT, torque);
        settle(&r);
        lithe_displacement(r.model, r.state, 0, &angle);
        assert_true(fabs(angle - before) < 1e-5 && fabs(before - 2.6) < 1e-9);
        robot_end(&r);
    }
}

static void a_fix_that_rotates_a_solid_is_refused(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.fix[0].rotations = LITHE_XYZ;
    r.fix[0].rotation[0] = 0.3;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "servo"));
    robot_end(&r);
}

// Held where one node is held, where three are, and where they are held along an axis.
static void fixes_hold_rigid_parts(void **unused)
{
    (void)unused;
    struct {
        lithe_selection where;
        int axes, held[2];
    } cases[] = {
        {{.kind = LITHE_BOX, .a = {-1, -1, 0.09}, .b = {1, 1, 1}}, LITHE_XYZ, {7, 7}},
        {{.kind = LITHE_BOX, .a = {0.009, 0.009, 0.099}, .b = {1, 1, 1}}, LITHE_XYZ, {7, 0}},
        {{.kind = LITHE_BOX, .a = {-1, -1, 0.099}, .b = {1, 1, 1}}, LITHE_Z, {4, 3}},
        {{.kind = LITHE_BOX, .a = {0.009, -1, 0.099}, .b = {1, 1, 1}}, LITHE_XYZ, {7, 5}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        robot r;
        lithe_rigid_def part;
        robot_begin(&r, false);
        make_rigid(&r, &part);
        r.fix[1] = lithe_fix_def_default();
        r.fix[1].where = cases[k].where;
        r.fix[1].axes = cases[k].axes;
        r.body.nfix = 2;
        r.def.gravity[0] = 3;
        robot_compile(&r);
        const carry_frame *f = &r.model->body[0].carry->frame[0];
        assert_int_equal(f->held[0], cases[k].held[0]);
        assert_int_equal(f->held[1], cases[k].held[1]);
        settle(&r);
        const double *x = lithe_position(r.state);
        for (int i = 0; i < r.model->nposition; i++)
            for (int axis = 0; axis < 3; axis++) {
                const double *X = &r.model->rest[3 * i], *a = cases[k].where.a;
                bool in = X[0] > a[0] && X[1] > a[1] && X[2] > a[2];
                if (in && cases[k].axes & (1 << axis))
                    assert_true(fabs(x[3 * i + axis] - X[axis]) < 1e-12);
            }
        robot_end(&r);
    }
}

// A rod that stands in a rigid part is of it, without springs: its nodes there keep their
// distances.
static void what_is_glued_into_a_rigid_part_is_of_it(void **unused)
{
    (void)unused;
    const double point[] = {0.001, 0.002, 0.08, 0.001, 0.002, 0.14};
    robot r;
    lithe_rigid_def part;
    lithe_rod_def rod = lithe_rod_def_default();
    robot_begin(&r, false);
    make_rigid(&r, &part);
    rod.name = "mast";
    rod.npoint = 2;
    rod.point = point;
    rod.elements = 6;
    rod.size[0] = 1e-3;
    r.body.nrod = 1;
    r.body.rod = &rod;
    r.def.gravity[0] = 5;
    robot_compile(&r);
    settle(&r);
    const double *x = lithe_position(r.state), *X = r.model->rest;
    int corner = bar_node(&r.shape, 0, 0, 8), n = 0;
    assert_true(vec_distance(&x[3 * corner], &X[3 * corner]) > 1e-3);
    for (int i = r.shape.nnode; i < r.model->nposition; i++) {
        if (X[3 * i + 2] > 0.0999)
            continue;
        n++;
        for (int k = 0; k < 3; k++) {
            int other = bar_node(&r.shape, k == 1 ? 4 : 0, k == 2 ? 4 : 0, 9);
            double now = vec_distance(&x[3 * i], &x[3 * other]),
                   before = vec_distance(&X[3 * i], &X[3 * other]);
            assert_true(fabs(now - before) < 1e-13);
        }
    }
    assert_true(n >= 2);
    robot_end(&r);
}

// Two nodes across a corner hold it about an axis that no fix can name.
static void a_hinge_made_of_fixes_is_refused(void **unused)
{
    (void)unused;
    robot r;
    lithe_rigid_def part;
    robot_begin(&r, false);
    make_rigid(&r, &part);
    for (int k = 0; k < 2; k++) {
        double s = k ? 1 : -1;
        r.fix[k] = lithe_fix_def_default();
        r.fix[k].where =
            (lithe_selection){.kind = LITHE_SPHERE, .a = {0.01 * s, 0.01 * s, 0.1}, .radius = 1e-3};
    }
    r.body.nfix = 2;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "hinge"));
    robot_end(&r);
}

// Modes: the identity gives the nodal answer; a random basis gives forces that no mode feels.
static void modes_agree_with_nodes(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 2; trial++) {
        robot r, full;
        robot_begin(&r, false);
        robot_reshape(&r,
                      bar_make(1, 1, 4, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1}));
        robot_begin(&full, false);
        robot_reshape(&full,
                      bar_make(1, 1, 4, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1}));
        int lines = 3 * r.shape.nnode, n = trial == 0 ? lines - 12 : 9;
        double *Phi = calloc((size_t)(lines * n), sizeof *Phi);
        for (int i = 0; i < lines * n; i++)
            Phi[i] = trial == 1 ? some(i) : 0;
        for (int i = 12; i < lines && trial == 0; i++)
            Phi[i * n + i - 12] = 1;
        r.body.nmode = n;
        r.body.mode = Phi;
        robot *both[2] = {&r, &full};
        for (int k = 0; k < 2; k++) {
            add_cable(both[k], "east", 0.008);
            both[k]->def.gravity[0] = 5;
            both[k]->def.step.tolerance = 1e-11;
            robot_compile(both[k]);
            command(both[k], 0, LITHE_EFFORT, 0.1);
            settle(both[k]);
        }
        if (trial == 0) {
            assert_true(difference(&r, &full) < 1e-9);
        } else {
            // the nodal robot, put where the modes led: its own forces, seen by every mode
            assert_true(difference(&r, &full) > 1e-6); // the basis is no good, as it should be
            lithe_state *s = full.state;
            memcpy(s->now.q, r.state->now.x, (size_t)lines * sizeof *s->now.q);
            step_positions(full.model, &s->now);
            point_evaluate(full.model, s, &s->now);
            double worst = 0, size = 0;
            for (int k = 0; k < n; k++) {
                double felt = 0, part = 0;
                for (int i = 12; i < lines; i++) {
                    felt +=
                        Phi[i * n + k] * (s->now.internal[i] - s->now.external[i] - s->now.pull[i]);
                    part += fabs(Phi[i * n + k] * s->now.internal[i]);
                }
                worst = fmax(worst, fabs(felt));
                size = fmax(size, part);
            }
            assert_true(worst < 1e-10 * size);
        }
        free(Phi);
        robot_end(&r);
        robot_end(&full);
    }
}

static void bent_robot(robot *r, lithe_rigid_def *part)
{
    robot_begin(r, false);
    make_rigid(r, part);
    r->body.nfix = 0;
    add_servo(r, NULL);
    add_cable(r, "east", 0.008);
    r->def.gravity[0] = 4;
    r->def.dynamics.scheme = LITHE_ALPHA;
    r->def.step.dt = 4e-3;
}

static void steps(robot *r, lithe_state *s, int n)
{
    for (int i = 0; i < n; i++) {
        double angle = 0.02 * i, pull = 1e-4 * i;
        assert_int_equal(lithe_command(r->model, s, 0, LITHE_DISPLACEMENT, &angle), LITHE_OK);
        assert_int_equal(lithe_command(r->model, s, 1, LITHE_DISPLACEMENT, &pull), LITHE_OK);
        assert_int_equal(lithe_step(r->model, s), LITHE_OK);
    }
}

static size_t requests;

static void *count_requests(size_t bytes)
{
    requests++;
    return malloc(bytes);
}

static void steps_with_frames_allocate_nothing(void **unused)
{
    (void)unused;
    robot r;
    lithe_rigid_def part;
    bent_robot(&r, &part);
    robot_compile(&r);
    lithe_set_allocator(count_requests, free);
    steps(&r, r.state, 20);
    lithe_set_allocator(NULL, NULL);
    assert_int_equal(requests, 0);
    robot_end(&r);
}

static void frames_step_with_the_same_bits(void **unused)
{
    (void)unused;
    robot r;
    lithe_rigid_def part;
    bent_robot(&r, &part);
    robot_compile(&r);
    steps(&r, r.state, 5);
    size_t bytes = lithe_state_size(r.model, r.state);
    void *saved = malloc(bytes);
    lithe_state_save(r.model, r.state, saved);
    steps(&r, r.state, 10);
    size_t n = 3 * (size_t)r.model->nposition * sizeof(double);
    for (int threads = 1; threads <= 4; threads *= 2) {
        lithe_state *other;
        assert_int_equal(lithe_state_create(r.model, threads, &other, &r.report), LITHE_OK);
        assert_int_equal(lithe_state_load(r.model, other, saved, bytes), LITHE_OK);
        steps(&r, other, 10);
        assert_memory_equal(lithe_position(other), lithe_position(r.state), n);
        lithe_state_free(other);
    }
    free(saved);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rigid_part_is_a_very_stiff_one_in_statics),
        cmocka_unit_test(a_rigid_part_is_a_very_stiff_one_in_motion),
        cmocka_unit_test(the_tangent_of_frames_is_the_second_derivative_of_the_energy),
        cmocka_unit_test(panels_know_the_inverse),
        cmocka_unit_test(nodes_that_move_tell_how_frames_do),
        cmocka_unit_test(a_rotated_robot_with_a_rigid_part_has_no_force),
        cmocka_unit_test(a_tumbling_robot_with_a_rigid_part_keeps_momentum),
        cmocka_unit_test(a_servo_rotates_what_nothing_else_holds),
        cmocka_unit_test(a_servo_carries_the_moment_of_the_weight),
        cmocka_unit_test(a_fix_that_rotates_a_solid_is_refused),
        cmocka_unit_test(fixes_hold_rigid_parts),
        cmocka_unit_test(what_is_glued_into_a_rigid_part_is_of_it),
        cmocka_unit_test(a_hinge_made_of_fixes_is_refused),
        cmocka_unit_test(modes_agree_with_nodes),
        cmocka_unit_test(steps_with_frames_allocate_nothing),
        cmocka_unit_test(frames_step_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
