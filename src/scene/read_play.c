// How what is told goes on in time: an actuator's command, the displacement of a fix.
#include "scene/reader.h"

#include "base/status.h"
#include "scene/actuator_quantity.h"
#include "scene/csv.h"

#include <string.h>

// What goes on, and how.
typedef struct play {
    int n; // numbers
    quantity_dimension dimension;
    const double *value; // at time 0
    const lithe_actuator_def *actuator;
    const lithe_fix_def *fix; // … or this
    int nwaypoint;
    const double *waypoint, *time;
    double amplitude[3], period, phase;
} play;

// One number, or three.
static lithe_status read_values(const reader *r, const tree_node *node, const play *p,
                                double *value)
{
    if (p->n == 3)
        return read_triple_node(r, node, p->dimension, false, value);
    return read_quantity_node(r, node, p->dimension, false, value);
}

static lithe_status check_value(const reader *r, const tree_node *node, const play *p,
                                const double *value)
{
    lithe_report outside = lithe_report_default();
    for (int i = 0; p->fix && i < 3; i++)
        if (value[i] != 0 && !(p->fix->axes & (1 << i)))
            return tree_fail(r->report, tree_value_location(node),
                             "a displacement along %c, which axes leaves free; add %c to axes or "
                             "make it 0",
                             "xyz"[i], "xyz"[i]);
    if (!p->actuator ||
        command_check_limits(p->actuator, p->actuator->command, value, &outside) == LITHE_OK)
        return LITHE_OK;
    return tree_fail(r->report, tree_value_location(node), "%s", outside.error);
}

static lithe_status read_waypoints(const reader *r, const tree_node *node, play *p)
{
    double before = 0;
    if (node->kind != TREE_LIST || node->nchild == 0)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of waypoints, [{time: 1 s, at: ...}, ...]");
    double *value = read_alloc(r, p->n * node->nchild, sizeof *value);
    double *time = read_alloc(r, node->nchild, sizeof *time);
    if (!value || !time)
        return LITHE_NO_MEMORY;
    p->nwaypoint = node->nchild;
    p->waypoint = value;
    p->time = time;
    for (const tree_node *c = node->child; c; c = c->next, value += p->n, time++) {
        LITHE_TRY(read_map(r, c, KEYS_PLAY_WAYPOINT));
        LITHE_TRY(read_quantity(r, c, KEYS_PLAY_WAYPOINT, "time", time));
        if (*time < before)
            return tree_fail(r->report, tree_find(c, "time")->at,
                             "times must not fall, from 0 on; this one is %g s", *time);
        before = *time;
        LITHE_TRY(read_values(r, tree_find(c, "at"), p, value));
        LITHE_TRY(check_value(r, tree_find(c, "at"), p, value));
    }
    return LITHE_OK;
}

static lithe_status read_sine(const reader *r, const tree_node *node, play *p)
{
    LITHE_TRY(read_map(r, node, KEYS_SINE));
    LITHE_TRY(read_positive(r, node, KEYS_SINE, "period", &p->period));
    LITHE_TRY(read_quantity(r, node, KEYS_SINE, "phase", &p->phase));
    const tree_node *amplitude = tree_find(node, "amplitude");
    LITHE_TRY(read_values(r, amplitude, p, p->amplitude));
    for (int sign = -1; sign <= 1; sign += 2) {
        double end[3];
        for (int i = 0; i < 3; i++)
            end[i] = p->value[i] + sign * p->amplitude[i];
        LITHE_TRY(check_value(r, amplitude, p, end));
    }
    return LITHE_OK;
}

// A column for each number, beside any others; of an actuator called as in actuation.csv.
static lithe_status read_csv(const reader *r, const tree_node *map, play *p)
{
    const char *path = NULL,
               *name[3] = {"displacement.x_m", "displacement.y_m", "displacement.z_m"};
    char column[3][COMMAND_COLUMN];
    const lithe_actuator_def *a = p->actuator;
    csv_table table = {0};
    LITHE_TRY(read_file_name(r, map, "csv", &path));
    for (int i = 0; a && i < p->n; i++)
        name[i] = command_column(a->name, lithe_actuator_quantity(a->kind, a->command), i, p->n,
                                 column[i]);
    csv_columns columns = {.n = p->n, .name = name, .any = true};
    LITHE_TRY(csv_read(path, &columns, r->arena, &table, r->report));
    p->nwaypoint = table.nline;
    p->waypoint = table.value;
    p->time = table.time;
    for (int i = 0; i < table.nline; i++)
        LITHE_TRY(check_value(r, tree_find(map, "csv"), p, &table.value[i * p->n]));
    return LITHE_OK;
}

static lithe_status read_how(const reader *r, const tree_node *map, play *p)
{
    const tree_node *node = tree_find(map, "play");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_PLAY));
    const tree_node *way = tree_find(node, "waypoints"), *sine = tree_find(node, "sine");
    if (way)
        return read_waypoints(r, way, p);
    return sine ? read_sine(r, sine, p) : read_csv(r, node, p);
}

lithe_status read_play(const reader *r, const tree_node *map, lithe_actuator_def *a)
{
    play p = {.n = command_count(a),
              .dimension = lithe_actuator_quantity(a->kind, a->command)->dimension,
              .value = a->value,
              .actuator = a};
    LITHE_TRY(read_how(r, map, &p));
    a->nwaypoint = p.nwaypoint;
    a->waypoint = p.waypoint;
    a->waypoint_time = p.time;
    memcpy(a->amplitude, p.amplitude, sizeof a->amplitude);
    a->period = p.period;
    a->phase = p.phase;
    return LITHE_OK;
}

lithe_status read_fix_play(const reader *r, const tree_node *map, lithe_fix_def *fix)
{
    play p = {.n = 3, .dimension = QUANTITY_LENGTH, .value = fix->displacement, .fix = fix};
    LITHE_TRY(read_how(r, map, &p));
    fix->nwaypoint = p.nwaypoint;
    fix->waypoint = p.waypoint;
    fix->waypoint_time = p.time;
    memcpy(fix->amplitude, p.amplitude, sizeof fix->amplitude);
    fix->period = p.period;
    fix->phase = p.phase;
    return LITHE_OK;
}
