#include "body/pressure.h"
#include "specimen.h"
#include "step/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const lithe_material_def rubber = {.young = 2.0, .poisson = 0.45, .density = 3.0};

static bar unit_bar(void)
{
    return bar_make(2, 2, 3, (double[]){0, 0, 0}, (double[]){1, 1.1, 1.5});
}

static void make(specimen *s, const unsigned char *held)
{
    assert_true(specimen_begin(s, unit_bar(), rubber, held));
    assert_true(specimen_finish(s, NULL));
}

static void assembled_force_is_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    specimen s;
    make(&s, NULL);
    specimen_shake(&s, 0.1);
    double *force = arena_new(&s.memory, 3 * s.part.nnode, double);
    specimen_force(&s, NULL, force);
    assert_true(specimen_gradient_error(&s, specimen_energy, NULL, force, 1e-5) < 1e-7);
    specimen_free(&s);
}

static void assembled_stiffness_is_the_gradient_of_the_force(void **unused)
{
    (void)unused;
    specimen s;
    make(&s, NULL);
    specimen_shake(&s, 0.1);
    double *force = arena_new(&s.memory, 3 * s.part.nnode, double);
    body_elastic(&s.part, &s.work, s.x, NULL, ELEMENT_EXACT, NULL, force, s.blocks);
    assert_true(specimen_stiffness_error(&s, specimen_force, NULL, 1, false, 1e-6) < 1e-7);
    specimen_free(&s);
}

static void stiffness_times_a_motion_is_a_times_it(void **unused)
{
    (void)unused;
    specimen s;
    make(&s, NULL);
    specimen_shake(&s, 0.1);
    int n = 3 * s.part.nnode;
    double *force = arena_new(&s.memory, n, double), *u = arena_new(&s.memory, n, double);
    body_elastic(&s.part, &s.work, s.x, NULL, ELEMENT_EXACT, NULL, force, s.blocks);
    for (int i = 0; i < n; i++) {
        u[i] = specimen_uniform();
        force[i] = 0;
    }
    body_stiffness_times(&s.part, &s.work, u, force);
    for (int i = 0; i < n; i++) {
        double expected = 0;
        for (int j = 0; j < n; j++)
            expected += specimen_entry(&s, i, j) * u[j];
        assert_true(fabs(force[i] - expected) < 1e-12 * n);
    }
    specimen_free(&s);
}

static void tangent_of_the_rest_shape_is_blind_to_rigid_motions(void **unused)
{
    (void)unused;
    specimen s;
    make(&s, NULL);
    int n = 3 * s.part.nnode;
    double *force = arena_new(&s.memory, n, double), *u = arena_new(&s.memory, n, double);
    body_elastic(&s.part, &s.work, s.x, NULL, ELEMENT_EXACT, NULL, force, s.blocks);
    for (int motion = 0; motion < 6; motion++) {
        for (int i = 0; i < s.part.nnode; i++) {
            const double *X = &s.shape.x[3 * i];
            double rotation[3] = {0};
            int a = (motion + 1) % 3, b = (motion + 2) % 3; // about axis `motion - 3`
            rotation[a] = -X[b];
            rotation[b] = X[a];
            for (int axis = 0; axis < 3; axis++)
                u[3 * i + axis] = motion < 3 ? axis == motion : rotation[axis];
        }
        for (int i = 0; i < n; i++)
            force[i] = 0;
        body_stiffness_times(&s.part, &s.work, u, force);
        for (int i = 0; i < n; i++)
            assert_true(fabs(force[i]) < 1e-12);
    }
    specimen_free(&s);
}

// Part of a specimen's boundary.
typedef struct patch {
    int ntri;
    const int *tri;
    int *block;
} patch;

static patch whole_surface(specimen *s)
{
    patch p = {s->boundary.ntri, s->boundary.tri, arena_new(&s->memory, 3 * s->boundary.ntri, int)};
    pressure_blocks(&s->part.pattern, s->part.block, p.ntri, p.tri, p.block);
    return p;
}

