// Cases 4, 5 and 6: the beam of 100 x 10 x 10 mm that is bent, let go and pushed.
#include "base/vec.h"
#include "piece.h"
#include "step/phases.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double length = 0.1, side = 0.01, young = 1e6, density = 1070, euler = 0.2056;

static const verify_plot plots[2] = {{"cantilever", "Cantilever, nu 0", "degrees of freedom",
                                      "relative error of the deflection", 0.005},
                                     {"cantilever-45", "Cantilever, nu 0.45", "degrees of freedom",
                                      "relative error of the deflection", 0.005}};
static const verify_plot frequency_plot = {"frequency", "First bending frequency, nu 0",
                                           "degrees of freedom", "relative error of the frequency",
                                           0.01};

// n cells across, 10 n along; held at x = 0.
static void begin(piece *p, lithe_element element, int n, lithe_law law, double poisson)
{
    piece_begin(p,
                bar_make(10 * n, n, n, (double[]){0, -side / 2, -side / 2},
                         (double[]){length, side / 2, side / 2}),
                young, poisson);
    p->body.element = element;
    p->material = piece_law(law, young, poisson, false);
    p->material.density = density;
    piece_hold(p, (double[]){0, 0, 0}, (double[]){-1, 0, 0}, LITHE_XYZ);
}

static lithe_selection far_end(void)
{
    return (lithe_selection){.kind = LITHE_PLANE, .a = {length, 0, 0}, .b = {1, 0, 0}};
}

// Mean displacement of the end's middle line, m.
static double tip(const piece *p, int axis)
{
    const double *x = lithe_position(p->state), *X = lithe_rest(p->model);
    double sum = 0;
    int n = 0;
    for (int i = 0; i < lithe_nnode(p->model); i++)
        if (X[3 * i] == length && fabs(X[3 * i + 2]) < 1e-9 * side) {
            sum += x[3 * i + axis] - X[3 * i + axis];
            n++;
        }
    return sum / n;
}

static const double small = 1e-4; // of the load: small enough for the truth that is linear

// Tip deflection in mm under a share of the load, over that share; NAN where it failed.
static double deflect(verify_table *table, lithe_element element, int n, lithe_law law,
                      double poisson, double share, int *ndof)
{
    piece p;
    double found = NAN;
    begin(&p, element, n, law, poisson);
    piece_traction(&p, far_end(), (double[]){0, 0, -0.01 * share});
    if (piece_compile(&p) && piece_settle(&p)) {
        found = -1e3 * tip(&p, 2) / share;
        *ndof = lithe_ndof(p.model);
    } else {
        verify_broken(table, p.report.error);
    }
    piece_end(&p);
    verify_mesh(table, "%s, %d x %d x %d", piece_element_name(element), 10 * n, n, n);
    return found;
}

enum { SIZES = 5 };

static void refine(verify_table *table, lithe_element element, bool steep)
{
    static const int size[3][SIZES] = {{2, 4, 8, 12, 16}, {1, 2, 3, 4}, {2, 4, 6, 8}};
    double poisson = steep ? 0.45 : 0, expected = steep ? 3.963 : 4.024, found[SIZES];
    int kind = element == LITHE_TET10 ? 1 : element == LITHE_HEX8 ? 2 : 0;
    char quantity[64];
    snprintf(quantity, sizeof quantity, "tip deflection, mm, nu %g", poisson);
    bool averaged = element == LITHE_TET4_AVERAGED;
    int nsize = averaged ? 3 : kind > 0 ? SIZES - 1 : SIZES;
    for (int k = 0; k < nsize; k++) {
        int ndof = 0;
        found[k] =
            deflect(table, element, size[kind][k], LITHE_COROTATIONAL, poisson, small, &ndof);
        verify_point(table, &plots[steep], piece_element_name(element), ndof,
                     found[k] / expected - 1);
        if (k + 1 < nsize || averaged)
            verify_show(table, quantity, found[k], expected);
        else if (kind == 0)
            verify_bound(table, quantity, found[k], expected, 0.005, steep ? 0.0485 : 0.0145);
        else
            verify_gate(table, quantity, found[k], expected, 0.005);
    }
    if (kind > 0 || averaged)
        return;
    double fine = found[SIZES - 1], ratio = (double)size[0][SIZES - 1] / size[0][SIZES - 2];
    double limit = fine + (fine - found[SIZES - 2]) / (ratio * ratio - 1);
    snprintf(quantity, sizeof quantity, "extrapolated, mm, nu %g", poisson);
    verify_mesh(table, "%s, last two, order 2", piece_element_name(element));
    verify_gate(table, quantity, limit, expected, 0.01);
}

