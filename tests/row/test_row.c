#include "base/vec.h"
#include "specimen.h"
#include "step/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const lithe_material_def rubber = {.young = 2.0, .poisson = 0.45, .density = 3.0};

// One way to lay a row through a hollow bar of 1 x 1 x 1.3.
typedef struct route {
    const char *name;
    row_kind kind;
    int npoint;
    double at[5][3];
    bool world[5];
    double patch[5]; // radius within which nodes carry the point, each with another weight
    const double *weight;
} route;

static const double some[3] = {0.3, 0, 0.8};

static const route routes[] = {
    {"from a point of the world",
     ROW_CABLE,
     2,
     {{-0.3, 0.4, 0}, {0.1, 0.5, 1.1}},
     {true},
     {0},
     NULL},
    {"through the body only",
     ROW_CABLE,
     2,
     {{0.15, 0.5, 0.1}, {0.1, 0.5, 1.1}},
     {false},
     {0},
     NULL},
    {"several segments",
     ROW_CABLE,
     5,
     {{0.5, 0.5, -0.5}, {0.1, 0.1, 0.1}, {0.1, 0.2, 0.6}, {0.9, 0.3, 0.7}, {0.5, 0.9, 1.2}},
     {true},
     {0},
     NULL},
    {"both ends of the world",
     ROW_CABLE,
     4,
     {{-0.5, 0.5, 0}, {0.1, 0.5, 0.2}, {0.1, 0.6, 1.1}, {0.3, 0.3, 2}},
     {true, false, false, true},
     {0},
     NULL},
    {"several points in one element",
     ROW_CABLE,
     4,
     {{0.05, 0.02, 0.10}, {0.12, 0.03, 0.18}, {0.18, 0.05, 0.22}, {0.19, 0.01, 0.21}},
     {false},
     {0},
     NULL},
    {"piston", ROW_PISTON, 2, {{0.1, 0.1, 0.1}, {0.9, 0.8, 1.2}}, {false}, {0}, NULL},
    {"cavity", ROW_CAVITY, 0, {{0}}, {false}, {0}, NULL},
    {"a patch",
     ROW_CABLE,
     3,
     {{-0.3, 0.4, 0}, {0.1, 0.5, 0.5}, {0.4, 0.5, 1.3}},
     {true},
     {0, 0, 0.5},
     NULL},
    {"between patches that meet",
     ROW_PISTON,
     2,
     {{0.1, 0.1, 0.1}, {0.6, 0.2, 0.5}},
     {false},
     {0.5, 0.6},
     NULL},
    {"lengths, of which one is none",
     ROW_LENGTHS,
     4,
     {{0.5, 0.5, -0.5}, {0.1, 0.1, 0.1}, {0.1, 0.2, 0.6}, {0.9, 0.3, 0.7}},
     {true},
     {0, 0, 0.5},
     some},
};

enum { NROUTE = sizeof routes / sizeof *routes };

static void spread(specimen *s, row *r, int p, const route *way)
{
    row_patch *patch = arena_new(&s->memory, 1, row_patch);
    double sum = 0;
    assert_non_null(patch);
    patch->node = arena_new(&s->memory, s->part.nnode, int);
    patch->weight = arena_new(&s->memory, s->part.nnode, double);
    assert_true(patch->node && patch->weight);
    for (int i = 0; i < s->part.nnode; i++)
        if (vec_distance(&s->shape.x[3 * i], way->at[p]) < way->patch[p]) {
            patch->weight[patch->n] = 1 + 0.3 * (patch->n % 4);
            sum += patch->weight[patch->n];
            patch->node[patch->n++] = i;
        }
    for (int i = 0; i < patch->n; i++)
        patch->weight[i] /= sum;
    assert_true(patch->n > 5);
    r->line.point[p] = (row_point){.patch = patch};
}

