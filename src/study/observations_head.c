#include "study/observations_head.h"

#include "base/quote.h"
#include "base/spelling.h"
#include "base/status.h"
#include "control/measure.h"
#include "scene/actuator_quantity.h"
#include "scene/csv.h"
#include "scene/sensor_kind.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char SET[] = "set:";

lithe_status observe_fail(study *s, const lithe_observations *o, int line, int column,
                          const char *format, ...)
{
    char text[LITHE_TEXT_MAX], location[32] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (column > 0)
        snprintf(location, sizeof location, ":%d", column);
    return LITHE_FAIL(s->report, LITHE_INVALID, "%.300s:%d%s: %.600s", o->path, line, location,
                      text);
}

// Length of a column's name without its unit.
static size_t stem(const char *name)
{
    const char *dash = strrchr(name, '_');
    return dash ? (size_t)(dash - name) : strlen(name);
}

static bool same_stem(const char *a, const char *b)
{
    return stem(a) == stem(b) && strncmp(a, b, stem(a)) == 0;
}

// Compares with one known name, and remembers it as what may have been meant.
static bool match(const lithe_column *c, const char *known, nearest *near)
{
    nearest_offer(near, known);
    return same_stem(c->name, known);
}

static bool match_actuator(const lithe_actuator_def *d, int number, lithe_column *c, nearest *near)
{
    char known[COMMAND_COLUMN];
    int n = command_count(d);
    for (int kind = 0; kind < 2; kind++) {
        const lithe_quantity *q = lithe_actuator_quantity(d->kind, (lithe_command_kind)kind);
        for (int i = 0; i < n && q->name && !q->read_only; i++)
            if (match(c, command_column(d->name, q, i, n, known), near)) {
                c->kind = LITHE_COLUMN_COMMAND;
                c->thing = number;
                c->command = (lithe_command_kind)kind;
                c->row = i;
                c->dimension = q->dimension;
                return true;
            }
    }
    return false;
}

static bool match_measure(lithe_measure m, lithe_column_kind kind, int number, lithe_column *c,
                          nearest *near)
{
    char known[MEASURE_TEXT];
    for (int i = 0; i < measure_rows(&m); i++)
        if (match(c, measure_column(&m, i, known), near)) {
            c->kind = kind;
            c->thing = number;
            c->row = i;
            c->dimension = m.dimension;
            return true;
        }
    return false;
}

// Other columns of a series do not hurt.
static bool match_other(lithe_column *c, nearest *near)
{
    static const char *const other[] = {"time_s", "step", "residual", "load", "overlap_m"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        nearest_offer(near, other[i]);
        if (strcmp(c->name, other[i]) == 0) {
            c->kind = strcmp(c->name, "load") == 0 ? LITHE_COLUMN_LOAD : LITHE_COLUMN_IGNORED;
            c->dimension = QUANTITY_NUMBER;
            return true;
        }
    }
    return false;
}

static bool match_any(const lithe_def *def, lithe_column *c, nearest *near)
{
    for (int i = 0; i < def->neffector; i++)
        if (match_measure(measure_of_effector(&def->effector[i]), LITHE_COLUMN_EFFECTOR, i, c,
                          near))
            return true;
    for (int i = 0; i < def->nsensor; i++)
        if (match_measure(sensor_measure(def, &def->sensor[i]), LITHE_COLUMN_SENSOR, i, c, near))
            return true;
    for (int i = 0; i < def->nactuator; i++)
        if (match_actuator(&def->actuator[i], i, c, near))
            return true;
    return match_other(c, near);
}

static lithe_status take_unit(study *s, const lithe_observations *o, lithe_column *c)
{
    unit u;
    char message[QUANTITY_MESSAGE_MAX];
    const char *text = c->name + stem(c->name);
    if (!*text)
        return observe_fail(s, o, 1, o->ncolumn + 1,
                            "the column '%s' has no unit; call it '%s_%s' if it is in %s",
                            QUOTE(c->name), QUOTE(c->name), quantity_si_unit(c->dimension),
                            quantity_si_unit(c->dimension));
    if (quantity_parse_unit(text + 1, c->dimension, &u, message) != LITHE_OK)
        return observe_fail(s, o, 1, o->ncolumn + 1, "column '%s': %s", QUOTE(c->name), message);
    c->si = unit_to_si(&u, 1);
    return LITHE_OK;
}

