// How functions fail: a status for the program, a text for the person.
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "lithe/lithe.h"

// Passes a failure on to the caller.
#define LITHE_TRY(call)                                                                            \
    do {                                                                                           \
        lithe_status lithe_try_status = (call);                                                    \
        if (lithe_try_status != LITHE_OK)                                                          \
            return lithe_try_status;                                                               \
    } while (0)

// Writes the text into report->error (report may be NULL) and gives back the status, to be
// returned.
#define LITHE_FAIL(report, status, ...) report_fail((report), (status), __VA_ARGS__)

__attribute__((format(printf, 3, 4))) lithe_status
report_fail(lithe_report *report, lithe_status status, const char *format, ...);

// Out of memory, in the same words everywhere; what: the thing that needed it.
lithe_status report_no_memory(lithe_report *report, const char *what);

// Out of memory for a robot that takes about so many bytes.
lithe_status report_too_large(lithe_report *report, double bytes);

// Tells the user something that is not an error.
__attribute__((format(printf, 2, 3))) void report_notice(lithe_report *report, const char *format,
                                                         ...);

#endif
