// What every command that steps does besides stepping: it measures time, saves results, and says
// how it ended.
#ifndef APP_RECORD_H
#define APP_RECORD_H

#include "app/orders.h"
#include "app/pace.h"
#include "app/summary.h"
#include "io/recording.h"
#include "io/results.h"

typedef struct record {
    session *session;
    lithe_state *state; // owned
    timing timing;
    results results;
    bool saving;
    pace pace;
    recording *recording; // NULL: none
    const order *plan;    // of a run that is recorded (nactuator); NULL: none
    const double *start;  // of a task that is recorded (nrow); NULL: none
    const double *target; // of a task (nrow); NULL: none
    int first;            // step that is there already
    int nstep;            // planned, those before included
    int newton;           // iterations of all steps
    summary_overlap overlap;
    lithe_apart apart; // of all steps, the joint that gave way most
    int apart_step;    // … when
    int napart;        // … and steps that left more than is allowed
} record;

// target: of a task, NULL without one. The present state becomes the first frame, and stands at
// step `first`.
lithe_status record_begin(record *r, int nstep, const double *target);

// One step, timed and saved. LITHE_NOT_CONVERGED is saved too.
lithe_status record_step(record *r);

// Why the last step did not converge.
void record_say_not_converged(const record *r);
void record_say_unstable(const record *r);
void record_say_growth(const record *r);  // of energy
void record_say_overlap(const record *r); // of realtime steps
void record_say_apart(const record *r);   // joints in realtime steps
bool record_say_folded(const record *r);  // whether elements are inside out: no answer to rely on

// What the summary can tell without knowing the command.
summary record_summary(record *r, bool converged);

// Saves and prints; returns the exit status, which is the given one unless the machine fails.
int record_finish(record *r, const summary *end, int exit_status);

// Discards what was not finished.
void record_close(record *r);

#endif
