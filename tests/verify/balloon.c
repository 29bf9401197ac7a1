// Cases 11, 12 and 13: vessels of rubber that are blown up by volume.
#include "verify.h"
#include "vessel.h"

#include <math.h>
#include <stdio.h>

static const double young = 1, poisson = 0.4999;

static const verify_plot plots[2] = {
    {"rubber-sphere", "Neo-Hookean sphere, nu 0.4999, a/A = 1.5", "degrees of freedom",
     "relative error of the pressure", 0.01},
    {"rubber-cylinder", "Neo-Hookean cylinder, nu 0.4999, a/A = 1.5", "degrees of freedom",
     "relative error of the pressure", 0.01}};

// A vessel, its cavity as an actuator, and what the cavity holds as an effector.
typedef struct rubber {
    piece part;
    lithe_material_def material[2];
    lithe_region_def region[2];
    lithe_actuator_def air;
    lithe_effector_def volume;
    double rest; // volume
} rubber;

// The symmetry planes hold a whole vessel without pulling at it.
static void hold_planes(piece *p, bool sphere)
{
    for (int axis = 0; axis < 3; axis++) {
        lithe_fix_def *fix = &p->fix[p->body.nfix++];
        *fix = lithe_fix_def_default();
        fix->axes = 1 << axis;
        if (!sphere && axis == 2)
            continue; // plane strain: everywhere
        fix->where.kind = LITHE_BOX;
        for (int i = 0; i < 3; i++) {
            fix->where.a[i] = i == axis ? 0 : -10;
            fix->where.b[i] = i == axis ? 0 : 10;
        }
    }
}

// Lid and floor close the bore and are so soft that they hold nothing.
static void soften_lids(rubber *r, vessel v)
{
    r->material[1] = piece_law(LITHE_NEO_HOOKEAN, 1e-7 * young, 0, false);
    r->material[1].name = "nothing";
    for (int i = 0; i < 2; i++) {
        r->region[i] = lithe_region_def_default();
        r->region[i].where.kind = LITHE_PLANE;
        r->region[i].where.a[2] = i ? vessel_height(v) : 0;
        r->region[i].where.b[2] = i ? 1 : -1;
        r->region[i].material = "nothing";
    }
    r->part.def.nmaterial = 2;
    r->part.body.nregion = 2;
    r->part.body.region = r->region;
}

static bool blow_begin(rubber *r, lithe_element element, vessel v, bool sphere)
{
    piece *p = &r->part;
    if (!(sphere ? vessel_sphere(p, element, v) : vessel_cylinder(p, element, v)))
        return false;
    r->material[0] = piece_law(LITHE_NEO_HOOKEAN, young, poisson, false);
    p->def.material = r->material;
    hold_planes(p, sphere);
    if (!sphere)
        soften_lids(r, v);
    r->air = lithe_actuator_def_default(LITHE_CAVITY);
    r->air.name = "air";
    r->air.body = "piece";
    r->volume = lithe_effector_def_default(LITHE_VOLUME);
    r->volume.name = "content";
    r->volume.body = "piece";
    p->def.nactuator = p->def.neffector = 1;
    p->def.actuator = &r->air;
    p->def.effector = &r->volume;
    if (!piece_compile(p) || lithe_state_create(p->model, 1, &p->state, &p->report) != LITHE_OK)
        return false;
    lithe_effector_value(p->model, p->state, 0, &r->rest);
    return true;
}

// Pressure over mu when the cavity has grown by a factor; NAN where it failed.
static double blow(verify_table *table, rubber *r, double growth)
{
    piece *p = &r->part;
    double change = (growth - 1) * r->rest, pressure;
    if (lithe_command(p->model, p->state, 0, LITHE_DISPLACEMENT, &change) != LITHE_OK ||
        lithe_step(p->model, p->state) != LITHE_OK) {
        verify_broken(table, lithe_state_error(p->state));
        return NAN;
    }
    lithe_effort(p->model, p->state, 0, &pressure);
    return pressure * 2 * (1 + poisson) / young;
}

// outer: over the inner radius
static double thick_wall(double la, double outer, bool sphere)
{
    double lb = sphere ? cbrt(1 + (la * la * la - 1) / (outer * outer * outer))
                       : sqrt(1 + (la * la - 1) / (outer * outer));
    if (!sphere)
        return 0.5 * (log(la * la / lb / lb) + 1 / lb / lb - 1 / la / la);
    return 2 / lb + 0.5 / pow(lb, 4) - 2 / la - 0.5 / pow(la, 4);
}

