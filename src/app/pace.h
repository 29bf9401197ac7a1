// Steps at the times that a controller would take them. In the asynchronous mode, without a replay,
// one every dt; elsewhere as fast as they go.
#ifndef APP_PACE_H
#define APP_PACE_H

#include "lithe/lithe.h"

typedef struct pace {
    double period; // s; 0: does not wait
    double next;   // when the next step is due
} pace;

pace pace_start(const lithe_model *m);

// Sleeps until the next step is due. Who is late goes on from where he is.
void pace_wait(pace *p);

#endif
