// What the view's page is told, as bytes: docs/protocol.md. The same messages go over a WebSocket
// and into a report.
#ifndef IO_STREAM_H
#define IO_STREAM_H

#include "io/drawing.h"

#include <stddef.h>
#include <stdint.h>

enum stream_type {
    STREAM_SCENE = 1,
    STREAM_FRAME = 2,
    STREAM_NOTE = 3,
    STREAM_SERIES = 4,
    STREAM_SUMMARY = 5,
};

enum stream_flag {
    STREAM_PAUSED = 1,
    STREAM_FAILED = 2, // the last step did not converge
    STREAM_RECORDING = 4,
    STREAM_DRIVES = 8,     // whoever gets this frame drives
    STREAM_RECORDED = 16,  // a recording can be downloaded
    STREAM_MODE_SHIFT = 5, // two bits: 0 forward, 1 inverse, 2 the scene's task
};

// Where in a frame a server may write what differs from browser to browser.
enum { STREAM_FLAGS_AT = 1, STREAM_NUMBER_AT = 8 };

// What the scene message says besides the model.
typedef struct stream_scene {
    const char *name;
    const lithe_def *def;
    const drawing *drawing;
    bool live;    // the page may drive
    bool machine; // a machine is driven: the page may stop it, and nothing else
    int nframe;   // of a recording
} stream_scene;

typedef struct stream_frame {
    int flags;
    int fields; // DRAWING_…
    int step;
    uint32_t number;
    double time, step_time; // s
    double force, task;     // residuals
    double speed, load;
    const double *effort;       // (ndriven)
    const double *displacement; // (ndriven)
    const double *value;        // of all rows (nrow)
    bool machine;               // … as one measures them: markers are there, not on the model
    const double *target;       // of all rows (nrow), NAN: none
    const lithe_state *state;   // where the robot is
    const double *way;          // of obstacles, see lithe_obstacle_motion (nobstacle x 6)
    int ncontact;
    const float *contact; // as drawing_contacts gives them (ncontact x 6)
} stream_frame;

// The whole message, to be freed with free(); NULL: no memory.
void *stream_write_scene(const stream_scene *s, size_t *bytes);

size_t stream_frame_bytes(const drawing *d, int fields, int ncontact);
void stream_write_frame(const drawing *d, const stream_frame *f, void *out);

// A short text: a note for the user, or a summary.
size_t stream_write_text(enum stream_type type, const char *text, void *out, size_t room);

#endif
