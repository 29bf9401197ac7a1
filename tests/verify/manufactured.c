// Case 3: a displacement is chosen, the body force that it needs is applied, and the error of what
// is solved must fall with the square of the element size.
#include "base/vec.h"
#include "material/polar.h"
#include "piece.h"
#include "verify.h"

static const double young = 1, poisson = 0.3, amplitude = 0.05;

static void field(const double X[3], double u[3])
{
    u[0] = amplitude * sin(2 * X[0] + X[1]) * cos(X[2]);
    u[1] = amplitude * cos(X[0] - 2 * X[2]) * X[1];
    u[2] = amplitude * sin(X[0] * X[1] + 2 * X[2]);
}

static void field_gradient(const double X[3], double F[9])
{
    double a = 2 * X[0] + X[1], b = X[0] - 2 * X[2], c = X[0] * X[1] + 2 * X[2];
    double G[9] = {
        2 * cos(a) * cos(X[2]), cos(a) * cos(X[2]), -sin(a) * sin(X[2]), -sin(b) * X[1], cos(b),
        2 * sin(b) * X[1],      X[1] * cos(c),      X[0] * cos(c),       2 * cos(c)};
    for (int i = 0; i < 9; i++)
        F[i] = amplitude * G[i] + (i % 4 == 0);
}

// P = 2 mu (F - R) + lambda tr(S - I) R
static void field_stress(const double X[3], double P[9])
{
    double F[9], R[9], trace = -3, mu = young / 2 / (1 + poisson),
                       lambda = young * poisson / (1 + poisson) / (1 - 2 * poisson);
    field_gradient(X, F);
    polar_rotation(F, R);
    for (int i = 0; i < 9; i++)
        trace += R[i] * F[i];
    for (int i = 0; i < 9; i++)
        P[i] = 2 * mu * (F[i] - R[i]) + lambda * trace * R[i];
}

// b = -Div P, by central differences of fourth order (error about 1e-11)
static void body_force(const double X[3], double b[3])
{
    static const double weight[2] = {8.0 / 12, -1.0 / 12}, h = 1e-3;
    b[0] = b[1] = b[2] = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int step = 1; step <= 2; step++)
            for (int side = -1; side <= 1; side += 2) {
                double at[3] = {X[0], X[1], X[2]}, P[9];
                at[axis] += side * step * h;
                field_stress(at, P);
                for (int i = 0; i < 3; i++)
                    b[i] -= side * weight[step - 1] / h * P[3 * i + axis];
            }
}

// Nodal loads that do the work of the body force; the rule is exact for quadratics.
static void apply_body_force(piece *p)
{
    static const double near = 0.5854101966249685, far = 0.1381966011250105;
    body *b = &p->model->body[0];
    for (int e = 0; e < b->nelement; e++)
        for (int q = 0; q < 4; q++) {
            const int *node = &p->shape.tet[4 * e];
            double at[3] = {0}, f[3];
            for (int a = 0; a < 4; a++)
                vec_axpy(at, a == q ? near : far, &b->X[3 * node[a]]);
            body_force(at, f);
            for (int a = 0; a < 4; a++)
                vec_axpy(&b->dead[3 * node[a]], (a == q ? near : far) * piece_volume(p, e) / 4, f);
        }
}

// Squared distance to the field at a point of an element, given by weights of its nodes.
static double square_error(const piece *p, int e, const double w[4])
{
    const double *x = lithe_position(p->state), *X = lithe_rest(p->model);
    double at[3] = {0}, u[3] = {0}, exact[3];
    for (int a = 0; a < 4; a++) {
        const int node = p->shape.tet[4 * e + a];
        vec_axpy(at, w[a], &X[3 * node]);
        vec_axpy(u, w[a], &x[3 * node]);
        vec_axpy(u, -w[a], &X[3 * node]);
    }
    field(at, exact);
    double off[3];
    vec_sub(off, u, exact);
    return vec_dot(off, off);
}

// Over the cube, by Gauss' three points along each edge of a collapsed cube.
static double l2_error(const piece *p)
{
    static const double point[3] = {0.1127016653792583, 0.5, 0.8872983346207417},
                        share[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double sum = 0;
    for (int e = 0; e < p->shape.ntet; e++)
        for (int q = 0; q < 27; q++) {
            double r = point[q % 3], s = point[q / 3 % 3], t = point[q / 9];
            double w[4] = {(1 - r) * (1 - s) * (1 - t), r * (1 - s) * (1 - t), s * (1 - t), t};
            double scale = 6 * share[q % 3] * share[q / 3 % 3] * share[q / 9];
            sum += scale * (1 - s) * (1 - t) * (1 - t) * piece_volume(p, e) * square_error(p, e, w);
        }
    return sqrt(sum);
}

static double solve_cube(int n, verify_table *table)
{
    piece p;
    double error = NAN;
    piece_begin(&p, bar_make(n, n, n, (double[]){0, 0, 0}, (double[]){1, 1, 1}), young, poisson);
    for (int k = 0; k < 6; k++) {
        double point[3] = {0}, normal[3] = {0};
        point[k / 2] = k % 2;
        normal[k / 2] = k % 2 ? 1 : -1;
        piece_hold(&p, point, normal, LITHE_XYZ);
    }
    bool good = piece_compile(&p);
    if (good) {
        piece_prescribe(&p, field);
        apply_body_force(&p);
    }
    if (good && piece_settle(&p))
        error = l2_error(&p);
    else
        verify_broken(table, p.report.error);
    piece_end(&p);
    return error;
}

void verify_manufactured(verify_table *table)
{
    static const int size[] = {4, 8, 16, 24};
    enum { NSIZE = sizeof size / sizeof *size };
    double coarse = 0;
    verify_case(table, 3, "manufactured solution");
    for (int k = 0; k < NSIZE; k++) {
        double error = solve_cube(size[k], table);
        verify_mesh(table, "%d x %d x %d", size[k], size[k], size[k]);
        verify_show(table, "L2 error of the displacement", error, 0);
        if (k > 0) {
            double order = log(coarse / error) / log((double)size[k] / size[k - 1]);
            if (k + 1 < NSIZE)
                verify_show(table, "order of the L2 error", order, 2);
            else
                verify_gate(table, "order of the L2 error", order, 2, 0.15 / 2);
        }
        coarse = error;
    }
    verify_note(table,
                "displacement gradients up to 0.1, the full law; displacements given on the whole "
                "boundary. The gate is 2 +- 0.15.");
}
