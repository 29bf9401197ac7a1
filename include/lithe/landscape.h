// What a task costs over the efforts of one or two actuators, with contacts that come and go:
// the linear inverse problem of one step, piece by piece [coevoet2019, figures 4.6 and 4.8].
#ifndef LITHE_LANDSCAPE_H
#define LITHE_LANDSCAPE_H

#include "lithe/lithe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lithe_landscape {
    int n;                  // efforts: 1 or 2
    int points;             // of the grid along each axis
    double effort[2];       // where the robot is, N or Pa
    double low[2], high[2]; // of the grid: limits, where they are finite
    const double *cost;     // half the weighted squared error of the first priority, relative, at
                            // each point, the first effort fastest (points, or points x points)
    const int *piece;       // number of the set of active contacts there, by first appearance
    int npiece;             // sets that appear
    int npath;              // points of the way that the inverse takes from where it is
    const double (*path)[2];
    int nminimum; // local minima
    const double (*minimum)[2];
    const double *least; // their costs; the least one first
    bool solved;         // the way has an end
    const char *proof;   // of it: "global minimum", "local minimum, strongly stationary", …
} lithe_landscape;

enum {
    LITHE_LANDSCAPE_POINTS = 1000, // of the grid along each axis, at most
    LITHE_LANDSCAPE_PATH = 256,    // of the way, at most
};

// Takes one inverse step towards the state's targets and draws up the first problem with contacts
// that it meets. LITHE_INVALID: there are no targets, or not one or two efforts to find;
// LITHE_NOT_CONVERGED: nothing is near enough to come into contact, so the cost is one parabola.
// The state says why.
LITHE_API lithe_status lithe_landscape_create(const lithe_model *model, lithe_state *state,
                                              int points, lithe_landscape **landscape);
LITHE_API void lithe_landscape_free(lithe_landscape *landscape);

#ifdef __cplusplus
}
#endif

#endif
