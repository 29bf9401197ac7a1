#include "scene/command.h"

#include "base/nearest.h"
#include "base/quote.h"
#include "base/status.h"
#include "scene/scene.h"

#include <string.h>

static const command_quantity quantities[][2] = {
    [LITHE_CABLE] = {[LITHE_EFFORT] = {"tension", QUANTITY_FORCE},
                     [LITHE_DISPLACEMENT] = {"pull", QUANTITY_LENGTH}},
    [LITHE_PISTON] = {[LITHE_EFFORT] = {"force", QUANTITY_FORCE},
                      [LITHE_DISPLACEMENT] = {"stroke", QUANTITY_LENGTH}},
    [LITHE_CAVITY] = {[LITHE_EFFORT] = {"pressure", QUANTITY_PRESSURE},
                      [LITHE_DISPLACEMENT] = {"volume", QUANTITY_VOLUME}},
    [LITHE_LIQUID] = {[LITHE_EFFORT] = {"pressure", QUANTITY_PRESSURE},
                      [LITHE_DISPLACEMENT] = {"volume", QUANTITY_VOLUME}},
    [LITHE_FORCE] = {[LITHE_EFFORT] = {"force", QUANTITY_FORCE},
                     [LITHE_DISPLACEMENT] = {"displacement", QUANTITY_LENGTH}},
    [LITHE_SLIDER] = {[LITHE_EFFORT] = {"force", QUANTITY_FORCE},
                      [LITHE_DISPLACEMENT] = {"travel", QUANTITY_LENGTH}},
    [LITHE_MODULUS] = {[LITHE_EFFORT] = {"young", QUANTITY_PRESSURE},
                       [LITHE_DISPLACEMENT] = {"none", QUANTITY_NUMBER}},
};

const command_quantity *command_quantity_of(lithe_actuator_kind type, lithe_command_kind kind)
{
    return &quantities[type][kind];
}

lithe_status command_check_limits(const lithe_actuator_def *actuator, lithe_command_kind kind,
                                  double value, lithe_report *report)
{
    const double *limit =
        kind == LITHE_EFFORT ? actuator->effort_limit : actuator->displacement_limit;
    const command_quantity *q = command_quantity_of(actuator->kind, kind);
    if (value >= limit[0] && value <= limit[1])
        return LITHE_OK;
    return LITHE_FAIL(report, LITHE_INVALID,
                      "%s %g %s is outside the limits of '%s', [%g, %g] %s; change one of them",
                      q->name, value, quantity_si_unit(q->dimension), QUOTE(actuator->name),
                      limit[0], limit[1], quantity_si_unit(q->dimension));
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

static lithe_status find_quantity(const lithe_actuator_def *actuator, const char *text,
                                  const char *name, lithe_command_kind *kind, lithe_report *report)
{
    const command_quantity *q = quantities[actuator->kind];
    nearest n = nearest_start(name);
    for (int i = 0; i < 2; i++) {
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
    return LITHE_FAIL(report, LITHE_INVALID, "%s: '%s' has no '%s'; it has %s and %s", text,
                      actuator->name, name, q[LITHE_DISPLACEMENT].name, q[LITHE_EFFORT].name);
}

lithe_status scene_parse_command(const lithe_scene *scene, const char *text, int *actuator,
                                 lithe_command_kind *kind, double *value, lithe_report *report)
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
    quantity_dimension dimension = command_quantity_of(def->kind, *kind)->dimension;
    lithe_status status = quantity_parse(p.value, dimension, &scene->units, false, value, message);
    if (status != LITHE_OK)
        return LITHE_FAIL(report, status, "%s: %s", shown.text, message);
    lithe_report outside = lithe_report_default();
    if (command_check_limits(def, *kind, *value, &outside) != LITHE_OK)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: %s", shown.text, outside.error);
    return LITHE_OK;
}
