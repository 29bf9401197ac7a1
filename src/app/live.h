// A robot that is stepped as time goes by, and does what a browser tells it.
#ifndef APP_LIVE_H
#define APP_LIVE_H

#include "app/orders.h"
#include "app/server.h"
#include "io/drawing.h"
#include "io/recording.h"

typedef enum live_mode {
    LIVE_FORWARD, // actuators do their orders
    LIVE_INVERSE, // markers go to their aims
    LIVE_TASK,    // the scene's task, again and again
} live_mode;

typedef struct live {
    session *session;
    server *server;
    lithe_state *state;
    drawing drawing;

    // what the browser wants
    live_mode mode;
    bool paused, one_step;
    double speed;  // simulated seconds a second
    order *order;  // where actuators shall go (nactuator)
    order *first;  // and where they begin
    bool *aimed;   // markers that have an aim (nmarker)
    double *aim;   // where they shall go (nmarker x 3) m
    double *young; // of materials that were edited, 0: not (nmaterial) Pa
    double *moved; // how far obstacles shall be moved off their paths (nobstacle x 3) m

    int pulled;                // body that is; -1: none
    double seized[3], pull[3]; // where its middle was then, and how far it shall be from there, m

    // on the way there
    double middle[3]; // of it at the last step
    double *target;   // of markers now (nmarker x 3) m
    double *start;    // what rows measured when the task began (nrow)
    double task_time;

    recording *recording; // NULL: none
    int recorded_from;    // the step at which it began
    char folder[64], file[128];

    int step;
    double time, step_time; // s
    bool failed;            // the last step did not converge
    // scratch
    double *effort, *displacement; // (ndriven)
    double *row_target;            // (nrow)
    double *shifted;               // how far obstacles are moved so (nobstacle x 3) m
    double *way;                   // of obstacles, see lithe_obstacle_motion (nobstacle x 6)
    float contact[6 * DRAWING_CONTACTS];
} live;

// Brings the robot to rest and begins. Close it either way.
lithe_status live_open(live *l, session *s, server *served);
void live_close(live *l);

// Steps until the program is interrupted or the machine fails.
lithe_status live_run(live *l);

// What the browser's message changes.
lithe_status live_obey(live *l, const message *m);

// Gives the state what the next step shall do: orders, aims or the task.
lithe_status live_command(live *l);

lithe_status live_reset(live *l);

// Overrides with which the scene is read, edited materials included.
lithe_status live_overrides(live *l, arena *memory, int *nset, const char ***set);

// A recording that goes on until it is ended; it can be downloaded then.
void live_record_begin(live *l);
void live_record_step(live *l);
void live_record_end(live *l);
void live_record_close(live *l);

// Tells browsers what the robot is.
lithe_status live_introduce(live *l);

#endif
