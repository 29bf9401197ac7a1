// How an actuator's command goes on in time.
#include "scene/reader.h"

#include "base/status.h"
#include "scene/actuator_quantity.h"
#include "scene/csv.h"

// One number, or as many as the actuator has rows.
static lithe_status read_values(const reader *r, const tree_node *node, const lithe_actuator_def *a,
                                double *value)
{
    quantity_dimension dimension = lithe_actuator_quantity(a->kind, a->command)->dimension;
    if (command_count(a) == 3)
        return read_triple_node(r, node, dimension, false, value);
    return read_quantity_node(r, node, dimension, false, value);
}

static lithe_status check_value(const reader *r, const tree_node *node, const lithe_actuator_def *a,
                                const double *value)
{
    lithe_report outside = lithe_report_default();
    if (command_check_limits(a, a->command, value, &outside) == LITHE_OK)
        return LITHE_OK;
    return tree_fail(r->report, tree_value_location(node), "%s", outside.error);
}

static lithe_status read_waypoints(const reader *r, const tree_node *node, lithe_actuator_def *a)
{
    int n = command_count(a);
    double before = 0;
    if (node->kind != TREE_LIST || node->nchild == 0)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of waypoints, [{time: 1 s, at: ...}, ...]");
    double *value = read_alloc(r, n * node->nchild, sizeof *value);
    double *time = read_alloc(r, node->nchild, sizeof *time);
    if (!value || !time)
        return LITHE_NO_MEMORY;
    a->nwaypoint = node->nchild;
    a->waypoint = value;
    a->waypoint_time = time;
    for (const tree_node *c = node->child; c; c = c->next, value += n, time++) {
        LITHE_TRY(read_map(r, c, KEYS_PLAY_WAYPOINT));
        LITHE_TRY(read_quantity(r, c, KEYS_PLAY_WAYPOINT, "time", time));
        if (*time < before)
            return tree_fail(r->report, tree_find(c, "time")->at,
                             "times must not fall, from 0 on; this one is %g s", *time);
        before = *time;
        LITHE_TRY(read_values(r, tree_find(c, "at"), a, value));
        LITHE_TRY(check_value(r, tree_find(c, "at"), a, value));
    }
    return LITHE_OK;
}

static lithe_status read_sine(const reader *r, const tree_node *node, lithe_actuator_def *a)
{
    LITHE_TRY(read_map(r, node, KEYS_SINE));
    LITHE_TRY(read_positive(r, node, KEYS_SINE, "period", &a->period));
    LITHE_TRY(read_quantity(r, node, KEYS_SINE, "phase", &a->phase));
    const tree_node *amplitude = tree_find(node, "amplitude");
    LITHE_TRY(read_values(r, amplitude, a, a->amplitude));
    for (int sign = -1; sign <= 1; sign += 2) {
        double end[3];
        for (int i = 0; i < 3; i++)
            end[i] = a->value[i] + sign * a->amplitude[i];
        LITHE_TRY(check_value(r, amplitude, a, end));
    }
    return LITHE_OK;
}

// A column for each of the actuator's rows, called as in actuation.csv, beside any others.
static lithe_status read_csv(const reader *r, const tree_node *map, lithe_actuator_def *a)
{
    const char *path = NULL, *name[3];
    char column[3][COMMAND_COLUMN];
    const lithe_quantity *q = lithe_actuator_quantity(a->kind, a->command);
    int n = command_count(a);
    csv_table table = {0};
    LITHE_TRY(read_file_name(r, map, "csv", &path));
    for (int i = 0; i < n; i++)
        name[i] = command_column(a->name, q, i, n, column[i]);
    csv_columns columns = {.n = n, .name = name, .any = true};
    LITHE_TRY(csv_read(path, &columns, r->arena, &table, r->report));
    a->nwaypoint = table.nline;
    a->waypoint = table.value;
    a->waypoint_time = table.time;
    for (int i = 0; i < table.nline; i++)
        LITHE_TRY(check_value(r, tree_find(map, "csv"), a, &table.value[i * n]));
    return LITHE_OK;
}

lithe_status read_play(const reader *r, const tree_node *map, lithe_actuator_def *a)
{
    const tree_node *node = tree_find(map, "play");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_PLAY));
    const tree_node *way = tree_find(node, "waypoints"), *sine = tree_find(node, "sine");
    if (way)
        return read_waypoints(r, way, a);
    return sine ? read_sine(r, sine, a) : read_csv(r, node, a);
}
