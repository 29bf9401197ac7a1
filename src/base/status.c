#include "base/status.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

lithe_report lithe_report_default(void)
{
    lithe_report report;
    memset(&report, 0, sizeof report);
    return report;
}

const char *lithe_version(void)
{
    return LITHE_VERSION;
}

const char *lithe_status_name(lithe_status status)
{
    switch (status) {
    case LITHE_OK: return "ok";
    case LITHE_NOT_CONVERGED: return "not converged";
    case LITHE_INVALID: return "invalid input";
    case LITHE_NO_MEMORY: return "out of memory";
    case LITHE_IO: return "input or output failed";
    }
    return "unknown status";
}

lithe_status report_fail(lithe_report *report, lithe_status status, const char *format, ...)
{
    if (report) {
        va_list args;
        va_start(args, format);
        vsnprintf(report->error, sizeof report->error, format, args);
        va_end(args);
    }
    return status;
}

lithe_status report_no_memory(lithe_report *report, const char *what)
{
    return report_fail(report, LITHE_NO_MEMORY,
                       "out of memory for %s; close other programs, or use a coarser mesh", what);
}

lithe_status report_too_large(lithe_report *report, double bytes)
{
    const double gib = 1024 * MEMORY_MIB;
    double left = memory_left(), unit = bytes < gib ? MEMORY_MIB : gib;
    const char *name = bytes < gib ? "MiB" : "GiB";
    if (left < bytes)
        return report_fail(report, LITHE_NO_MEMORY,
                           "out of memory: this robot needs about %.1f %s and can get %.1f %s; "
                           "raise the limit on memory (ulimit -v) if there is one, or use a "
                           "coarser mesh",
                           bytes / unit, name, left / unit, name);
    return report_fail(report, LITHE_NO_MEMORY,
                       "out of memory: this robot needs about %.1f %s; close other programs, or "
                       "use a coarser mesh",
                       bytes / unit, name);
}

void report_notice(lithe_report *report, const char *format, ...)
{
    if (!report)
        return;
    report->nnotice++;
    if (!report->on_notice)
        return;
    char text[LITHE_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    report->on_notice(report->user, text);
}
