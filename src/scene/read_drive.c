// How the machine is spoken to, and the law that closes the loop.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/spelling.h"
#include "base/status.h"
#include "control/measure.h"
#include "scene/actuator_quantity.h"
#include "scene/sensor_kind.h"

#include <arpa/inet.h>
#include <math.h>
#include <string.h>

enum { PORT_MAX = 65535 };

lithe_status read_not_negative(const reader *r, const tree_node *map, keys_block block,
                               const char *key, double *value)
{
    LITHE_TRY(read_quantity(r, map, block, key, value));
    if (!tree_find(map, key) || *value >= 0)
        return LITHE_OK;
    return tree_fail(r->report, tree_find(map, key)->at, "%s must not be negative", key);
}

lithe_status read_own(const reader *r, const tree_node *map, const char *key,
                      quantity_dimension dimension, double *value)
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_quantity_node(r, node, dimension, false, value));
    if (*value >= 0)
        return LITHE_OK;
    return tree_fail(r->report, node->at, "%s must not be negative", key);
}

lithe_status read_own_rate(const reader *r, const tree_node *map, const char *key,
                           quantity_dimension dimension, double *value)
{
    static const quantity_dimension rate[QUANTITY_NDIMENSION] = {
        [QUANTITY_LENGTH] = QUANTITY_VELOCITY,
        [QUANTITY_FORCE] = QUANTITY_FORCE_RATE,
        [QUANTITY_PRESSURE] = QUANTITY_PRESSURE_RATE,
        [QUANTITY_VOLUME] = QUANTITY_VOLUME_RATE,
        [QUANTITY_ANGLE] = QUANTITY_SPIN,
    };
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    if (rate[dimension] == 0)
        return tree_fail(r->report, node->at, "a %s has no %s here; leave it out",
                         quantity_name(dimension), key);
    LITHE_TRY(read_quantity_node(r, node, rate[dimension], true, value));
    if (*value > 0)
        return LITHE_OK;
    return tree_fail(r->report, node->at, "%s must be above 0", key);
}

lithe_status read_subject(const reader *r, const tree_node *node, const lithe_def *def, bool out,
                          lithe_command_kind kind, channel_subject *subject)
{
    nearest meant = nearest_start(node->key);
    for (int i = 0; i < def->nactuator; i++) {
        nearest_offer(&meant, def->actuator[i].name);
        if (strcmp(def->actuator[i].name, node->key) == 0) {
            *subject = (channel_subject){
                lithe_actuator_quantity(def->actuator[i].kind, kind)->dimension, &def->actuator[i]};
            return LITHE_OK;
        }
    }
    for (int i = 0; i < def->nsensor + def->neffector && !out; i++) {
        lithe_measure what = i < def->nsensor
                                 ? sensor_measure(def, &def->sensor[i])
                                 : measure_of_effector(&def->effector[i - def->nsensor]);
        nearest_offer(&meant, what.name);
        if (strcmp(what.name, node->key) == 0) {
            *subject = (channel_subject){what.dimension, NULL};
            return LITHE_OK;
        }
    }
    const char *found = nearest_found(&meant);
    return tree_fail(r->report, tree_location(node), "there is no %s '%s'%s%s%s",
                     out ? "actuator" : "effector, sensor or actuator", QUOTE(node->key),
                     found ? ": did you mean '" : "", found ? found : "", found ? "'?" : "");
}

// Which of an actuator's quantities: as it is commanded, unless the channel says so.
static lithe_status read_kind(const reader *r, const tree_node *node, const lithe_def *def,
                              lithe_command_kind *kind)
{
    const lithe_actuator_def *a = NULL;
    for (int i = 0; i < def->nactuator; i++)
        if (strcmp(def->actuator[i].name, node->key) == 0)
            a = &def->actuator[i];
    *kind = a ? a->command : LITHE_EFFORT;
    if (!tree_find(node, "quantity"))
        return LITHE_OK;
    if (!a)
        return tree_fail(r->report, tree_find(node, "quantity")->at,
                         "only actuators have a quantity to choose; leave it out");
    const char *word[2] = {lithe_actuator_quantity(a->kind, LITHE_EFFORT)->name,
                           lithe_actuator_quantity(a->kind, LITHE_DISPLACEMENT)->name};
    int chosen = (int)*kind, n = word[1] ? 2 : 1;
    LITHE_TRY(read_word(r, node, "quantity", n, word, &chosen));
    *kind = (lithe_command_kind)chosen;
    return LITHE_OK;
}

static lithe_status read_scaling(const reader *r, const tree_node *node, keys_block block,
                                 quantity_dimension dimension, lithe_channel_def *c)
{
    char message[QUANTITY_MESSAGE_MAX];
    const tree_node *text = tree_find(node, "unit");
    const char *name = NULL;
    unit u;
    LITHE_TRY(read_text(r, node, "unit", &name));
    if (text && quantity_parse_unit(name, dimension, &u, message) != LITHE_OK)
        return tree_fail(r->report, text->at, "%s", message);
    if (text)
        c->unit = unit_to_si(&u, 1);
    LITHE_TRY(read_quantity(r, node, block, "scale", &c->scale));
    LITHE_TRY(read_quantity(r, node, block, "offset", &c->offset));
    if (c->scale == 0 || !isfinite(c->scale / c->unit))
        return tree_fail(r->report, tree_location(node),
                         "the scale must not be 0, or nothing is "
                         "told");
    return LITHE_OK;
}