// "sigma_mm" for everything that is measured as a length, "sigma_N" for forces.
static lithe_status take_sigma(study *s, const lithe_observations *o, lithe_column *c)
{
    unit u;
    char message[QUANTITY_MESSAGE_MAX] = "";
    c->kind = LITHE_COLUMN_SIGMA;
    for (int d = QUANTITY_LENGTH; d < QUANTITY_NDIMENSION; d++)
        if (quantity_parse_unit(c->name + strlen("sigma_"), (quantity_dimension)d, &u, message) ==
            LITHE_OK) {
            c->dimension = (quantity_dimension)d;
            c->si = unit_to_si(&u, 1);
            return LITHE_OK;
        }
    return observe_fail(s, o, 1, o->ncolumn + 1,
                        "column '%s': a standard deviation needs a unit, such as sigma_mm",
                        QUOTE(c->name));
}

// "set:PATH_UNIT". A path may hold a '_' itself: what follows the last one is a unit if it can be.
static lithe_status take_set(study *s, const lithe_observations *o, lithe_column *c)
{
    unit u;
    char message[UNIT_MESSAGE_MAX];
    char *path = arena_strdup(&s->memory, c->name + strlen(SET));
    if (!path)
        return report_no_memory(s->report, "the observations");
    char *dash = strrchr(path, '_');
    bool has_unit = dash && unit_parse(dash + 1, &u, message);
    c->kind = LITHE_COLUMN_SET;
    c->si = 1; // the scene reads number and unit
    c->path = path;
    c->unit = has_unit ? dash + 1 : "";
    if (has_unit)
        *dash = 0;
    for (int i = 0; i < s->def.nfind; i++)
        if (strncmp(s->def.find[i], path, strlen(path)) == 0 &&
            strchr("=:", s->def.find[i][strlen(path)]))
            return observe_fail(s, o, 1, o->ncolumn + 1,
                                "'%s' is to be found, so it cannot be set; remove one of the two",
                                QUOTE(path));
    return LITHE_OK;
}

static bool is_same(const lithe_column *a, const lithe_column *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == LITHE_COLUMN_SET)
        return a->path && b->path && strcmp(a->path, b->path) == 0;
    if (a->kind == LITHE_COLUMN_SIGMA)
        return a->dimension == b->dimension;
    if (a->kind == LITHE_COLUMN_IGNORED)
        return strcmp(a->name, b->name) == 0;
    return a->thing == b->thing && a->command == b->command && a->row == b->row;
}

static lithe_status check_once(study *s, const lithe_observations *o)
{
    const lithe_column *c = &o->column[o->ncolumn];
    for (int i = 0; i < o->ncolumn; i++)
        if (is_same(&o->column[i], c))
            return observe_fail(s, o, 1, o->ncolumn + 1, "the column '%s' is there twice",
                                QUOTE(c->name));
    return LITHE_OK;
}

static lithe_status take_column(study *s, lithe_observations *o, const char *field)
{
    lithe_column *c = &o->column[o->ncolumn];
    nearest near = nearest_start(field);
    *c = (lithe_column){.name = arena_strdup(&s->memory, field), .si = 1};
    if (!c->name)
        return report_no_memory(s->report, "the observations");
    if (strncmp(field, SET, strlen(SET)) == 0)
        return take_set(s, o, c);
    if (strncmp(field, "sigma_", strlen("sigma_")) == 0)
        return take_sigma(s, o, c);
    if (match_any(lithe_scene_def(s->scene), c, &near))
        return c->dimension == QUANTITY_NUMBER ? LITHE_OK : take_unit(s, o, c);
    const char *meant = nearest_found(&near);
    return observe_fail(s, o, 1, o->ncolumn + 1, "unknown column '%s'%s%s%s", QUOTE(field),
                        meant ? ": did you mean '"
                              : "; columns are called as in series.csv of lithe run, set:PATH_UNIT "
                                "or sigma_UNIT",
                        meant ? meant : "", meant ? "'?" : "");
}

