#include "app/progress.h"

#include "app/say.h"
#include "app/stopwatch.h"

#include <stdio.h>
#include <string.h>

enum { BAR_WIDTH = 30 };

progress progress_start(const char *what, int total)
{
    double now = stopwatch_now();
    progress p = {.what = what, .total = total, .started = now, .shown = now - 1};
    progress_at(&p, 0);
    return p;
}

static void write_left(char *text, size_t size, double seconds)
{
    if (seconds < 60)
        snprintf(text, size, "%.0f s left", seconds);
    else if (seconds < 3600)
        snprintf(text, size, "%.0f min left", seconds / 60);
    else
        snprintf(text, size, "%.1f h left", seconds / 3600);
}

static void draw(const progress *p, int done, double now)
{
    char bar[BAR_WIDTH + 1];
    char left[32] = "";
    char line[128];
    double share = (double)done / p->total;
    int filled = (int)(share * BAR_WIDTH);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '=', (size_t)filled);
    bar[BAR_WIDTH] = '\0';
    if (done > 0)
        write_left(left, sizeof left, (now - p->started) * (1 - share) / share);
    snprintf(line, sizeof line, "%s [%s] %3.0f%%  %s", p->what, bar, 100 * share, left);
    say_passing(line);
}

void progress_at(progress *p, int done)
{
    double now = stopwatch_now();
    if (!say_on_terminal() || now - p->shown < 0.1)
        return;
    p->shown = now;
    draw(p, done, now);
}

void progress_end(progress *p)
{
    (void)p;
    say_passing("");
}
