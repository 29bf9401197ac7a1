// What the real robot measures, and the loop that is closed over it.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/spelling.h"
#include "base/status.h"
#include "control/measure.h"
#include "scene/actuator_kind.h"
#include "scene/actuator_quantity.h"
#include "scene/sensor_kind.h"

#include <math.h>
#include <string.h>

static lithe_status fail_name(const reader *r, const tree_node *node, nearest *meant,
                              const char *what)
{
    const char *found = nearest_found(meant);
    return tree_fail(r->report, tree_location(node), "there is no %s '%s'%s%s%s", what,
                     QUOTE(node->key), found ? ": did you mean '" : "", found ? found : "",
                     found ? "'?" : "");
}

static lithe_status read_above_zero(const reader *r, const tree_node *node,
                                    quantity_dimension dimension, bool infinite, double *value)
{
    LITHE_TRY(read_quantity_node(r, node, dimension, infinite, value));
    if (*value > 0)
        return LITHE_OK;
    return tree_fail(r->report, tree_value_location(node),
                     "it must be above 0: a standard deviation, or a number of them");
}

static lithe_status read_reading(const reader *r, const tree_node *node, const lithe_def *def,
                                 lithe_reading_def *reading)
{
    quantity_dimension dimension = QUANTITY_NUMBER;
    nearest meant = nearest_start(node->key);
    bool found = false;
    for (int i = 0; i < def->nsensor + def->neffector && !found; i++) {
        lithe_measure what = i < def->nsensor
                                 ? sensor_measure(def, &def->sensor[i])
                                 : measure_of_effector(&def->effector[i - def->nsensor]);
        found = strcmp(what.name, node->key) == 0;
        dimension = what.dimension;
        nearest_offer(&meant, what.name);
    }
    if (!found)
        return fail_name(r, node, &meant, "sensor or effector");
    reading->name = node->key;
    LITHE_TRY(read_location(r, node, &reading->location));
    return read_above_zero(r, node, dimension, false, &reading->noise);
}

static lithe_status read_unknown(const reader *r, const tree_node *node, const lithe_def *def,
                                 lithe_unknown_def *unknown)
{
    nearest meant = nearest_start(node->key);
    for (int i = 0; i < def->nactuator; i++) {
        nearest_offer(&meant, def->actuator[i].name);
        if (strcmp(def->actuator[i].name, node->key) == 0) {
            const actuator_kind *is = actuator_kinds[def->actuator[i].kind];
            lithe_command_kind told =
                is->quantity[LITHE_EFFORT].read_only ? LITHE_DISPLACEMENT : LITHE_EFFORT;
            quantity_dimension dimension = is->quantity[told].dimension;
            unknown->actuator = node->key;
            LITHE_TRY(read_location(r, node, &unknown->location));
            return read_above_zero(r, node, is->parameter ? QUANTITY_NUMBER : dimension, true,
                                   &unknown->spread);
        }
    }
    return fail_name(r, node, &meant, "actuator");
}

static lithe_status read_estimate(const reader *r, lithe_def *def)
{
    const tree_node *node = tree_find(r->root, "estimate");
    if (!node)
        return LITHE_OK;
    lithe_estimate_def *e = &def->estimate;
    LITHE_TRY(read_map(r, node, KEYS_ESTIMATE));
    LITHE_TRY(read_location(r, node, &e->location));
    const tree_node *outlier = tree_find(node, "outlier"), *memory = tree_find(node, "memory");
    if (outlier)
        LITHE_TRY(read_above_zero(r, outlier, QUANTITY_NUMBER, true, &e->outlier));
    if (memory)
        LITHE_TRY(read_quantity_node(r, memory, QUANTITY_NUMBER, true, &e->memory));
    if (memory && !(e->memory >= 0))
        return tree_fail(r->report, tree_value_location(memory),
                         "memory is a number of steps, 0 or more");
    const tree_node *readings = tree_find(node, "readings"),
                    *unknowns = tree_find(node, "unknowns");
    LITHE_TRY(read_named(r, readings));
    LITHE_TRY(unknowns ? read_named(r, unknowns) : LITHE_OK);
    lithe_reading_def *reading = read_alloc(r, readings->nchild, sizeof *reading);
    lithe_unknown_def *unknown = read_alloc(r, unknowns ? unknowns->nchild : 0, sizeof *unknown);
    if (!reading || !unknown)
        return LITHE_NO_MEMORY;
    e->reading = reading;
    e->unknown = unknown;
    e->nreading = readings->nchild;
    e->nunknown = unknowns ? unknowns->nchild : 0;
    for (const tree_node *c = readings->child; c; c = c->next)
        LITHE_TRY(read_reading(r, c, def, reading++));
    for (const tree_node *c = unknowns ? unknowns->child : NULL; c; c = c->next)
        LITHE_TRY(read_unknown(r, c, def, unknown++));
    return LITHE_OK;
}

