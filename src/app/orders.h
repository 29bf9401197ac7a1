// What every actuator shall do in the end: the scene's commands, and those of the command line that
// replace them.
#ifndef APP_ORDERS_H
#define APP_ORDERS_H

#include "app/session.h"

typedef struct order {
    lithe_command_kind kind;
    double value[3]; // one for each of its rows
    double start[3]; // where it comes from
    double limit[2]; // of that kind
    bool given;      // on the command line
} order;

// all: one for each actuator, in the session's memory.
lithe_status orders_read(session *s, order **all);

// Commands every actuator the share (0 to 1) of the way to its order (lithe_command_share).
lithe_status orders_give(session *s, lithe_state *state, const order *all, double share);

// What commands are at a time: those of the command line stay, others go on as the scene says.
lithe_status orders_play(session *s, lithe_state *state, const order *all, double time);

// The static equilibrium under commands and loads, where a robot in dynamics may start.
lithe_status orders_rest(session *s, lithe_state *state);

// Brings the robot to where it starts under its orders.
lithe_status orders_settle(session *s, lithe_state *state, const order *all);

// Refuses orders beyond the limits, before anything is computed.
lithe_status orders_try(session *s, lithe_state *state, const order *all);

#endif
