// Case 8 with solids: a strip rolled up by a moment on a stiff bar across its end.
#include "piece.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double length = 50, young = 1000; // height 1

// Glued to the end from bottom to top, and then out of it, to where the moment acts.
static const double route[9] = {50, 0, -0.5, 50, 0, 0.5, 50.5, 0, 0.5};

static void add_bar(piece *p, lithe_material_def *steel, lithe_rod_def *rod, int n)
{
    steel[0] = p->material;
    steel[1] = piece_law(LITHE_COROTATIONAL, 1e3 * young, 0, false);
    steel[1].name = "steel";
    p->def.nmaterial = 2;
    p->def.material = steel;
    *rod = lithe_rod_def_default();
    rod->name = "bar";
    rod->material = "steel";
    rod->npoint = 3;
    rod->point = route;
    rod->elements = 3 * n;
    rod->section = LITHE_RECTANGLE;
    rod->size[0] = rod->size[1] = 0.5;
    p->body.nrod = 1;
    p->body.rod = rod;
    // in the plane of x and z
    lithe_fix_def *fix = &p->fix[p->body.nfix++];
    *fix = lithe_fix_def_default();
    fix->axes = LITHE_Y;
    fix->rotations = LITHE_X | LITHE_Z;
}

static void roll(verify_table *table, lithe_element element, int n, bool judged)
{
    const double width = 1.0 / n, inertia = width / 12;
    piece p;
    lithe_material_def steel[2];
    lithe_rod_def rod;
    double u[3] = {NAN, NAN, NAN};
    piece_begin(
        &p,
        bar_make(50 * n, 1, n, (double[]){0, -width / 2, -0.5}, (double[]){length, width / 2, 0.5}),
        young, 0);
    p.body.element = element;
    piece_hold(&p, (double[]){0, 0, 0}, (double[]){-1, 0, 0}, LITHE_XYZ);
    add_bar(&p, steel, &rod, n);
    p.load[0] = lithe_load_def_default();
    p.load[0].name = "moment";
    p.load[0].kind = LITHE_MOMENT;
    p.load[0].body = "piece";
    memcpy(p.load[0].at, &route[6], sizeof p.load[0].at);
    p.load[0].value[1] = -2 * M_PI * young * inertia / length;
    p.def.nload = 1;
    bool good = piece_compile(&p) && piece_settle(&p);
    if (good)
        piece_displacement(&p, (double[]){length, 0, 0}, 0.6 * width, u);
    else
        verify_broken(table, p.report.error);
    piece_end(&p);
    verify_mesh(table, "%s, %d x 1 x %d", piece_element_name(element), 50 * n, n);
    verify_row(table, judged, "distance tip to root over L, plus 1",
               1 + hypot(u[0] + length, u[2]) / length, 1, 0.01);
}

void verify_roll_up(verify_table *table)
{
    verify_case(table, 8, "roll-up, solids");
    roll(table, LITHE_TET10, 2, true);
    roll(table, LITHE_HEX8, 2, false);
    roll(table, LITHE_HEX8, 4, true);
    roll(table, LITHE_TET4, 4, false);
    verify_note(table, "Solids: the moment acts on a bar, a thousand times stiffer, that is glued "
                       "across the end of the strip; one cell wide and held in the plane, which "
                       "changes nothing at nu 0.");
}
