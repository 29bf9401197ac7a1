#include "scene/keys.h"

#include "scene/actuator_kind.h"
#include "scene/keys_table.h"
#include "scene/obstacle_kind.h"
#include "scene/sensor_kind.h"

#include <stdio.h>
#include <string.h>

#define NONE KEYS_SELECTS_NONE
#define ONE  KEYS_SELECTS_ONE
#define SOME KEYS_SELECTS_SOME

// SCENE is the file itself; SELECTION, POINT, END, LINE and VOLUME stand for the paths where those
// maps may appear.
static const keys_heading blocks[KEYS_NBLOCK] = {
    [KEYS_SCENE] = {"SCENE", "a scene", NONE},
    [KEYS_UNITS] = {"units", "units", NONE},
    [KEYS_MATERIAL] = {"materials.NAME", "a material", NONE},
    [KEYS_PRONY] = {"materials.NAME.prony", "a term of a Prony series", NONE},
    [KEYS_BODY] = {"bodies.NAME", "a body", NONE},
    [KEYS_TRANSFORM] = {"bodies.NAME.place", "place", NONE},
    [KEYS_REGION] = {"bodies.NAME.regions", "a region", ONE},
    [KEYS_FIX] = {"bodies.NAME.fix", "fix", ONE},
    [KEYS_SURFACE] = {"bodies.NAME.surfaces.NAME", "a surface", ONE},
    [KEYS_RIGID] = {"bodies.NAME.rigid.NAME", "a rigid part", ONE},
    [KEYS_RIGID_BODY] = {"bodies.NAME.rigid_body", "a rigid body", NONE},
    [KEYS_RIGID_ROUND] = {"bodies.NAME.rigid_body.cylinder", "a rigid cylinder or capsule", NONE},
    [KEYS_BODY_CAVITY] = {"bodies.NAME.cavities.NAME", "a cavity of a body", NONE},
    [KEYS_ROD] = {"bodies.NAME.rods.NAME", "a rod", NONE},
    [KEYS_TUBE] = {"bodies.NAME.rods.NAME.tube", "a tube", NONE},
    [KEYS_RECTANGLE] = {"bodies.NAME.rods.NAME.rectangle", "a rectangle", NONE},
    [KEYS_SHELL] = {"bodies.NAME.shells.NAME", "a shell", NONE},
    [KEYS_SPRING] = {"bodies.NAME.springs.NAME", "a spring", NONE},
    [KEYS_THREAD] = {"bodies.NAME.threads.NAME", "a thread", NONE},
    [KEYS_MEMBER] = {"bodies.NAME.members.NAME", "a member", NONE},
    [KEYS_ATTACHMENT] = {"bodies.NAME.attachments", "an attachment", ONE},
    [KEYS_URDF] = {"urdf", "urdf", NONE},
    [KEYS_MIMIC] = {"joints.NAME.mimic", "mimic", NONE},
    [KEYS_JOINT] = {"joints.NAME", "a joint", NONE},
    [KEYS_JOINT_ANGLE] = {"joints.NAME.angle", "an angle of a joint", NONE},
    [KEYS_JOINT_TRAVEL] = {"joints.NAME.travel", "a travel of a joint", NONE},
    [KEYS_SELECTION] = {"SELECTION", "a selection", NONE},
    [KEYS_PARTS] = {"SELECTION.all_of", "a selection", ONE},
    [KEYS_ORIENTED_BOX] = {"SELECTION.oriented_box", "an oriented box", NONE},
    [KEYS_SPHERE] = {"SELECTION.sphere", "sphere", NONE},
    [KEYS_PLANE] = {"SELECTION.plane", "plane", NONE},
    [KEYS_LOAD] = {"loads.NAME", "a load", NONE},
    [KEYS_FORCE] = {"loads.NAME.force", "a force", NONE},
    [KEYS_TRACTION] = {"loads.NAME.traction", "a traction", NONE},
    [KEYS_PRESSURE] = {"loads.NAME.pressure", "a pressure", NONE},
    [KEYS_MOMENT] = {"loads.NAME.moment", "a moment", NONE},
    [KEYS_ACTUATOR] = {"actuators.NAME", "an actuator", NONE},
    [KEYS_EFFECTOR] = {"effectors.NAME", "an effector", NONE},
    [KEYS_POINTS] = {"effectors.NAME.points", "points", NONE},
    [KEYS_BARYCENTRE] = {"effectors.NAME.barycentre", "a barycentre", SOME},
    [KEYS_MASS_CENTRE] = {"effectors.NAME.mass_centre", "a centre of mass", NONE},
    [KEYS_ORIENTATION] = {"effectors.NAME.orientation", "an orientation", ONE},
    [KEYS_SENSOR] = {"sensors.NAME", "a sensor", NONE},
    [KEYS_SENSOR_EFFORT] = {"sensors.NAME.pressure", "an effort sensor", NONE},
    [KEYS_POINT] = {"POINT", "a point", NONE},
    [KEYS_END] = {"END", "a point of a line", ONE},
    [KEYS_LINE] = {"LINE", "a line", NONE},
    [KEYS_VOLUME] = {"VOLUME", "a volume", NONE},
    [KEYS_OBSTACLE] = {"obstacles.NAME", "an obstacle", NONE},
    [KEYS_OBSTACLE_ROUND] = {"obstacles.NAME.cylinder", "a cylinder, capsule, cone or pipe", NONE},
    [KEYS_OBSTACLE_WAYPOINT] = {"obstacles.NAME.path", "a waypoint of an obstacle", NONE},
    [KEYS_CONTACTS] = {"contacts", "contacts", NONE},
    [KEYS_PAIR] = {"contacts.pairs", "a pair", NONE},
    [KEYS_TASK] = {"task", "a task", NONE},
    [KEYS_FOLLOW] = {"task.follow", "what is followed", NONE},
    [KEYS_CIRCLE] = {"task.follow.circle", "a circle", NONE},
    [KEYS_STRAIGHT] = {"task.follow.line", "a line to follow", NONE},
    [KEYS_POLYGON] = {"task.follow.polygon", "a polygon", NONE},
    [KEYS_WAYPOINT] = {"task.follow.waypoints", "a waypoint", NONE},
    [KEYS_HOLD] = {"task.hold", "what is held", NONE},
    [KEYS_STEP] = {"step", "step", NONE},
    [KEYS_ESTIMATE] = {"estimate", "an estimate", NONE},
    [KEYS_CONTROLLER] = {"controller", "a controller", NONE},
    [KEYS_REDUCTION] = {"reduction", "a reduction", NONE},
    [KEYS_BEAM] = {"reduction.beam", "a beam space", NONE},
    [KEYS_PATCH] = {"reduction.patch", "a patch", ONE},
    [KEYS_WIRE] = {"wire", "a wire", NONE},
    [KEYS_WIRE_OVER] = {"wire.over", "what a wire goes over", NONE},
    [KEYS_WIRE_SERIAL] = {"wire.over.serial", "a serial port", NONE},
    [KEYS_WIRE_TCP] = {"wire.over.tcp", "a TCP port", NONE},
    [KEYS_WIRE_UDP] = {"wire.over.udp", "UDP ports", NONE},
    [KEYS_WIRE_ZMQ] = {"wire.over.zmq", "ZeroMQ ports", NONE},
    [KEYS_WIRE_OUT] = {"wire.out.NAME", "an output", NONE},
    [KEYS_WIRE_IN] = {"wire.in.NAME", "an input", NONE},
    [KEYS_WATCHDOG] = {"wire.watchdog", "a watchdog", NONE},
    [KEYS_PLANT] = {"plant", "a plant", NONE},
    [KEYS_PLANT_ACTUATOR] = {"plant.actuators.NAME", "an actuator of a plant", NONE},
    [KEYS_PLANT_SENSOR] = {"plant.sensors.NAME", "a sensor of a plant", NONE},
    [KEYS_PLANT_LOAD] = {"plant.loads.NAME", "a load of a plant", NONE},
    [KEYS_DYNAMICS] = {"dynamics", "dynamics", NONE},
    [KEYS_ADAPTIVE] = {"dynamics.adaptive", "adaptive", NONE},
    [KEYS_PLAY] = {"actuators.NAME.play", "how a command goes on", NONE},
    [KEYS_PLAY_WAYPOINT] = {"actuators.NAME.play.waypoints", "a waypoint of a command", NONE},
    [KEYS_SINE] = {"actuators.NAME.play.sine", "a sine", NONE},
    [KEYS_VALVE] = {"actuators.NAME.valve", "a valve", NONE},
};