// The boundary triangles at the upper end.
static patch upper_surface(specimen *s)
{
    int *tri = arena_new(&s->memory, 3 * s->boundary.ntri, int);
    patch p = {0, tri, arena_new(&s->memory, 3 * s->boundary.ntri, int)};
    for (int t = 0; t < s->boundary.ntri; t++) {
        const int *n = &s->boundary.tri[3 * t];
        if (s->shape.x[3 * n[0] + 2] + s->shape.x[3 * n[1] + 2] + s->shape.x[3 * n[2] + 2] > 4.4999)
            memcpy(&tri[3 * p.ntri++], n, 3 * sizeof *n);
    }
    pressure_blocks(&s->part.pattern, s->part.block, p.ntri, p.tri, p.block);
    return p;
}

static double volume_inside(specimen *s, const void *context)
{
    const patch *p = context;
    return surface_volume(p->ntri, p->tri, s->x);
}

static void push(specimen *s, const void *context, double *f)
{
    const patch *p = context;
    memset(f, 0, 3 * (size_t)s->part.nnode * sizeof *f);
    pressure_force(p->ntri, p->tri, p->tri, s->x, 1, f);
}

static void pressure_on_a_closed_surface_is_the_gradient_of_its_volume(void **unused)
{
    (void)unused;
    specimen s;
    make(&s, NULL);
    patch p = whole_surface(&s);
    assert_true(fabs(volume_inside(&s, &p) - 1.65) < 1e-12);
    specimen_shake(&s, 0.1);
    double *f = arena_new(&s.memory, 3 * s.part.nnode, double);
    push(&s, &p, f);
    assert_true(specimen_gradient_error(&s, volume_inside, &p, f, 1e-4) < 1e-9);
    specimen_free(&s);
}

static void pressure_stiffness_of_a_closed_surface_is_the_gradient_of_the_force(void **unused)
{
    (void)unused;
    specimen s;
    make(&s, NULL);
    patch p = whole_surface(&s);
    specimen_shake(&s, 0.1);
    pressure_stiffness(p.ntri, p.tri, s.x, 1, p.block, s.blocks);
    assert_true(specimen_stiffness_error(&s, push, &p, 1, false, 1e-4) < 1e-9);
    specimen_free(&s);
}

static void pressure_stiffness_of_an_open_surface_is_the_symmetric_part(void **unused)
{
    (void)unused;
    specimen s;
    make(&s, NULL);
    patch p = upper_surface(&s);
    assert_int_equal(p.ntri, 8);
    specimen_shake(&s, 0.1);
    pressure_stiffness(p.ntri, p.tri, s.x, 1, p.block, s.blocks);
    assert_true(specimen_stiffness_error(&s, push, &p, 1, true, 1e-4) < 1e-9);
    assert_true(specimen_stiffness_error(&s, push, &p, 1, false, 1e-4) > 1e-3); // or it is closed
    specimen_free(&s);
}

static void external(specimen *s, const void *unused, double *f)
{
    (void)unused;
    memset(f, 0, 3 * (size_t)s->part.nnode * sizeof *f);
    body_loads(&s->part, &(body_loading){.share = 0.5}, s->x, f, NULL);
}

