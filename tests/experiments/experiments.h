// The papers' experiments, each a function that fills the table.
#ifndef EXPERIMENTS_EXPERIMENTS_H
#define EXPERIMENTS_EXPERIMENTS_H

#include "table.h"

void experiment_cables(table *t);          // a
void experiment_pressures(table *t);       // b
void experiment_moduli(table *t);          // c
void experiment_workspace(table *t);       // d
void experiment_chatter(table *t);         // e
void experiment_arm(table *t);             // f
void experiment_realtime(table *t);        // g
void experiment_methods(table *t);         // h
void experiment_refinement(table *t);      // i
void experiment_laws(table *t);            // j
void experiment_circle(table *t);          // k
void experiment_accordion(table *t);       // l
void experiment_shapes(table *t);          // m
void experiment_freely(table *t);          // n
void experiment_robustness(table *t);      // o
void experiment_lever(table *t);           // p
void experiment_rod(table *t);             // q
void experiment_trunk(table *t);           // r
void experiment_fork(table *t);            // s
void experiment_organ(table *t);           // t
void experiment_contact_long(table *t);    // u
void experiment_finger(table *t);          // v
void experiment_tower(table *t);           // w
void experiment_ball(table *t);            // x
void experiment_long(table *t);            // y
void experiment_tentacle(table *t);        // z
void experiment_models(table *t);          // A
void experiment_estimate(table *t);        // B
void experiment_loop(table *t);            // C
void experiment_bound(table *t);           // D
void experiment_inversion(table *t);       // E
void experiment_deflect(table *t);         // F
void experiment_regions(table *t);         // G
void experiment_reduced(table *t);         // H
void experiment_module(table *t);          // I
void experiment_module_points(table *t);   // J
void experiment_module_paths(table *t);    // K
void experiment_modules_paths(table *t);   // L
void experiment_positions(table *t);       // M
void experiment_reduced_contact(table *t); // N
void experiment_module_beam(table *t);     // O
void experiment_module_speed(table *t);    // Q
void experiment_snake(table *t);           // P
void experiment_modules_other(table *t);   // R

#endif
