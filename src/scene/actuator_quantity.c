#include "scene/actuator_quantity.h"

#include "base/quote.h"
#include "base/spelling.h"
#include "base/status.h"
#include "control/task.h"
#include "scene/actuator_kind.h"

#include <stdio.h>
#include <string.h>

const char *command_column(const char *actuator, const lithe_quantity *q, int i, int n,
                           char text[COMMAND_COLUMN])
{
    static const char *const axis[] = {".x", ".y", ".z"};
    snprintf(text, COMMAND_COLUMN, "%s.%s%s_%s", actuator, q->name, n == 3 ? axis[i] : "",
             quantity_si_unit(q->dimension));
    return text;
}

static const char *actuator_column(const lithe_model *m, int r, lithe_command_kind kind,
                                   char text[LITHE_ROW_NAME])
{
    int i = 0, n = lithe_nactuator(m);
    while (i < n && r >= lithe_row_of_actuator(m, i) + lithe_actuator_rows(m, i))
        i++;
    if (i == n) { // of a joint
        snprintf(text, LITHE_ROW_NAME, "joint.%d_%s", r, kind == LITHE_EFFORT ? "N" : "m");
        return text;
    }
    const lithe_quantity *q = lithe_actuator_quantity(lithe_actuator_type(m, i), kind);
    if (!q->name) // a modulus, which has an effort alone
        q = lithe_actuator_quantity(lithe_actuator_type(m, i), LITHE_EFFORT);
    return command_column(lithe_actuator_name(m, i), q, r - lithe_row_of_actuator(m, i),
                          lithe_actuator_rows(m, i), text);
}

const char *lithe_row_name(const lithe_model *m, int r, lithe_command_kind kind,
                           char text[LITHE_ROW_NAME])
{
    const control_task *task = control_of(m);
    text[0] = 0;
    if (r < 0 || r >= lithe_nrow(m))
        return text;
    if (r < lithe_ndriven(m))
        return actuator_column(m, r, kind, text);
    for (int i = 0; i < lithe_neffector(m); i++)
        if (r < lithe_row_of_effector(m, i) + lithe_effector_rows(m, i))
            return measure_column(&task->effector[i], r - lithe_row_of_effector(m, i), text);
    for (int i = lithe_nsensor(m) - 1; i >= 0; i--) // an effort sensor has the next one's first row
        if (r >= lithe_row_of_sensor(m, i))
            return measure_column(&task->sensor[i], r - lithe_row_of_sensor(m, i), text);
    return text;
}

int command_count(const lithe_actuator_def *actuator)
{
    return actuator_kinds[actuator->kind]->along_axes && !actuator->has_direction ? 3 : 1;
}

lithe_status command_check_limits(const lithe_actuator_def *actuator, lithe_command_kind kind,
                                  const double value[3], lithe_report *report)
{
    const double *limit =
        kind == LITHE_EFFORT ? actuator->effort_limit : actuator->displacement_limit;
    const lithe_quantity *q = lithe_actuator_quantity(actuator->kind, kind);
    for (int i = 0; i < command_count(actuator); i++)
        if (!(value[i] >= limit[0] && value[i] <= limit[1]))
            return LITHE_FAIL(
                report, LITHE_INVALID,
                "%s %g %s is outside the limits of '%s', [%g, %g] %s; change one of them", q->name,
                value[i], quantity_si_unit(q->dimension), QUOTE(actuator->name), limit[0], limit[1],
                quantity_si_unit(q->dimension));
    return LITHE_OK;
}

// The parts of "north.pull=10 mm".
typedef struct parts {
    char name[NEAREST_NAME_MAX];
    char quantity[NEAREST_NAME_MAX];
    const char *value;
} parts;

static bool copy_part(char to[NEAREST_NAME_MAX], const char *from, const char *end)
{
    size_t n = (size_t)(end - from);
    if (n == 0 || n >= NEAREST_NAME_MAX)
        return false;
    memcpy(to, from, n);
    to[n] = 0;
    return true;
}

static bool split(const char *text, parts *p)
{
    const char *equals = strchr(text, '=');
    const char *dot = strchr(text, '.');
    if (!equals || !dot || dot > equals)
        return false;
    p->value = equals + 1;
    return copy_part(p->name, text, dot) && copy_part(p->quantity, dot + 1, equals);
}

