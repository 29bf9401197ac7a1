// What couples bodies through contact: a small dense matrix beside their factors, see
// contact_couple.c and solve/coupling.h.
#ifndef STEP_CONTACT_COUPLE_H
#define STEP_CONTACT_COUPLE_H

#include "base/arena.h"
#include "solve/coupling.h"

enum { COUPLE_MOST_LINES = 256 }; // of a body that is in it with all lines of its A

typedef struct contact_coupling {
    arena memory;
    coupling of;
    bool *by_lines;  // bodies whose coordinates are the lines of A (nbody)
    int *coordinate; // of every node, the first of its own, -1: none; and how many
    double *axis;    // the direction of each (of.n x 3); not of lines
    double *motion;  // scratch: of the points of a row per unit of each line (points x lines x 3)
    double *stiff;   // how stiff contact is at every node that it meets (nnode x 9) N/m
    int *body_adr;   // first coordinate of each body (nbody + 1)
    double *columns; // L^-1 P, body by body, panel by panel
    size_t max_columns;
    size_t *columns_adr; // (nbody + 1)
    double *Z, *T;       // Y_P' D^-1 Y, row by row, and the forces that it brings (nrow x of.n)
    double *u;           // force that it brings to the free motion (of.n), and scratch
} contact_coupling;

struct lithe_model;
bool couple_create(const struct lithe_model *m, arena *memory, contact_coupling *out);
void couple_free(contact_coupling *t);

#endif
