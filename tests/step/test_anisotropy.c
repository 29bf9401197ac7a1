// Friction that differs by direction: blocks with a sole that slides easily along and hardly
// across.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "rigid.h"
#include "sanitized.h"
#include "step/contact_rows.h"

static const double low = 0.1, high = 0.5;

// A block on a plane that leans by `slope` towards `heading`, which is measured from the direction
// in which its sole slides easily; that lies at `angle` from x.
typedef struct sole {
    scene s;
    robot soft;
    lithe_surface_def face;
    lithe_pair_def pair;
} sole;

static void lean(sole *b, double slope, double heading)
{
    b->s.def.gravity[0] = g * sin(slope) * cos(heading);
    b->s.def.gravity[1] = g * sin(slope) * sin(heading);
    b->s.def.gravity[2] = -g * cos(slope);
}

static void put_sole(sole *b, double angle)
{
    scene *s = &b->s;
    put_floor(s, 0);
    b->face = lithe_surface_def_default();
    b->face.name = "sole";
    b->face.where = (lithe_selection){.kind = LITHE_PLANE, .b = {0, 0, -1}};
    b->pair = lithe_pair_def_default();
    b->pair.body = "rigid";
    b->pair.surface = "sole";
    b->pair.with = "floor";
    b->pair.friction = low;
    b->pair.friction_across = high;
    b->pair.along[0] = 2 * cos(angle);
    b->pair.along[1] = 2 * sin(angle);
    s->body[0].surface = &b->face;
    s->body[0].nsurface = 1;
    s->def.contacts.pair = &b->pair;
    s->def.contacts.npair = 1;
    s->def.contacts.only_named = true;
    s->def.step.dt = 2e-3;
}

static void begin_rigid(sole *b, double angle)
{
    memset(b, 0, sizeof *b);
    begin(&b->s, LITHE_RIGID_BOX, 0.04, 0.04, 0.01);
    b->s.body[0].move[2] = 0.00501;
    put_sole(b, angle);
    b->face.where.a[2] = 1e-5;
}

static void begin_soft(sole *b, double angle)
{
    memset(b, 0, sizeof *b);
    begin(&b->s, LITHE_RIGID_BOX, 1, 1, 1);
    robot_begin(&b->soft, false);
    robot_reshape(&b->soft,
                  bar_make(3, 3, 1, (double[]){-0.02, -0.02, 1e-5}, (double[]){0.02, 0.02, 0.01}));
    b->s.body[0] = b->soft.body;
    b->s.body[0].nfix = 0;
    b->s.body[0].name = "rigid";
    b->s.material = b->soft.material;
    b->s.def.dynamics.stiffness_damping = 2e-3;
    put_sole(b, angle);
    b->face.where.a[2] = 1e-5;
}

static void end_sole(sole *b)
{
    end(&b->s);
    if (b->soft.mesh)
        robot_end(&b->soft);
}

// Mean velocity of the mass.
static void drift(const scene *s, double v[3])
{
    const body *b = &s->model->body[0];
    double mass = 0;
    memset(v, 0, 3 * sizeof *v);
    for (int i = 0; i < b->nnode; i++) {
        mass += b->mass[i];
        for (int axis = 0; axis < 3; axis++)
            v[axis] += b->mass[i] * s->state->motion.velocity[3 * i + axis];
    }
    for (int axis = 0; axis < 3; axis++)
        v[axis] /= mass;
}

// No contact goes beyond its ellipse. Returns how far the worst is out, as a share of the normal
// force.
static double worst_beyond(const scene *s)
{
    double worst = 0;
    for (int i = 0; i < lithe_ncontact(s->state); i++) {
        const contact_row *of = &s->state->now.contact->row[i];
        lithe_contact c;
        lithe_contact_get(s->model, s->state, i, &c);
        double along = vec_dot(c.friction, of->ease),
               across = sqrt(fmax(vec_dot(c.friction, c.friction) - along * along, 0));
        worst = fmax(worst, hypot(along / low, across / high) / c.force - 1);
    }
    return worst;
}

// What a block does after `steps`, from rest: its velocity along the direction and across it.
static void run(sole *b, double angle, int steps, double out[2])
{
    double v[3];
    for (int i = 0; i < steps; i++) {
        take_step(&b->s);
        near(worst_beyond(&b->s), 0, 1e-9);
    }
    drift(&b->s, v);
    out[0] = v[0] * cos(angle) + v[1] * sin(angle);
    out[1] = v[1] * cos(angle) - v[0] * sin(angle);
}

