// Rods and shells against published truth.
#include "verify.h"

#include "lithe/lithe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A cantilever along x: a rod of square section, or a strip of shell.
typedef struct slender_case {
    lithe_def def;
    lithe_material_def material;
    lithe_body_def body;
    lithe_fix_def fix[2];
    lithe_rod_def rod;
    lithe_shell_def shell;
    double point[6];
    lithe_mesh *mesh;
    lithe_load_def load[2];
    lithe_report report;
} slender_case;

typedef struct outcome {
    bool good;
    double tip[3]; // displacement of the last node
    char error[256];
} outcome;

static void begin(slender_case *s, double young, double length)
{
    memset(s, 0, sizeof *s);
    s->def = lithe_def_default();
    s->def.step.steps = 1;
    s->material = lithe_material_def_default();
    s->material.name = "m";
    s->material.young = young;
    s->body = lithe_body_def_default();
    s->body.name = "b";
    s->body.material = "m";
    s->fix[0] = lithe_fix_def_default();
    s->fix[0].where =
        (lithe_selection){.kind = LITHE_BOX, .a = {-1e-9, -1e9, -1e9}, .b = {1e-9, 1e9, 1e9}};
    s->body.nfix = 1;
    s->body.fix = s->fix;
    s->def.nmaterial = s->def.nbody = 1;
    s->def.material = &s->material;
    s->def.body = &s->body;
    s->def.load = s->load;
    s->point[3] = length;
    for (int i = 0; i < 2; i++) {
        s->load[i] = lithe_load_def_default();
        s->load[i].name = i ? "second" : "first";
        s->load[i].body = "b";
        s->load[i].at[0] = length;
    }
    s->def.nload = 1;
    s->report = lithe_report_default();
}

static void make_rod(slender_case *s, int elements, double side)
{
    s->rod = lithe_rod_def_default();
    s->rod.name = "rod";
    s->rod.npoint = 2;
    s->rod.point = s->point;
    s->rod.elements = elements;
    s->rod.section = LITHE_RECTANGLE;
    s->rod.size[0] = s->rod.size[1] = side;
    s->body.nrod = 1;
    s->body.rod = &s->rod;
}

// n squares of two triangles, in a row.
static bool make_strip(slender_case *s, int n, double length, double width, double thickness)
{
    enum { MOST = 128 };
    double x[6 * MOST + 6] = {0};
    int tri[6 * MOST];
    for (int i = 0; i <= n; i++)
        for (int side = 0; side < 2; side++) {
            x[3 * (2 * i + side)] = length * i / n;
            x[3 * (2 * i + side) + 1] = (side - 0.5) * width;
        }
    for (int i = 0; i < n; i++) {
        int corner[6] = {2 * i, 2 * i + 2, 2 * i + 3, 2 * i, 2 * i + 3, 2 * i + 1};
        memcpy(&tri[6 * i], corner, sizeof corner);
    }
    s->shell = lithe_shell_def_default();
    s->shell.name = "strip";
    s->shell.thickness = thickness;
    s->body.nshell = 1;
    s->body.shell = &s->shell;
    // in the plane of x and z
    s->fix[1] = lithe_fix_def_default();
    s->fix[1].axes = LITHE_Y;
    s->fix[1].rotations = LITHE_X | LITHE_Z;
    s->body.nfix = 2;
    if (lithe_mesh_create_surface(2 * n + 2, x, 2 * n, tri, &s->mesh, &s->report) != LITHE_OK)
        return false;
    s->shell.mesh = s->mesh;
    return true;
}

static outcome solve(slender_case *s)
{
    outcome out = {.tip = {NAN, NAN, NAN}};
    lithe_model *model = NULL;
    lithe_state *state = NULL;
    if (lithe_compile(&s->def, &model, &s->report) == LITHE_OK &&
        lithe_state_create(model, 1, &state, &s->report) == LITHE_OK) {
        out.good = lithe_step(model, state) == LITHE_OK;
        int last = lithe_nnode(model) - 1;
        for (int i = 0; i < 3; i++)
            out.tip[i] = lithe_position(state)[3 * last + i] - lithe_rest(model)[3 * last + i];
    }
    snprintf(out.error, sizeof out.error, "%.250s",
             state ? lithe_state_error(state) : s->report.error);
    lithe_state_free(state);
    lithe_model_free(model);
    lithe_mesh_free(s->mesh);
    return out;
}

void verify_rod_cantilever(verify_table *table)
{
    slender_case s;
    verify_case(table, 4, "cantilever, a rod");
    begin(&s, 1e6, 0.1);
    make_rod(&s, 1, 0.01);
    s.load[0].value[2] = 1e-6; // small: the truth is linear
    outcome out = solve(&s);
    verify_mesh(table, "1 beam");
    verify_gate(table, "tip deflection in mm of 10 mN, nu 0", 1e4 * 1e3 * out.tip[2], 4.024, 0.005);
}

// A push along the column makes it softer against a small force across it, by the factor
// 3 (tan u - u) / u^3 with u = pi/2 sqrt(P / P_buckling): softness gives the buckling load.
void verify_rod_buckling(verify_table *table)
{
    const double push = 0.15;
    verify_case(table, 6, "Euler buckling, a rod");
    for (int elements = 5; elements <= 20; elements *= 2) {
        double across[2], low = 0.1, high = 0.4999 * M_PI;
        for (int k = 0; k < 2; k++) {
            slender_case s;
            begin(&s, 1e6, 0.1);
            make_rod(&s, elements, 0.01);
            s.load[0].value[0] = -k * push;
            s.load[0].value[2] = 1e-7;
            outcome out = solve(&s);
            if (!out.good)
                verify_broken(table, out.error);
            across[k] = out.tip[2];
        }
        for (int k = 0; k < 60; k++) {
            double u = 0.5 * (low + high), factor = 3 * (tan(u) - u) / (u * u * u);
            if (factor < across[1] / across[0])
                low = u;
            else
                high = u;
        }
        double load = push * 0.25 * M_PI * M_PI / (low * low);
        verify_mesh(table, "%d beams", elements);
        if (elements < 20)
            verify_show(table, "load in N", load, 0.2056);
        else
            verify_gate(table, "load in N", load, 0.2056, 0.02);
    }
    verify_note(
        table, "Beams: from the softness against a small force across the rod under three quarters "
               "of the load.");
}

