// The one way out: limits, rates, ramps, the watchdog. It has no clock and knows no model.
#include "lithe/drive.h"

#include "base/memory.h"
#include "base/status.h"
#include "drive/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DOUBT = 200, REASON = 256 };

typedef struct output {
    lithe_gate_output def;
    double acceleration; // per s^2; INFINITY: any
    double value, speed; // that last left
    double goal;         // that it last went to
    bool limited;
} output;

struct lithe_gate {
    int n;
    double period, hold, safe; // s
    double heard, passed;      // when last, s
    lithe_gate_mode mode;
    char reason[REASON]; // why it is not open
    char doubt[DOUBT];   // why what came last is not believed; "": it is
    long refused;
    bool started;
    output output[];
};

static lithe_status check(int i, const lithe_gate_output *o, lithe_report *report)
{
    if (!(isfinite(o->limit[0]) && isfinite(o->limit[1]) && o->limit[0] <= o->limit[1]))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "output %d of the gate has no finite limits; give it a lowest and a "
                          "highest value",
                          i);
    if (!(o->rate > 0) || !(o->ramp >= 0) || isinf(o->ramp))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "output %d of the gate: its rate must be above 0 and its ramp 0 or more",
                          i);
    if (!(o->safe >= o->limit[0] && o->safe <= o->limit[1]))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "output %d of the gate: its safe value %g is outside of its limits, [%g, "
                          "%g]",
                          i, o->safe, o->limit[0], o->limit[1]);
    return LITHE_OK;
}

lithe_status lithe_gate_create(int n, const lithe_gate_output *def, double period, double hold,
                               double safe, lithe_gate **out, lithe_report *report)
{
    *out = NULL;
    if (n < 0 || !(period > 0) || !(hold > 0) || !(safe >= hold))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "a gate needs a period above 0, and times without a reading after which "
                          "it holds and goes to the safe state, in that order");
    for (int i = 0; i < n; i++)
        LITHE_TRY(check(i, &def[i], report));
    size_t bytes = sizeof(lithe_gate) + (size_t)n * sizeof(output);
    lithe_gate *g = memory_alloc(bytes);
    if (!g)
        return report_no_memory(report, "the gate");
    memset(g, 0, bytes);
    g->n = n;
    g->period = period;
    g->hold = hold;
    g->safe = safe;
    for (int i = 0; i < n; i++) {
        g->output[i].def = def[i];
        g->output[i].acceleration =
            def[i].ramp > 0 && isfinite(def[i].rate) ? def[i].rate / def[i].ramp : INFINITY;
    }
    *out = g;
    return LITHE_OK;
}

void lithe_gate_free(lithe_gate *g)
{
    memory_free(g);
}

lithe_status lithe_gate_start(lithe_gate *g, double now, const double *present,
                              lithe_report *report)
{
    char why[DOUBT];
    const double beyond = 0.05; // of the range: what a sensor may be off by
    if (g->mode == LITHE_GATE_STOP)
        return LITHE_FAIL(report, LITHE_INVALID, "it was stopped: %s", g->reason);
    for (int i = 0; i < g->n; i++) {
        const double *limit = g->output[i].def.limit;
        double slack = beyond * (limit[1] - limit[0]);
        if (present[i] >= limit[0] - slack && present[i] <= limit[1] + slack)
            continue;
        snprintf(why, sizeof why,
                 "output %d is measured at %g, outside of its limits, [%g, %g]; bring the machine "
                 "there first",
                 i, present[i], limit[0], limit[1]);
        lithe_gate_doubt(g, why);
        return LITHE_FAIL(report, LITHE_INVALID, "%s", why);
    }
    for (int i = 0; i < g->n; i++) {
        output *o = &g->output[i];
        o->value = fmin(fmax(present[i], o->def.limit[0]), o->def.limit[1]);
        o->goal = o->value;
        o->speed = 0;
        o->limited = false;
    }
    g->started = true;
    g->mode = LITHE_GATE_OPEN;
    g->reason[0] = 0;
    g->heard = g->passed = now;
    return LITHE_OK;
}

void lithe_gate_hear(lithe_gate *g, double now)
{
    if (now > g->heard)
        g->heard = now;
    g->doubt[0] = 0;
}

static void leave(lithe_gate *g, lithe_gate_mode mode, const char *reason)
{
    size_t n = strlen(reason) < REASON - 1 ? strlen(reason) : REASON - 1;
    g->mode = mode;
    memmove(g->reason, reason, n); // it may be the last one
    g->reason[n] = 0;
}

void lithe_gate_doubt(lithe_gate *g, const char *why)
{
    snprintf(g->doubt, sizeof g->doubt, "%s", why);
    if (g->mode == LITHE_GATE_CLOSED)
        leave(g, LITHE_GATE_CLOSED, g->doubt);
}

void lithe_gate_lose(lithe_gate *g, const char *reason)
{
    if (g->mode == LITHE_GATE_OPEN || g->mode == LITHE_GATE_HOLD)
        leave(g, LITHE_GATE_SAFE, reason);
}

void lithe_gate_stop(lithe_gate *g, const char *reason)
{
    if (g->mode != LITHE_GATE_STOP)
        leave(g, LITHE_GATE_STOP, reason);
}

