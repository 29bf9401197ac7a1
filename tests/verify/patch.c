// Cases 1 and 2: what must hold to roundoff, constant strain and rigid rotation.
#include "base/rotation.h"
#include "base/vec.h"
#include "mixed.h"
#include "piece.h"
#include "specimen.h"
#include "verify.h"

#include <stdio.h>

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

// Stretch, shear and rotation, not small.
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
    body_elastic(b, &p->state->tangent.work[0], x, NULL, ELEMENT_FORCE_ONLY, NULL, force, NULL);
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

static void patch(verify_table *table, lithe_element element)
{
    const int n = 4;
    double force = 0, off = 0;
    for (int law = 0; law < PIECE_LAWS; law++) {
        piece p;
        piece_begin(&p, distorted_cube(n), 1, 0.45);
        p.body.element = element;
        p.material = piece_law((lithe_law)law, 1, 0.45, true);
        hold_boundary(&p);
        bool compiled = piece_compile(&p);
        if (compiled)
            piece_prescribe(&p, affine);
        if (compiled && piece_settle(&p)) {
            force = fmax(force, force_at_the_field(&p));
            off = fmax(off, worst_displacement(&p));
        } else {
            verify_broken(table, p.report.error);
        }
        piece_end(&p);
    }
    verify_mesh(table, "%s, %d x %d x %d, distorted", piece_element_name(element), n, n, n);
    verify_gate(table, "nodal force at the field / E L^2, worst of all laws", force, 0, 1e-12);
    verify_gate(table, "solved displacement, worst of all laws", off, 0, 1e-9);
}

// A straight rod of unequal beams, stretched and twisted.
static void stretched(const double X[3], double u[3], double spin[3])
{
    for (int i = 0; i < 3; i++)
        u[i] = spin[i] = 0;
    u[0] = 0.2 * X[0];
    spin[0] = 0.4 * X[0];
}

// A flat sheet of unequal triangles, stretched and sheared in its plane without a rotation.
static void sheared(const double X[3], double u[3], double spin[3])
{
    const double small = 1e-4;
    u[0] = small * (0.8 * X[0] + 0.3 * X[1]);
    u[1] = small * (0.3 * X[0] - 0.5 * X[1]);
    u[2] = spin[0] = spin[1] = spin[2] = 0;
}

typedef void slender_field(const double X[3], double u[3], double spin[3]);

// Largest force and moment on nodes that are free when all are where the field puts them; where
// held ones go.
static double force_at_slender_field(const piece *p, slender_field *field)
{
    body *b = &p->model->body[0];
    size_t n = 3 * (size_t)b->nnode;
    double *x = calloc(n, sizeof *x), *force = calloc(n, sizeof *force), largest = 0;
    for (int i = 0; i < body_nposition(b); i++) {
        double u[3], spin[3];
        int rotating = b->rotation[i];
        field(&b->X[3 * i], u, spin);
        for (int axis = 0; axis < 3; axis++) {
            x[3 * i + axis] = b->X[3 * i + axis] + u[axis];
            x[3 * rotating + axis] = spin[axis];
            b->hold[3 * i + axis] = b->held[i] & (1 << axis) ? u[axis] : 0;
            b->hold[3 * rotating + axis] = b->held[rotating] & (1 << axis) ? spin[axis] : 0;
        }
    }
    body_elastic(b, &p->state->tangent.work[0], x, NULL, ELEMENT_FORCE_ONLY, NULL, force, NULL);
    for (size_t i = 0; i < n; i++)
        if (!b->held[i / 3])
            largest = fmax(largest, fabs(force[i]));
    free(x);
    free(force);
    return largest;
}