// Along and across the limit is tan(slope) = mu, in between that of the ellipse.
static void test_the_limit_is_an_ellipse(void **unused)
{
    (void)unused;
    const double angle = 0.4;
    for (int k = 0; k < samples_of(8, 3); k++) {
        sole b;
        double heading = k / 2 * M_PI / 6, side = k % 2 ? 1.03 : 0.97, v[2];
        double limit = 1 / hypot(cos(heading) / low, sin(heading) / high);
        begin_rigid(&b, angle);
        lean(&b, atan(side * limit), angle + heading);
        compile(&b.s);
        run(&b, angle, 100, v);
        double speed = hypot(v[0], v[1]);
        if (side < 1)
            near(speed, 0, 1e-7);
        else
            assert_true(speed > 0.5 * 0.03 * limit * g * 0.2);
        end_sole(&b);
    }
}

// The acceleration a = (weight + friction) / mass of what slips along a, by bisection of its angle.
static void slide_of(double slope, double heading, double a[2])
{
    double lower = 0, upper = M_PI / 2, f = g * cos(slope);
    for (int k = 0; k < 60; k++) {
        double angle = 0.5 * (lower + upper), u[2] = {cos(angle), sin(angle)};
        double power = hypot(low * u[0], high * u[1]);
        a[0] = g * sin(slope) * cos(heading) - f * low * low * u[0] / power;
        a[1] = g * sin(slope) * sin(heading) - f * high * high * u[1] / power;
        if (a[1] * u[0] > a[0] * u[1])
            lower = angle;
        else
            upper = angle;
    }
}

static void slide(sole *b, double angle, double slope, double heading, double off)
{
    double before[2], after[2], a[2];
    lean(b, slope, angle + heading);
    compile(&b->s);
    run(b, angle, 50, before);
    run(b, angle, 50, after);
    slide_of(slope, heading, a);
    for (int i = 0; i < 2; i++)
        near((after[i] - before[i]) / (50 * b->s.def.step.dt), a[i], off * g);
    end_sole(b);
}

static void test_rigid_and_soft_blocks_slide_as_the_ellipse_says(void **unused)
{
    (void)unused;
    for (int k = 0; k < samples_of(3, 1); k++) {
        sole b;
        double heading = (k + 1) % 3 * M_PI / 4;
        begin_rigid(&b, 0.4);
        slide(&b, 0.4, 0.6, heading, 1e-3);
        begin_soft(&b, -0.3);
        slide(&b, -0.3, 0.6, heading, 5e-3);
    }
}

// A body by a quarter, as it stands: a soft one is put there, a rigid one turns in flight.
static void rotate_quarter(scene *s)
{
    enum { MOST = 64, STEPS = 50 };
    double x[3 * MOST], v[3 * MOST] = {0};
    const double *at = lithe_position(s->state);
    int n = lithe_nnode(s->model);
    assert_true(n <= MOST);
    for (int i = 0; i < n; i++)
        memcpy(&x[3 * i], (double[]){-at[3 * i + 1], at[3 * i], at[3 * i + 2]}, 3 * sizeof *x);
    if (!s->model->body[0].rigid) {
        assert_int_equal(lithe_set_position(s->model, s->state, x, NULL), LITHE_OK);
        return;
    }
    lithe_set_gravity(s->model, s->state, (double[]){0, 0, 0});
    for (int i = 0; i < STEPS; i++)
        take_step(s);
    assert_int_equal(lithe_set_velocity(s->model, s->state, v, NULL), LITHE_OK);
    near(s->state->now.x[0], x[0], 1e-6);
    near(s->state->now.x[1], x[1], 1e-6);
}

// The direction goes round with what carries it: what is rotated by a quarter holds across where
// slid along before.
static void test_the_direction_goes_with_the_body_or_the_obstacle(void **unused)
{
    (void)unused;
    for (int k = 0; k < 6; k++) { // the floor's, a rigid block's, a soft one's; as it is, rotated
        sole b;
        double before[3], after[3];
        if (k < 4)
            begin_rigid(&b, 0);
        else
            begin_soft(&b, 0);
        if (k < 2) {
            b.s.def.contacts.npair = 0;
            b.s.def.contacts.only_named = false;
            b.s.obstacle.friction = low;
            b.s.obstacle.friction_across = high;
            b.s.obstacle.along[0] = 1;
        }
        lean(&b, atan(0.3), 0);
        if (k == 3)
            b.s.body[0].spin[2] = M_PI / 2 / (50 * b.s.def.step.dt);
        compile(&b.s);
        if (k % 2 && k < 2)
            lithe_move_obstacle(b.s.model, b.s.state, 0, (double[]){0, 0, M_PI / 2},
                                (double[]){0, 0, -1e-3});
        else if (k % 2)
            rotate_quarter(&b.s);
        lithe_set_gravity(b.s.model, b.s.state, b.s.def.gravity);
        for (int i = 0; i < 50; i++)
            take_step(&b.s);
        drift(&b.s, before);
        for (int i = 0; i < 50; i++)
            take_step(&b.s);
        drift(&b.s, after);
        double slides = g * (0.3 - low) * cos(atan(0.3));
        near((after[0] - before[0]) / 0.1, k % 2 ? 0 : slides, 5e-3 * g);
        end_sole(&b);
    }
}