static void make(specimen *s, row *r, const route *way)
{
    bar shape = bar_make(3, 3, 4, (double[]){0, 0, 0}, (double[]){1, 1, 1.3});
    bar_hollow(&shape);
    assert_true(specimen_begin(s, shape, rubber, NULL));
    bool good = way->kind == ROW_CAVITY
                    ? specimen_cavity(s, r)
                    : specimen_line(s, r, way->kind, way->npoint, way->at, way->world);
    for (int p = 0; p < way->npoint; p++)
        if (way->patch[p] > 0)
            spread(s, r, p, way);
    r->line.weight = way->weight;
    assert_true(good && row_begin(r, true, s->shape.x, &s->memory) == LITHE_OK);
    assert_true(specimen_finish(s, r));
}

static void value_is_zero_at_rest_and_has_the_sign_of_its_kind(void **unused)
{
    (void)unused;
    for (int k = 0; k < NROUTE; k++) {
        specimen s;
        row r;
        make(&s, &r, &routes[k]);
        assert_true(fabs(row_value(&r, s.x)) < 1e-14);
        for (int i = 0; i < 3 * s.part.nnode; i++)
            s.x[i] *= 1.1;
        bool stretched = routes[k].kind != ROW_CABLE;
        assert_true(stretched ? row_value(&r, s.x) > 0.01 : row_value(&r, s.x) < -0.01);
        specimen_free(&s);
    }
}

static void several_points_in_one_element_are_in_one(void **unused)
{
    (void)unused;
    specimen s;
    row r;
    make(&s, &r, &routes[4]);
    for (int p = 1; p < r.line.npoint; p++)
        assert_memory_equal(r.line.point[p].node, r.line.point[0].node, sizeof r.line.point->node);
    assert_int_equal(r.nnode, 4);
    specimen_free(&s);
}

static void gradient_is_the_derivative_of_the_value(void **unused)
{
    (void)unused;
    for (int k = 0; k < NROUTE; k++) {
        specimen s;
        row r;
        make(&s, &r, &routes[k]);
        specimen_shake(&s, 0.05);
        double *H = arena_new(&s.memory, 3 * s.part.nnode, double);
        specimen_row_gradient(&s, &r, H);
        double error = specimen_gradient_error(&s, specimen_row_value, &r, H, 1e-5);
        if (!(error < 1e-8))
            fail_msg("%s: off by %g", routes[k].name, error);
        specimen_free(&s);
    }
}

static void stiffness_is_the_derivative_of_the_gradient_times_effort(void **unused)
{
    (void)unused;
    const double effort = 1.7;
    for (int k = 0; k < NROUTE; k++) {
        specimen s;
        row r;
        make(&s, &r, &routes[k]);
        specimen_shake(&s, 0.05);
        row_stiffness(&r, s.x, effort, false, &s.blocks);
        for (int i = 0; i < 9 * s.part.pattern.nblock; i++)
            s.blocks[i] /= effort;
        double error = specimen_stiffness_error(&s, specimen_row_gradient, &r, -1, false, 1e-5);
        if (!(error < 1e-7))
            fail_msg("%s: off by %g", routes[k].name, error);
        specimen_free(&s);
    }
}

static double largest_block(const specimen *s)
{
    double largest = 0;
    for (int i = 0; i < 9 * s->part.pattern.nblock; i++)
        largest = fmax(largest, fabs(s->blocks[i]));
    return largest;
}

static void only_tension_stiffens_where_a_must_stay_positive(void **unused)
{
    (void)unused;
    for (int k = 0; k < NROUTE; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            specimen s;
            row r;
            make(&s, &r, &routes[k]);
            row_stiffness(&r, s.x, sign, true, &s.blocks);
            bool tension = sign == (routes[k].kind == ROW_CABLE ? 1 : -1);
            bool stiffens = routes[k].kind != ROW_CAVITY && tension;
            assert_true(stiffens ? largest_block(&s) > 1e-3 : largest_block(&s) == 0);
            specimen_free(&s);
        }
}

