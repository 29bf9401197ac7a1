// The shape of a robot from a table of what it measured: `lithe track SCENE --data FILE`.
#ifndef APP_ESTIMATION_H
#define APP_ESTIMATION_H

#include "app/session.h"

// Returns the exit status.
int estimation_run(session *s);

#endif