void verify_cantilever(verify_table *table)
{
    verify_case(table, 4, "cantilever");
    for (int i = 0; i < piece_nsolid; i++)
        for (int steep = 0; steep < 2; steep++)
            refine(table, piece_solid[i], steep);
    for (int i = 0; i < piece_nsolid; i++)
        for (int law = 1; law < PIECE_LAWS && !piece_is_linear(piece_solid[i]); law++)
            for (int steep = law == LITHE_MOONEY_RIVLIN; steep < 2; steep++) {
                char quantity[96];
                int ndof;
                bool quadratic = piece_solid[i] == LITHE_TET10;
                snprintf(quantity, sizeof quantity, "tip deflection, mm, nu %g, %s",
                         steep ? 0.45 : 0, piece_law_name((lithe_law)law));
                double found = deflect(table, piece_solid[i], quadratic ? 4 : 8, (lithe_law)law,
                                       steep ? 0.45 : 0, small, &ndof);
                verify_gate(table, quantity, found, steep ? 3.963 : 4.024, 0.005);
            }
    for (int i = 0; i < piece_nsolid; i++) {
        int ndof;
        if (piece_is_linear(piece_solid[i]))
            continue;
        double found = deflect(table, piece_solid[i], piece_solid[i] == LITHE_TET10 ? 4 : 8,
                               LITHE_COROTATIONAL, 0, 1, &ndof);
        verify_gate(table, "tip deflection, mm, nu 0, of the whole load", found, 4.0174, 0.005);
    }
    verify_note(
        table,
        "Deflections are those of a ten thousandth of the load, times that, where the truth is "
        "linear, and of the whole load against the elastica. Linear tetrahedra are too stiff in "
        "bending, more so near incompressibility, and "
        "come near it by refinement; that the limit is right is what the extrapolated rows show. "
        "Mooney-Rivlin allows no nu of 0.");
}

// Least eigenvalue of K x = omega^2 M x by inverse iteration, at the shape of the state, from one
// bent along z.
static double least_eigenvalue(piece *p)
{
    const body *b = &p->model->body[0];
    size_t n = 3 * (size_t)b->nnode;
    double *x = calloc(n, sizeof *x), *f = calloc(n, sizeof *f), omega2 = NAN;
    bool good = step_linearize(p->model, p->state, STEP_FORWARD, false) == LITHE_OK;
    for (int i = 0; i < b->nnode; i++)
        x[3 * i + 2] = b->held[i] || i >= body_nposition(b) ? 0 : b->X[3 * i] * b->X[3 * i];
    for (int round = 0; good && round < 20; round++) {
        double work = 0, mass = 0; // x' K x and x' M x
        memset(f, 0, n * sizeof *f);
        body_mass_times(b, b->X, 1, x, f);
        step_solve_body(p->model, p->state, 0, f, x);
        for (size_t i = 0; i < n; i++)
            work += x[i] * f[i];
        memset(f, 0, n * sizeof *f);
        body_mass_times(b, b->X, 1, x, f);
        for (size_t i = 0; i < n; i++)
            mass += x[i] * f[i];
        omega2 = work / mass;
        for (size_t i = 0; i < n; i++)
            x[i] /= sqrt(mass);
    }
    free(x);
    free(f);
    return omega2;
}

// Of the lowest vibration at rest, Hz.
static double frequency(verify_table *table, piece *p)
{
    if (piece_compile(p) && lithe_state_create(p->model, 1, &p->state, &p->report) == LITHE_OK)
        return sqrt(least_eigenvalue(p)) / (2 * M_PI);
    verify_broken(table, p->report.error);
    return NAN;
}

// Bent by a force, let go: from zero crossings of the tip over four periods, in steps of a 200th.
static double swing(verify_table *table, piece *p, double expected)
{
    enum { PERIOD = 200, PERIODS = 4 };
    double last = 0, first_at = NAN, last_at = NAN;
    int crossings = 0;
    p->def.dynamics.scheme = LITHE_ALPHA;
    p->def.dynamics.spectral_radius = 1;
    p->def.step.dt = 1 / expected / PERIOD;
    piece_traction(p, far_end(), (double[]){0, 0, -1e-3});
    p->load[0].until = 0;
    if (!piece_compile(p) || lithe_state_create(p->model, 1, &p->state, &p->report) != LITHE_OK ||
        lithe_settle(p->model, p->state) != LITHE_OK) {
        verify_broken(table, p->state ? lithe_state_error(p->state) : p->report.error);
        return NAN;
    }
    for (int k = 0; k <= PERIOD * PERIODS; k++) {
        double now = tip(p, 2), time = lithe_time(p->state);
        if (k > 0 && now > 0 && last <= 0) {
            last_at = time - p->def.step.dt * now / (now - last);
            first_at = crossings++ ? first_at : last_at;
        }
        last = now;
        if (lithe_step(p->model, p->state) != LITHE_OK) {
            verify_broken(table, lithe_state_error(p->state));
            return NAN;
        }
    }
    return (crossings - 1) / (last_at - first_at);
}

