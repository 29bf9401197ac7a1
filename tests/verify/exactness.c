// What must hold to roundoff: patch test, rigid rotation, derivatives, threads.
#include "base/vec.h"
#include "body/pressure.h"
#include "piece.h"
#include "specimen.h"
#include "verify.h"

static const lithe_material_def rubber = {.young = 1.0, .poisson = 0.45, .density = 1.0};

static bool on_boundary(const double *X)
{
    for (int i = 0; i < 3; i++)
        if (X[i] == 0 || X[i] == 1)
            return true;
    return false;
}

// The unit cube in n x n x n cells, its inner nodes moved at random by a fifth of a cell.
static bar distorted_cube(int n)
{
    bar b = bar_make(n, n, n, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    for (int i = 0; i < b.nnode; i++)
        for (int axis = 0; axis < 3 && !on_boundary(&b.x[3 * i]); axis++)
            b.x[3 * i + axis] += 0.2 / n * specimen_uniform();
    return b;
}

// Stretch, shear and turn, not small.
static void affine(const double X[3], double u[3])
{
    static const double G[9] = {0.08, 0.05, -0.02, -0.1, -0.04, 0.06, 0.03, 0.09, 0.12};
    mat_apply(u, G, X);
}

static void hold_boundary(piece *p)
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            double point[3] = {0}, normal[3] = {0};
            point[axis] = side;
            normal[axis] = side ? 1 : -1;
            piece_hold(p, point, normal, LITHE_XYZ);
        }
}

// Largest force on free nodes when every node is where the field puts it.
static double force_at_the_field(const piece *p)
{
    const body *b = &p->model->body[0];
    size_t n = 3 * (size_t)b->nnode;
    double *x = malloc(n * sizeof *x), *force = malloc(n * sizeof *force), largest = 0;
    for (int i = 0; i < b->nnode; i++) {
        affine(&b->X[3 * i], &x[3 * i]);
        vec_axpy(&x[3 * i], 1, &b->X[3 * i]);
    }
    body_elastic(b, &p->state->work[0], x, NULL, ELEMENT_FORCE_ONLY, NULL, force, NULL);
    for (size_t i = 0; i < n; i++)
        if (!b->held[i / 3])
            largest = fmax(largest, fabs(force[i]));
    free(x);
    free(force);
    return largest;
}

static double worst_displacement(const piece *p)
{
    const double *x = lithe_position(p->state), *X = lithe_rest(p->model);
    double worst = 0, largest = 0;
    for (int i = 0; i < lithe_nnode(p->model); i++) {
        double u[3], off[3];
        affine(&X[3 * i], u);
        largest = fmax(largest, vec_norm(u));
        for (int axis = 0; axis < 3; axis++)
            off[axis] = x[3 * i + axis] - X[3 * i + axis] - u[axis];
        worst = fmax(worst, vec_norm(off));
    }
    return worst / largest;
}

void verify_patch(verify_table *table)
{
    piece p;
    verify_case(table, 1, "patch");
    verify_mesh(table, "6 x 6 x 6, distorted");
    piece_begin(&p, distorted_cube(6), rubber.young, rubber.poisson);
    hold_boundary(&p);
    bool compiled = piece_compile(&p);
    if (compiled)
        piece_prescribe(&p, affine);
    if (compiled && piece_settle(&p)) {
        verify_gate(table, "nodal force at the field / E L^2", force_at_the_field(&p), 0, 1e-12);
        verify_gate(table, "solved displacement, largest error", worst_displacement(&p), 0, 1e-9);
    } else {
        verify_broken(table, p.report.error);
    }
    piece_end(&p);
    verify_note(table, "u = G X with |G| about 0.2, given on the whole boundary of a unit cube.");
}

// About an axis of no special direction.
static void turn(double degrees, double R[9])
{
    double axis[3] = {0.48, 0.6, 0.64}, a = degrees * M_PI / 180, c = cos(a), s = sin(a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int k = 3 - i - j; // the third axis, where i != j
            double cross = i == j ? 0 : ((j + 1) % 3 == i ? axis[k] : -axis[k]);
            R[3 * i + j] = (i == j) * c + (1 - c) * axis[i] * axis[j] + s * cross;
        }
}

