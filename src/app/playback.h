// A recording as the messages that the view's page is told, for replay and report.
#ifndef APP_PLAYBACK_H
#define APP_PLAYBACK_H

#include "app/session.h"
#include "io/drawing.h"

#include <pthread.h>

typedef struct playback {
    session *session; // its `from` is the recording
    drawing drawing;
    lithe_state *state; // only posed
    replay_line line;
    double *block;        // numbers of some steps
    pthread_mutex_t lock; // of all that is read into: frames and series may be asked for at once
} playback;

// Close it either way.
lithe_status playback_open(playback *p, session *s);
void playback_close(playback *p);

// Whole messages, to be freed with free(); NULL: no memory, or what the report says. nframe: how
// many frames the page can ask for.
void *playback_head(playback *p, int nframe, size_t *bytes);

// The numbers of every `stride`-th step.
void *playback_series(playback *p, int stride, size_t *bytes);
void *playback_frame(playback *p, int line, int fields, size_t *bytes);

#endif
