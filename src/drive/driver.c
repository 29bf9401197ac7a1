// The closed loop, without a clock and without a wire: beginning, and one cycle after the other.
#include "drive/driver.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static lithe_status create_arrays(lithe_driver *d)
{
    size_t rows = (size_t)d->nrow + 1, in = (size_t)d->wire.nin + 1, out = (size_t)d->wire.nout + 1;
    double **list[] = {&d->measured, &d->start,  &d->target, &d->asked, &d->reading,
                       &d->goal,     &d->told,   &d->number, &d->since, &d->beyond,
                       &d->wanted,   &d->output, &d->order,  &d->ahead, &d->compared};
    size_t size[] = {rows, rows, rows, rows, rows, rows, rows, in,
                     in,   in,   out,  out,  out,  rows, rows};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        *list[k] = arena_new(&d->memory, size[k], double);
        if (!*list[k])
            return LITHE_NO_MEMORY;
    }
    for (int i = 0; i < d->nrow; i++)
        d->measured[i] = d->asked[i] = NAN;
    d->axis = arena_new(&d->memory, in, feedback_axis);
    return d->axis ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status create_gate(lithe_driver *d, lithe_report *report)
{
    const lithe_wire_def *w = &d->def->wire;
    lithe_gate_output *output = arena_new(&d->memory, d->wire.nout + 1, lithe_gate_output);
    if (!output)
        return report_no_memory(report, "the gate");
    for (int i = 0; i < d->wire.nout; i++)
        LITHE_TRY(channel_output(d->m, &d->wire.out[i], &output[i], report));
    return lithe_gate_create(d->wire.nout, output, d->dt, w->hold, w->safe, &d->gate, report);
}

// Every actuator that moves is on the wire, or nothing would be as the model has it.
static lithe_status check_actuators(const lithe_driver *d, lithe_report *report)
{
    for (int a = 0; a < lithe_nactuator(d->m); a++) {
        bool on = lithe_actuator_given(d->m, a);
        for (int i = 0; i < d->wire.nout && !on; i++)
            on = d->wire.out[i].actuator == a;
        if (!on)
            return LITHE_FAIL(report, LITHE_INVALID,
                              "actuator '%s' is not on the wire; add it under wire.out, or write "
                              "given: true",
                              lithe_actuator_name(d->m, a));
    }
    return LITHE_OK;
}

static lithe_status create_feedback(lithe_driver *d, lithe_report *report)
{
    const lithe_feedback_def *f = &d->def->feedback;
    LITHE_TRY(feedback_check(f, report));
    for (int i = 0; i < d->wire.nin; i++)
        d->axis[i] = feedback_create(f, d->wire.in[i].axis);
    if (f->law != LITHE_FEEDBACK_JACOBIAN)
        return LITHE_OK;
    LITHE_TRY(lithe_controller_create(d->m, f->gains, &d->controller, report));
    for (int row = driver_first_number(d); row < d->nrow; row++) {
        bool on = false;
        for (int i = 0; i < d->wire.nin; i++)
            on = on || d->wire.in[i].row == row;
        if (!on)
            return LITHE_FAIL(report, LITHE_INVALID,
                              "the controller's law jacobian needs all sensors on the wire (all "
                              "effectors, where there are no sensors); add them under wire.in");
    }
    return LITHE_OK;
}

static lithe_status prepare(lithe_driver *d, int threads, lithe_report *report)
{
    if (d->def->bytes != sizeof *d->def)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "the definition is of another version of Lithe: make it by its default "
                          "function and build the program again");
    if (d->def->wire.nout == 0 || d->def->wire.nin == 0)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "there is no wire to drive a machine over; add the section wire, with "
                          "out and in");
    if (lithe_ngoal(d->m) == 0)
        return LITHE_FAIL(report, LITHE_INVALID, "there is no task to drive the machine along");
    LITHE_TRY(channels_create(d->m, &d->def->wire, &d->memory, &d->wire, report));
    if (create_arrays(d) != LITHE_OK)
        return report_no_memory(report, "the driver");
    LITHE_TRY(check_actuators(d, report));
    LITHE_TRY(create_gate(d, report));
    LITHE_TRY(create_feedback(d, report));
    LITHE_TRY(lithe_state_create(d->m, threads, &d->state, report));
    d->begun = arena_new(&d->memory, lithe_state_size(d->m, d->state), char);
    if (!d->begun)
        return report_no_memory(report, "the driver");
    lithe_status status = lithe_begin(d->m, d->state);
    if (status == LITHE_NO_MEMORY)
        return report_no_memory(report, "the driver");
    if (status != LITHE_OK)
        return LITHE_FAIL(report, status, "%s", lithe_state_error(d->state));
    return lithe_driver_begin(d, report);
}

