// What goes on in time by itself.
#ifndef STEP_PLAY_H
#define STEP_PLAY_H

// How a command goes on in time, see lithe_actuator_def.
typedef struct model_play {
    int nwaypoint;
    double *waypoint; // (nwaypoint x rows)
    double *time;     // (nwaypoint) s
    double amplitude[3];
    double period; // s; 0: no sine
    double phase;  // rad
} model_play;

// A fix whose displacement goes on in time. What it adds to that at time 0 is a setting.
typedef struct model_lead {
    model_play play;
    double first[3]; // m
    int n;
    int *coordinate; // of q of all bodies (n)
    int *axis;       // (n)
} model_lead;

#endif