static void loads_push_into_the_material_and_enter_a_with_their_share(void **unused)
{
    (void)unused;
    specimen s;
    assert_true(specimen_begin(&s, unit_bar(), rubber, NULL));
    body_pressure pressure = {.face = {.ntri = s.boundary.ntri, .tri = s.boundary.tri},
                              .value = 4,
                              .span = {-INFINITY, INFINITY}};
    s.part.npressure = 1;
    s.part.pressure = &pressure;
    s.part.dead[0] = 6;
    assert_true(specimen_finish(&s, NULL));
    double *f = arena_new(&s.memory, 3 * s.part.nnode, double), total[3] = {0};
    external(&s, NULL, f);
    for (int i = 0; i < 3 * s.part.nnode; i++)
        total[i % 3] += f[i];
    assert_true(fabs(total[0] - 3) < 1e-12 && fabs(total[1]) < 1e-12 && fabs(total[2]) < 1e-12);
    int top = bar_node(&s.shape, 1, 1, 3); // pushed down by 0.5 * 4 on a quarter of the end
    assert_true(fabs(f[3 * top + 2] + 2 * 1.1 / 4) < 1e-12);
    specimen_shake(&s, 0.1);
    memset(f, 0, 3 * (size_t)s.part.nnode * sizeof *f);
    body_loads(&s.part, &(body_loading){.share = 0.5}, s.x, f, s.blocks);
    assert_true(specimen_stiffness_error(&s, external, NULL, -1, false, 1e-4) < 1e-9);
    specimen_free(&s);
}

static void held_axes_are_diagonal_and_the_others_untouched(void **unused)
{
    (void)unused;
    unsigned char held[36] = {0};
    for (int i = 0; i < 9; i++)
        held[i] = LITHE_XYZ;
    held[10] = LITHE_Y;
    held[20] = LITHE_X | LITHE_Z;
    specimen s;
    make(&s, held);
    assert_int_equal(s.part.nrow, 27);
    assert_int_equal(s.part.ndof, 3 * 27 - 3);
    specimen_shake(&s, 0.1);
    int n = 3 * s.part.nnode;
    double *force = arena_new(&s.memory, n, double), *before = arena_new(&s.memory, n * n, double);
    body_elastic(&s.part, &s.work, s.x, NULL, ELEMENT_EXACT, NULL, force, s.blocks);
    for (int i = 0; i < n * n; i++)
        before[i] = specimen_entry(&s, i / n, i % n);
    space_tangent tangent = {.K = s.blocks, .A = s.blocks};
    s.part.space->assemble(&s.part, s.x, NULL, NULL, &tangent);
    for (int i = 0; i < n * n; i++) {
        int p = i / n, q = i % n;
        bool held_here = (held[p / 3] & (1 << p % 3)) || (held[q / 3] & (1 << q % 3));
        double now = specimen_entry(&s, p, q);
        if (!held_here)
            assert_true(now == before[i]);
        else if (p == q && held[p / 3] != LITHE_XYZ)
            assert_true(now > 0);
        else
            assert_true(now == 0);
    }
    specimen_free(&s);
}

static double total_mass(const body *b)
{
    double sum = 0;
    for (int i = 0; i < b->nnode; i++)
        sum += b->mass[i];
    return sum;
}

static void mass_is_density_times_volume_or_what_was_given(void **unused)
{
    (void)unused;
    specimen s;
    make(&s, NULL);
    assert_true(fabs(s.part.volume - 1.65) < 1e-14);
    assert_true(fabs(total_mass(&s.part) - 3 * 1.65) < 1e-13);
    double corner = s.part.mass[0];
    body_set_mass(&s.part, 33);
    assert_true(fabs(total_mass(&s.part) - 33) < 1e-12);
    assert_true(fabs(s.part.mass[0] - corner * 33 / (3 * 1.65)) < 1e-13);
    specimen_free(&s);
}

// A bar from a definition, whose nodes may be shaken first.
typedef struct piece {
    bar shape;
    lithe_mesh *mesh;
    lithe_material_def material[2];
    lithe_body_def body;
    lithe_def def;
    lithe_model *model;
} piece;

static void piece_begin(piece *p, bar shape)
{
    memset(p, 0, sizeof *p);
    p->shape = shape;
    assert_int_equal(lithe_mesh_create(shape.nnode, shape.x, shape.ntet, shape.tet, &p->mesh, NULL),
                     LITHE_OK);
    for (int k = 0; k < 2; k++) {
        p->material[k] = lithe_material_def_default();
        p->material[k].name = k ? "heavy" : "light";
        p->material[k].young = 1e5;
        p->material[k].poisson = 0.45;
        p->material[k].density = k ? 4000 : 1000;
    }
    p->body = lithe_body_def_default();
    p->body.name = "bar";
    p->body.mesh = p->mesh;
    p->body.material = "light";
    p->def = lithe_def_default();
    p->def.nmaterial = 2;
    p->def.material = p->material;
    p->def.nbody = 1;
    p->def.body = &p->body;
}

