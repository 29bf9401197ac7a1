// Case 23: what a cavity holds, what is given is taken, what flies goes on.
#include "base/vec.h"
#include "mixed.h"
#include "verify.h"

#include <math.h>
#include <string.h>

// Content of a deformed piece's material.
static double material_volume(const piece *p)
{
    double sum = 0;
    for (int e = 0; e < piece_ncell(p); e++)
        for (int q = 0, n = 1; q < n; q++) {
            piece_spot spot;
            double weight;
            n = piece_integrate(p, e, q, &spot, &weight);
            sum += weight * mat_det(spot.F);
        }
    return sum;
}

// The cells that bar_hollow leaves, as hexahedra.
static void take_hollow_cells(piece *p)
{
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    const bar *b = &p->shape;
    int n = b->nx; // a cube
    p->hex = malloc(8 * (size_t)(n * n * n) * sizeof *p->hex);
    for (int c = 0; c < n * n * n; c++) {
        int at[3] = {c % n, c / n % n, c / n / n};
        bool inner = true;
        for (int i = 0; i < 3; i++)
            inner = inner && at[i] > 0 && at[i] < n - 1;
        for (int k = 0; !inner && k < 8; k++)
            p->hex[8 * p->nhex + k] =
                bar_node(b, at[0] + corner[k][0], at[1] + corner[k][1], at[2] + corner[k][2]);
        p->nhex += !inner;
    }
}

// A hollow cube whose outside is held: what the material leaves free is the cavity.
static void fill(verify_table *table, lithe_element element)
{
    piece p;
    lithe_actuator_def air = lithe_actuator_def_default(LITHE_CAVITY);
    bar shape = bar_make(4, 4, 4, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    const double change = 0.03;
    double found = NAN, rest = 0.125;
    bar_hollow(&shape);
    piece_begin(&p, shape, 1, 0.3);
    p.body.element = element;
    for (int k = 0; k < 6; k++) {
        double point[3] = {0}, normal[3] = {0};
        point[k / 2] = k % 2;
        normal[k / 2] = k % 2 ? 1 : -1;
        piece_hold(&p, point, normal, LITHE_XYZ);
    }
    air.name = "air";
    air.body = "piece";
    p.def.nactuator = 1;
    p.def.actuator = &air;
    if (element == LITHE_HEX8)
        take_hollow_cells(&p);
    bool good = piece_compile(&p) &&
                lithe_state_create(p.model, 1, &p.state, &p.report) == LITHE_OK &&
                lithe_command(p.model, p.state, 0, LITHE_DISPLACEMENT, &change) == LITHE_OK &&
                lithe_step(p.model, p.state) == LITHE_OK;
    if (good)
        found = 1 - material_volume(&p) - rest;
    else
        verify_broken(table, p.state ? lithe_state_error(p.state) : p.report.error);
    piece_end(&p);
    verify_mesh(table, "%s, 4 x 4 x 4, hollow", piece_element_name(element));
    verify_gate(table, "change of a cavity's volume", found, change, 1e-10);
}

// Sums over all nodes of a body far from rest, over the sum of sizes.
static void act(verify_table *table, const char *name, const lithe_model *m, lithe_state *s)
{
    const body *b = &m->body[0];
    double sum[3] = {0}, moment[3] = {0}, size = 0,
           *force = calloc(3 * (size_t)b->nnode, sizeof *force);
    double *x = malloc(3 * (size_t)b->nnode * sizeof *x),
           *way = malloc(3 * (size_t)b->nnode * sizeof *way);
    for (int i = 0; i < 3 * b->nnode; i++)
        way[i] = sin(1.7 * i) + cos(0.3 * i * i);
    b->space->advance(b, b->X, 0.03, way, x);
    body_elastic(b, &s->tangent.work[0], x, NULL, ELEMENT_FORCE_ONLY, NULL, force, NULL);
    for (int i = 0; i < b->nnode; i++) {
        const double *f = &force[3 * i];
        double arm[3] = {0};
        if (i < body_nposition(b)) {
            vec_axpy(sum, 1, f);
            vec_cross(arm, &x[3 * i], f);
            vec_axpy(moment, 1, arm);
        } else {
            vec_axpy(moment, 1, f);
        }
        size += vec_norm(f);
    }
    free(force);
    free(x);
    free(way);
    verify_mesh(table, "%s", name);
    verify_gate(table, "sum of internal forces over their sizes", vec_norm(sum) / size, 0, 1e-10);
    verify_gate(table, "sum of their moments", vec_norm(moment) / size, 0, 1e-10);
}

// Free flight, spinning and shaking.
static void fly(verify_table *table, const piece *p, lithe_state *s, lithe_scheme scheme)
{
    double drift = NAN;
    bool good = true;
    lithe_energy before = lithe_last_energy(p->model, s);
    for (int k = 0; good && k < 40; k++)
        good = lithe_step(p->model, s) == LITHE_OK;
    lithe_energy after = lithe_last_energy(p->model, s);
    if (good)
        drift = vec_distance(before.linear, after.linear) / vec_norm(before.linear);
    else
        verify_broken(table, lithe_state_error(s));
    verify_gate(table,
                scheme == LITHE_EULER ? "change of momentum in 40 steps, Euler"
                                      : "change of momentum in 40 steps, alpha",
                drift, 0, 1e-10);
}

static void balance(verify_table *table, int parts, lithe_element element)
{
    for (lithe_scheme scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        mixed m;
        piece *p = &m.part;
        bool good = mixed_begin(&m, parts, element, 3);
        p->material.density = 1; // as E and L
        p->def.dynamics.scheme = scheme;
        p->def.step.dt = 0.2;
        memcpy(p->body.velocity, (double[]){0.03, -0.02, 0.01}, sizeof p->body.velocity);
        memcpy(p->body.spin, (double[]){0.03, 0.05, -0.02}, sizeof p->body.spin);
        const char *name = parts == MIXED_BLOCK ? piece_element_name(element) : mixed_name(parts);
        verify_mesh(table, "%s", name);
        good = good && mixed_compile(&m) &&
               lithe_state_create(p->model, 1, &p->state, &p->report) == LITHE_OK;
        if (good && scheme == LITHE_EULER)
            act(table, name, p->model, p->state);
        if (good)
            fly(table, p, p->state, scheme);
        else
            verify_broken(table, p->report.error);
        mixed_end(&m);
    }
}

void verify_balances(verify_table *table)
{
    verify_case(table, 23, "balances");
    for (int i = 0; i < piece_nsolid; i++)
        fill(table, piece_solid[i]);
    for (int i = 0; i < piece_nsolid; i++)
        balance(table, MIXED_BLOCK, piece_solid[i]);
    balance(table, MIXED_ROD, LITHE_TET4);
    balance(table, MIXED_SHELL, LITHE_TET4);
    balance(table, MIXED_BLOCK | MIXED_SPRING, LITHE_TET4);
    balance(table, MIXED_BLOCK | MIXED_THREAD, LITHE_TET4);
    balance(table, MIXED_BLOCK | MIXED_ROD, LITHE_TET4);
    balance(table, MIXED_BLOCK | MIXED_SHELL, LITHE_TET4);
    verify_note(table, "Cavity: its volume is told; what is compared is what the material of a "
                       "cube, held outside, leaves free, by integrals over the elements. Action "
                       "and reaction: internal forces at random displacements. Momentum: a body in "
                       "free flight that spins and shakes.");
}
