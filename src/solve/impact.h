// Impulses of one moment, of bodies that strike each other: of every contact three, along its
// normal and two directions of its surface, and one for each row that holds, as joints do. With
// rates w of all of them before, and W what they change by for each unit of impulse,
//
//     w+ = w + W p,   0 <= p_n,   w+_n >= target,   p_n (w+_n - target) = 0
//
// along normals; along surfaces |p_t| <= friction p_n, against what is left of w+_t; and what holds
// keeps its rate. docs/theory/rigid.md
#ifndef SOLVE_IMPACT_H
#define SOLVE_IMPACT_H

#include "solve/eliminate.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct impact {
    int n, nhold;     // contacts, rows that hold
    double *W;        // (ncolumn squared), ncolumn = 3 n + nhold
    double *rate;     // (ncolumn) m/s; of what holds 0
    double *target;   // (n) m/s
    double *friction; // (n)
    double *axis;     // normal and two directions of every contact, for whoever asks (n x 9)
    double *impulse;  // (ncolumn) N s
    int *row;         // what contacts and rows are numbered as elsewhere (n + nhold)
    // memory
    double *memory, *still;
    size_t room;
    int max_row;
    elimination joints;
} impact;

// Room for so many, all 0; what there is already serves again. False: there is no memory.
bool impact_begin(impact *p, int n, int nhold);
void impact_free(impact *p);
static inline int impact_ncolumn(const impact *p)
{
    return 3 * p->n + p->nhold;
}

// Impulses, by Gauss and Seidel; W and rate are then those of contacts with what holds taken out.
// False: what holds contradicts itself, and there are none.
bool impact_solve(impact *p);

// No more than a share of them, so that they bring in at most so much energy, J.
void impact_bound(impact *p, double most);

// Rate of contact i along its normal after them.
double impact_rate(const impact *p, int i);

// Impulses of what holds, which follow.
void impact_hold(impact *p);

#endif
