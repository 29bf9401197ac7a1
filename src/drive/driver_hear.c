// What the machine says: whether a reading is new, can be believed, and was answered by one that
// hears.
#include "base/status.h"
#include "drive/driver.h"

#include <math.h>

static lithe_status refuse(lithe_driver *d, const channel_row *r, const char *why, double value)
{
    d->counts.refused++;
    LITHE_FAIL(&d->report, LITHE_INVALID, "the reading of '%s' %s (%g)", r->def->name, why, value);
    lithe_gate_doubt(d->gate, d->report.error);
    return LITHE_INVALID;
}

// Of a channel with several numbers it takes only one to move.
static bool is_stuck(const lithe_driver *d, int i, double now)
{
    const channel_row *r = &d->wire.in[i];
    double newest = -INFINITY;
    for (int k = 0; k < d->wire.nin; k++)
        if (d->wire.in[k].def == r->def)
            newest = fmax(newest, d->since[k]);
    return now - newest > r->def->stuck;
}

static lithe_status believe(lithe_driver *d, double now, const double *number)
{
    for (int i = 0; i < d->wire.nin; i++) {
        if (number[i] != d->number[i] || d->last < 0)
            d->since[i] = now;
        d->number[i] = number[i];
    }
    for (int i = 0; i < d->wire.nin; i++) {
        const channel_row *r = &d->wire.in[i];
        double value = channel_from_wire(r->def, number[i]);
        if (!isfinite(value))
            return refuse(d, r, "is no number", value);
        if (!(value >= r->def->limit[0] && value <= r->def->limit[1]))
            return refuse(d, r, "is outside of its limits", value);
        if (is_stuck(d, i, now))
            return refuse(d, r, "is stuck", value);
    }
    return LITHE_OK;
}

static void learn_clock(lithe_driver *d, double now, double sent, const lithe_reading *r)
{
    if (r->time < d->reading_time)
        d->offset = (clock_offset){0}; // it went back: another clock
    d->reading_time = r->time;
    clock_offset_add(&d->offset, sent, r->echo_time, r->time, now);
    d->counts.offset = clock_offset_get(&d->offset, &d->counts.trip);
}

// One that has heard nothing of us any more was started again.
static bool has_forgotten(const lithe_driver *d, const lithe_reading *r)
{
    return r->echo < 0 && d->echoes.heard >= 0;
}

// A machine that was started again counts from the beginning: a few readings in order, each of them
// older than the last one, are no stragglers.
static bool is_new(lithe_driver *d, const lithe_reading *r)
{
    const int enough = 3;
    long number = r->number;
    d->rising = number > d->straggler ? d->rising + 1 : 0;
    d->straggler = number;
    if (number > d->last)
        d->rising = 0;
    return number > d->last || d->rising >= enough || has_forgotten(d, r);
}

// A machine that speaks and no longer hears has gone to its safe state by itself, or will soon:
// nobody knows where its outputs are.
static lithe_status require_ears(lithe_driver *d, double now)
{
    double silence = echoes_silence(&d->echoes, now);
    if (d->away || silence <= d->def->wire.safe)
        return LITHE_OK;
    d->counts.refused++;
    LITHE_FAIL(&d->report, LITHE_INVALID,
               "no order has arrived at the machine for %.4g ms, by what it echoes", 1e3 * silence);
    lithe_gate_doubt(d->gate, d->report.error);
    lithe_gate_lose(d->gate, d->report.error);
    return LITHE_INVALID;
}

// By our clock, since the first reading that tells of that order; by the machine's, if it tells.
static void note_obeyed(lithe_driver *d, double now, const lithe_reading *r)
{
    if (r->echo != d->obeyed)
        d->obeyed_since = now;
    d->obeyed = r->echo;
    d->idle = r->echo < 0 ? INFINITY : fmax(now - d->obeyed_since, r->time - r->echo_time);
}

// Of one that was started again outputs are where it went by itself, not where they were; one that
// remembers our orders was not, and is brought to the safe state by them.
static void doubt_machine(lithe_driver *d, const lithe_reading *r)
{
    if (d->echoes.heard >= 0 && !has_forgotten(d, r)) {
        lithe_gate_lose(d->gate, "readings count from the beginning again");
        return;
    }
    lithe_driver_lose(d, "the machine was started again");
    echoes_forget(&d->echoes);
}

lithe_status lithe_driver_hear(lithe_driver *d, double now, const lithe_reading *r)
{
    if (!is_new(d, r)) {
        d->counts.repeated++;
        lithe_gate_doubt(d->gate, "readings are not new");
        return LITHE_FAIL(&d->report, LITHE_INVALID, "the reading is not new");
    }
    if (r->number <= d->last || has_forgotten(d, r))
        doubt_machine(d, r);
    note_obeyed(d, now, r);
    double sent = echoes_hear(&d->echoes, r->echo);
    lithe_status status = believe(d, now, r->value);
    if (d->last >= 0 && r->number > d->last)
        d->counts.missing += r->number - d->last - 1;
    d->last = r->number;
    LITHE_TRY(status);
    LITHE_TRY(require_ears(d, now));
    learn_clock(d, now, sent, r);
    d->counts.heard++;
    d->fresh = true;
    for (int i = 0; i < d->wire.nin; i++)
        d->measured[d->wire.in[i].row] = channel_from_wire(d->wire.in[i].def, r->value[i]);
    lithe_gate_hear(d->gate, now);
    return LITHE_OK;
}

void lithe_driver_doubt(lithe_driver *d, const char *why)
{
    lithe_gate_doubt(d->gate, why);
}