// All tables: the two that are no kind's own, and one of each kind.
enum { NTABLE = 2 + ACTUATOR_KINDS + SENSOR_KINDS + OBSTACLE_KINDS };

static keys_table table_at(int k)
{
    if (k < 2)
        return k == 0 ? keys_robot : keys_run;
    k -= 2;
    if (k < ACTUATOR_KINDS)
        return (keys_table){actuator_kinds[k]->key, actuator_kinds[k]->nkey};
    k -= ACTUATOR_KINDS;
    if (k < SENSOR_KINDS)
        return (keys_table){sensor_kinds[k]->key, sensor_kinds[k]->nkey};
    k -= SENSOR_KINDS;
    return (keys_table){obstacle_kinds[k].key, obstacle_kinds[k].nkey};
}

int keys_count(void)
{
    int n = 0;
    for (int k = 0; k < NTABLE; k++)
        n += table_at(k).n;
    return n;
}

const keys_row *keys_row_at(int i)
{
    for (int k = 0; k < NTABLE; i -= table_at(k++).n)
        if (i < table_at(k).n)
            return &table_at(k).row[i];
    return NULL;
}

static const keys_heading *heading(keys_block block)
{
    if (block < KEYS_NBLOCK)
        return &blocks[block];
    int of = (int)block - KEYS_NBLOCK;
    if (block >= KEYS_OBSTACLE_OF(0))
        return &obstacle_kinds[block - KEYS_OBSTACLE_OF(0)].heading;
    if (block >= KEYS_SENSOR_OF(0))
        return &sensor_kinds[block - KEYS_SENSOR_OF(0)]->heading;
    return &actuator_kinds[of / KEYS_KIND_BLOCKS]->heading[of % KEYS_KIND_BLOCKS];
}

