// What is wrong with the machine that `lithe plant` plays.
#include "scene/reader.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

static lithe_command_kind kind_on_wire(const lithe_drive_def *drive, const char *name)
{
    for (int i = 0; i < drive->wire.nout; i++)
        if (strcmp(drive->wire.out[i].name, name) == 0)
            return drive->wire.out[i].kind;
    return LITHE_EFFORT;
}

static lithe_status read_actuator_faults(const reader *r, const tree_node *node,
                                         const lithe_def *def, const lithe_drive_def *drive,
                                         lithe_plant_actuator_def *a)
{
    channel_subject subject = {0};
    *a = (lithe_plant_actuator_def){.name = node->key, .rate = INFINITY};
    LITHE_TRY(read_map(r, node, KEYS_PLANT_ACTUATOR));
    LITHE_TRY(read_location(r, node, &a->location));
    LITHE_TRY(read_subject(r, node, def, true, kind_on_wire(drive, node->key), &subject));
    LITHE_TRY(read_not_negative(r, node, KEYS_PLANT_ACTUATOR, "lag", &a->lag));
    LITHE_TRY(read_own_rate(r, node, "rate", subject.dimension, &a->rate));
    LITHE_TRY(read_own(r, node, "dead_band", subject.dimension, &a->dead_band));
    LITHE_TRY(read_own(r, node, "backlash", subject.dimension, &a->backlash));
    LITHE_TRY(read_not_negative(r, node, KEYS_PLANT_ACTUATOR, "friction", &a->friction));
    return read_not_negative(r, node, KEYS_PLANT_ACTUATOR, "wrap", &a->wrap);
}

static lithe_status read_sensor_faults(const reader *r, const tree_node *node, const lithe_def *def,
                                       const lithe_drive_def *drive, lithe_plant_sensor_def *s)
{
    channel_subject subject = {0};
    lithe_command_kind kind = LITHE_EFFORT;
    *s = (lithe_plant_sensor_def){.name = node->key};
    for (int i = 0; i < drive->wire.nin; i++)
        if (strcmp(drive->wire.in[i].name, node->key) == 0)
            kind = drive->wire.in[i].kind;
    LITHE_TRY(read_map(r, node, KEYS_PLANT_SENSOR));
    LITHE_TRY(read_location(r, node, &s->location));
    LITHE_TRY(read_subject(r, node, def, false, kind, &subject));
    LITHE_TRY(read_own(r, node, "noise", subject.dimension, &s->noise));
    LITHE_TRY(read_own(r, node, "quantum", subject.dimension, &s->quantum));
    LITHE_TRY(read_not_negative(r, node, KEYS_PLANT_SENSOR, "delay", &s->delay));
    return read_range(r, node, KEYS_PLANT_SENSOR, "stuck", s->stuck);
}

static lithe_status read_load_times(const reader *r, const tree_node *node, lithe_plant_load_def *l)
{
    *l = (lithe_plant_load_def){
        .name = node->key, .until = INFINITY, .every = INFINITY, .factor = 1};
    LITHE_TRY(read_map(r, node, KEYS_PLANT_LOAD));
    LITHE_TRY(read_location(r, node, &l->location));
    const tree_node *loads = tree_find(r->root, "loads");
    if (!loads || !tree_find(loads, node->key))
        return tree_fail(r->report, tree_location(node),
                         "there is no load of this name; add it under loads first");
    LITHE_TRY(read_not_negative(r, node, KEYS_PLANT_LOAD, "from", &l->from));
    LITHE_TRY(read_positive(r, node, KEYS_PLANT_LOAD, "until", &l->until));
    LITHE_TRY(read_positive(r, node, KEYS_PLANT_LOAD, "every", &l->every));
    return read_quantity(r, node, KEYS_PLANT_LOAD, "factor", &l->factor);
}

// A section of names, NULL if there is none, and memory for what they stand for.
static lithe_status begin(const reader *r, const tree_node *plant, const char *key, size_t size,
                          const tree_node **section, int *n, void **made)
{
    *section = tree_find(plant, key);
    if (!*section)
        return LITHE_OK;
    LITHE_TRY(read_named(r, *section));
    *n = (*section)->nchild;
    *made = read_alloc(r, *n, size);
    return *made ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status read_lists(const reader *r, const tree_node *node, const lithe_def *def,
                               lithe_drive_def *drive)
{
    lithe_plant_def *p = &drive->plant;
    const tree_node *section = NULL;
    void *made = NULL;
    LITHE_TRY(begin(r, node, "actuators", sizeof *p->actuator, &section, &p->nactuator, &made));
    lithe_plant_actuator_def *actuator = made;
    p->actuator = actuator;
    for (const tree_node *c = section ? section->child : NULL; c; c = c->next)
        LITHE_TRY(read_actuator_faults(r, c, def, drive, actuator++));
    made = NULL;
    LITHE_TRY(begin(r, node, "sensors", sizeof *p->sensor, &section, &p->nsensor, &made));
    lithe_plant_sensor_def *sensor = made;
    p->sensor = sensor;
    for (const tree_node *c = section ? section->child : NULL; c; c = c->next)
        LITHE_TRY(read_sensor_faults(r, c, def, drive, sensor++));
    made = NULL;
    LITHE_TRY(begin(r, node, "loads", sizeof *p->load, &section, &p->nload, &made));
    lithe_plant_load_def *load = made;
    p->load = load;
    for (const tree_node *c = section ? section->child : NULL; c; c = c->next)
        LITHE_TRY(read_load_times(r, c, load++));
    return LITHE_OK;
}

lithe_status read_plant(const reader *r, const lithe_def *def, lithe_drive_def *drive)
{
    const tree_node *node = tree_find(r->root, "plant");
    if (!node)
        return LITHE_OK;
    lithe_plant_def *p = &drive->plant;
    LITHE_TRY(read_map(r, node, KEYS_PLANT));
    LITHE_TRY(read_location(r, node, &p->location));
    LITHE_TRY(read_count(r, node, "seed", &p->seed));
    LITHE_TRY(read_not_negative(r, node, KEYS_PLANT, "lost", &p->lost));
    if (p->lost > 1)
        return tree_fail(r->report, tree_find(node, "lost")->at,
                         "lost is a share of all messages, at most 1");
    return read_lists(r, node, def, drive);
}