static void row_without_effort_adds_no_stiffness(void **unused)
{
    (void)unused;
    for (int k = 0; k < NROUTE; k++) {
        specimen s;
        row r;
        make(&s, &r, &routes[k]);
        row_stiffness(&r, s.x, 0, false, &s.blocks);
        assert_true(largest_block(&s) == 0);
        specimen_free(&s);
    }
}

// A third of a turn about (1, 1, 1), and away.
static void move_rigidly(specimen *s)
{
    for (int i = 0; i < s->part.nnode; i++) {
        double p[3] = {s->x[3 * i], s->x[3 * i + 1], s->x[3 * i + 2]};
        for (int axis = 0; axis < 3; axis++)
            s->x[3 * i + axis] = p[(axis + 1) % 3] + 0.7 * axis - 5;
    }
}

static void rigid_motion_changes_no_value_when_every_point_moves(void **unused)
{
    (void)unused;
    int ncarried = 0;
    for (int k = 0; k < NROUTE; k++) {
        specimen s;
        row r;
        make(&s, &r, &routes[k]);
        bool carried = true;
        for (int p = 0; p < routes[k].npoint; p++)
            carried = carried && !routes[k].world[p];
        specimen_shake(&s, 0.05);
        double before = row_value(&r, s.x);
        move_rigidly(&s);
        double change = fabs(row_value(&r, s.x) - before);
        assert_true(carried ? change < 1e-12 : change > 1e-3);
        ncarried += carried;
        specimen_free(&s);
    }
    assert_int_equal(ncarried, 5);
}

static void efforts_of_carried_rows_push_nothing_as_a_whole(void **unused)
{
    (void)unused;
    for (int k = 0; k < NROUTE; k++) {
        if (routes[k].world[0])
            continue;
        specimen s;
        row r;
        make(&s, &r, &routes[k]);
        specimen_shake(&s, 0.05);
        double *H = arena_new(&s.memory, 3 * s.part.nnode, double), force[3] = {0}, torque[3] = {0};
        specimen_row_gradient(&s, &r, H);
        for (int i = 0; i < s.part.nnode; i++) {
            double t[3];
            vec_cross(t, &s.x[3 * i], &H[3 * i]);
            vec_axpy(force, 1, &H[3 * i]);
            vec_axpy(torque, 1, t);
        }
        assert_true(vec_norm(force) < 1e-12 && vec_norm(torque) < 1e-12);
        specimen_free(&s);
    }
}

// Two bars side by side, held at their feet, and a cable that laces their heads together.
typedef struct pair {
    bar shape[2];
    lithe_mesh *mesh[2];
    lithe_model *model;
    lithe_state *state;
} pair;

