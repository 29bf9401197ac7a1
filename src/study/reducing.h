// Making reductions: what the parts of lithe_reduce share.
#ifndef STUDY_REDUCING_H
#define STUDY_REDUCING_H

#include "base/arena.h"
#include "control/samples.h"
#include "reduce/basis.h"

#include <pthread.h>

// Samples, each with its number and what was found there: converged or not, x, efforts, rows.
typedef struct reduce_samples {
    int n;
    int *number;
    double *found; // (n x width)
    double *error; // at effectors, m; 0 where the robot has no equilibrium (n)
} reduce_samples;

// States of a model that threads take from and give back to.
typedef struct reduce_states {
    int n;
    lithe_state **state;
    pthread_mutex_t lock;
} reduce_states;

typedef struct reducing {
    lithe_reduce_def how;
    const lithe_def *def;       // converged, in statics
    lithe_reduction_def wanted; // as the caller's definition has it
    bool finds_frames;          // … or how many frames there are is found too
    lithe_report *report;
    arena memory;
    lithe_model *whole;
    lithe_model *truth; // what is sampled: the whole model, or a beam with sections that are not
                        // learned, whose elements alone there are to choose
    pool *threads;
    reduce_states states;   // of what is sampled
    reduction_range *range; // (nact)
    int ncorner;            // samples that are corners of the range
    size_t width;           // numbers of a sample
    samples_journal *journal;
    const char *doing;
    reduce_samples train, check;
    reduce_samples probe; // more that check, by estimates, once the others are satisfied
    bool probed;          // … they were
    int nprobed;          // in all rounds
    bool waits;           // this round is as strict as the one before
    double mode_share, element_share; // of the tolerance that shapes and elements may take
    double patch_share; // of what forces on the patch move, that its shapes may leave out
} reducing;

// Numbers of the first samples that only check, and that only probe
enum { REDUCE_CHECKS = 1 << 20, REDUCE_PROBES = 1 << 21 };

// Of the tolerance: what samples that check may show, since others would show more. Samples that
// were learned may show all of it: corners are the ends of the range.
static const double REDUCE_SHOWN = 0.7;

lithe_status reduce_states_create(const lithe_model *m, int n, reduce_states *out,
                                  lithe_report *report);
void reduce_states_free(reduce_states *s);
lithe_state *reduce_take_state(reduce_states *s);
void reduce_give_state(reduce_states *s, lithe_state *state);

// Ranges from limits; LITHE_INVALID, said: an actuator has none.
lithe_status reduce_plan(reducing *r);

// Tells a state of the whole or a reduced model the commands of a sample and takes it there.
bool reduce_solve(const reducing *r, const lithe_model *m, lithe_state *s, int number);

// Finds all samples that have not been found yet.
lithe_status reduce_sample(reducing *r, reduce_samples *some);

// Samples that elements are chosen by, at most so many: corners of the range, where the robot is
// bent most, and of the others some, in even steps. How many; out: (train.n).
int reduce_choose(const reducing *r, int most, int *out);

static inline const double *reduce_found(const reducing *r, const reduce_samples *some, int i)
{
    return some->found + (size_t)i * r->width;
}

static inline bool reduce_converged(const double *found)
{
    return found[0] == 1;
}

static inline const double *reduce_x(const double *found)
{
    return found + 1;
}

static inline const double *reduce_effort(const reducing *r, const double *found)
{
    return found + 1 + 3 * (size_t)r->whole->nnode;
}

// What contacts do to nodes (nnode x 3), where these make the patch.
static inline const double *reduce_contact(const reducing *r, const double *found)
{
    return found + r->width - 3 * (size_t)r->whole->nnode;
}

static inline const double *reduce_rows(const reducing *r, const double *found)
{
    return reduce_effort(r, found) + r->whole->nact;
}

// Shapes by proper orthogonal decomposition; elements and weights; errors of samples that check and
// probe.
lithe_status reduce_shapes(reducing *r, lithe_reduction *out);
lithe_status reduce_patch(reducing *r, lithe_reduction *out);    // … and more for a patch
lithe_status reduce_sections(reducing *r, lithe_reduction *out); // … of frames' sections instead
lithe_status reduce_elements(reducing *r, lithe_reduction *out);
lithe_status reduce_beam_elements(reducing *r, lithe_reduction *out);
lithe_status reduce_check(reducing *r, const lithe_reduction *made);
double reduce_worst(const reduce_samples *some);

// Elements with a weight (nelement), of which there are n.
lithe_status reduce_keep_elements(reducing *r, const double *weight, int n, lithe_reduction *out);

// False: the caller wants to end.
bool reduce_told(reducing *r, int done, int total);

#endif