// For the law jacobian, which is one with one gain.
static lithe_status read_controller(const reader *r, lithe_controller_def *c)
{
    const tree_node *node = tree_find(r->root, "controller");
    lithe_feedback_def feedback = lithe_drive_def_default().feedback;
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_feedback(r, &feedback));
    LITHE_TRY(read_location(r, node, &c->location));
    c->kp = feedback.gains.kp;
    c->ki = feedback.gains.ki;
    return LITHE_OK;
}

static lithe_status read_beam(const reader *r, const tree_node *node, lithe_reduction_def *d)
{
    enum { MOST_FRAMES = 256, MOST_SHAPES = 12, MOST_SWELL = 3 };
    LITHE_TRY(read_map(r, node, KEYS_BEAM));
    d->beam = true;
    LITHE_TRY(read_count_to(r, node, "frames", MOST_FRAMES, &d->nframe));
    LITHE_TRY(read_count_to(r, node, "shapes", MOST_SHAPES, &d->nshape));
    LITHE_TRY(read_count_to(r, node, "swell", MOST_SWELL, &d->nswell));
    return tree_find(node, "line") ? read_triples(r, node, "line", &d->nline, &d->line) : LITHE_OK;
}

static lithe_status read_patch(const reader *r, const tree_node *node, lithe_reduction_def *d)
{
    enum { MOST_SHAPES = 192 };
    const tree_node *contact = tree_find(node, "contact");
    LITHE_TRY(read_map(r, node, KEYS_PATCH));
    LITHE_TRY(read_no_nearest(r, node, "a patch"));
    LITHE_TRY(read_count_to(r, node, "shapes", MOST_SHAPES, &d->npatch_shape));
    d->patch = contact ? LITHE_PATCH_CONTACT : LITHE_PATCH_SELECTED;
    if (contact)
        return read_true(r, contact, "contact: true");
    lithe_selection *where = read_alloc(r, 1, sizeof *where);
    d->patch_where = where;
    return where ? read_selection(r, node, where) : LITHE_NO_MEMORY;
}

static lithe_status read_reduction(const reader *r, lithe_reduction_def *d)
{
    const tree_node *node = tree_find(r->root, "reduction");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_REDUCTION));
    LITHE_TRY(read_location(r, node, &d->location));
    const tree_node *beam = tree_find(node, "beam"), *patch = tree_find(node, "patch");
    if (tree_find(node, "file"))
        LITHE_TRY(read_file_name(r, node, "file", &d->file));
    if (beam)
        LITHE_TRY(read_beam(r, beam, d));
    if (patch && beam)
        return tree_fail(r->report, patch->at,
                         "a patch is of a robot that moves by modes: take patch or beam");
    if (patch)
        LITHE_TRY(read_patch(r, patch, d));
    if (!d->file && (!beam || d->nshape > 0))
        return tree_fail(r->report, tree_location(node),
                         "a reduction needs a file, which lithe reduce makes: add file: robot.h5; "
                         "frames whose sections are rigid or swell need none: beam: {frames: 12}");
    if (tree_find(node, "tolerance"))
        LITHE_TRY(read_positive(r, node, KEYS_REDUCTION, "tolerance", &d->tolerance));
    LITHE_TRY(read_count_to(r, node, "samples", 100000, &d->nsample));
    static const char *const beyond[] = {"reduced", "full"};
    int word = 0;
    LITHE_TRY(read_count(r, node, "seed", &d->seed));
    LITHE_TRY(read_count(r, node, "every", &d->every));
    LITHE_TRY(read_word(r, node, "beyond", 2, beyond, &word));
    d->beyond_full = word == 1;
    return LITHE_OK;
}

lithe_status read_loop(const reader *r, lithe_def *def)
{
    LITHE_TRY(read_estimate(r, def));
    LITHE_TRY(read_reduction(r, &def->reduction));
    return read_controller(r, &def->controller);
}