// The machine watches us in the same way: without an order for so long it has gone to its safe
// state.
static void watch(lithe_gate *g, double now)
{
    double age = now - g->heard, late = now - g->passed;
    char reason[REASON];
    if (g->mode != LITHE_GATE_OPEN && g->mode != LITHE_GATE_HOLD)
        return;
    snprintf(reason, sizeof reason, "no fresh reading for %.4g ms%s%s", 1e3 * age,
             g->doubt[0] ? ": " : "", g->doubt);
    bool heard = age <= g->safe, told = late <= g->safe + g->period;
    if (heard && !told)
        snprintf(reason, sizeof reason, "no order has left for %.4g ms", 1e3 * late);
    if (!heard || !told)
        leave(g, LITHE_GATE_SAFE, reason);
    else if (!(age <= g->hold))
        leave(g, LITHE_GATE_HOLD, reason);
    else
        leave(g, LITHE_GATE_OPEN, "");
}

// The largest speed from which, after dt at it, braking still ends within the distance: v dt +
// v^2/(2a) = d. Braking by a dt' in every later pass keeps that true whatever dt' is.
static double brake(double distance, double a, double dt)
{
    return fmax(sqrt(a * dt * a * dt + 2 * a * fmax(distance, 0)) - a * dt, 0);
}

// The speed at which a goal is approached; one that moves at no more than the rate is kept up with.
static double approach(const output *o, double goal, double dt)
{
    double a = o->acceleration, d = goal - o->value, pace = (goal - o->goal) / dt;
    if (!isfinite(a))
        return d / dt;
    if (!(fabs(pace) <= o->def.rate))
        pace = 0;
    double behind = d - pace * dt; // what is left of the way besides keeping up
    return pace + copysign(fmin(fabs(behind) / dt, brake(fabs(behind), a, dt)), behind);
}

static void move(output *o, double speed, double dt)
{
    const double *limit = o->def.limit;
    double a = o->acceleration, before = o->value;
    speed = fmin(fmax(speed, -o->def.rate), o->def.rate);
    if (isfinite(a)) {
        speed = fmin(fmax(speed, o->speed - a * dt), o->speed + a * dt);
        speed = fmin(speed, brake(limit[1] - o->value, a, dt));
        speed = fmax(speed, -brake(o->value - limit[0], a, dt));
    }
    o->value = fmin(fmax(o->value + speed * dt, limit[0]), limit[1]);
    o->speed = (o->value - before) / dt;
}

// What is no number changes nothing: the output comes to rest.
static void pass(lithe_gate *g, output *o, double wanted, double dt)
{
    bool safe = g->mode == LITHE_GATE_SAFE || g->mode == LITHE_GATE_STOP;
    bool moves = safe || (g->mode == LITHE_GATE_OPEN && isfinite(wanted));
    double goal = safe    ? o->def.safe
                  : moves ? fmin(fmax(wanted, o->def.limit[0]), o->def.limit[1])
                          : o->value;
    g->refused += g->mode == LITHE_GATE_OPEN && !moves;
    move(o, moves ? approach(o, goal, dt) : 0, dt);
    if (!isfinite(o->acceleration) && fabs(goal - o->value) <= GATE_THERE * fabs(goal))
        o->value = goal; // not an ulp beside it
    o->goal = moves ? goal : o->value;
    double range = o->def.limit[1] - o->def.limit[0];
    o->limited = !(fabs(o->value - wanted) <= GATE_LIMITED * range);
}

lithe_gate_mode lithe_gate_pass(lithe_gate *g, double now, const double *wanted, double *sent)
{
    double dt = now - g->passed; // no number where now is none: nothing moves
    if (dt > g->period)
        dt = g->period;
    watch(g, now);
    for (int i = 0; i < g->n && g->started; i++) {
        if (dt > 0)
            pass(g, &g->output[i], wanted[i], dt);
        sent[i] = g->output[i].value;
    }
    if (dt > 0)
        g->passed = now;
    return g->mode;
}

bool lithe_gate_started(const lithe_gate *g)
{
    return g->started;
}

lithe_gate_mode lithe_gate_state(const lithe_gate *g)
{
    return g->mode;
}

const char *lithe_gate_mode_name(lithe_gate_mode mode)
{
    static const char *const name[] = {"closed", "open", "hold", "safe", "stop"};
    return mode >= LITHE_GATE_CLOSED && mode <= LITHE_GATE_STOP ? name[mode] : NULL;
}

const char *lithe_gate_reason(const lithe_gate *g)
{
    return g->reason;
}

long lithe_gate_refused(const lithe_gate *g)
{
    return g->refused;
}

bool lithe_gate_limited(const lithe_gate *g, int i)
{
    return i >= 0 && i < g->n && g->output[i].limited;
}

bool lithe_gate_rests(const lithe_gate *g, int i)
{
    if (i < 0 || i >= g->n)
        return false;
    const output *o = &g->output[i];
    return fabs(o->value - o->def.safe) <= GATE_LIMITED * (o->def.limit[1] - o->def.limit[0]) &&
           fabs(o->speed) <= o->acceleration * g->period;
}
