// Shells come into contact with both sides, half of their thickness off their middle: with others,
// what is around them, and themselves. Strips that are bent by a force at their tips have closed
// forms.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SQUARES = 20, STRIPS = 2 };

static const double length = 0.1, width = 5e-3, thickness = 1e-3, young = 1e9, gap = 5e-4,
                    push = 4e-3;

// One or two strips along x, clamped at x = 0, of two triangles a square, one above the other.
typedef struct strips {
    lithe_def def;
    lithe_material_def material;
    lithe_body_def body[STRIPS];
    lithe_shell_def shell[STRIPS];
    lithe_fix_def fix;
    lithe_load_def load[2];
    lithe_obstacle_def floor;
    lithe_mesh *mesh[STRIPS];
    lithe_model *model;
    lithe_state *state;
    lithe_report report;
} strips;

// high: where the middles are, n of them in one mesh.
static lithe_mesh *make_mesh(int n, const double *high)
{
    enum { NODES = 2 * SQUARES + 2 };
    double x[3 * NODES * STRIPS];
    int tri[6 * SQUARES * STRIPS];
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < NODES; i++) {
            double at[3] = {length * (i / 2) / SQUARES, (i % 2 - 0.5) * width,
                            high[k]}; // NOLINT(bugprone-integer-division): squares
            memcpy(&x[3 * (NODES * k + i)], at, sizeof at);
        }
        for (int i = 0; i < SQUARES; i++) {
            int a = NODES * k + 2 * i, corner[6] = {a, a + 2, a + 3, a, a + 3, a + 1};
            memcpy(&tri[6 * (SQUARES * k + i)], corner, sizeof corner);
        }
    }
    lithe_mesh *mesh = NULL;
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_mesh_create_surface(NODES * n, x, 2 * SQUARES * n, tri, &mesh, &report),
                     LITHE_OK);
    return mesh;
}

static void begin(strips *s, int nbody)
{
    static const char *const name[STRIPS] = {"upper", "lower"};
    memset(s, 0, sizeof *s);
    s->report = lithe_report_default();
    s->def = lithe_def_default();
    s->def.step.steps = 1;
    s->material = lithe_material_def_default();
    s->material.name = "steel";
    s->material.young = young;
    s->material.poisson = 0;
    s->fix = lithe_fix_def_default();
    s->fix.where.kind = LITHE_BOX;
    memcpy(s->fix.where.a, (double[]){-1, -1, -1}, sizeof s->fix.where.a);
    memcpy(s->fix.where.b, (double[]){1e-6, 1, 1}, sizeof s->fix.where.b);
    for (int k = 0; k < nbody; k++) {
        s->shell[k] = lithe_shell_def_default();
        s->shell[k].name = "wall";
        s->shell[k].thickness = thickness;
        s->body[k] = lithe_body_def_default();
        s->body[k].name = name[k];
        s->body[k].material = "steel";
        s->body[k].nshell = 1;
        s->body[k].shell = &s->shell[k];
        s->body[k].nfix = 1;
        s->body[k].fix = &s->fix;
    }
    for (int i = 0; i < 2; i++) {
        s->load[i] = lithe_load_def_default();
        s->load[i].name = i ? "right" : "left";
        s->load[i].body = name[0];
        memcpy(s->load[i].at, (double[]){length, (i - 0.5) * width, 0}, sizeof s->load[i].at);
        s->load[i].value[2] = -push / 2;
    }
    s->def.nmaterial = 1;
    s->def.material = &s->material;
    s->def.nbody = nbody;
    s->def.body = s->body;
    s->def.nload = 2;
    s->def.load = s->load;
    s->def.contacts.max = 64;
}

static void settle(strips *s)
{
    for (int k = 0; k < s->def.nbody; k++)
        s->shell[k].mesh = s->mesh[k];
    if (lithe_compile(&s->def, &s->model, &s->report) != LITHE_OK)
        fail_msg("%s", s->report.error);
    assert_int_equal(lithe_state_create(s->model, 1, &s->state, &s->report), LITHE_OK);
    if (lithe_step(s->model, s->state) != LITHE_OK)
        fail_msg("%s", lithe_state_error(s->state));
}