void verify_rotation(verify_table *table)
{
    specimen s;
    verify_case(table, 2, "rigid rotation");
    verify_mesh(table, "4 x 4 x 4, distorted");
    if (!specimen_begin(&s, distorted_cube(4), rubber, NULL) || !specimen_finish(&s, NULL)) {
        verify_broken(table, "no memory");
        return;
    }
    double *force = arena_new(&s.memory, 3 * s.part.nnode, double), worst = 0;
    for (int degrees = 0; degrees <= 180; degrees += 5) {
        double R[9];
        turn(degrees, R);
        for (int i = 0; i < s.part.nnode; i++)
            mat_apply(&s.x[3 * i], R, &s.shape.x[3 * i]);
        specimen_force(&s, NULL, force);
        for (int i = 0; i < 3 * s.part.nnode; i++)
            worst = fmax(worst, fabs(force[i]));
    }
    verify_gate(table, "nodal force at 0 ... 180 deg / E L^2", worst, 0, 1e-10);
    specimen_free(&s);
}

static void check_elastic(verify_table *table)
{
    specimen s;
    verify_mesh(table, "3 x 3 x 3, distorted");
    if (!specimen_begin(&s, distorted_cube(3), rubber, NULL) || !specimen_finish(&s, NULL)) {
        verify_broken(table, "no memory");
        return;
    }
    double *force = arena_new(&s.memory, 3 * s.part.nnode, double);
    specimen_shake(&s, 0.05);
    body_elastic(&s.part, &s.work, s.x, NULL, ELEMENT_EXACT, NULL, force, s.blocks);
    verify_gate(table, "force against energy",
                specimen_gradient_error(&s, specimen_energy, NULL, force, 1e-5), 0, 1e-6);
    verify_gate(table, "stiffness against force",
                specimen_stiffness_error(&s, specimen_force, NULL, 1, false, 1e-6), 0, 1e-6);
    specimen_free(&s);
}

static double enclosed(specimen *s, const void *unused)
{
    (void)unused;
    return surface_volume(s->boundary.ntri, s->boundary.tri, s->x);
}

static void push(specimen *s, const void *unused, double *f)
{
    (void)unused;
    memset(f, 0, 3 * (size_t)s->part.nnode * sizeof *f);
    pressure_force(s->boundary.ntri, s->boundary.tri, s->boundary.tri, s->x, 1, f);
}

static void check_pressure(verify_table *table)
{
    specimen s;
    if (!specimen_begin(&s, distorted_cube(3), rubber, NULL) || !specimen_finish(&s, NULL)) {
        verify_broken(table, "no memory");
        return;
    }
    double *f = arena_new(&s.memory, 3 * s.part.nnode, double);
    int *block = arena_new(&s.memory, 3 * s.boundary.ntri, int);
    specimen_shake(&s, 0.05);
    push(&s, NULL, f);
    pressure_blocks(&s.part.pattern, s.part.block, s.boundary.ntri, s.boundary.tri, block);
    pressure_stiffness(s.boundary.ntri, s.boundary.tri, s.x, 1, block, s.blocks);
    verify_gate(table, "pressure force against volume",
                specimen_gradient_error(&s, enclosed, NULL, f, 1e-4), 0, 1e-6);
    verify_gate(table, "pressure stiffness against force",
                specimen_stiffness_error(&s, push, NULL, 1, false, 1e-4), 0, 1e-6);
    specimen_free(&s);
}