void verify_rod_elastica(verify_table *table)
{
    static const double factor[4] = {1, 2, 5, 10}, w[4] = {.30172, .49346, .71379, .81061},
                        u[4] = {.05643, .16064, .38763, .55500};
    verify_case(table, 7, "elastica, rods");
    for (int elements = 5; elements <= 20; elements *= 4)
        for (int load = 0; load < 4; load++) {
            slender_case s;
            char name[2][64];
            begin(&s, 1000, 50);
            make_rod(&s, elements, 1);
            s.load[0].value[2] = factor[load] * 1000 / 12.0 / 2500;
            outcome out = solve(&s);
            if (!out.good)
                verify_broken(table, out.error);
            snprintf(name[0], sizeof name[0], "w/L at P L^2/(E I) = %g", factor[load]);
            snprintf(name[1], sizeof name[1], "u/L at P L^2/(E I) = %g", factor[load]);
            verify_mesh(table, "%d beams", elements);
            for (int k = 0; k < 2; k++) {
                double computed = k ? -out.tip[0] / 50 : out.tip[2] / 50;
                double expected = k ? u[load] : w[load];
                if (elements < 20)
                    verify_show(table, name[k], computed, expected);
                else
                    verify_gate(table, name[k], computed, expected, 0.01);
            }
        }
}

// The tip comes back to the root: its displacement is -L.
void verify_rod_roll_up(verify_table *table)
{
    verify_case(table, 8, "roll-up by an end moment, a rod and a strip of shell");
    for (int shell = 0; shell < 2; shell++) {
        slender_case s;
        const double inertia = 1 / 12.0; // both are 1 x 1
        begin(&s, 1000, 50);
        bool made = true;
        if (shell)
            made = make_strip(&s, 50, 50, 1, 1);
        else
            make_rod(&s, 20, 1);
        s.def.nload = shell ? 2 : 1;
        for (int i = 0; i < 2; i++) {
            s.load[i].kind = LITHE_MOMENT;
            s.load[i].at[1] = shell ? i - 0.5 : 0;
            s.load[i].value[1] = -2 * M_PI * 1000 * inertia / 50 / (shell ? 2 : 1);
        }
        outcome out = solve(&s);
        if (!made || !out.good)
            verify_broken(table, out.error);
        verify_mesh(table, shell ? "50 x 1 squares of two shells" : "20 beams");
        verify_gate(table, "distance tip to root over L, plus 1",
                    1 + hypot(out.tip[0] + 50, out.tip[2]) / 50, 1, 0.01);
    }
}

// A bow of 45 degrees that a force across its plane bends and twists.
void verify_rod_bow(verify_table *table)
{
    enum { MOST = 64 };
    static const double truth[3] = {15.558, 46.892, 53.608};
    verify_case(table, 31, "45 degree bend, a rod");
    for (int n = 8; n <= MOST; n *= 2) {
        slender_case s;
        double bow[3 * (MOST + 1)];
        begin(&s, 1e7, 0);
        make_rod(&s, n, 1);
        for (int i = 0; i <= n; i++) {
            double angle = 0.25 * M_PI * i / n;
            const double at[3] = {100 * (1 - cos(angle)), 100 * sin(angle), 0};
            memcpy(&bow[3 * i], at, sizeof at);
        }
        s.rod.npoint = n + 1;
        s.rod.point = bow;
        s.rod.axis[2] = 1;
        s.fix[0].where = (lithe_selection){.kind = LITHE_NEAREST};
        memcpy(s.load[0].at, &bow[3 * n], sizeof s.load[0].at);
        s.load[0].value[2] = 600;
        outcome out = solve(&s);
        if (!out.good)
            verify_broken(table, out.error);
        verify_mesh(table, "%d beams", n);
        for (int i = 0; i < 3; i++)
            verify_row(table, n == MOST, (const char *[]){"tip, x", "tip, y", "tip, z"}[i],
                       bow[3 * n + i] + out.tip[i], truth[i], 0.001);
    }
}

// [sze2004], section 3.1: E 1.2e6, nu 0, L 10, b 1, h 0.1, end shear 4.
void verify_shell_cantilever(verify_table *table)
{
    slender_case s;
    verify_case(table, 7, "shell cantilever");
    begin(&s, 1.2e6, 10);
    bool made = make_strip(&s, 32, 10, 1, 0.1);
    s.def.nload = 2;
    for (int i = 0; i < 2; i++) {
        s.load[i].at[1] = i - 0.5;
        s.load[i].value[2] = 2;
    }
    outcome out = solve(&s);
    if (!made || !out.good)
        verify_broken(table, out.error);
    verify_mesh(table, "32 x 1 squares of two shells");
    verify_gate(table, "W at the tip under end shear [sze2004]", out.tip[2], 6.698, 0.01);
    verify_gate(table, "-U at the tip under end shear [sze2004]", -out.tip[0], 3.286, 0.01);
    verify_note(table,
                "Shells: the strip of [sze2004], section 3.1, L/h 100, P L^2/(E I) = 4. It is held "
                "in the plane of x and z, which changes nothing at nu 0.");
}
