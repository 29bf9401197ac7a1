#include "app/progress.h"

#include "app/say.h"
#include "base/clock.h"

#include <stdio.h>
#include <string.h>

enum { BAR_WIDTH = 30 };
static const double BAR_EVERY = 0.1, LINE_EVERY = 5; // s

progress progress_start(const char *what, int total)
{
    double now = clock_now();
    progress p = {.what = what, .total = total, .started = now, .shown = now};
    if (say_on_terminal())
        p.shown -= BAR_EVERY;
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

static void draw_bar(const progress *p, double share, const char *left)
{
    char bar[BAR_WIDTH + 1];
    char line[128];
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '=', (size_t)(share * BAR_WIDTH));
    bar[BAR_WIDTH] = '\0';
    snprintf(line, sizeof line, "%s [%s] %3.0f%%  %s", p->what, bar, 100 * share, left);
    say_passing(line);
}

static void write_line(const progress *p, int done, double share, const char *left)
{
    char line[128];
    snprintf(line, sizeof line, "%s: %.0f %% (%d of %d), %s", p->what, 100 * share, done, p->total,
             left);
    say_line(line);
}

void progress_at(progress *p, int done)
{
    double now = clock_now();
    bool terminal = say_on_terminal();
    if (now - p->shown < (terminal ? BAR_EVERY : LINE_EVERY))
        return;
    p->shown = now;
    char left[32] = "";
    double share = (double)done / p->total;
    if (done > 0)
        write_left(left, sizeof left, (now - p->started) * (1 - share) / share);
    if (terminal)
        draw_bar(p, share, left);
    else if (done < p->total)
        write_line(p, done, share, left);
}

void progress_end(progress *p)
{
    (void)p;
    say_passing("");
}