static void check_row(verify_table *table, row_kind kind, const char *gradient,
                      const char *stiffness)
{
    static const double at[4][3] = {
        {-0.3, 0.5, 0.1}, {0.1, 0.4, 0.2}, {0.15, 0.5, 0.9}, {0.9, 0.8, 0.95}};
    static const bool world[4] = {true};
    specimen s;
    row r;
    bar shape = bar_make(3, 3, 3, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    bar_hollow(&shape);
    bool good = specimen_begin(&s, shape, rubber, NULL);
    if (kind == ROW_CAVITY)
        good = good && specimen_cavity(&s, &r);
    else if (kind == ROW_CABLE)
        good = good && specimen_line(&s, &r, kind, 4, at, world);
    else
        good = good && specimen_line(&s, &r, kind, 2, at + 2, NULL);
    if (!good || !specimen_finish(&s, &r)) {
        verify_broken(table, "no memory");
        return;
    }
    specimen_shake(&s, 0.03);
    double *H = arena_new(&s.memory, 3 * s.part.nnode, double);
    specimen_row_gradient(&s, &r, H);
    row_stiffness(&r, s.x, 1, false, &s.blocks);
    verify_gate(table, gradient, specimen_gradient_error(&s, specimen_row_value, &r, H, 1e-5), 0,
                1e-6);
    verify_gate(table, stiffness,
                specimen_stiffness_error(&s, specimen_row_gradient, &r, -1, false, 1e-5), 0, 1e-6);
    specimen_free(&s);
}

void verify_derivatives(verify_table *table)
{
    verify_case(table, 21, "derivatives");
    check_elastic(table);
    check_pressure(table);
    verify_mesh(table, "3 x 3 x 3, hollow");
    check_row(table, ROW_CABLE, "cable gradient", "cable stiffness");
    check_row(table, ROW_PISTON, "piston gradient", "piston stiffness");
    check_row(table, ROW_CAVITY, "cavity gradient", "cavity stiffness");
    verify_note(table, "central differences of every coordinate; the largest difference over the "
                       "largest entry.");
}

// A hollow bar that is inflated and pulled by a cable while it hangs.
static bool move_robot(piece *p, int threads, double *x)
{
    lithe_state *state;
    if (lithe_state_create(p->model, threads, &state, &p->report) != LITHE_OK)
        return false;
    bool good =
        lithe_command(p->model, state, 0, LITHE_DISPLACEMENT, &(double){0.008}) == LITHE_OK &&
        lithe_command(p->model, state, 1, LITHE_EFFORT, &(double){2e3}) == LITHE_OK &&
        lithe_step(p->model, state) == LITHE_OK;
    memcpy(x, lithe_position(state), 3 * (size_t)lithe_nnode(p->model) * sizeof *x);
    lithe_state_free(state);
    return good;
}

void verify_threads(verify_table *table)
{
    piece p;
    verify_case(table, 24, "threads");
    verify_mesh(table, "8 x 8 x 24, hollow");
    bar shape = bar_make(8, 8, 24, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1});
    bar_hollow(&shape);
    piece_begin(&p, shape, 1e5, 0.45);
    piece_hold(&p, (double[]){0, 0, 0}, (double[]){0, 0, -1}, LITHE_XYZ);
    lithe_point_def point = {"piece", {0.009, 0, 0.095}};
    lithe_actuator_def actuator[2] = {lithe_actuator_def_default(LITHE_CABLE),
                                      lithe_actuator_def_default(LITHE_CAVITY)};
    actuator[0].name = "cable";
    actuator[0].npoint = 1;
    actuator[0].point = &point;
    actuator[0].has_pulled_from = true;
    actuator[0].pulled_from[0] = 0.012;
    actuator[1].name = "air";
    actuator[1].body = "piece";
    p.material.density = 1000;
    p.def.gravity[1] = -9.81;
    p.def.nactuator = 2;
    p.def.actuator = actuator;
    size_t n = 3 * (size_t)shape.nnode;
    double *one = malloc(n * sizeof *one), *other = malloc(n * sizeof *other);
    bool good = piece_compile(&p) && move_robot(&p, 1, one);
    for (int threads = 2; threads <= 4 && good; threads += 2) {
        int differ = 0;
        good = move_robot(&p, threads, other);
        for (size_t i = 0; i < n; i++)
            differ += memcmp(&one[i], &other[i], sizeof *one) != 0;
        verify_gate(table,
                    threads == 2 ? "coordinates that differ, 2 threads"
                                 : "coordinates that differ, 4 threads",
                    differ, 0, 0);
    }
    if (!good)
        verify_broken(table, p.report.error[0] ? p.report.error : "did not converge");
    free(one);
    free(other);
    piece_end(&p);
}
