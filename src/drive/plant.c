// A model that stands in for the machine.
#include "lithe/drive.h"

#include "base/memory.h"
#include "base/status.h"
#include "drive/channel.h"
#include "drive/faults.h"

#include <math.h>
#include <string.h>

// What is wrong with one number that is read.
typedef struct faulty_sensor {
    const lithe_plant_sensor_def *def; // NULL: nothing
    int delay;                         // steps
    double last;                       // that was read
} faulty_sensor;

struct lithe_plant {
    arena memory;
    const lithe_model *m;
    const lithe_drive_def *def;
    lithe_state *state;
    channels wire;
    double dt;
    long steps;
    dice dice, order_dice;     // of readings, and of which orders arrive
    faulty_actuator *actuator; // (nout)
    faulty_sensor *sensor;     // (nin)
    double *told;              // (nout) SI
    int nkept;
    double *kept; // (nkept x nin) what was true, at the step modulo nkept
    int *load;    // (nload)
};

static lithe_status fail_name(const char *location, const char *what, const char *name,
                              lithe_report *report)
{
    return LITHE_FAIL(report, LITHE_INVALID, "%s: there is no %s '%s'",
                      location ? location : "plant", what, name);
}

static lithe_status fail_number(const char *location, const char *what, const char *name,
                                lithe_report *report)
{
    return LITHE_FAIL(report, LITHE_INVALID,
                      "%s: a number of the %s '%s' makes no sense: negative, or none",
                      location ? location : "plant", what, name);
}

static lithe_status find_actuator(lithe_plant *p, const lithe_plant_actuator_def *a,
                                  lithe_report *report)
{
    bool found = false;
    if (!(a->lag >= 0 && a->rate > 0 && a->dead_band >= 0 && a->backlash >= 0 && a->friction >= 0 &&
          a->wrap >= 0))
        return fail_number(a->location, "actuator", a->name, report);
    for (int i = 0; i < p->wire.nout; i++) {
        const lithe_channel_def *c = p->wire.out[i].def;
        if (strcmp(c->name, a->name) != 0)
            continue;
        p->actuator[i].def = a;
        found = true;
        if (a->friction > 0 && c->kind != LITHE_EFFORT)
            return LITHE_FAIL(report, LITHE_INVALID,
                              "%s: friction of a guide changes a tension, and '%s' is told its "
                              "displacement; give it a backlash instead",
                              a->location ? a->location : "plant", a->name);
    }
    return found ? LITHE_OK : fail_name(a->location, "actuator on the wire", a->name, report);
}

static lithe_status find_sensor(lithe_plant *p, const lithe_plant_sensor_def *s,
                                lithe_report *report)
{
    enum { LONGEST = 100000 }; // steps
    bool found = false;
    if (!(s->delay >= 0 && s->noise >= 0 && s->quantum >= 0))
        return fail_number(s->location, "reading", s->name, report);
    if (!(s->delay / p->dt < LONGEST))
        return LITHE_FAIL(report, LITHE_INVALID, "%s: a delay of %g s is more than %d steps of dt",
                          s->location ? s->location : "plant", s->delay, LONGEST);
    for (int i = 0; i < p->wire.nin; i++)
        if (strcmp(p->wire.in[i].def->name, s->name) == 0) {
            p->sensor[i].def = s;
            p->sensor[i].delay = (int)lround(s->delay / p->dt);
            p->nkept = p->sensor[i].delay >= p->nkept ? p->sensor[i].delay + 1 : p->nkept;
            found = true;
        }
    return found ? LITHE_OK : fail_name(s->location, "reading on the wire", s->name, report);
}