static void patch_slender(verify_table *table, mixed *m, bool made, const char *name,
                          slender_field *field)
{
    piece *p = &m->part;
    double force = NAN, worst = NAN, largest = 0;
    bool good = made && mixed_compile(m);
    if (good)
        p->model->body[0].moves = true; // a state keeps what supports that move ask for
    good = good && lithe_state_create(p->model, 1, &p->state, &p->report) == LITHE_OK;
    if (good) {
        force = force_at_slender_field(p, field);
        good = lithe_step(p->model, p->state) == LITHE_OK;
    }
    for (int i = 0; good && i < lithe_nnode(p->model); i++) {
        double u[3], spin[3], off[3];
        const double *X = &lithe_rest(p->model)[3 * i];
        field(X, u, spin);
        largest = fmax(largest, vec_norm(u));
        for (int axis = 0; axis < 3; axis++)
            off[axis] = lithe_position(p->state)[3 * i + axis] - X[axis] - u[axis];
        worst = fmax(isnan(worst) ? 0 : worst, vec_norm(off));
    }
    if (!good)
        verify_broken(table, p->state ? lithe_state_error(p->state) : p->report.error);
    verify_mesh(table, "%s", name);
    verify_gate(table, "nodal force and moment at the field / E L^2", force, 0, 1e-12);
    verify_gate(table, "solved displacement", worst / largest, 0, 1e-9);
    mixed_end(m);
}

static void hold_box(piece *p, const double a[3], const double b[3])
{
    lithe_fix_def *fix = &p->fix[p->body.nfix++];
    *fix = lithe_fix_def_default();
    fix->where.kind = LITHE_BOX;
    memcpy(fix->where.a, a, sizeof fix->where.a);
    memcpy(fix->where.b, b, sizeof fix->where.b);
}

static void patch_rod(verify_table *table)
{
    static const double line[12] = {0, 0, 0, 0.15, 0, 0, 0.6, 0, 0, 1, 0, 0};
    mixed m;
    bool made = mixed_begin(&m, MIXED_ROD, LITHE_TET4, 0);
    m.rod.npoint = 4;
    m.rod.point = line;
    m.rod.smooth = false;
    m.rod.taper = 1;
    m.rod.elements = 5;
    hold_box(&m.part, (double[]){-0.01, -1, -1}, (double[]){0.01, 1, 1});
    hold_box(&m.part, (double[]){0.99, -1, -1}, (double[]){1.01, 1, 1});
    patch_slender(table, &m, made, "5 beams of unequal length", stretched);
}

static void patch_shell(verify_table *table)
{
    enum { N = 4, NODES = (N + 1) * (N + 1) };
    mixed m;
    double x[3 * NODES] = {0};
    int tri[6 * N * N];
    for (int i = 0; i < NODES; i++) {
        int line = i / (N + 1), column = i % (N + 1);
        bool inner = line > 0 && line < N && column > 0 && column < N;
        x[3 * i] = (column + inner * 0.2 * specimen_uniform()) / N;
        x[3 * i + 1] = (line + inner * 0.2 * specimen_uniform()) / N;
    }
    for (int i = 0; i < N * N; i++) {
        int a = i / N * (N + 1) + i % N, square[6] = {a, a + 1, a + N + 2, a, a + N + 2, a + N + 1};
        memcpy(&tri[6 * i], square, sizeof square);
    }
    bool made = mixed_begin(&m, MIXED_SHELL, LITHE_TET4, 0);
    lithe_mesh_free(m.sheet);
    m.sheet = NULL;
    made = made && lithe_mesh_create_surface(NODES, x, 2 * N * N, tri, &m.sheet, &m.part.report) ==
                       LITHE_OK;
    m.shell.mesh = m.sheet;
    for (int k = 0; k < 4; k++) {
        double a[3] = {-1, -1, -1}, b[3] = {2, 2, 1};
        a[k / 2] = k % 2 - 0.01;
        b[k / 2] = k % 2 + 0.01;
        hold_box(&m.part, a, b);
    }
    patch_slender(table, &m, made, "32 shells, distorted, flat", sheared);
}

