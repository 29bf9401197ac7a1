// Everything on the wire, cycle by cycle, so that a controller can be run on it again.
#ifndef APP_DRIVING_LOG_H
#define APP_DRIVING_LOG_H

#include "io/recording.h"
#include "io/replay.h"
#include "io/wire.h"

typedef enum driving_heard {
    DRIVING_READING,
    DRIVING_LOST, // the connection
    DRIVING_STOP, // by whoever drives
    DRIVING_CUT,  // the step of this cycle, by whoever wants it to stop
} driving_heard;

// Columns of the two tables; numbers on the wire follow them.
enum {
    HEARD_CYCLE,
    HEARD_TIME,
    HEARD_KIND,
    HEARD_NUMBER,
    HEARD_STAMP,
    HEARD_ECHO,
    HEARD_ECHO_STAMP,
    HEARD_VALUE,
    SENT_CYCLE = 0,
    SENT_TIME,
    SENT_NUMBER, // -1: nothing was sent
    SENT_MODE,
    SENT_AGE,   // of the factor, in the asynchronous mode
    SENT_STAMP, // when it left, as it tells the machine, microseconds; -1: it did not leave
    SENT_VALUE,
};

typedef struct driving_table {
    size_t width, n, max; // numbers in a line; lines
    double *line;
} driving_table;

typedef struct driving_log {
    driving_table heard, sent;
    bool full; // there was no more memory, or nobody wants it: no line is added
} driving_log;

void driving_log_create(driving_log *l, int nin, int nout);
void driving_log_free(driving_log *l);
void driving_log_heard(driving_log *l, long cycle, double now, driving_heard kind,
                       const wire_message *m);
void driving_log_sent(driving_log *l, long cycle, double now, const lithe_order *order, int age,
                      int64_t stamp, int nout);

// Into a recording, before it is committed; the log must stay until then.
void driving_log_keep(const driving_log *l, recording *r);

// From a recording.
lithe_status driving_log_read(driving_log *l, const replay *r, lithe_report *report);

#endif