static lithe_status find_all(lithe_plant *p, lithe_report *report)
{
    const lithe_plant_def *d = &p->def->plant;
    if (!(d->lost >= 0 && d->lost <= 1))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: the share of messages that are lost must be between 0 and 1",
                          d->location ? d->location : "plant");
    for (int i = 0; i < d->nactuator; i++)
        LITHE_TRY(find_actuator(p, &d->actuator[i], report));
    for (int i = 0; i < d->nsensor; i++)
        LITHE_TRY(find_sensor(p, &d->sensor[i], report));
    for (int i = 0; i < d->nload; i++) {
        const lithe_plant_load_def *l = &d->load[i];
        if (!(l->from >= 0 && l->until >= 0 && l->every > 0 && isfinite(l->factor)))
            return fail_number(l->location, "load", l->name, report);
        p->load[i] = lithe_find_load(p->m, l->name);
        if (p->load[i] < 0)
            return fail_name(l->location, "load", l->name, report);
    }
    return LITHE_OK;
}

static lithe_status scale_loads(lithe_plant *p)
{
    const lithe_plant_def *d = &p->def->plant;
    double time = lithe_plant_time(p);
    for (int i = 0; i < d->nload; i++) {
        const lithe_plant_load_def *l = &d->load[i];
        double phase =
            isfinite(l->every) && time > l->from ? fmod(time - l->from, l->every) + l->from : time;
        bool on = phase >= l->from && phase < l->until;
        LITHE_TRY(lithe_scale_load(p->m, p->state, p->load[i], on ? l->factor : 0));
    }
    return LITHE_OK;
}

static void keep(lithe_plant *p)
{
    double *line = p->kept + (size_t)(p->steps % p->nkept) * (size_t)p->wire.nin;
    for (int i = 0; i < p->wire.nin; i++)
        line[i] = channel_value(p->m, p->state, &p->wire.in[i]);
}

static lithe_status settle(lithe_plant *p, lithe_report *report)
{
    for (int i = 0; i < p->wire.nout; i++) {
        p->told[i] = p->wire.out[i].def->safe;
        faulty_actuator_reset(&p->actuator[i], p->told[i]);
    }
    lithe_status status = scale_loads(p);
    for (int i = 0; i < p->wire.nout && status == LITHE_OK; i++) {
        const channel_row *r = &p->wire.out[i];
        double value[3] = {r->def->safe, r->def->safe, r->def->safe};
        status = lithe_command(p->m, p->state, r->actuator, r->def->kind, value);
    }
    if (status == LITHE_OK)
        status = lithe_begin(p->m, p->state);
    if (status == LITHE_NO_MEMORY)
        return report_no_memory(report, "the plant");
    if (status != LITHE_OK)
        return LITHE_FAIL(report, status, "%s", lithe_state_error(p->state));
    for (int k = 0; k < p->nkept; k++, p->steps++)
        keep(p);
    p->steps = 0;
    keep(p);
    return LITHE_OK;
}

static lithe_status prepare(lithe_plant *p, int threads, lithe_report *report)
{
    const lithe_plant_def *d = &p->def->plant;
    if (p->def->bytes != sizeof *p->def)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "the definition is of another version of Lithe: make it by its default "
                          "function and build the program again");
    LITHE_TRY(channels_create(p->m, &p->def->wire, &p->memory, &p->wire, report));
    p->actuator = arena_new(&p->memory, p->wire.nout + 1, faulty_actuator);
    p->sensor = arena_new(&p->memory, p->wire.nin + 1, faulty_sensor);
    p->told = arena_new(&p->memory, p->wire.nout + 1, double);
    p->load = arena_new(&p->memory, d->nload + 1, int);
    if (!p->actuator || !p->sensor || !p->told || !p->load)
        return report_no_memory(report, "the plant");
    p->nkept = 1;
    LITHE_TRY(find_all(p, report));
    p->kept = arena_new(&p->memory, (size_t)p->nkept * (size_t)(p->wire.nin + 1), double);
    if (!p->kept)
        return report_no_memory(report, "the plant");
    LITHE_TRY(lithe_state_create(p->m, threads, &p->state, report));
    return settle(p, report);
}

