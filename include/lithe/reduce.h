// Reduced models: a robot whose nodes move in a few shapes or follow frames along a centre line,
// and of whose elements a few stand for all, so that a step takes a fraction of the time. A
// reduction is made of samples of the whole robot's equilibria (lithe_reduce), kept in a file, and
// used by a scene's section `reduction` or by lithe_def.reduction.
#ifndef LITHE_REDUCE_H
#define LITHE_REDUCE_H

#include "lithe/lithe.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a reduction was made, and how good it is. Errors are distances between effectors of the whole
// and the reduced robot: the largest of all samples, corners of the range included; the mean
// of those that neither shapes nor elements were chosen by.
typedef struct lithe_reduction_info {
    int nnode, nelement_whole; // of the robot that it is of
    int nmode;                 // shapes; of a beam: coordinates of its frames
    int nelement;              // elements that stand for all
    int nsample;               // equilibria that it was made of
    int ncheck;                // … and that it was checked by, compared or estimated
    unsigned seed;
    double tolerance;  // that was asked for, m
    double error;      // largest, m
    double error_mean; // m
} lithe_reduction_info;

// The region of the surface that gives way to contacts.
typedef struct lithe_reduction_patch {
    int nnode;  // 0: there is none
    int nshape; // of the reduction's shapes, those that are there for it
} lithe_reduction_patch;

typedef struct lithe_reduce_def {
    size_t bytes;     // of this struct; from its default function
    double tolerance; // largest error at any effector, m; 0: a thousandth of the robot's size
    unsigned seed;    // of where samples are taken
    int nsample;      // samples to begin with; 0: 20 and 10 for every actuator, at most 120
    int ncheck; // samples that it is compared at; 0: half as many; 4 times as many are estimated
    int round;  // how often samples are added where the tolerance is not met
    int threads;
    const char *journal; // file that keeps what is computed, so that a run that was ended goes on;
                         // NULL: none
    // Called from any thread, one at a time: what is done of what there is to do. NULL: nobody is
    // told. False: end.
    bool (*progress)(void *user, const char *what, int done, int total);
    void *user;
} lithe_reduce_def;

LITHE_DEFAULT(lithe_reduce_def, LITHE_DEF_REDUCE)

// Samples the robot within its actuators' limits, which must be finite, and makes a reduction of
// it: the same bits on any number of threads. LITHE_NOT_CONVERGED: the tolerance was not met, or
// progress ended it; *out is then the best one there is, or NULL.
LITHE_API lithe_status lithe_reduce(const lithe_def *def, const lithe_reduce_def *how,
                                    lithe_reduction **out, lithe_report *report);

LITHE_API void lithe_reduction_free(lithe_reduction *r);
LITHE_API lithe_reduction_info lithe_reduction_get(const lithe_reduction *r);
LITHE_API lithe_reduction_patch lithe_reduction_get_patch(const lithe_reduction *r);

// One HDF5 file. Reading takes files of strangers: what is not one of ours is refused.
LITHE_API lithe_status lithe_reduction_write(const lithe_reduction *r, const char *path,
                                             lithe_report *report);
LITHE_API lithe_status lithe_reduction_read(const char *path, lithe_reduction **out,
                                            lithe_report *report);

// How far effectors of a reduced model are from where those of the whole one would be, by Newton's
// steps of the whole one from there: mostly as expensive as one of them; with contacts until it is
// in equilibrium. In motion, from where the whole one would be under the inertia and damping that
// the reduced one has now. In the mode realtime, what the step has left over is in it too.
// LITHE_INVALID: not reduced.
LITHE_API lithe_status lithe_estimate_reduction(const lithe_model *model, lithe_state *state,
                                                double *error);

// The last one, which steps make by themselves where lithe_def.reduction.every asks for it.
typedef struct lithe_reduction_error {
    double estimate; // m; NAN: none yet
    int age;         // steps since
    bool whole; // it was above the tolerance, and the whole model goes on until the state is reset
} lithe_reduction_error;
LITHE_API lithe_reduction_error lithe_last_reduction(const lithe_state *state);

// Of a model: false: it is not reduced.
LITHE_API bool lithe_model_reduction(const lithe_model *m, lithe_reduction_info *out);
LITHE_API bool lithe_model_patch(const lithe_model *m, lithe_reduction_patch *out);

#ifdef __cplusplus
}
#endif

#endif