static const lithe_column *find_sigma(const lithe_observations *o, quantity_dimension d)
{
    for (int i = 0; i < o->ncolumn; i++)
        if (o->column[i].kind == LITHE_COLUMN_SIGMA && o->column[i].dimension == d)
            return &o->column[i];
    return NULL;
}

// Residuals of different dimensions can only be added up in units of their standard deviation.
static lithe_status check_measured(study *s, lithe_observations *o)
{
    const lithe_column *first = NULL, *bare = NULL;
    bool mixed = false;
    for (int i = 0; i < o->ncolumn; i++) {
        const lithe_column *c = &o->column[i];
        if (!lithe_column_is_measured(c))
            continue;
        first = first ? first : c;
        mixed |= c->dimension != first->dimension;
        if (find_sigma(o, c->dimension))
            o->weighted = true;
        else
            bare = bare ? bare : c;
    }
    if (!first)
        return observe_fail(s, o, 1, 0, "no column is observed; effectors and sensors are");
    if (!o->readings && bare && (mixed || o->weighted))
        return observe_fail(s, o, 1, (int)(bare - o->column) + 1,
                            "'%s' needs a standard deviation, as it is compared with other "
                            "quantities or with weighted ones: add a column sigma_%s",
                            QUOTE(bare->name), quantity_si_unit(bare->dimension));
    return LITHE_OK;
}

// What a table of observations may have and one of readings may not.
static lithe_status check_readings(study *s, lithe_observations *o)
{
    for (int i = 0; i < o->ncolumn && o->readings; i++) {
        lithe_column_kind kind = o->column[i].kind;
        if (kind == LITHE_COLUMN_SIGMA || kind == LITHE_COLUMN_SET)
            return observe_fail(s, o, 1, i + 1, "'%s' %s", QUOTE(o->column[i].name),
                                kind == LITHE_COLUMN_SET
                                    ? "is a key of the scene, which stays as it is: use --set"
                                    : "does not belong here: the noise of a reading stands in the "
                                      "scene, estimate: {readings: {SENSOR: NOISE}}");
    }
    return LITHE_OK;
}

// One quantity for each actuator, and all of its numbers.
static lithe_status check_commands(study *s, const lithe_observations *o)
{
    const lithe_def *def = lithe_scene_def(s->scene);
    for (int i = 0; i < o->ncolumn; i++) {
        const lithe_column *c = &o->column[i];
        int n = 0;
        if (c->kind != LITHE_COLUMN_COMMAND)
            continue;
        for (int k = 0; k < o->ncolumn; k++) {
            const lithe_column *other = &o->column[k];
            if (other->kind != LITHE_COLUMN_COMMAND || other->thing != c->thing)
                continue;
            if (other->command != c->command)
                return observe_fail(s, o, 1, k + 1,
                                    "'%s' and '%s' command the same actuator; keep what was "
                                    "commanded and remove the other column",
                                    QUOTE(c->name), QUOTE(other->name));
            n++;
        }
        if (n < command_count(&def->actuator[c->thing]))
            return observe_fail(s, o, 1, i + 1, "'%s' needs columns for x, y and z",
                                QUOTE(def->actuator[c->thing].name));
    }
    return LITHE_OK;
}

lithe_status observe_head(study *s, lithe_observations *o, char *line)
{
    o->column = arena_new(&s->memory, OBSERVE_COLUMNS_MAX, lithe_column);
    if (!o->column)
        return report_no_memory(s->report, "the observations");
    for (char *rest = line, *field; (field = csv_take_field(&rest)); o->ncolumn++) {
        if (o->ncolumn == OBSERVE_COLUMNS_MAX)
            return observe_fail(s, o, 1, 0, "there are more than %d columns", OBSERVE_COLUMNS_MAX);
        LITHE_TRY(take_column(s, o, field));
        LITHE_TRY(check_once(s, o));
    }
    LITHE_TRY(check_readings(s, o));
    LITHE_TRY(check_measured(s, o));
    return check_commands(s, o);
}
