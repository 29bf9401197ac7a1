// Going on from a recording, with the same bits as the run that was recorded.
#ifndef APP_RESUME_H
#define APP_RESUME_H

#include "app/orders.h"

// The steps first + 1 … last; orders are on their way from step `begun` on.
typedef struct resume_plan {
    int first, begun, last;
    int whole;  // where the orders are met; 0: at the last step
    bool timed; // played in time, not brought from rest to its commands
} resume_plan;

// Tells actuators what they shall do in step k.
lithe_status resume_give(session *s, lithe_state *state, const order *all, const resume_plan *p,
                         int k);

// Brings a state to the step of --from. Without commands on the command line, orders and plan are
// those of the recorded run; with some, actuators go to them from where they are.
lithe_status resume_run(session *s, lithe_state *state, order *all, resume_plan *plan);

// The same for a task. start: what rows measured at its start (nrow).
lithe_status resume_track(session *s, lithe_state *state, double *start, int *first);

#endif