static void piece_compile(piece *p)
{
    lithe_report report = lithe_report_default();
    if (lithe_compile(&p->def, &p->model, &report) != LITHE_OK)
        fail_msg("%s", report.error);
}

static void piece_end(piece *p)
{
    lithe_model_free(p->model);
    lithe_mesh_free(p->mesh);
    bar_free(&p->shape);
}

static void weight_is_mass_times_gravity_and_a_given_mass_is_spread_by_volume(void **unused)
{
    (void)unused;
    const double volume = 0.02 * 0.02 * 0.1, gravity[3] = {1, 0, -9.81};
    for (int given = 0; given < 2; given++) {
        piece p;
        piece_begin(&p, bar_make(2, 2, 4, (double[]){0, 0, 0}, (double[]){0.02, 0.02, 0.1}));
        lithe_fix_def fix = lithe_fix_def_default();
        fix.where = (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, 0}, .b = {0, 0, -1}};
        lithe_region_def upper = lithe_region_def_default();
        upper.where = (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, 0.05}, .b = {0, 0, 1}};
        upper.material = "heavy";
        p.body.nfix = p.body.nregion = 1;
        p.body.fix = &fix;
        p.body.region = &upper;
        p.body.mass = given ? 0.5 : 0;
        memcpy(p.def.gravity, gravity, sizeof gravity);
        piece_compile(&p);
        const body *b = &p.model->body[0];
        double mass = given ? 0.5 : volume * 2500, sum[3] = {0};
        assert_true(fabs(total_mass(b) - mass) < 1e-12);
        for (int i = 0; i < 3 * b->nnode; i++)
            sum[i % 3] += b->dead[i];
        for (int i = 0; i < 3; i++)
            assert_true(fabs(sum[i] - mass * gravity[i]) < 1e-12);
        double foot = b->mass[0], head = b->mass[b->nnode - 1]; // Kuhn's cut is the same at both
        assert_true(fabs(head / foot - (given ? 1 : 4)) < 1e-12);
        piece_end(&p);
    }
}

static bool on_boundary(const bar *b, int node)
{
    int i = node % (b->nx + 1), j = node / (b->nx + 1) % (b->ny + 1),
        k = node / (b->nx + 1) / (b->ny + 1);
    return i == 0 || j == 0 || k == 0 || i == b->nx || j == b->ny || k == b->nz;
}

static bar distorted_bar(void)
{
    bar b = bar_make(4, 4, 10, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1});
    for (int i = 0; i < 3 * b.nnode; i++)
        if (!on_boundary(&b, i / 3))
            b.x[i] += 0.001 * specimen_uniform();
    return b;
}

// u = G X: stretch, shear and rotation, not small.
static void affine(const double *X, double u[3])
{
    static const double G[9] = {0.08, 0.05, -0.02, -0.1, -0.04, 0.06, 0.03, 0.09, 0.12};
    for (int i = 0; i < 3; i++)
        u[i] = G[3 * i] * X[0] + G[3 * i + 1] * X[1] + G[3 * i + 2] * X[2];
}