void verify_frequency(verify_table *table)
{
    static const int size[3][3] = {{2, 4, 8}, {1, 2, 4}, {2, 4, 8}};
    verify_case(table, 5, "first bending frequency");
    for (int steep = 0; steep < 2; steep++)
        for (int i = 0; i < piece_nsolid; i++) {
            lithe_element element = piece_solid[i];
            int kind = element == LITHE_TET10 ? 1 : element == LITHE_HEX8 ? 2 : 0;
            double poisson = steep ? 0.45 : 0, expected = steep ? 4.95 : 4.9063;
            char quantity[64];
            snprintf(quantity, sizeof quantity, "frequency in Hz, nu %g", poisson);
            for (int k = 0; k < 3; k++) {
                piece p;
                int n = size[kind][k];
                begin(&p, element, n, LITHE_COROTATIONAL, poisson);
                double found = frequency(table, &p);
                verify_mesh(table, "%s, %d x %d x %d", piece_element_name(element), 10 * n, n, n);
                if (!steep)
                    verify_point(table, &frequency_plot, piece_element_name(element),
                                 p.model ? lithe_ndof(p.model) : 1, found / expected - 1);
                piece_end(&p);
                if (k == 2 && kind == 0)
                    verify_bound(table, quantity, found, expected, 0.01, steep ? 0.062 : 0.025);
                else
                    verify_row(table, k == 2, quantity, found, expected, 0.01);
            }
            if (kind == 0)
                continue;
            piece p;
            begin(&p, element, 2, LITHE_COROTATIONAL, poisson);
            snprintf(quantity, sizeof quantity, "frequency of a swing in Hz, nu %g", poisson);
            double found = swing(table, &p, expected);
            piece_end(&p);
            verify_mesh(table, "%s, 20 x 2 x 2", piece_element_name(element));
            verify_row(table, !steep, quantity, found, expected, 0.01);
        }
    for (int n = 5; n <= 40; n *= 2) {
        piece p;
        lithe_rod_def rod = lithe_rod_def_default();
        const double line[6] = {0, 0, 0, length, 0, 0};
        begin(&p, LITHE_AS_MESHED, 1, LITHE_COROTATIONAL, 0);
        rod.name = "rod";
        rod.npoint = 2;
        rod.point = line;
        rod.elements = n;
        rod.section = LITHE_RECTANGLE;
        rod.size[0] = rod.size[1] = side;
        p.body.nrod = 1;
        p.body.rod = &rod;
        bool good = lithe_compile(&p.def, &p.model, &p.report) == LITHE_OK &&
                    lithe_state_create(p.model, 1, &p.state, &p.report) == LITHE_OK;
        if (!good)
            verify_broken(table, p.report.error);
        double found = good ? sqrt(least_eigenvalue(&p)) / (2 * M_PI) : NAN;
        piece_end(&p);
        verify_mesh(table, "%d beams", n);
        verify_row(table, n == 40, "frequency in Hz, nu 0", found, 4.9063, 0.001);
    }
    verify_note(table, "The lowest eigenvalue of stiffness and mass at rest, by inverse "
                       "iteration; and the time between zero crossings of the tip when the beam "
                       "is let go and moves in steps of a 200th of the period.");
}

// A push takes from the stiffness of bending in proportion: the square of the lowest frequency,
// extrapolated from two loads, vanishes at the load under which the column buckles.
static double critical_load(verify_table *table, lithe_element element, lithe_law law, int n)
{
    const double push[2] = {0.85 * euler, 0.95 * euler};
    double omega2[2] = {NAN, NAN};
    for (int k = 0; k < 2; k++) {
        piece p;
        begin(&p, element, n, law, law == LITHE_MOONEY_RIVLIN ? 0.25 : 0);
        piece_traction(&p, far_end(), (double[]){-push[k], 0, 0});
        if (piece_compile(&p) && piece_settle(&p))
            omega2[k] = least_eigenvalue(&p);
        else
            verify_broken(table, p.report.error);
        piece_end(&p);
    }
    return push[1] + (push[1] - push[0]) * omega2[1] / (omega2[0] - omega2[1]);
}

// bound: NAN where the mesh is only shown.
static void buckle(verify_table *table, lithe_element element, lithe_law law, int n, double bound)
{
    char quantity[64];
    snprintf(quantity, sizeof quantity, "load in N, %s", piece_law_name(law));
    verify_mesh(table, "%s, %d x %d x %d", piece_element_name(element), 10 * n, n, n);
    verify_bound(table, quantity, critical_load(table, element, law, n), euler,
                 isnan(bound) ? NAN : 0.02, bound);
}

void verify_buckling(verify_table *table)
{
    verify_case(table, 6, "Euler buckling");
    buckle(table, LITHE_TET4, LITHE_COROTATIONAL, 4, NAN);
    buckle(table, LITHE_TET4, LITHE_COROTATIONAL, 8, 0.0415);
    for (int law = 0; law < PIECE_LAWS; law++) {
        buckle(table, LITHE_TET10, (lithe_law)law, 2, 0.02);
        buckle(table, LITHE_HEX8, (lithe_law)law, 4, 0.02);
    }
    verify_note(table, "Solids: the load at which the square of the column's lowest frequency "
                       "would vanish, from 85 and 95 % of the truth. nu is 0, but 0.25 with "
                       "Mooney-Rivlin, which allows none so low. The truth has no shear and no "
                       "shortening, which change the load by about half a percent.");
}
