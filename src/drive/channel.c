#include "drive/channel.h"

#include "base/status.h"

#include <math.h>

lithe_channel_def lithe_channel_def_default(void)
{
    return (lithe_channel_def){.unit = 1,
                               .scale = 1,
                               .limit = {-INFINITY, INFINITY},
                               .rate = INFINITY,
                               .ramp = 0.1,
                               .stuck = INFINITY};
}

lithe_drive_def lithe_drive_def_default(void)
{
    return (lithe_drive_def){
        .bytes = sizeof(lithe_drive_def),
        .wire = {.address = "127.0.0.1", .baud = 115200, .hold = 0.1, .safe = 0.5},
        .feedback = {.windup = INFINITY},
        .plant = {.seed = 1},
    };
}

double channel_to_wire(const lithe_channel_def *c, double value)
{
    return c->offset + c->scale * (value / c->unit);
}

double channel_from_wire(const lithe_channel_def *c, double number)
{
    return (number - c->offset) / c->scale * c->unit;
}

double channel_value(const lithe_model *m, const lithe_state *s, const channel_row *r)
{
    double value[3] = {NAN, NAN, NAN};
    if (r->actuator < 0)
        return lithe_row_values(s)[r->row];
    if (r->def->kind == LITHE_EFFORT)
        lithe_effort(m, s, r->actuator, value);
    else
        lithe_displacement(m, s, r->actuator, value);
    return value[r->component];
}

// Whose channel it is, and of how many numbers; 0: nobody's.
static int find(const lithe_model *m, const lithe_channel_def *c, bool out, channel_row *r)
{
    *r = (channel_row){.def = c, .actuator = lithe_find_actuator(m, c->name), -1, -1, .row = -1};
    if (r->actuator >= 0) {
        r->row = lithe_row_of_actuator(m, r->actuator);
        return lithe_actuator_rows(m, r->actuator);
    }
    if (out)
        return 0;
    r->effector = lithe_find_effector(m, c->name);
    if (r->effector >= 0) {
        r->row = lithe_row_of_effector(m, r->effector);
        return lithe_effector_rows(m, r->effector);
    }
    r->sensor = lithe_find_sensor(m, c->name);
    if (r->sensor < 0)
        return 0;
    r->row = lithe_row_of_sensor(m, r->sensor);
    return lithe_sensor_rows(m, r->sensor);
}

// x, y and z of a measured point may be some of the three.
static int axis_of(const lithe_model *m, const channel_row *r)
{
    const lithe_measure *what = r->effector >= 0 ? lithe_effector_measure(m, r->effector)
                                : r->sensor >= 0 ? lithe_sensor_measure(m, r->sensor)
                                                 : NULL;
    int of_point = what && what->ncomponent > 0 ? r->component % what->ncomponent : 0, axis = 0;
    for (int i = 0, seen = 0; what && what->axes && i < 3; i++)
        if (what->axes & (1 << i) && seen++ == of_point)
            axis = i;
    return axis;
}

static lithe_status add(const lithe_model *m, const lithe_channel_def *c, bool out, int most,
                        channel_row *list, int *n, lithe_report *report)
{
    channel_row r;
    int rows = find(m, c, out, &r);
    const char *at = c->location ? c->location : "wire";
    if (rows == 0)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: there is no %s '%s'", at,
                          out ? "actuator" : "effector, sensor or actuator", c->name);
    if (!(c->unit > 0 && isfinite(c->scale / c->unit)) || c->scale == 0 || !isfinite(c->offset))
        return LITHE_FAIL(report, LITHE_INVALID, "%s: the scale of '%s' must not be 0", at,
                          c->name);
    if (!(c->limit[0] <= c->limit[1]) || !(c->stuck > 0))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: '%s' needs a lowest limit that is not above the highest, and a time "
                          "to be stuck above 0",
                          at, c->name);
    for (int i = 0; i < rows; i++) {
        if (*n == most)
            return LITHE_FAIL(report, LITHE_INVALID, "%s: there are more than %d numbers on a wire",
                              at, most);
        list[*n] = r;
        list[*n].row += i;
        list[*n].component = i;
        list[*n].axis = axis_of(m, &list[*n]);
        ++*n;
    }
    return LITHE_OK;
}

lithe_status channels_create(const lithe_model *m, const lithe_wire_def *wire, arena *memory,
                             channels *out, lithe_report *report)
{
    enum { MOST = 256 };
    *out = (channels){.out = arena_new(memory, MOST, channel_row),
                      .in = arena_new(memory, MOST, channel_row)};
    if (!out->out || !out->in)
        return report_no_memory(report, "the wire");
    for (int i = 0; i < wire->nout; i++)
        LITHE_TRY(add(m, &wire->out[i], true, MOST, out->out, &out->nout, report));
    for (int i = 0; i < wire->nin; i++)
        LITHE_TRY(add(m, &wire->in[i], false, MOST, out->in, &out->nin, report));
    return LITHE_OK;
}

lithe_status channel_output(const lithe_model *m, const channel_row *r, lithe_gate_output *o,
                            lithe_report *report)
{
    double effort[2], displacement[2], rate[2];
    const lithe_channel_def *c = r->def;
    LITHE_TRY(lithe_actuator_limits(m, r->actuator, effort, displacement));
    LITHE_TRY(lithe_actuator_rates(m, r->actuator, &rate[LITHE_EFFORT], &rate[LITHE_DISPLACEMENT]));
    const double *own = c->kind == LITHE_EFFORT ? effort : displacement;
    *o = (lithe_gate_output){.limit = {fmax(own[0], c->limit[0]), fmin(own[1], c->limit[1])},
                             .rate = fmin(rate[c->kind], c->rate),
                             .ramp = c->ramp,
                             .safe = c->safe};
    const char *at = c->location ? c->location : "wire";
    const char *quantity =
        lithe_actuator_quantity(lithe_actuator_type(m, r->actuator), c->kind)->name;
    if (!isfinite(o->limit[0]) || !isfinite(o->limit[1]) || o->limit[0] > o->limit[1])
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: the %s of '%s' has no finite limits, and nothing goes out without; "
                          "add limits: [lowest, highest]",
                          at, quantity, c->name);
    if (!isfinite(o->rate))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: the %s of '%s' may change by any amount at once, and nothing goes "
                          "out like that; add rate: VALUE, the most change in a second",
                          at, quantity, c->name);
    if (!isfinite(channel_to_wire(c, o->limit[0])) || !isfinite(channel_to_wire(c, o->limit[1])))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: at its limits '%s' is no number on the wire any more; make scale or "
                          "offset smaller",
                          at, c->name);
    if (!(o->safe >= o->limit[0] && o->safe <= o->limit[1]))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: the safe state of '%s', %g, is outside of its limits, [%g, %g]; add "
                          "safe: VALUE",
                          at, c->name, o->safe, o->limit[0], o->limit[1]);
    return LITHE_OK;
}
