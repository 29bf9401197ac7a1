// The task: which effectors and sensors shall measure what, and when.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/status.h"
#include "base/vec.h"
#include "control/measure.h"
#include "scene/actuator_quantity.h"
#include "scene/csv.h"
#include "scene/sensor_kind.h"

#include <stdio.h>
#include <string.h>

typedef struct aim {
    const reader *r;
    const lithe_def *def;
    lithe_measure what; // of the effector or sensor
    int nrow;
} aim;

static lithe_status read_effector_name(const aim *a, const tree_node *map, lithe_goal_def *goal,
                                       lithe_measure *what)
{
    LITHE_TRY(read_reference(a->r, map, "effector", tree_find(a->r->root, "effectors"), "effector",
                             &goal->effector));
    for (int i = 0; i < a->def->neffector; i++)
        if (strcmp(a->def->effector[i].name, goal->effector) == 0)
            *what = measure_of_effector(&a->def->effector[i]);
    return LITHE_OK;
}

static lithe_status read_sensor_name(const aim *a, const tree_node *map, lithe_goal_def *goal,
                                     lithe_measure *what)
{
    const lithe_sensor_def *sensor = NULL;
    LITHE_TRY(read_reference(a->r, map, "sensor", tree_find(a->r->root, "sensors"), "sensor",
                             &goal->sensor));
    for (int i = 0; i < a->def->nsensor; i++)
        if (strcmp(a->def->sensor[i].name, goal->sensor) == 0)
            sensor = &a->def->sensor[i];
    if (!sensor || sensor_kinds[sensor->kind]->reads_actuator)
        return tree_fail(a->r->report, tree_find(map, "sensor")->at,
                         "'%s' reads an actuator and can have no target; give that actuator a "
                         "command and given: true instead",
                         goal->sensor);
    *what = sensor_measure(a->def, sensor);
    return LITHE_OK;
}

// Who has the target.
static lithe_status read_who(aim *a, const tree_node *map, lithe_goal_def *goal)
{
    bool effector = tree_find(map, "effector") != NULL, sensor = tree_find(map, "sensor") != NULL;
    if (effector == sensor)
        return tree_fail(a->r->report, tree_location(map),
                         "a target belongs to an effector or a sensor; name %s",
                         effector ? "only one of them" : "one, such as effector: tip");
    LITHE_TRY(effector ? read_effector_name(a, map, goal, &a->what)
                       : read_sensor_name(a, map, goal, &a->what));
    a->nrow = measure_rows(&a->what);
    return LITHE_OK;
}

static lithe_status fail_count(const aim *a, const tree_node *node)
{
    return tree_fail(a->r->report, tree_value_location(node), "'%s' has %d number%s; expected %s%s",
                     a->what.name, a->nrow, a->nrow == 1 ? "" : "s",
                     a->nrow == 1 ? "" : "a list of them, each ",
                     quantity_expected(a->what.dimension));
}

// Values of all rows: one, a list, or a list of points.
static lithe_status read_values(const aim *a, const tree_node *node, double *value)
{
    int n = 0;
    if (node->kind == TREE_TEXT && a->nrow == 1)
        return read_quantity_node(a->r, node, a->what.dimension, false, value);
    if (node->kind != TREE_LIST)
        return fail_count(a, node);
    for (const tree_node *c = node->child; c; c = c->next) {
        const tree_node *item = c->kind == TREE_LIST ? c->child : c;
        for (; item && n < a->nrow; item = c->kind == TREE_LIST ? item->next : NULL)
            LITHE_TRY(read_quantity_node(a->r, item, a->what.dimension, false, &value[n++]));
        if (item)
            return fail_count(a, node);
    }
    return n == a->nrow ? LITHE_OK : fail_count(a, node);
}

