// What every command on a scene begins with: its options, the scene, the compiled model.
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/options.h"
#include "base/arena.h"
#include "io/replay.h"
#include "lithe/lithe.h"

typedef struct session {
    options options;
    lithe_report report; // notices go to standard error and are kept
    lithe_scene *scene;
    lithe_model *model;
    replay *from; // the recording that is gone on with; NULL: none
    arena memory;
    int nnotice;
    const char **notice;
    bool silent; // notices are kept and not said
} session;

// True: go on. False: end with *exit_status; what there is to say has been said. Close it either
// way. The report points into the session, which must not move.
bool session_open(session *s, const command_line *line, int argc, char **argv, int *exit_status);
void session_close(session *s);

#endif