// Without any friction along: as a skate.
static void test_a_skate_slides_freely_along_and_holds_across(void **unused)
{
    (void)unused;
    sole b;
    double v[2];
    begin_rigid(&b, 0);
    b.pair.friction = 0;
    lean(&b, 0.3, 0.5);
    compile(&b.s);
    for (int i = 0; i < 100; i++)
        take_step(&b.s);
    double mean[3];
    drift(&b.s, mean);
    v[0] = mean[0];
    v[1] = mean[1];
    near(v[0], 0.2 * g * sin(0.3) * cos(0.5), 2e-3);
    near(v[1], 0, 1e-6);
    near(lithe_last_energy(b.s.model, b.s.state).grown_share, 0, 1e-6);
    end_sole(&b);
}

// d(force) along a random way against what A and the part beside it have.
static void test_the_tangent_agrees_with_differences(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) { // sticks, slips, slips with the secant switched on and off again
        sole b;
        begin_soft(&b, 0.5);
        lean(&b, k == 0 ? 0.05 : 0.5, 1.0);
        compile(&b.s);
        for (int i = 0; i < 30; i++)
            take_step(&b.s);
        const lithe_model *m = b.s.model;
        lithe_state *s = b.s.state;
        size_t n = 3 * (size_t)m->nnode;
        double way[3 * 64], force[3 * 64] = {0}, pull[2][3 * 64], h = 1e-10, off = 0, size = 0;
        assert_true(n <= 3 * 64);
        uint64_t seed = 7;
        for (size_t i = 0; i < n; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            way[i] = (double)(seed >> 40) / (1 << 23) - 1;
        }
        // from where it is, a little on: springs are stretched
        for (size_t i = 0; i < n; i++)
            s->now.x[i] += i % 3 == 2 ? 0 : 1e-7 * (k + 1) * (1 + 0.3 * way[i]);
        s->tangent.found.clamped = false;
        s->contact.secant = false;
        contact_evaluate(m, s, &s->now);
        assert_true(s->now.contact->n > 0);
        assert_int_equal(contact_stiffness(m, s), LITHE_OK);
        contact_times(m, s, way, force);
        for (int side = 0; side < 2; side++) {
            memcpy(s->trial.x, s->now.x, n * sizeof *s->trial.x);
            memcpy(s->trial.contact->frame, s->now.contact->frame, sizeof *s->now.contact->frame);
            memset(s->trial.pull, 0, n * sizeof *s->trial.pull);
            for (size_t i = 0; i < n; i++)
                s->trial.x[i] += (side ? 1 : -1) * h * way[i];
            contact_evaluate(m, s, &s->trial);
            memcpy(pull[side], s->trial.pull, n * sizeof *pull[side]);
        }
        for (size_t i = 0; i < n; i++) {
            off = fmax(off, fabs((pull[1][i] - pull[0][i]) / (2 * h) + force[i]));
            size = fmax(size, fabs(force[i]));
        }
        near(off / size, 0, 1e-4);
        end_sole(&b);
    }
}

static void test_what_makes_no_sense_is_refused(void **unused)
{
    (void)unused;
    sole b;
    begin_rigid(&b, 0);
    b.pair.along[0] = 0;
    refuse(&b.s, "needs `along`, a direction that is not 0");
    b.pair.along[2] = 1;
    refuse(&b.s, "stands across the surface near");
    b.pair.along[2] = 0;
    b.pair.along[1] = 1;
    b.pair.friction = -1;
    refuse(&b.s, "friction by direction takes friction");
    b.pair.friction = 0.1;
    b.pair.surface = NULL;
    b.pair.with = "rigid";
    refuse(&b.s, "is in contact with itself");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_limit_is_an_ellipse),
        cmocka_unit_test(test_rigid_and_soft_blocks_slide_as_the_ellipse_says),
        cmocka_unit_test(test_the_direction_goes_with_the_body_or_the_obstacle),
        cmocka_unit_test(test_a_skate_slides_freely_along_and_holds_across),
        cmocka_unit_test(test_the_tangent_agrees_with_differences),
        cmocka_unit_test(test_what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
