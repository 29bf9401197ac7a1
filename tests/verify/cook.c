// Case 16: Cook's membrane, a tapered panel that bends and shears.
#include "piece.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>

static const verify_plot plots[2] = {{"cook", "Cook's membrane, plane stress", "degrees of freedom",
                                      "relative error of the deflection", 0.01},
                                     {"cook-strain", "Cook's membrane, plane strain, nu 0.4999",
                                      "degrees of freedom", "relative error of the deflection",
                                      0.01}};

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
static void cook(verify_table *table, lithe_element element, lithe_law law, int n, bool strain,
                 bool judged)
{
    const char *name = piece_element_name(element);
    const double force = 1e-4;
    double expected = strain ? 18.50 : 23.96, up = 0;
    int count = 0;
    piece p;
    piece_begin(&p, panel(n, strain ? 1.0 : 0.5), 1, strain ? 0.4999 : 1.0 / 3);
    p.body.element = element;
    p.material = piece_law(law, 1, strain ? 0.4999 : 1.0 / 3, false);
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
    if (good && law == LITHE_COROTATIONAL)
        verify_point(table, &plots[strain], name, lithe_ndof(p.model), up / count / expected - 1);
    piece_end(&p);
    char quantity[96];
    snprintf(quantity, sizeof quantity, "deflection, %s, %s",
             strain ? "plane strain, nu 0.4999" : "plane stress, nu 1/3", piece_law_name(law));
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
        for (int n = 8; n <= 32; n *= 2)
            cook(table, LITHE_TET4, LITHE_COROTATIONAL, n, strain, false);
        for (int n = 8; n <= 64; n *= 2)
            cook(table, LITHE_TET4_AVERAGED, LITHE_COROTATIONAL, n, strain, strain && n == 64);
        for (int n = 6; n <= 24; n *= 2)
            cook(table, LITHE_TET10, LITHE_COROTATIONAL, n, strain, n == 24);
        for (int n = 8; n <= 32; n *= 2)
            cook(table, LITHE_HEX8, LITHE_COROTATIONAL, n, strain, n == 32);
        for (int law = LITHE_COROTATIONAL + 1; law < PIECE_LAWS; law++) {
            // the orthotropic law has no bulk modulus that tet10 could average
            cook(table, LITHE_TET10, (lithe_law)law, 24, strain,
                 !strain || law != LITHE_ORTHOTROPIC);
            cook(table, LITHE_HEX8, (lithe_law)law, 32, strain, true);
        }
    }
    verify_note(table,
                "Linear tetrahedra lock in plane strain, where the material hardly changes "
                "its volume; that is shown, not hidden. Averaged ones do not. The orthotropic "
                "law has no bulk modulus of its own that quadratic tetrahedra could average, "
                "and is stiffer in them.");
}
