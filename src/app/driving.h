// A machine that is driven: the driver, the wire to it, and what is noted on the way.
#ifndef APP_DRIVING_H
#define APP_DRIVING_H

#include "app/beat.h"
#include "app/driving_log.h"
#include "app/extent.h"
#include "app/server.h"
#include "app/session.h"
#include "app/tally.h"
#include "io/drawing.h"
#include "io/recording.h"
#include "io/wire.h"

enum {
    DRIVING_EVENTS = 1000,
    DRIVING_FIRST = 500,
    DRIVING_TEXT = 256,
    DRIVING_MODES = LITHE_GATE_STOP + 1
};

typedef struct driving {
    session session;
    const lithe_wire_def *def;
    lithe_driver *driver;
    wire *wire;                // NULL: the machine is not there
    char name[LITHE_TEXT_MAX]; // of the wire, or why there is none
    double dt;
    int most;          // cycles of which times are kept
    double retried;    // when the wire was last opened, s
    bool full;         // it takes no orders …
    double full_since; // … since then, s
    double left;       // when an order last left, s; NAN: none of this machine's did

    // one cycle
    beat beat;
    double origin, now;     // s
    double began, computed; // s: how late this cycle began, what the thread had computed by then
    long cycle;
    wire_message in, out;
    lithe_gate_mode mode;
    const char *halted;       // how somebody wants it to stop; NULL: nobody does
    bool stopping;            // the end is near: outputs go to the safe state
    int still;                // cycles in which they have not moved
    char end[256];            // why it ends
    bool failing;             // the last step of the model did not converge
    lithe_status failure;     // of the model or of the recording: why it could not go on …
    char why[LITHE_TEXT_MAX]; // … in words

    // what is noted
    tally late, busy, age; // s
    tally *error;          // (ngoal) distance of what is measured from its target
    long in_mode[DRIVING_MODES];
    long nonsense, unsent, limited;
    extents extents; // of what was sent
    bool held;       // an output was held back in the last cycle
    long nevent;
    char event[DRIVING_EVENTS][DRIVING_TEXT]; // no memory is asked for while a machine is driven
    driving_log log;
    recording *recording; // NULL: none
    bool unrecordable;    // the disk failed
    long unrecorded;      // steps that it was too slow for

    // the view
    server *server; // NULL: none
    drawing drawing;
    double shown;                           // when a frame was last made, s
    char noted[256];                        // what the page was told last …
    double noted_at;                        // … when, s
    lithe_gate_mode noted_mode;             // … and in which mode
    double *effort, *displacement, *values; // (ndriven), (ndriven), (nrow)
    double *way;                            // of obstacles (nobstacle x 6)
    float contact[6 * DRAWING_CONTACTS];
} driving;

// Says it, and keeps it for the summary.
__attribute__((format(printf, 2, 3))) void driving_note(driving *d, const char *format, ...);

// Where the i-th event stands, of which the first are kept and the last.
int driving_event(long i);

// The JSON text, to be freed with free(); NULL when there is no memory.
char *driving_json(driving *d);
void driving_print(driving *d);

// The robot in a browser, with what the machine measures in place of what the model does.
lithe_status driving_view_open(driving *d);
void driving_view_note(driving *d);
void driving_view_show(driving *d, double busy);
bool driving_view_stops(driving *d); // somebody wants it to stop
void driving_view_close(driving *d);

lithe_reading driving_reading(const wire_message *m);

// Runs the driver on what a recording heard; the exit status. Before the driver is made: a model
// that can have the factors that the recorded one had.
lithe_status driving_replay_ages(driving *d);
int driving_replay(driving *d);

#endif