static lithe_status read_span(const reader *r, const tree_node *map, quantity_dimension dimension,
                              double value[2])
{
    const tree_node *node = tree_find(map, "limits");
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST || node->nchild != 2)
        return tree_fail(r->report, tree_value_location(node), "expected [lowest, highest]");
    LITHE_TRY(read_quantity_node(r, node->child, dimension, true, &value[0]));
    LITHE_TRY(read_quantity_node(r, node->child->next, dimension, true, &value[1]));
    if (value[0] <= value[1])
        return LITHE_OK;
    return tree_fail(r->report, node->at, "the lowest is above the highest; swap them");
}

static lithe_status read_channel(const reader *r, const tree_node *node, const lithe_def *def,
                                 bool out, lithe_channel_def *c)
{
    keys_block block = out ? KEYS_WIRE_OUT : KEYS_WIRE_IN;
    channel_subject subject = {0};
    *c = lithe_channel_def_default();
    c->name = node->key;
    LITHE_TRY(read_map(r, node, block));
    LITHE_TRY(read_location(r, node, &c->location));
    LITHE_TRY(read_kind(r, node, def, &c->kind));
    LITHE_TRY(read_subject(r, node, def, out, c->kind, &subject));
    LITHE_TRY(read_scaling(r, node, block, subject.dimension, c));
    LITHE_TRY(read_span(r, node, subject.dimension, c->limit));
    if (!out)
        return read_positive(r, node, block, "stuck", &c->stuck);
    LITHE_TRY(read_own_rate(r, node, "rate", subject.dimension, &c->rate));
    LITHE_TRY(read_not_negative(r, node, block, "ramp", &c->ramp));
    const tree_node *safe = tree_find(node, "safe");
    return safe ? read_quantity_node(r, safe, subject.dimension, false, &c->safe) : LITHE_OK;
}

static lithe_status read_channels(const reader *r, const tree_node *wire, const lithe_def *def,
                                  bool out, int *n, const lithe_channel_def **channel)
{
    const tree_node *node = tree_find(wire, out ? "out" : "in");
    LITHE_TRY(read_named(r, node));
    lithe_channel_def *made = read_alloc(r, node->nchild, sizeof *made);
    if (!made)
        return LITHE_NO_MEMORY;
    *n = node->nchild;
    *channel = made;
    for (const tree_node *c = node->child; c; c = c->next)
        LITHE_TRY(read_channel(r, c, def, out, made++));
    return LITHE_OK;
}

// Names are not looked up: whoever answers for them would be trusted with a machine.
static lithe_status check_address(const reader *r, const tree_node *node, const lithe_wire_def *w)
{
    struct in_addr four;
    if (w->transport == LITHE_ZMQ || inet_pton(AF_INET, w->address, &four) == 1)
        return LITHE_OK;
    return tree_fail(r->report, tree_find(node, "address")->at,
                     "an address is four numbers, such as 127.0.0.1");
}

static lithe_status read_port(const reader *r, const tree_node *node, keys_block block,
                              lithe_wire_def *w)
{
    LITHE_TRY(read_map(r, node, block));
    LITHE_TRY(read_text(r, node, "address", &w->address));
    LITHE_TRY(check_address(r, node, w));
    LITHE_TRY(read_count_to(r, node, "port", PORT_MAX, &w->port));
    LITHE_TRY(read_count_to(r, node, "reply", PORT_MAX, &w->reply));
    if (w->reply != w->port)
        return LITHE_OK;
    return tree_fail(r->report, tree_find(node, "reply")->at, "reply must be another port");
}

static lithe_status read_transport(const reader *r, const tree_node *node, lithe_wire_def *w)
{
    const tree_node *serial = tree_find(node, "serial"), *tcp = tree_find(node, "tcp"),
                    *udp = tree_find(node, "udp"), *zmq = tree_find(node, "zmq");
    w->transport = serial ? LITHE_SERIAL : tcp ? LITHE_TCP : udp ? LITHE_UDP : LITHE_ZMQ;
    if (tcp)
        return read_port(r, tcp, KEYS_WIRE_TCP, w);
    if (udp)
        return read_port(r, udp, KEYS_WIRE_UDP, w);
    if (zmq)
        return read_port(r, zmq, KEYS_WIRE_ZMQ, w);
    LITHE_TRY(read_map(r, serial, KEYS_WIRE_SERIAL));
    LITHE_TRY(read_text(r, serial, "port", &w->device));
    return read_count(r, serial, "baud", &w->baud);
}