static lithe_status find_actuator(const lithe_def *def, const char *text, const char *name,
                                  int *actuator, lithe_report *report)
{
    nearest n = nearest_start(name);
    for (int i = 0; i < def->nactuator; i++) {
        nearest_offer(&n, def->actuator[i].name);
        if (strcmp(def->actuator[i].name, name) == 0) {
            *actuator = i;
            return LITHE_OK;
        }
    }
    const char *meant = nearest_found(&n);
    if (meant)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: there is no actuator '%s': did you mean '%s'?", text, name, meant);
    if (def->nactuator == 0)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: there is no actuator '%s'; the scene has no actuators", text, name);
    return LITHE_FAIL(report, LITHE_INVALID,
                      "%s: there is no actuator '%s'; the first of the scene is '%s'", text, name,
                      QUOTE(def->actuator[0].name));
}

// "pull and tension": what an actuator can be told.
static void list_quantities(const lithe_actuator_def *actuator, char *out, size_t size)
{
    const lithe_quantity *q = actuator_kinds[actuator->kind]->quantity;
    bool both = !q[LITHE_DISPLACEMENT].read_only && !q[LITHE_EFFORT].read_only;
    snprintf(out, size, "%s%s%s", q[LITHE_DISPLACEMENT].read_only ? "" : q[LITHE_DISPLACEMENT].name,
             both ? " and " : "", q[LITHE_EFFORT].read_only ? "" : q[LITHE_EFFORT].name);
}

static lithe_status find_quantity(const lithe_actuator_def *actuator, const char *text,
                                  const char *name, lithe_command_kind *kind, lithe_report *report)
{
    const lithe_quantity *q = actuator_kinds[actuator->kind]->quantity;
    nearest n = nearest_start(name);
    for (int i = 0; i < 2; i++) {
        if (q[i].read_only)
            continue;
        nearest_offer(&n, q[i].name);
        if (strcmp(q[i].name, name) == 0) {
            *kind = (lithe_command_kind)i;
            return LITHE_OK;
        }
    }
    const char *meant = nearest_found(&n);
    if (meant)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: '%s' has no '%s': did you mean '%s'?", text,
                          actuator->name, name, meant);
    char known[64];
    list_quantities(actuator, known, sizeof known);
    return LITHE_FAIL(report, LITHE_INVALID, "%s: '%s' has no '%s' to be told; it has %s", text,
                      actuator->name, name, known);
}

// One number of a list, up to its comma; rest is set behind it.
static bool take_item(const char *at, char item[QUANTITY_MESSAGE_MAX], const char **rest)
{
    size_t n = strcspn(at, ",]");
    if (n >= QUANTITY_MESSAGE_MAX)
        return false;
    memcpy(item, at, n);
    item[n] = 0;
    *rest = at + n + (at[n] == ',');
    return true;
}

// n numbers with commas between them, in brackets or not.
static lithe_status parse_values(const char *text, int n, quantity_dimension dimension,
                                 const quantity_units *units, double value[3],
                                 char message[QUANTITY_MESSAGE_MAX])
{
    if (n == 1)
        return quantity_parse(text, dimension, units, false, value, message);
    const char *at = text + strspn(text, " ");
    bool bracket = *at == '[';
    at += bracket;
    int commas = 0;
    for (const char *c = at; *c; c++)
        commas += *c == ',';
    if (commas != n - 1 || bracket != (strchr(at, ']') != NULL)) {
        snprintf(message, QUANTITY_MESSAGE_MAX, "expected %d values, such as [0, 0, -1 N]", n);
        return LITHE_INVALID;
    }
    for (int i = 0; i < n; i++) {
        char item[QUANTITY_MESSAGE_MAX];
        if (!take_item(at, item, &at))
            item[0] = 0;
        LITHE_TRY(quantity_parse(item, dimension, units, false, &value[i], message));
    }
    return LITHE_OK;
}

lithe_status lithe_scene_command(const lithe_scene *scene, const char *text, int *actuator,
                                 lithe_command_kind *kind, double value[3], lithe_report *report)
{
    parts p;
    quote shown = quote_text(text);
    if (!split(text, &p))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: expected NAME.QUANTITY=VALUE, such as north.pull=10mm", shown.text);
    LITHE_TRY(find_actuator(&scene->def, shown.text, p.name, actuator, report));
    const lithe_actuator_def *def = &scene->def.actuator[*actuator];
    LITHE_TRY(find_quantity(def, shown.text, p.quantity, kind, report));
    char message[QUANTITY_MESSAGE_MAX];
    quantity_dimension dimension = lithe_actuator_quantity(def->kind, *kind)->dimension;
    lithe_status status =
        parse_values(p.value, command_count(def), dimension, &scene->units, value, message);
    if (status != LITHE_OK)
        return LITHE_FAIL(report, status, "%s: %s", shown.text, message);
    lithe_report outside = lithe_report_default();
    if (command_check_limits(def, *kind, value, &outside) != LITHE_OK)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: %s", shown.text, outside.error);
    return LITHE_OK;
}
