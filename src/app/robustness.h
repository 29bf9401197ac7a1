// How wrong the Jacobian of a closed loop may be, and how wrong it is: what `lithe robust` finds.
#ifndef APP_ROBUSTNESS_H
#define APP_ROBUSTNESS_H

#include "app/session.h"
#include "io/canvas.h"

enum { ROBUST_TOLD = 64, ROBUST_SHOWN = 3 };

typedef struct robust_pose {
    double told[ROBUST_TOLD];      // of every driven row, N, Pa, m or m^3
    double position[ROBUST_SHOWN]; // what is drawn along the axes: the first effector's, m
    lithe_inversion inversion;
} robust_pose;

typedef struct robust {
    session session;
    lithe_gains gains;
    double largest; // gamma
    double gamma;   // that the certificate is for
    lithe_certificate certificate;
    lithe_certificate_check check;
    bool measured;
    lithe_scene *plant_scene;
    lithe_model *plant;
    lithe_state *state, *plant_state;
    int npose, nfailed; // poses that were measured, and that were not reached
    robust_pose *pose;
    int worst; // the pose with the largest error
} robust;

// Brings both models to poses all over the actuators' limits and fills pose.
lithe_status robust_measure(robust *r);

// The largest gamma over kp and ki, with the loop's own gains marked; and gamma over the workspace.
void robust_draw_gains(canvas *c, const robust *r);
void robust_draw_workspace(canvas *c, const robust *r);

enum { ROBUST_WIDTH = 640, ROBUST_HEIGHT = 560 }; // of the pictures

#endif
