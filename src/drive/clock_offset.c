#include "drive/clock_offset.h"

#include <math.h>
#include <stddef.h>

void clock_offset_add(clock_offset *c, double sent, double heard, double answered, double arrived)
{
    const double jump = 1; // s: a machine that was started again has another clock
    double trip = (arrived - sent) - (answered - heard);
    double offset = ((heard - sent) + (answered - arrived)) / 2;
    if (!isfinite(offset) || !(trip >= 0) || answered < heard)
        return;
    if (c->n > 0 && fabs(offset - clock_offset_get(c, NULL)) > jump)
        c->n = c->next = 0;
    c->trip[c->next] = trip;
    c->offset[c->next] = offset;
    c->next = (c->next + 1) % CLOCK_OFFSET_KEPT;
    c->n += c->n < CLOCK_OFFSET_KEPT;
}

double clock_offset_get(const clock_offset *c, double *trip)
{
    int best = 0;
    for (int i = 1; i < c->n; i++)
        if (c->trip[i] < c->trip[best])
            best = i;
    if (trip)
        *trip = c->n ? c->trip[best] : NAN;
    return c->n ? c->offset[best] : NAN;
}
