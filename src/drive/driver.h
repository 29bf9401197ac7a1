// What the closed loop knows: written by the machine's readings (driver_hear.c), by the model's
// steps (driver_think.c), and by the cycle that joins them (driver.c).
#ifndef DRIVE_DRIVER_H
#define DRIVE_DRIVER_H

#include "base/arena.h"
#include "drive/channel.h"
#include "drive/clock_offset.h"
#include "drive/echoes.h"
#include "drive/feedback.h"
#include "lithe/drive.h"

struct lithe_driver {
    arena memory;
    const lithe_model *m;
    const lithe_drive_def *def;
    lithe_state *state;
    void *begun;                  // as bytes, when the task began
    lithe_controller *controller; // of LITHE_FEEDBACK_JACOBIAN; else NULL
    lithe_gate *gate;
    lithe_report report; // its error is what lithe_driver_text says
    channels wire;
    double dt;
    int nrow, steps, approach, done;

    // what was heard
    double *measured;    // (nrow)
    double *number;      // as it came (nin)
    double *since;       // when each last changed (nin) s
    long last;           // number of the last reading; -1: none
    long straggler;      // number of the last one that may be old
    int rising;          // how many of those have come in order
    bool fresh;          // since the last cycle
    double reading_time; // by the machine's clock, s
    double used;         // the same of the reading that the last order used; NAN: of none
    double failing;      // when the first of the last steps failed, s; NAN: the last one did not
    bool away;           // it was lost: nothing goes to it before it is begun with anew
    double lost;         // when, s; NAN: just now
    long obeyed;         // the last order that it told to have heard, whoever's; -1: none
    double obeyed_since; // when it first told that, s
    double idle;         // for how long it had not heard another by its last reading, s
    echoes echoes;
    clock_offset offset;
    lithe_drive_report counts;

    // the task
    double *start;           // what rows measured when it began (nrow)
    double *target;          // at the end of this cycle (nrow)
    double *compared;        // when readings were taken (nrow)
    double *ahead;           // earlier by the lead (nrow)
    double *asked;           // of the model (nrow)
    feedback_axis *axis;     // (nin)
    double *beyond;          // (nin) see feedback_correct
    double *wanted, *output; // (nout) SI
    double *order;           // (nout) as it goes on the wire
    double *told;            // (ndriven)
    double *reading, *goal;  // of the controller (nrow)
    bool limited;
};

// The controller's numbers stand together, at the end: all sensors but effort sensors, or all
// effectors.
static inline int driver_first_number(const lithe_driver *d)
{
    return d->nrow - lithe_controller_nnumber(d->controller);
}

// One step of the model towards the task, and what it wants of the outputs.
lithe_status driver_think(lithe_driver *d);

#endif