void verify_patch(verify_table *table)
{
    verify_case(table, 1, "patch");
    for (int i = 0; i < piece_nsolid; i++)
        patch(table, piece_solid[i]);
    patch_rod(table);
    patch_shell(table);
    verify_note(table,
                "Solids: u = G X with |G| about 0.2, given on the whole boundary of a unit "
                "cube, E 1, nu 0.45. Beams: stretched by 20 % and twisted. Shells: strains of "
                "1e-4 in their plane, given at the edges; their bending is in the tests of "
                "the element.");
}

// About an axis of no special direction.
static void rotation(double degrees, double theta[3], double R[9])
{
    static const double axis[3] = {0.48, 0.6, 0.64};
    for (int i = 0; i < 3; i++)
        theta[i] = axis[i] * degrees * M_PI / 180;
    rotation_matrix(theta, R);
}

static double rotation_force(const lithe_model *m, const lithe_state *s)
{
    const body *b = &m->body[0];
    size_t n = 3 * (size_t)b->nnode;
    double *x = malloc(n * sizeof *x), *force = malloc(n * sizeof *force), worst = 0;
    for (int degrees = 0; degrees <= 180; degrees += 5) {
        double theta[3], R[9];
        rotation(degrees, theta, R);
        for (int i = 0; i < b->nnode; i++)
            if (i < body_nposition(b))
                mat_apply(&x[3 * i], R, &b->X[3 * i]);
            else
                memcpy(&x[3 * i], theta, sizeof theta);
        body_elastic(b, &s->tangent.work[0], x, NULL, ELEMENT_FORCE_ONLY, NULL, force, NULL);
        for (size_t i = 0; i < n; i++)
            worst = fmax(worst, fabs(force[i]));
    }
    free(x);
    free(force);
    return worst;
}

static void rotate(verify_table *table, lithe_element element, lithe_law law)
{
    piece p;
    piece_begin(&p, distorted_cube(3), 1, 0.45);
    p.body.element = element;
    p.material = piece_law(law, 1, 0.45, true);
    p.def.dynamics.scheme = LITHE_ALPHA; // a body that nothing holds
    bool good =
        piece_compile(&p) && lithe_state_create(p.model, 1, &p.state, &p.report) == LITHE_OK;
    if (!good)
        verify_broken(table, p.report.error);
    verify_mesh(table, "%s, 3 x 3 x 3, distorted", piece_element_name(element));
    char quantity[96];
    snprintf(quantity, sizeof quantity, "force at 0 ... 180 deg / E L^2, %s", piece_law_name(law));
    verify_gate(table, quantity, good ? rotation_force(p.model, p.state) : NAN, 0, 1e-10);
    piece_end(&p);
}

static void rotate_mixed(verify_table *table, int parts)
{
    mixed m;
    double force = NAN;
    bool good = mixed_begin(&m, parts, LITHE_TET4, 3);
    m.part.def.dynamics.scheme = LITHE_ALPHA;
    good = good && mixed_compile(&m) &&
           lithe_state_create(m.part.model, 1, &m.part.state, &m.part.report) == LITHE_OK;
    if (good)
        force = rotation_force(m.part.model, m.part.state);
    else
        verify_broken(table, m.part.report.error);
    mixed_end(&m);
    verify_mesh(table, "%s", mixed_name(parts));
    verify_gate(table, "force and moment at 0 ... 180 deg / E L^2", force, 0, 1e-10);
}

void verify_rotation(verify_table *table)
{
    verify_case(table, 2, "rigid rotation");
    for (int i = 0; i < piece_nsolid; i++)
        for (int law = 0; law < PIECE_LAWS; law++)
            rotate(table, piece_solid[i], (lithe_law)law);
    rotate_mixed(table, MIXED_ROD);
    rotate_mixed(table, MIXED_SHELL);
    rotate_mixed(table, MIXED_BLOCK | MIXED_SPRING);
    rotate_mixed(table, MIXED_BLOCK | MIXED_THREAD);
    rotate_mixed(table, MIXED_BLOCK | MIXED_ROD);
    rotate_mixed(table, MIXED_BLOCK | MIXED_SHELL);
    verify_note(table, "Every five degrees about an axis of no special direction. E 1, L 1.");
}
