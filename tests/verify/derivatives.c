// Case 21: every derivative against finite differences.
#include "mixed.h"
#include "piece.h"
#include "probe.h"
#include "specimen.h"
#include "verify.h"

#include <stdio.h>

static bar shaken_cube(int n)
{
    bar b = bar_make(n, n, n, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    for (int i = 0; i < 3 * b.nnode; i++)
        b.x[i] += 0.2 / n * specimen_uniform();
    return b;
}

static void judge(verify_table *table, const char *what, const lithe_model *m, double shake,
                  double effort)
{
    char quantity[96];
    probe found;
    if (!probe_model(m, shake, effort, &found)) {
        verify_broken(table, "no memory");
        return;
    }
    snprintf(quantity, sizeof quantity, "force against energy, %s", what);
    verify_gate(table, quantity, found.force, 0, 1e-6);
    snprintf(quantity, sizeof quantity, "stiffness against force, %s", what);
    verify_gate(table, quantity, found.stiffness, 0, 1e-6);
    if (m->nrow == 0)
        return;
    snprintf(quantity, sizeof quantity, "rows against what they measure, %s", what);
    verify_gate(table, quantity, found.gradient, 0, 1e-6);
}

// As little as a body needs.
static void hold_three(piece *p)
{
    for (int i = 0; i < 3; i++) {
        p->fix[i] = lithe_fix_def_default();
        p->fix[i].where.kind = LITHE_NEAREST;
        p->fix[i].where.a[i] = 1;
        p->body.nfix++;
    }
}

static void check_solid(verify_table *table, lithe_element element, lithe_law law)
{
    piece p;
    piece_begin(&p, shaken_cube(2), 1, 0.45);
    p.body.element = element;
    p.material = piece_law(law, 1, 0.45, true);
    hold_three(&p);
    verify_mesh(table, "%s, 2 x 2 x 2, distorted", piece_element_name(element));
    if (piece_compile(&p))
        judge(table, piece_law_name(law), p.model, 0.03, 0);
    else
        verify_broken(table, p.report.error);
    piece_end(&p);
}

static void check_mixed(verify_table *table, int parts)
{
    mixed m;
    verify_mesh(table, "%s", mixed_name(parts));
    bool good = mixed_begin(&m, parts, LITHE_TET4, 2);
    hold_three(&m.part);
    if (good && mixed_compile(&m))
        judge(table, "all parts", m.part.model, 0.02, 0);
    else
        verify_broken(table, m.part.report.error);
    mixed_end(&m);
}

enum { ACTUATORS = 5, EFFECTORS = 6 };

// Actuators and effectors of every kind that has a gradient, on a hollow block.
static void add_rows(piece *p, lithe_actuator_def *actuator, lithe_effector_def *effector)
{
    static const lithe_actuator_kind act[ACTUATORS] = {LITHE_CABLE, LITHE_PISTON, LITHE_CAVITY,
                                                       LITHE_LIQUID, LITHE_FORCE};
    static const char *const act_name[ACTUATORS] = {"cable", "piston", "air", "water", "push"};
    static const char *const eff_name[EFFECTORS] = {"point",  "middle", "mass",
                                                    "turned", "room",   "long"};
    static const lithe_point_def point[3] = {
        {"piece", {0.1, 0.4, 0.2}}, {"piece", {0.15, 0.5, 0.9}}, {"piece", {0.9, 0.8, 0.95}}};
    for (int i = 0; i < ACTUATORS; i++) {
        actuator[i] = lithe_actuator_def_default(act[i]);
        actuator[i].name = act_name[i];
        actuator[i].body = "piece";
        actuator[i].npoint = act[i] == LITHE_CABLE ? 3 : act[i] == LITHE_FORCE ? 1 : 2;
        actuator[i].point = point;
    }
    actuator[0].has_pulled_from = true;
    actuator[0].pulled_from[0] = -0.3;
    actuator[3].density = 0.1;
    for (int i = 0; i < EFFECTORS; i++) {
        effector[i] = lithe_effector_def_default((lithe_effector_kind)i);
        effector[i].name = eff_name[i];
        effector[i].body = "piece";
        effector[i].npoint = i == LITHE_POINTS ? 1 : 3;
        effector[i].point = point;
    }
    p->def.nactuator = ACTUATORS;
    p->def.actuator = actuator;
    p->def.neffector = EFFECTORS;
    p->def.effector = effector;
    p->def.gravity[1] = -0.3;
}

static void check_rows(verify_table *table, lithe_element element)
{
    piece p;
    lithe_actuator_def actuator[ACTUATORS];
    lithe_effector_def effector[EFFECTORS];
    bar shape = bar_make(3, 3, 3, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    bar_hollow(&shape);
    piece_begin(&p, shape, 1, 0.45);
    p.body.element = element;
    hold_three(&p);
    add_rows(&p, actuator, effector);
    piece_pressure(&p, (lithe_selection){.kind = LITHE_ALL}, 0.1);
    verify_mesh(table, "%s, 3 x 3 x 3, hollow", piece_element_name(element));
    if (piece_compile(&p))
        judge(table, "rows and pressure", p.model, 0.02, 0.2);
    else
        verify_broken(table, p.report.error);
    piece_end(&p);
}

void verify_derivatives(verify_table *table)
{
    verify_case(table, 21, "derivatives");
    for (int i = 0; i < piece_nsolid; i++)
        for (int law = 0; law < PIECE_LAWS; law++)
            check_solid(table, piece_solid[i], (lithe_law)law);
    check_mixed(table, MIXED_ROD);
    check_mixed(table, MIXED_SHELL);
    check_mixed(table, MIXED_BLOCK | MIXED_SPRING);
    check_mixed(table, MIXED_BLOCK | MIXED_THREAD);
    check_mixed(table, MIXED_BLOCK | MIXED_ROD);
    check_mixed(table, MIXED_BLOCK | MIXED_SHELL);
    check_rows(table, LITHE_TET4);
    check_rows(table, LITHE_TET10);
    verify_note(table, "Central differences of every coordinate; the largest difference over the "
                       "largest entry. Stiffness is all that a step assembles: elements, loads and "
                       "rows under effort; where forces have no potential (pressure on a surface "
                       "with a rim, spins), its symmetric part.");
}
