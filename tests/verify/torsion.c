// Case 15: a neo-Hookean cylinder, twisted at its length.
#include "base/vec.h"
#include "verify.h"
#include "vessel.h"

#include <math.h>

static const double young = 1, poisson = 0.4999, twist = 0.5, height = 2; // radius 1

static const verify_plot plot = {"torsion", "Torsion of a neo-Hookean cylinder, nu 0.4999",
                                 "degrees of freedom", "relative error of the moment", 0.01};

static void rotated(const double X[3], double u[3])
{
    double a = twist * X[2], c = cos(a) - 1, s = sin(a);
    u[0] = c * X[0] - s * X[1];
    u[1] = s * X[0] + c * X[1];
    u[2] = 0;
}

// What the held end takes: moment about the axis and force along it.
static void reaction(const piece *p, double *moment, double *force)
{
    const step_point *now = &p->state->now;
    const double *X = p->model->X;
    *moment = *force = 0;
    for (int i = 0; i < p->model->nnode; i++) {
        const double *f = &now->internal[3 * i], *x = &now->x[3 * i];
        if (X[3 * i + 2] < height - 1e-9)
            continue;
        *moment += x[0] * f[1] - x[1] * f[0];
        *force += f[2];
    }
}

static void twist_cylinder(verify_table *table, lithe_element element, int around, int layer,
                           bool judged)
{
    const double mu = young / 2 / (1 + poisson);
    piece p;
    double moment = NAN, force = NAN;
    bool made = vessel_rod(&p, element, around, layer);
    p.material = piece_law(LITHE_NEO_HOOKEAN, young, poisson, false);
    piece_hold(&p, (double[]){0, 0, 0}, (double[]){0, 0, -1}, LITHE_XYZ);
    piece_hold(&p, (double[]){0, 0, height}, (double[]){0, 0, 1}, LITHE_XYZ);
    bool good = made && piece_compile(&p);
    if (good)
        piece_prescribe(&p, rotated);
    if (good && piece_settle(&p)) {
        reaction(&p, &moment, &force);
        verify_point(table, &plot, piece_element_name(element), lithe_ndof(p.model),
                     moment / (0.5 * M_PI * mu * twist) - 1);
    } else {
        verify_broken(table, p.report.error);
    }
    piece_end(&p);
    verify_mesh(table, "%s, %d around, %d along", piece_element_name(element), 4 * around, layer);
    verify_row(table, judged, "M / mu a^3", moment / mu, 0.5 * M_PI * twist, 0.01);
    verify_row(table, judged, "N / mu a^2", force / mu, -0.25 * M_PI * twist * twist, 0.01);
}

void verify_torsion(verify_table *table)
{
    verify_case(table, 15, "torsion");
    for (int n = 2; n <= 4; n++)
        twist_cylinder(table, LITHE_TET10, n, 2 * n, n == 4);
    for (int n = 8; n <= 16; n += 4)
        twist_cylinder(table, LITHE_HEX8, n, n, n == 16);
    for (int n = 2; n <= 6; n += 2)
        twist_cylinder(table, LITHE_TET4_AVERAGED, n, 2 * n, false);
    verify_note(table, "Radius 1, length 2, E 1, nu 0.4999. One end is held, the other is turned "
                       "by a radian and kept at its distance; M and N are what holds it.");
}