const char *keys_path(keys_block block)
{
    return heading(block)->path;
}

const char *keys_what(keys_block block)
{
    return heading(block)->what;
}

keys_selects keys_selection(keys_block block)
{
    return heading(block)->selects;
}

bool keys_allowed(keys_block block, const keys_row *entry)
{
    return entry->block == block ||
           (entry->block == KEYS_SELECTION && keys_selection(block) != NONE);
}

const keys_row *keys_find(keys_block block, const char *key)
{
    for (int i = 0; i < keys_count(); i++) {
        const keys_row *entry = keys_row_at(i);
        if (keys_allowed(block, entry) && strcmp(entry->key, key) == 0)
            return entry;
    }
    return NULL;
}

// "lengths", "radiuses", "velocities"
enum { PLURAL_MAX = 24 };

static const char *plural(const char *name, char text[PLURAL_MAX])
{
    size_t n = strlen(name);
    char last = name[n - 1];
    snprintf(text, PLURAL_MAX, "%.*s%s", (int)(last == 'y' ? n - 1 : n), name,
             last == 'y'   ? "ies"
             : last == 's' ? "es"
                           : "s");
    return text;
}

const char *keys_type_text(const keys_row *entry, char text[KEYS_TYPE_TEXT_MAX])
{
    static const char *const fixed[] = {
        [KEYS_MAP] = "map",
        [KEYS_NAMED] = "map of names",
        [KEYS_MAPS] = "list",
        [KEYS_MAP_OR_MAPS] = "map or list",
        [KEYS_TEXT] = "text",
        [KEYS_NAME] = "name",
        [KEYS_WORD] = "word",
        [KEYS_WORDS] = "list of words",
        [KEYS_TRUE] = "true",
        [KEYS_BOOL] = "true or false",
        [KEYS_VALUES] = "value or list",
        [KEYS_VALUE] = "value",
        [KEYS_SPAN] = "2 values",
        [KEYS_INTEGER] = "integer",
        [KEYS_CARRIED] = "point",
        [KEYS_CARRIEDS] = "list of points",
        [KEYS_CORNERS] = "2 x 3 lengths",
    };
    char many[PLURAL_MAX];
    const char *name = quantity_name(entry->dimension);
    plural(name, many);
    switch (entry->type) {
    case KEYS_UNIT: snprintf(text, KEYS_TYPE_TEXT_MAX, "unit of %s", name); break;
    case KEYS_QUANTITY: snprintf(text, KEYS_TYPE_TEXT_MAX, "%s", name); break;
    case KEYS_NUMBERS: snprintf(text, KEYS_TYPE_TEXT_MAX, "1 to 3 %s", many); break;
    case KEYS_TRIPLE: snprintf(text, KEYS_TYPE_TEXT_MAX, "3 %s", many); break;
    case KEYS_TRIPLES: snprintf(text, KEYS_TYPE_TEXT_MAX, "list of 3 %s", many); break;
    case KEYS_EFFORT: snprintf(text, KEYS_TYPE_TEXT_MAX, "%s or 3 %s", name, many); break;
    case KEYS_RANGE: snprintf(text, KEYS_TYPE_TEXT_MAX, "2 %s", many); break;
    default: snprintf(text, KEYS_TYPE_TEXT_MAX, "%s", fixed[entry->type]); break;
    }
    return text;
}