static void end(strips *s)
{
    lithe_state_free(s->state);
    lithe_model_free(s->model);
    for (int k = 0; k < STRIPS; k++)
        lithe_mesh_free(s->mesh[k]);
}

// All that pushes; nothing of it pushes sideways.
static double all_force(const strips *s)
{
    double sum = 0;
    for (int i = 0; i < lithe_ncontact(s->state); i++) {
        lithe_contact c;
        assert_int_equal(lithe_contact_get(s->model, s->state, i, &c), LITHE_OK);
        sum += c.force * fabs(c.normal[2]);
    }
    return sum;
}

// Force at the tip over its way; wide strips bend as beams where nothing contracts sideways.
static double spring(void)
{
    return 3 * young * width * pow(thickness, 3) / 12 / pow(length, 3);
}

static void near(double value, double expected, double share)
{
    if (!(fabs(value / expected - 1) < share))
        fail_msg("%.9g, expected %.9g", value, expected);
}

// The tip goes down until the lower side is on the floor; the floor carries the rest.
static void a_floor_carries_what_bends_onto_it(void **unused)
{
    (void)unused;
    strips s;
    begin(&s, 1);
    s.mesh[0] = make_mesh(1, (double[]){0});
    s.floor = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    s.floor.name = "floor";
    s.floor.at[2] = -gap - thickness / 2;
    s.floor.normal[2] = 1;
    s.def.nobstacle = 1;
    s.def.obstacle = &s.floor;
    settle(&s);
    const double *x = lithe_position(s.state);
    double least = 0;
    for (int i = 0; i < 2 * SQUARES + 2; i++)
        least = fmin(least, x[3 * i + 2]);
    assert_true(fabs(least + gap) < 1e-6 * length);
    near(all_force(&s), push - spring() * gap, 3e-3);
    end(&s);
}

// Two strips share the force: F = (P - k g) / 2.
static void check_shared(strips *s)
{
    settle(s);
    near(all_force(s), (push - spring() * gap) / 2, 4e-3);
    assert_true(lithe_penetration(s->state) <= 1e-6 * length);
    end(s);
}

static void two_strips_carry_each_other_whichever_is_named_first(void **unused)
{
    (void)unused;
    for (int swapped = 0; swapped < 2; swapped++) {
        lithe_pair_def pair = lithe_pair_def_default();
        strips s;
        begin(&s, 2);
        s.mesh[0] = make_mesh(1, (double[]){0});
        s.mesh[1] = make_mesh(1, (double[]){-gap - thickness});
        pair.body = swapped ? "lower" : "upper";
        pair.with = swapped ? "upper" : "lower";
        pair.surface = "wall";
        s.def.contacts.npair = 1;
        s.def.contacts.pair = &pair;
        check_shared(&s);
    }
}

static void a_shell_meets_itself(void **unused)
{
    (void)unused;
    static const char *const self[] = {"upper"};
    strips s;
    begin(&s, 1);
    s.mesh[0] = make_mesh(2, (double[]){0, -gap - thickness});
    s.def.contacts.nself = 1;
    s.def.contacts.self = self;
    check_shared(&s);
}

static void a_shell_that_is_in_itself_at_rest_is_refused(void **unused)
{
    (void)unused;
    static const char *const self[] = {"upper"};
    strips s;
    begin(&s, 1);
    s.mesh[0] = make_mesh(2, (double[]){0, -0.3 * thickness});
    s.shell[0].mesh = s.mesh[0];
    s.def.contacts.nself = 1;
    s.def.contacts.self = self;
    assert_int_equal(lithe_compile(&s.def, &s.model, &s.report), LITHE_INVALID);
    assert_non_null(strstr(s.report.error, "body 'upper' is 0.7 mm deep in itself at rest"));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_carries_what_bends_onto_it),
        cmocka_unit_test(two_strips_carry_each_other_whichever_is_named_first),
        cmocka_unit_test(a_shell_meets_itself),
        cmocka_unit_test(a_shell_that_is_in_itself_at_rest_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
