// Case 16: Cook's membrane, a tapered panel that bends and shears.
#include "piece.h"
#include "verify.h"

#include <math.h>

// The cells of a bar over the unit square, spread over the panel (0,0) (48,44) (48,60) (0,44).
static bar panel(int n, double thickness)
{
    bar b = bar_make(n, n, 1, (double[]){0, 0, 0}, (double[]){1, 1, thickness});
    for (int i = 0; i < b.nnode; i++) {
        double s = b.x[3 * i], t = b.x[3 * i + 1];
        b.x[3 * i] = 48 * s;
        b.x[3 * i + 1] = 44 * s + t * (44 - 28 * s);
    }
    return b;
}

// A small force, where strains are Hooke's; scaled back to 1.
static void cook(verify_table *table, lithe_element element, const char *name, int n, bool strain,
                 bool judged)
{
    const double force = 1e-4;
    double expected = strain ? 18.50 : 23.96, up = 0;
    int count = 0;
    piece p;
    piece_begin(&p, panel(n, strain ? 1.0 : 0.5), 1, strain ? 0.4999 : 1.0 / 3);
    p.body.element = element;
    lithe_selection edge = {.kind = LITHE_PLANE, .a = {48, 0, 0}, .b = {1, 0, 0}};
    piece_hold(&p, (double[]){0, 0, 0}, (double[]){-1, 0, 0}, LITHE_X | LITHE_Y);
    // plane strain: nothing moves along z; plane stress: half of it, symmetric about z = 0
    piece_hold(&p, (double[]){0, 0, strain ? 2 : 0}, (double[]){0, 0, -1}, LITHE_Z);
    piece_traction(&p, edge, (double[]){0, strain ? force : 0.5 * force, 0});
    bool good = piece_compile(&p) && piece_settle(&p);
    if (!good)
        verify_broken(table, p.report.error);
    for (int i = 0; good && i < lithe_nnode(p.model); i++) {
        const double *X = &lithe_rest(p.model)[3 * i];
        if (fabs(X[0] - 48) < 1e-9 && fabs(X[1] - 52) < 1e-9) {
            up += (lithe_position(p.state)[3 * i + 1] - X[1]) / force;
            count++;
        }
    }
    piece_end(&p);
    const char *quantity =
        strain ? "deflection, plane strain, nu 0.4999" : "deflection, plane stress, nu 1/3";
    verify_mesh(table, "%s, %d x %d x 1", name, n, n);
    if (judged)
        verify_gate(table, quantity, up / count, expected, 0.01);
    else
        verify_show(table, quantity, up / count, expected);
}

void verify_cook(verify_table *table)
{
    verify_case(table, 16, "Cook's membrane");
    for (int strain = 0; strain < 2; strain++) {
        cook(table, LITHE_TET4, "tet4", 32, strain, false);
        cook(table, LITHE_TET4_AVERAGED, "averaged tet4", 8, strain, false);
        cook(table, LITHE_TET4_AVERAGED, "averaged tet4", 32, strain, false);
        cook(table, LITHE_TET4_AVERAGED, "averaged tet4", 64, strain, strain);
        cook(table, LITHE_TET10, "tet10", 4, strain, false);
        cook(table, LITHE_TET10, "tet10", 16, strain, true);
        cook(table, LITHE_HEX8, "hex8", 8, strain, false);
        cook(table, LITHE_HEX8, "hex8", 32, strain, true);
    }
    verify_note(table, "linear tetrahedra lock in plane strain, where the material hardly changes "
                       "its volume; that is shown, not hidden. Averaged ones do not.");
}