lithe_status lithe_plant_create(const lithe_model *m, const lithe_drive_def *def, int threads,
                                lithe_plant **out, lithe_report *report)
{
    *out = NULL;
    lithe_plant *p = memory_alloc(sizeof *p);
    if (!p)
        return report_no_memory(report, "the plant");
    *p = (lithe_plant){.m = m,
                       .def = def,
                       .dice = {(uint64_t)def->plant.seed},
                       .order_dice = {~(uint64_t)def->plant.seed}};
    p->dt = lithe_model_step(m)->dt;
    lithe_status status = prepare(p, threads, report);
    if (status == LITHE_OK)
        *out = p;
    else
        lithe_plant_free(p);
    return status;
}

void lithe_plant_free(lithe_plant *p)
{
    if (!p)
        return;
    lithe_state_free(p->state);
    arena_free(&p->memory);
    memory_free(p);
}

int lithe_plant_nout(const lithe_plant *p)
{
    return p->wire.nout;
}

int lithe_plant_nin(const lithe_plant *p)
{
    return p->wire.nin;
}

lithe_state *lithe_plant_state(lithe_plant *p)
{
    return p->state;
}

double lithe_plant_time(const lithe_plant *p)
{
    return (double)p->steps * p->dt;
}

bool lithe_plant_hears(lithe_plant *p)
{
    return !(dice_uniform(&p->order_dice) < p->def->plant.lost);
}

lithe_status lithe_plant_tell(lithe_plant *p, const double *value)
{
    for (int i = 0; i < p->wire.nout; i++)
        if (!isfinite(channel_from_wire(p->wire.out[i].def, value[i])))
            return LITHE_INVALID;
    for (int i = 0; i < p->wire.nout; i++)
        p->told[i] = channel_from_wire(p->wire.out[i].def, value[i]);
    return LITHE_OK;
}

void lithe_plant_rest(lithe_plant *p)
{
    for (int i = 0; i < p->wire.nout; i++)
        p->told[i] = p->wire.out[i].def->safe;
}

// Motors and valves end somewhere: what is told beyond an actuator's limits stops there.
static double within(const lithe_plant *p, const channel_row *r, double value)
{
    double effort[2] = {-INFINITY, INFINITY}, displacement[2] = {-INFINITY, INFINITY};
    lithe_limits(p->m, p->state, r->actuator, effort, displacement);
    const double *limit = r->def->kind == LITHE_EFFORT ? effort : displacement;
    return fmin(fmax(value, limit[0]), limit[1]);
}

lithe_status lithe_plant_step(lithe_plant *p)
{
    p->steps++;
    LITHE_TRY(scale_loads(p));
    for (int i = 0; i < p->wire.nout;) {
        const channel_row *r = &p->wire.out[i];
        double value[3];
        int n = 0;
        for (; i < p->wire.nout && p->wire.out[i].actuator == r->actuator && n < 3; i++, n++)
            value[n] = within(p, r, faulty_actuator_step(&p->actuator[i], p->told[i], p->dt));
        LITHE_TRY(lithe_command(p->m, p->state, r->actuator, r->def->kind, value));
    }
    lithe_status status = lithe_play(p->m, p->state, lithe_plant_time(p));
    if (status == LITHE_OK)
        status = lithe_step(p->m, p->state);
    keep(p);
    return status;
}

static double read_one(lithe_plant *p, int i)
{
    faulty_sensor *s = &p->sensor[i];
    long when = p->steps - s->delay; // before the start it was where it began
    size_t line = (size_t)((when + p->nkept) % p->nkept);
    double value = p->kept[line * (size_t)p->wire.nin + (size_t)i], time = lithe_plant_time(p);
    if (s->def) {
        bool stuck = time >= s->def->stuck[0] && time < s->def->stuck[1];
        double noisy = value + s->def->noise * dice_normal(&p->dice);
        value = stuck ? s->last : faults_quantize(noisy, s->def->quantum);
    }
    s->last = value;
    return channel_to_wire(p->wire.in[i].def, value);
}

bool lithe_plant_read(lithe_plant *p, double *value)
{
    for (int i = 0; i < p->wire.nin; i++)
        value[i] = read_one(p, i);
    return dice_uniform(&p->dice) < p->def->plant.lost;
}