static void patch_of_distorted_elements_carries_constant_strain(void **unused)
{
    (void)unused;
    piece p;
    piece_begin(&p, distorted_bar());
    lithe_fix_def *fix = calloc((size_t)p.shape.nnode, sizeof *fix);
    for (int i = 0; i < p.shape.nnode; i++)
        if (on_boundary(&p.shape, i)) {
            lithe_fix_def *f = &fix[p.body.nfix++];
            *f = lithe_fix_def_default();
            f->where.kind = LITHE_NEAREST;
            memcpy(f->where.a, &p.shape.x[3 * i], sizeof f->where.a);
            affine(&p.shape.x[3 * i], f->displacement);
        }
    p.body.fix = fix;
    piece_compile(&p);
    const body *b = &p.model->body[0];
    assert_int_equal(b->ndof, 3 * 3 * 3 * 9);
    lithe_state *state;
    assert_int_equal(lithe_state_create(p.model, 1, &state, NULL), LITHE_OK);
    if (lithe_step(p.model, state) != LITHE_OK)
        fail_msg("%s", lithe_state_error(state));
    const double *x = lithe_position(state), *X = p.shape.x;
    double *exact = calloc(3 * (size_t)b->nnode, sizeof *exact);
    for (int i = 0; i < b->nnode; i++) {
        double u[3];
        affine(&X[3 * i], u);
        for (int axis = 0; axis < 3; axis++) {
            exact[3 * i + axis] = X[3 * i + axis] + u[axis];
            assert_true(fabs(x[3 * i + axis] - exact[3 * i + axis]) < 1e-9 * 0.012);
        }
    }
    double *force = calloc(3 * (size_t)b->nnode, sizeof *force);
    body_elastic(b, &state->tangent.work[0], exact, NULL, ELEMENT_FORCE_ONLY, NULL, force, NULL);
    for (int i = 0; i < 3 * b->nnode; i++)
        if (!b->held[i / 3])
            assert_true(fabs(force[i]) < 1e-12 * 1e5 * 0.1 * 0.1);
    free(force);
    free(exact);
    lithe_state_free(state);
    piece_end(&p);
    free(fix);
}

// Roundoff is loud in flat elements: the residual cannot fall below it, and need not.
static void flat_elements_do_not_keep_a_body_from_settling(void **unused)
{
    (void)unused;
    bar shape = bar_make(4, 4, 10, (double[]){0, 0, 0}, (double[]){0.02, 0.02, 0.1});
    for (int i = 0; i < 25; i++) // the layer above z = 0.04 gets a thousandth of its height
        shape.x[3 * (bar_node(&shape, 0, 0, 5) + i) + 2] = 0.04 + 1e-5;
    piece p;
    piece_begin(&p, shape);
    lithe_fix_def fix = lithe_fix_def_default();
    fix.where = (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, 0}, .b = {0, 0, -1}};
    p.body.nfix = 1;
    p.body.fix = &fix;
    p.def.gravity[0] = -9.81;
    piece_compile(&p);
    assert_true(p.model->body[0].quality[0] < 0.01);
    lithe_state *state;
    assert_int_equal(lithe_state_create(p.model, 1, &state, NULL), LITHE_OK);
    if (lithe_step(p.model, state) != LITHE_OK)
        fail_msg("%s", lithe_state_error(state));
    assert_true(lithe_last_residual(state).force < 1e-8);
    lithe_state_free(state);
    piece_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assembled_force_is_the_gradient_of_the_energy),
        cmocka_unit_test(assembled_stiffness_is_the_gradient_of_the_force),
        cmocka_unit_test(stiffness_times_a_motion_is_a_times_it),
        cmocka_unit_test(tangent_of_the_rest_shape_is_blind_to_rigid_motions),
        cmocka_unit_test(pressure_on_a_closed_surface_is_the_gradient_of_its_volume),
        cmocka_unit_test(pressure_stiffness_of_a_closed_surface_is_the_gradient_of_the_force),
        cmocka_unit_test(pressure_stiffness_of_an_open_surface_is_the_symmetric_part),
        cmocka_unit_test(loads_push_into_the_material_and_enter_a_with_their_share),
        cmocka_unit_test(held_axes_are_diagonal_and_the_others_untouched),
        cmocka_unit_test(mass_is_density_times_volume_or_what_was_given),
        cmocka_unit_test(weight_is_mass_times_gravity_and_a_given_mass_is_spread_by_volume),
        cmocka_unit_test(patch_of_distorted_elements_carries_constant_strain),
        cmocka_unit_test(flat_elements_do_not_keep_a_body_from_settling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
