#include "app/driving_log.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

void driving_log_create(driving_log *l, int nin, int nout)
{
    *l = (driving_log){.heard.width = HEARD_VALUE + (size_t)nin,
                       .sent.width = SENT_VALUE + (size_t)nout};
}

void driving_log_free(driving_log *l)
{
    free(l->heard.line);
    free(l->sent.line);
    *l = (driving_log){0};
}

// A line to be filled; NULL: there is no more memory.
static double *add(driving_log *l, driving_table *t)
{
    if (l->full)
        return NULL;
    if (t->n == t->max) {
        size_t more = t->max ? 2 * t->max : 4096;
        double *line = realloc(t->line, more * t->width * sizeof *line);
        if (!line) {
            l->full = true;
            return NULL;
        }
        t->line = line;
        t->max = more;
    }
    return t->line + t->width * t->n++;
}

void driving_log_heard(driving_log *l, long cycle, double now, driving_heard kind,
                       const wire_message *m)
{
    double *line = add(l, &l->heard);
    if (!line)
        return;
    memset(line, 0, l->heard.width * sizeof *line);
    line[HEARD_CYCLE] = (double)cycle;
    line[HEARD_TIME] = now;
    line[HEARD_KIND] = kind;
    if (!m)
        return;
    line[HEARD_NUMBER] = (double)m->number;
    line[HEARD_STAMP] = (double)m->time;
    line[HEARD_ECHO] = (double)m->echo;
    line[HEARD_ECHO_STAMP] = (double)m->echo_time;
    memcpy(line + HEARD_VALUE, m->value, (l->heard.width - HEARD_VALUE) * sizeof *line);
}

void driving_log_sent(driving_log *l, long cycle, double now, const lithe_order *order, int age,
                      int64_t stamp, int nout)
{
    double *line = add(l, &l->sent);
    if (!line)
        return;
    line[SENT_CYCLE] = (double)cycle;
    line[SENT_TIME] = now;
    line[SENT_NUMBER] = order->send ? (double)order->number : -1;
    line[SENT_MODE] = order->mode;
    line[SENT_AGE] = age;
    line[SENT_STAMP] = (double)stamp;
    for (int i = 0; i < nout; i++)
        line[SENT_VALUE + i] = order->send ? order->value[i] : 0;
}

void driving_log_keep(const driving_log *l, recording *r)
{
    recording_keep(r, "wire/heard", l->heard.width, l->heard.n, l->heard.line);
    recording_keep(r, "wire/sent", l->sent.width, l->sent.n, l->sent.line);
}

static lithe_status read_table(driving_table *t, const replay *r, const char *name,
                               lithe_report *report)
{
    size_t width = 0;
    if (!replay_table_size(r, name, &t->n, &width) || width != t->width)
        return LITHE_FAIL(
            report, LITHE_INVALID,
            "%s: this recording has no wire of this scene; make one with 'lithe drive "
            "SCENE --record FILE.h5'",
            replay_path(r));
    t->max = t->n;
    t->line = calloc(t->n * t->width + 1, sizeof *t->line);
    if (!t->line)
        return report_no_memory(report, "the recording");
    return replay_table(r, name, t->n * t->width, t->line, report);
}

lithe_status driving_log_read(driving_log *l, const replay *r, lithe_report *report)
{
    LITHE_TRY(read_table(&l->heard, r, "wire/heard", report));
    return read_table(&l->sent, r, "wire/sent", report);
}