static void inflate(verify_table *table, lithe_element element, int layer, int around, bool sphere,
                    bool judged)
{
    static const double stretch[3] = {1.1, 1.5, 2};
    rubber r = {0};
    vessel v = {.outer = 2, .layer = layer, .around = around, .whole = true};
    bool good = blow_begin(&r, element, v, sphere);
    if (!good)
        verify_broken(table, r.part.report.error);
    verify_mesh(table, "%s, %d layers, %d around", piece_element_name(element), layer, 4 * around);
    for (int k = 0; k < 3; k++) {
        double la = stretch[k], truth = thick_wall(la, 2, sphere);
        double found = good ? blow(table, &r, sphere ? la * la * la : la * la) : NAN;
        char quantity[48];
        snprintf(quantity, sizeof quantity, "p/mu at a/A = %g", la);
        verify_row(table, judged, quantity, found, truth, 0.01);
        if (k == 1 && good)
            verify_point(table, &plots[!sphere], piece_element_name(element),
                         lithe_ndof(r.part.model), found / truth - 1);
    }
    piece_end(&r.part);
}

void verify_rubber_sphere(verify_table *table)
{
    verify_case(table, 11, "neo-Hookean sphere");
    for (int n = 2; n <= 4; n++)
        inflate(table, LITHE_TET10, n, n, true, n == 4);
    for (int n = 4; n <= 12; n += 4)
        inflate(table, LITHE_HEX8, n, n, true, n == 12);
    for (int n = 4; n <= 8; n += 2)
        inflate(table, LITHE_TET4_AVERAGED, n, n, true, false);
    verify_note(table,
                "A whole sphere, held by its planes of symmetry; the volume of its cavity is "
                "told, the pressure is what it takes.");
}

void verify_rubber_cylinder(verify_table *table)
{
    verify_case(table, 12, "neo-Hookean cylinder");
    for (int n = 1; n <= 4; n *= 2)
        inflate(table, LITHE_TET10, n, 2 * n, false, n == 4);
    for (int n = 4; n <= 12; n += 4)
        inflate(table, LITHE_HEX8, n, 2 * n, false, n == 12);
    for (int n = 2; n <= 8; n *= 2)
        inflate(table, LITHE_TET4_AVERAGED, n, 2 * n, false, n == 8);
    verify_note(table, "A slice of a whole cylinder, every node held along the axis. A lid and a "
                       "floor, ten million times softer, close its bore.");
}

// The largest pressure under rising volume, and where: the top of the parabola nearest to pressures
// around it.
static void limit_point(verify_table *table, lithe_element element, int layer, int around,
                        bool judged)
{
    enum { POINTS = 7 };
    const double middle = 1.05, thickness = 0.1, top = 1.38262, scale = thickness / middle;
    rubber r = {0};
    vessel v = {.outer = 1.1, .layer = layer, .around = around, .whole = true};
    bool good = blow_begin(&r, element, v, true);
    double sum[5] = {0}, moment[3] = {0}, past = NAN;
    if (!good)
        verify_broken(table, r.part.report.error);
    for (int k = 0; good && k < POINTS; k++) {
        double off = 0.01 * (k - POINTS / 2), l = top + off;
        double p = blow(table, &r, 1 + (l * l * l - 1) * middle * middle * middle) / scale;
        for (int i = 0; i < 5; i++)
            sum[i] += pow(off, i);
        for (int i = 0; i < 3; i++)
            moment[i] += p * pow(off, i);
    }
    if (good)
        past = blow(table, &r, 1 + 7 * middle * middle * middle) / scale;
    piece_end(&r.part);
    // offsets are symmetric about 0: odd sums vanish
    double slope = moment[1] / sum[2], det = sum[0] * sum[4] - sum[2] * sum[2];
    double bend = (sum[0] * moment[2] - sum[2] * moment[0]) / det,
           level = (sum[4] * moment[0] - sum[2] * moment[2]) / det;
    verify_mesh(table, "%s, %d layer%s, %d around", piece_element_name(element), layer,
                layer > 1 ? "s" : "", 4 * around);
    verify_row(table, judged, "stretch at the limit point", top - slope / (2 * bend), top, 0.001);
    verify_row(table, judged, "pressure there over mu t/R", level - slope * slope / (4 * bend),
               1.23913, 0.001);
    double la = cbrt(1 + 7 * middle * middle * middle); // of the inner side
    verify_row(table, judged, "pressure at stretch 2, past it", past,
               thick_wall(la, v.outer, true) / scale, 0.001);
}

void verify_balloon(verify_table *table)
{
    verify_case(table, 13, "balloon");
    limit_point(table, LITHE_TET10, 1, 4, false);
    limit_point(table, LITHE_TET10, 1, 8, false);
    limit_point(table, LITHE_TET10, 1, 12, true);
    limit_point(table, LITHE_HEX8, 1, 8, false);
    limit_point(table, LITHE_HEX8, 2, 16, false);
    limit_point(table, LITHE_HEX8, 7, 16, true);
    limit_point(table, LITHE_TET4_AVERAGED, 1, 16, false);
    verify_note(table, "A whole sphere under volume control. The truth is that of "
                       "case 11 for a wall of B/A = 1.1 (a thin wall has 1.38309 and 1.23946).");
}