static lithe_status read_watchdog(const reader *r, const tree_node *node, lithe_wire_def *w)
{
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_WATCHDOG));
    LITHE_TRY(read_positive(r, node, KEYS_WATCHDOG, "hold", &w->hold));
    LITHE_TRY(read_positive(r, node, KEYS_WATCHDOG, "safe", &w->safe));
    LITHE_TRY(read_bool(r, node, "resume", &w->resume));
    if (w->safe >= w->hold)
        return LITHE_OK;
    return tree_fail(r->report, tree_location(node),
                     "outputs are held before they go to the safe state; make hold the shorter "
                     "time");
}

static lithe_status read_wire(const reader *r, const lithe_def *def, lithe_wire_def *w)
{
    static const char *const clocks[] = {"real", "lockstep"};
    const tree_node *node = tree_find(r->root, "wire");
    int clock = 0;
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_WIRE));
    LITHE_TRY(read_location(r, node, &w->location));
    LITHE_TRY(read_map(r, tree_find(node, "over"), KEYS_WIRE_OVER));
    LITHE_TRY(read_transport(r, tree_find(node, "over"), w));
    LITHE_TRY(read_word(r, node, "clock", 2, clocks, &clock));
    w->lockstep = clock == 1;
    LITHE_TRY(read_watchdog(r, tree_find(node, "watchdog"), w));
    LITHE_TRY(read_channels(r, node, def, true, &w->nout, &w->out));
    return read_channels(r, node, def, false, &w->nin, &w->in);
}

// One number for all axes, or three; none below 0.
static lithe_status read_gain(const reader *r, const tree_node *map, const char *key,
                              double value[3])
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    if (node->kind == TREE_LIST)
        LITHE_TRY(read_triple_node(r, node, QUANTITY_NUMBER, false, value));
    else
        LITHE_TRY(read_quantity_node(r, node, QUANTITY_NUMBER, false, value));
    if (node->kind != TREE_LIST)
        value[1] = value[2] = value[0];
    if (value[0] >= 0 && value[1] >= 0 && value[2] >= 0)
        return LITHE_OK;
    return tree_fail(r->report, node->at, "%s must not be negative", key);
}

// What a law does not take would be ignored in silence.
static lithe_status check_gains(const reader *r, const tree_node *node, lithe_feedback law)
{
    enum { KEYS = 6 }; // the delay of readings is anybody's
    static const char *const keys[KEYS] = {"kp", "ki", "kd", "filter", "windup", "lead"};
    static const bool taken[][KEYS] = {[LITHE_FEEDBACK_NONE] = {[5] = true},
                                       [LITHE_FEEDBACK_TASK] = {true, true, true, true, true, true},
                                       [LITHE_FEEDBACK_JACOBIAN] = {true, true}};
    for (int i = 0; i < KEYS; i++)
        if (tree_find(node, keys[i]) && !taken[law][i])
            return tree_fail(r->report, tree_find(node, keys[i])->key_at,
                             "this law takes no %s; leave it out", keys[i]);
    if (law != LITHE_FEEDBACK_NONE && !tree_find(node, "kp"))
        return tree_fail(r->report, tree_location(node),
                         "this law needs the key 'kp', the gain on the error");
    return LITHE_OK;
}

lithe_status read_feedback(const reader *r, lithe_feedback_def *f)
{
    static const char *const laws[] = {[LITHE_FEEDBACK_NONE] = "open",
                                       [LITHE_FEEDBACK_TASK] = "task",
                                       [LITHE_FEEDBACK_JACOBIAN] = "jacobian"};
    const tree_node *node = tree_find(r->root, "controller");
    int law = LITHE_FEEDBACK_JACOBIAN;
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_CONTROLLER));
    LITHE_TRY(read_word(r, node, "law", 3, laws, &law));
    f->law = (lithe_feedback)law;
    LITHE_TRY(check_gains(r, node, f->law));
    LITHE_TRY(read_not_negative(r, node, KEYS_CONTROLLER, "delay", &f->delay));
    LITHE_TRY(read_not_negative(r, node, KEYS_CONTROLLER, "lead", &f->lead));
    if (law == LITHE_FEEDBACK_JACOBIAN) {
        LITHE_TRY(read_positive(r, node, KEYS_CONTROLLER, "kp", &f->gains.kp));
        return read_not_negative(r, node, KEYS_CONTROLLER, "ki", &f->gains.ki);
    }
    LITHE_TRY(read_gain(r, node, "kp", f->kp));
    LITHE_TRY(read_gain(r, node, "ki", f->ki));
    LITHE_TRY(read_gain(r, node, "kd", f->kd));
    LITHE_TRY(read_not_negative(r, node, KEYS_CONTROLLER, "filter", &f->filter));
    return read_positive(r, node, KEYS_CONTROLLER, "windup", &f->windup);
}

lithe_status read_drive(const reader *r, const lithe_def *def, lithe_drive_def *drive)
{
    *drive = lithe_drive_def_default();
    LITHE_TRY(read_feedback(r, &drive->feedback));
    LITHE_TRY(read_wire(r, def, &drive->wire));
    return read_plant(r, def, drive);
}