static void pair_make(pair *p)
{
    lithe_report report = lithe_report_default();
    lithe_material_def material = lithe_material_def_default();
    material.name = "silicone";
    material.young = 1e5;
    material.poisson = 0.45;
    lithe_fix_def fix = lithe_fix_def_default();
    fix.where = (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, 0}, .b = {0, 0, -1}};
    lithe_body_def part[2];
    for (int k = 0; k < 2; k++) {
        p->shape[k] = bar_make(2, 2, 6 - k, (double[]){0, 0, 0}, (double[]){0.02, 0.02, 0.1});
        assert_int_equal(lithe_mesh_create(p->shape[k].nnode, p->shape[k].x, p->shape[k].ntet,
                                           p->shape[k].tet, &p->mesh[k], &report),
                         LITHE_OK);
        part[k] = lithe_body_def_default();
        part[k].name = k ? "right" : "left";
        part[k].mesh = p->mesh[k];
        part[k].move[0] = 0.05 * k;
        part[k].material = "silicone";
        part[k].nfix = 1;
        part[k].fix = &fix;
    }
    lithe_point_def point[4] = {{"left", {0.011, 0.008, 0.05}},
                                {"left", {0.012, 0.011, 0.091}},
                                {"right", {0.057, 0.009, 0.093}},
                                {"right", {0.061, 0.013, 0.06}}};
    lithe_actuator_def lace = lithe_actuator_def_default(LITHE_CABLE);
    lace.name = "lace";
    lace.npoint = 4;
    lace.point = point;
    lithe_def def = lithe_def_default();
    def.nmaterial = def.nactuator = 1;
    def.material = &material;
    def.nbody = 2;
    def.body = part;
    def.actuator = &lace;
    if (lithe_compile(&def, &p->model, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    assert_int_equal(lithe_state_create(p->model, 1, &p->state, &report), LITHE_OK);
}

static void pair_end(pair *p)
{
    lithe_state_free(p->state);
    lithe_model_free(p->model);
    for (int k = 0; k < 2; k++) {
        lithe_mesh_free(p->mesh[k]);
        bar_free(&p->shape[k]);
    }
}

// Internal force less tension times a numerical gradient of the cable's value, over free nodes.
static double independent_residual(pair *p, double *x)
{
    const lithe_model *m = p->model;
    double *internal = calloc(3 * (size_t)m->nnode, sizeof *internal), sum = 0, largest = 0,
           h = 1e-6;
    for (int k = 0; k < 2; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        body_elastic(b, &p->state->tangent.work[k], x + at, NULL, ELEMENT_FORCE_ONLY, NULL,
                     internal + at, NULL);
    }
    for (int i = 0; i < 3 * m->nnode; i++) {
        const body *b = &m->body[i / 3 >= m->body[1].node_adr];
        if (b->held[i / 3 - b->node_adr])
            continue;
        double keep = x[i];
        x[i] = keep + h;
        double ahead = row_value(&m->row[0], x);
        x[i] = keep - h;
        double slope = (ahead - row_value(&m->row[0], x)) / (2 * h);
        x[i] = keep;
        double pull = bar_effort(p->model, p->state, 0) * slope;
        sum += (internal[i] - pull) * (internal[i] - pull);
        largest += pull * pull;
    }
    free(internal);
    return sqrt(sum / largest);
}

static void row_across_two_bodies_settles_and_balances_both(void **unused)
{
    (void)unused;
    pair p;
    pair_make(&p);
    assert_int_equal(lithe_command(p.model, p.state, 0, LITHE_DISPLACEMENT, &(double){0.02}),
                     LITHE_OK);
    if (lithe_step(p.model, p.state) != LITHE_OK)
        fail_msg("%s", lithe_state_error(p.state));
    assert_true(lithe_last_residual(p.state).force < 1e-8);
    assert_true(fabs(bar_displacement(p.model, p.state, 0) - 0.02) < 1e-10);
    assert_true(bar_effort(p.model, p.state, 0) > 0.01);
    const double *X = lithe_rest(p.model), *x = lithe_position(p.state);
    int left = bar_node(&p.shape[0], 1, 1, 6),
        right = p.shape[0].nnode + bar_node(&p.shape[1], 1, 1, 5);
    assert_true(x[3 * left] > X[3 * left] + 0.002);
    assert_true(x[3 * right] < X[3 * right] - 0.002);
    double *copy = malloc(3 * (size_t)p.model->nnode * sizeof *copy);
    memcpy(copy, x, 3 * (size_t)p.model->nnode * sizeof *copy);
    assert_true(independent_residual(&p, copy) < 1e-7); // what the central difference resolves
    free(copy);
    pair_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_is_zero_at_rest_and_has_the_sign_of_its_kind),
        cmocka_unit_test(several_points_in_one_element_are_in_one),
        cmocka_unit_test(gradient_is_the_derivative_of_the_value),
        cmocka_unit_test(stiffness_is_the_derivative_of_the_gradient_times_effort),
        cmocka_unit_test(only_tension_stiffens_where_a_must_stay_positive),
        cmocka_unit_test(row_without_effort_adds_no_stiffness),
        cmocka_unit_test(rigid_motion_changes_no_value_when_every_point_moves),
        cmocka_unit_test(efforts_of_carried_rows_push_nothing_as_a_whole),
        cmocka_unit_test(row_across_two_bodies_settles_and_balances_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