// Memory for so many targets and their times.
static lithe_status create_points(const aim *a, int n, lithe_goal_def *goal, double **point,
                                  double **time)
{
    *point = read_alloc(a->r, n, (size_t)a->nrow * sizeof **point);
    *time = read_alloc(a->r, n, sizeof **time);
    goal->npoint = n;
    goal->point = *point;
    goal->time = *time;
    return *point && *time ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status read_turns(const aim *a, const tree_node *node, keys_block block,
                               lithe_goal_def *goal)
{
    LITHE_TRY(read_positive(a->r, node, block, "period", &goal->period));
    return read_positive(a->r, node, block, "turns", &goal->turns);
}

static lithe_status read_circle(const aim *a, const tree_node *node, lithe_goal_def *goal)
{
    goal->path = LITHE_CIRCLE;
    LITHE_TRY(read_map(a->r, node, KEYS_CIRCLE));
    LITHE_TRY(read_triple(a->r, node, KEYS_CIRCLE, "center", goal->centre));
    LITHE_TRY(read_positive(a->r, node, KEYS_CIRCLE, "radius", &goal->radius));
    LITHE_TRY(read_triple(a->r, node, KEYS_CIRCLE, "normal", goal->normal));
    if (goal->normal[0] == 0 && goal->normal[1] == 0 && goal->normal[2] == 0)
        return tree_fail(a->r->report, tree_find(node, "normal")->at,
                         "the normal must not be zero; write a direction such as [0, 0, 1]");
    return read_turns(a, node, KEYS_CIRCLE, goal);
}

static lithe_status read_straight(const aim *a, const tree_node *node, lithe_goal_def *goal)
{
    double *point, *time;
    goal->path = LITHE_LINE;
    LITHE_TRY(read_map(a->r, node, KEYS_STRAIGHT));
    LITHE_TRY(create_points(a, 2, goal, &point, &time));
    LITHE_TRY(read_triple(a->r, node, KEYS_STRAIGHT, "from", &point[0]));
    LITHE_TRY(read_triple(a->r, node, KEYS_STRAIGHT, "to", &point[3]));
    return read_positive(a->r, node, KEYS_STRAIGHT, "time", &time[1]);
}

static lithe_status read_polygon(const aim *a, const tree_node *node, lithe_goal_def *goal)
{
    double *point, *time;
    goal->path = LITHE_POLYGON;
    LITHE_TRY(read_map(a->r, node, KEYS_POLYGON));
    const tree_node *corners = tree_find(node, "corners");
    if (corners->kind != TREE_LIST || corners->nchild < 2)
        return tree_fail(a->r->report, tree_value_location(corners),
                         "expected two corners or more, [[x, y, z], [x, y, z], ...]");
    LITHE_TRY(create_points(a, corners->nchild, goal, &point, &time));
    bool spread = false;
    for (const tree_node *c = corners->child; c; c = c->next, point += 3) {
        LITHE_TRY(read_triple_node(a->r, c, QUANTITY_LENGTH, false, point));
        spread = spread || vec_distance(point, goal->point) > 0;
    }
    if (!spread)
        return tree_fail(a->r->report, corners->at, "the corners are all in one place");
    return read_turns(a, node, KEYS_POLYGON, goal);
}

static lithe_status read_waypoint(const aim *a, const tree_node *node, double *point, double *time)
{
    LITHE_TRY(read_map(a->r, node, KEYS_WAYPOINT));
    LITHE_TRY(read_quantity(a->r, node, KEYS_WAYPOINT, "time", time));
    return read_values(a, tree_find(node, "at"), point);
}

static lithe_status read_waypoints(const aim *a, const tree_node *node, lithe_goal_def *goal)
{
    double *point, *time, before = -1;
    goal->path = LITHE_WAYPOINTS;
    if (node->kind != TREE_LIST || node->nchild == 0)
        return tree_fail(a->r->report, tree_value_location(node),
                         "expected a list of waypoints, [{time: 1 s, at: ...}, ...]");
    LITHE_TRY(create_points(a, node->nchild, goal, &point, &time));
    for (const tree_node *c = node->child; c; c = c->next, point += a->nrow, time++) {
        LITHE_TRY(read_waypoint(a, c, point, time));
        if (*time < 0 || *time <= before)
            return tree_fail(a->r->report, tree_find(c, "time")->at,
                             "times must rise, from 0 or later; this one is %g s%s", *time,
                             *time < 0 ? "" : ", not later than the one before");
        before = *time;
    }
    if (before > 0)
        return LITHE_OK;
    return tree_fail(a->r->report, tree_location(node),
                     "the path takes no time; add a later waypoint, or use hold");
}

// Names that may stand beside the wanted columns: everything that lithe track writes.
typedef struct known_names {
    arena *memory;
    int n;
    const char **name;
} known_names;

static bool add_known(known_names *k, const char *name)
{
    k->name[k->n] = arena_strdup(k->memory, name);
    return k->name[k->n++] != NULL;
}

static bool add_measure(known_names *k, const lithe_measure *m)
{
    for (int i = 0; i < measure_rows(m); i++) {
        char column[MEASURE_TEXT], target[MEASURE_TEXT + 8];
        measure_column(m, i, column);
        snprintf(target, sizeof target, "target.%s", column);
        if (!add_known(k, column) || !add_known(k, target))
            return false;
    }
    return true;
}

static bool add_actuator(known_names *k, const lithe_actuator_def *d)
{
    int n = command_count(d);
    for (int kind = 0; kind < 2; kind++) {
        const lithe_quantity *q = lithe_actuator_quantity(d->kind, (lithe_command_kind)kind);
        char column[COMMAND_COLUMN];
        for (int i = 0; q->name && i < n; i++)
            if (!add_known(k, command_column(d->name, q, i, n, column)))
                return false;
    }
    return true;
}

static size_t count_known(const lithe_def *def)
{
    size_t n = 3 + 6 * (size_t)def->nactuator;
    for (int i = 0; i < def->neffector; i++) {
        lithe_measure m = measure_of_effector(&def->effector[i]);
        n += 2 * (size_t)measure_rows(&m);
    }
    for (int i = 0; i < def->nsensor; i++) {
        lithe_measure m = sensor_measure(def, &def->sensor[i]);
        n += 2 * (size_t)measure_rows(&m);
    }
    return n;
}

static bool list_known(const lithe_def *def, known_names *k)
{
    k->name = arena_new(k->memory, count_known(def), const char *);
    bool ok = k->name && add_known(k, "step") && add_known(k, "residual") && add_known(k, "load");
    for (int i = 0; ok && i < def->neffector; i++) {
        lithe_measure m = measure_of_effector(&def->effector[i]);
        ok = add_measure(k, &m);
    }
    for (int i = 0; ok && i < def->nsensor; i++) {
        lithe_measure m = sensor_measure(def, &def->sensor[i]);
        ok = add_measure(k, &m);
    }
    for (int i = 0; ok && i < def->nactuator; i++)
        ok = add_actuator(k, &def->actuator[i]);
    return ok;
}

static lithe_status read_table(const aim *a, const char *path, arena *scratch, csv_table *table)
{
    known_names known = {.memory = scratch};
    const char **name = arena_new(scratch, a->nrow, const char *);
    bool ok = name && list_known(a->def, &known);
    for (int i = 0; ok && i < a->nrow; i++) {
        char column[MEASURE_TEXT];
        name[i] = arena_strdup(scratch, measure_column(&a->what, i, column));
        ok = name[i] != NULL;
    }
    if (!ok)
        return report_no_memory(a->r->report, "the scene");
    csv_columns columns = {a->nrow, name, known.n, known.name, false};
    return csv_read(path, &columns, a->r->arena, table, a->r->report);
}

static lithe_status read_csv(const aim *a, const tree_node *map, lithe_goal_def *goal)
{
    const char *path = NULL;
    arena scratch = {0};
    csv_table table = {0};
    goal->path = LITHE_WAYPOINTS;
    LITHE_TRY(read_file_name(a->r, map, "csv", &path));
    lithe_status status = read_table(a, path, &scratch, &table);
    arena_free(&scratch);
    LITHE_TRY(status);
    goal->npoint = table.nline;
    goal->point = table.value;
    goal->time = table.time;
    if (table.nline > 0 && table.time[table.nline - 1] > 0)
        return LITHE_OK;
    return tree_fail(a->r->report, tree_find(map, "csv")->at,
                     "the path takes no time; add a later line to the table, or use hold");
}

// Circles and their like are drawn in space.
static lithe_status check_space(const aim *a, const tree_node *node)
{
    if (a->nrow == 3 && a->what.dimension == QUANTITY_LENGTH)
        return LITHE_OK;
    return tree_fail(a->r->report, node->key_at,
                     "a %s needs the x, y and z of one point, but '%s' has %d number%s; use "
                     "waypoints or csv",
                     node->key, a->what.name, a->nrow, a->nrow == 1 ? "" : "s");
}

static lithe_status read_path(const aim *a, const tree_node *map, lithe_goal_def *goal)
{
    typedef lithe_status read_shape(const aim *, const tree_node *, lithe_goal_def *);
    static const char *const shape[] = {"circle", "line", "polygon"};
    static read_shape *const read[] = {read_circle, read_straight, read_polygon};
    for (int i = 0; i < 3; i++) {
        const tree_node *node = tree_find(map, shape[i]);
        if (!node)
            continue;
        LITHE_TRY(check_space(a, node));
        return read[i](a, node, goal);
    }
    const tree_node *node = tree_find(map, "waypoints");
    return node ? read_waypoints(a, node, goal) : read_csv(a, map, goal);
}

static lithe_status read_follow(aim *a, const tree_node *node, lithe_goal_def *goal)
{
    LITHE_TRY(read_map(a->r, node, KEYS_FOLLOW));
    LITHE_TRY(read_who(a, node, goal));
    return read_path(a, node, goal);
}

static lithe_status read_hold(aim *a, const tree_node *node, lithe_goal_def *goal)
{
    double *point, *time;
    LITHE_TRY(read_map(a->r, node, KEYS_HOLD));
    LITHE_TRY(read_who(a, node, goal));
    LITHE_TRY(create_points(a, 1, goal, &point, &time));
    return read_values(a, tree_find(node, "at"), point);
}

typedef lithe_status read_one(aim *a, const tree_node *node, lithe_goal_def *goal);

// One map, or a list of them.
static lithe_status read_goals(const reader *r, const lithe_def *def, const tree_node *node,
                               bool kept, read_one *read, lithe_goal_def **goal)
{
    bool list = node->kind == TREE_LIST;
    for (const tree_node *c = list ? node->child : node; c; c = list ? c->next : NULL) {
        aim a = {.r = r, .def = def};
        **goal = lithe_goal_def_default(LITHE_STAY);
        (*goal)->kept = kept;
        LITHE_TRY(read_location(r, c, &(*goal)->location));
        LITHE_TRY(read(&a, c, *goal));
        (*goal)++;
    }
    return LITHE_OK;
}

static int count_goals(const tree_node *node)
{
    return !node ? 0 : node->kind == TREE_LIST ? node->nchild : 1;
}

// A path is walked in steps of dt, so the scene must say how long they are.
static lithe_status check_dt(const reader *r, const tree_node *task)
{
    const tree_node *step = tree_find(r->root, "step");
    if (!tree_find(task, "follow") || (step && tree_find(step, "dt")))
        return LITHE_OK;
    return tree_fail(r->report, tree_location(tree_find(task, "follow")),
                     "nothing says the time from step to step; add step: {dt: 10 ms}");
}

static lithe_status read_all(const reader *r, const tree_node *node, const lithe_def *def,
                             lithe_goal_def *goal)
{
    static const char *const key[] = {"follow", "hold", "keep"};
    for (int i = 0; i < 3; i++) {
        const tree_node *part = tree_find(node, key[i]);
        if (part)
            LITHE_TRY(read_goals(r, def, part, i == 2, i == 0 ? read_follow : read_hold, &goal));
    }
    return LITHE_OK;
}

lithe_status read_task(const reader *r, lithe_def *def)
{
    const tree_node *node = tree_find(r->root, "task");
    if (!node)
        return LITHE_OK;
    lithe_task_def *task = &def->task;
    LITHE_TRY(read_map(r, node, KEYS_TASK));
    LITHE_TRY(read_location(r, node, &task->location));
    LITHE_TRY(read_positive(r, node, KEYS_TASK, "approach", &task->approach));
    LITHE_TRY(read_count(r, node, "settle", &task->settle));
    task->ngoal = count_goals(tree_find(node, "follow")) + count_goals(tree_find(node, "hold")) +
                  count_goals(tree_find(node, "keep"));
    if (task->ngoal == 0)
        return tree_fail(r->report, tree_location(node), "a task needs follow, hold or keep");
    lithe_goal_def *goal = read_alloc(r, task->ngoal, sizeof *goal);
    if (!goal)
        return LITHE_NO_MEMORY;
    task->goal = goal;
    LITHE_TRY(check_dt(r, node));
    return read_all(r, node, def, goal);
}