lithe_status lithe_driver_create(const lithe_model *m, const lithe_drive_def *def, int threads,
                                 lithe_driver **out, lithe_report *report)
{
    *out = NULL;
    lithe_driver *d = memory_alloc(sizeof *d);
    if (!d)
        return report_no_memory(report, "the driver");
    *d = (lithe_driver){.m = m, .def = def, .last = -1, .used = NAN, .obeyed = -1};
    echoes_forget(&d->echoes);
    d->report = lithe_report_default();
    d->dt = lithe_model_step(m)->dt;
    d->nrow = lithe_nrow(m);
    d->counts.offset = d->counts.trip = d->counts.age = NAN;
    lithe_status status = prepare(d, threads, report);
    if (status != LITHE_OK) {
        lithe_driver_free(d);
        return status;
    }
    *out = d;
    return LITHE_OK;
}

void lithe_driver_free(lithe_driver *d)
{
    if (!d)
        return;
    lithe_gate_free(d->gate);
    lithe_controller_free(d->controller);
    lithe_state_free(d->state);
    arena_free(&d->memory);
    memory_free(d);
}

int lithe_driver_nout(const lithe_driver *d)
{
    return d->wire.nout;
}

int lithe_driver_nin(const lithe_driver *d)
{
    return d->wire.nin;
}

static bool is_measured(const lithe_driver *d, const channel_row *out)
{
    bool found = false;
    for (int i = 0; i < d->wire.nin; i++)
        found =
            found || (d->wire.in[i].row == out->row && d->wire.in[i].def->kind == out->def->kind);
    return found;
}

// Where the outputs are: who was told to go to the safe state, all the time, is there, and orders
// go on from it; of others as measured where that is on the wire, else in the safe state, to which
// the machine goes by itself when nobody speaks to it.
static double present(const lithe_driver *d, const channel_row *out)
{
    if (lithe_gate_started(d->gate) && !d->away)
        return d->output[out - d->wire.out];
    return is_measured(d, out) ? d->measured[out->row] : out->def->safe;
}

static bool are_all_measured(const lithe_driver *d)
{
    bool all = true;
    for (int i = 0; i < d->wire.nout; i++)
        all = all && is_measured(d, &d->wire.out[i]);
    return all;
}

static bool are_all_safe(const lithe_driver *d)
{
    bool safe = true;
    for (int i = 0; i < d->wire.nout; i++)
        safe = safe && lithe_gate_rests(d->gate, i);
    return safe;
}

// Whether it is known where outputs are. A machine that has heard an order not long ago, of
// somebody else, or of ours before it was lost, is still on its way. By messages no time passes
// meanwhile.
static bool is_met(lithe_driver *d, double now)
{
    double safe = d->def->wire.safe + d->dt; // it looks at its own clock now and then, too
    if (lithe_gate_started(d->gate) && !d->away)
        return are_all_safe(d);
    if (are_all_measured(d) || d->def->wire.lockstep)
        return true;
    if (!(d->idle > safe)) {
        lithe_gate_doubt(d->gate, "the machine obeys orders of somebody else, or of before");
        return false;
    }
    return !d->away || now - d->lost > safe;
}

static void start(lithe_driver *d, double now)
{
    lithe_gate_mode mode = lithe_gate_state(d->gate);
    bool again = mode == LITHE_GATE_SAFE && d->def->wire.resume;
    if (d->away && isnan(d->lost))
        d->lost = now;
    if (!d->fresh || !(mode == LITHE_GATE_CLOSED || again) || !is_met(d, now))
        return;
    for (int i = 0; i < d->wire.nout; i++)
        d->output[i] = present(d, &d->wire.out[i]);
    if (lithe_gate_start(d->gate, now, d->output, &d->report) != LITHE_OK)
        return;
    if (d->away)
        echoes_forget(&d->echoes);
    d->away = false;
    if (isfinite(d->failing)) // it went astray, and would not find back by itself
        lithe_state_load(d->m, d->state, d->begun, lithe_state_size(d->m, d->state));
    d->failing = NAN;
    for (int i = 0; i < d->wire.nin; i++)
        feedback_reset(&d->axis[i]);
    if (d->controller)
        lithe_controller_reset(d->controller);
}

// A step that does not converge leaves outputs where they are; one that has not for as long as
// readings may be missing leaves nothing to drive by, and neither does a model that fails
// otherwise.
static void fail(lithe_driver *d, double now, lithe_status status)
{
    char said[LITHE_TEXT_MAX];
    snprintf(said, sizeof said, "%s", lithe_state_error(d->state));
    d->counts.failed++;
    d->failing = isfinite(d->failing) ? d->failing : now;
    for (int i = 0; i < d->wire.nout; i++)
        d->wanted[i] = d->output[i];
    if (status != LITHE_NOT_CONVERGED) {
        LITHE_FAIL(&d->report, status, "the model failed: %s", said);
        lithe_gate_stop(d->gate, d->report.error);
    } else if (now - d->failing > d->def->wire.safe) {
        LITHE_FAIL(&d->report, status, "no step of the model converged for %.4g ms: %s",
                   1e3 * (now - d->failing), said);
        lithe_gate_lose(d->gate, d->report.error);
    } else {
        LITHE_FAIL(&d->report, status, "the step failed, and outputs stay: %s", said);
    }
}

// From a sensor's stamp to the order that used it.
static void note_age(lithe_driver *d, double now)
{
    d->counts.age = now + d->counts.offset - d->used;
}

lithe_status lithe_driver_cycle(lithe_driver *d, double now, lithe_order *order)
{
    lithe_status status = LITHE_OK;
    d->report.error[0] = 0;
    d->counts.cycles++;
    start(d, now);
    if (lithe_gate_state(d->gate) == LITHE_GATE_OPEN) {
        status = driver_think(d);
        if (status == LITHE_OK)
            d->failing = NAN;
        else
            fail(d, now, status);
        d->done++;
    }
    lithe_gate_mode mode = lithe_gate_pass(d->gate, now, d->wanted, d->output);
    d->limited = false;
    for (int i = 0; i < d->wire.nout; i++) {
        d->limited = d->limited || lithe_gate_limited(d->gate, i);
        d->order[i] = channel_to_wire(d->wire.out[i].def, d->output[i]);
    }
    bool send = lithe_gate_started(d->gate) && !d->away;
    *order = (lithe_order){send, d->echoes.norder, mode, d->order};
    if (order->send)
        echoes_order(&d->echoes, now);
    d->used = d->fresh ? d->reading_time : NAN;
    note_age(d, now);
    d->fresh = false;
    return status;
}

void lithe_driver_sent(lithe_driver *d, double now)
{
    echoes_sent(&d->echoes, now);
    note_age(d, now);
}

// By messages a machine does not go to its safe state by itself: there it is brought back.
void lithe_driver_lose(lithe_driver *d, const char *reason)
{
    lithe_gate_lose(d->gate, reason);
    d->away = lithe_gate_started(d->gate) && !d->def->wire.lockstep;
    d->lost = NAN;
}

void lithe_driver_stop(lithe_driver *d, const char *reason)
{
    lithe_gate_stop(d->gate, reason);
}

const char *lithe_driver_text(const lithe_driver *d)
{
    return d->report.error;
}

const lithe_gate *lithe_driver_gate(const lithe_driver *d)
{
    return d->gate;
}

lithe_state *lithe_driver_state(lithe_driver *d)
{
    return d->state;
}

lithe_status lithe_driver_begin(lithe_driver *d, lithe_report *report)
{
    lithe_state_save(d->m, d->state, d->begun);
    lithe_task_start(d->m, d->state, d->start);
    lithe_task_targets(d->m, d->start, 0, d->target);
    lithe_task_targets(d->m, d->start, 0, d->compared);
    return lithe_task_steps(d->m, d->start, &d->approach, &d->steps, report);
}

int lithe_driver_steps(const lithe_driver *d)
{
    return d->steps;
}

int lithe_driver_done(const lithe_driver *d)
{
    return d->done;
}

int lithe_driver_approach(const lithe_driver *d)
{
    return d->approach;
}

const double *lithe_driver_measured(const lithe_driver *d)
{
    return d->measured;
}

void lithe_driver_measures(const lithe_driver *d, bool *measured)
{
    memset(measured, 0, (size_t)d->nrow * sizeof *measured);
    for (int i = 0; i < d->wire.nin; i++)
        measured[d->wire.in[i].row] = true;
}

const double *lithe_driver_compared(const lithe_driver *d)
{
    return d->compared;
}

const double *lithe_driver_targets(const lithe_driver *d)
{
    return d->target;
}

const double *lithe_driver_asked(const lithe_driver *d)
{
    return d->asked;
}

lithe_drive_report lithe_driver_report(const lithe_driver *d)
{
    return d->counts;
}
