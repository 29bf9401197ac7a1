// Every key that a scene may hold, once: the reader checks against this table, and a test holds
// docs/scene.md to it.
#ifndef SCENE_KEYS_H
#define SCENE_KEYS_H

#include "base/quantity.h"

// A map of fixed keys.
typedef enum keys_block {
    KEYS_SCENE,
    KEYS_UNITS,
    KEYS_MATERIAL,
    KEYS_PRONY,
    KEYS_BODY,
    KEYS_TRANSFORM,
    KEYS_REGION,
    KEYS_FIX,
    KEYS_SURFACE,
    KEYS_RIGID,
    KEYS_RIGID_BODY,
    KEYS_RIGID_ROUND,
    KEYS_BODY_CAVITY,
    KEYS_ROD,
    KEYS_TUBE,
    KEYS_RECTANGLE,
    KEYS_SHELL,
    KEYS_SPRING,
    KEYS_THREAD,
    KEYS_MEMBER,
    KEYS_ATTACHMENT,
    KEYS_URDF,
    KEYS_JOINT,
    KEYS_JOINT_ANGLE,
    KEYS_JOINT_TRAVEL,
    KEYS_MIMIC,
    KEYS_SELECTION,
    KEYS_PARTS, // of all_of, any_of, none_of
    KEYS_ORIENTED_BOX,
    KEYS_SPHERE,
    KEYS_PLANE,
    KEYS_LOAD,
    KEYS_FORCE,
    KEYS_TRACTION,
    KEYS_PRESSURE,
    KEYS_MOMENT,
    KEYS_ACTUATOR,
    KEYS_EFFECTOR,
    KEYS_POINTS,
    KEYS_BARYCENTRE,
    KEYS_MASS_CENTRE,
    KEYS_ORIENTATION,
    KEYS_SENSOR,
    KEYS_SENSOR_EFFORT,
    KEYS_POINT,
    KEYS_END,
    KEYS_LINE,
    KEYS_VOLUME,
    KEYS_OBSTACLE,
    KEYS_OBSTACLE_ROUND, // from one end of an axis to the other, with a radius
    KEYS_OBSTACLE_WAYPOINT,
    KEYS_CONTACTS,
    KEYS_PAIR,
    KEYS_TASK,
    KEYS_FOLLOW,
    KEYS_CIRCLE,
    KEYS_STRAIGHT,
    KEYS_POLYGON,
    KEYS_WAYPOINT,
    KEYS_HOLD,
    KEYS_STEP,
    KEYS_ESTIMATE,
    KEYS_CONTROLLER,
    KEYS_REDUCTION,
    KEYS_BEAM,
    KEYS_PATCH,
    KEYS_WIRE,
    KEYS_WIRE_OVER,
    KEYS_WIRE_SERIAL,
    KEYS_WIRE_TCP,
    KEYS_WIRE_UDP,
    KEYS_WIRE_ZMQ,
    KEYS_WIRE_OUT,
    KEYS_WIRE_IN,
    KEYS_WATCHDOG,
    KEYS_PLANT,
    KEYS_PLANT_ACTUATOR,
    KEYS_PLANT_SENSOR,
    KEYS_PLANT_LOAD,
    KEYS_DYNAMICS,
    KEYS_ADAPTIVE,
    KEYS_PLAY,
    KEYS_PLAY_WAYPOINT,
    KEYS_SINE,
    KEYS_VALVE,
    KEYS_NBLOCK,
} keys_block;

// Kinds of actuators have blocks of their own, after these: what stands under its name, its limits
// and its command.
enum {
    ACTUATOR_KINDS = LITHE_REST_LENGTH + 1,
    SENSOR_KINDS = LITHE_DISTANCE + 1,
    OBSTACLE_KINDS = LITHE_OBSTACLE_CONE + 1,
    KEYS_KIND_BLOCKS = 3,
};
#define KEYS_OF(kind)         ((keys_block)(KEYS_NBLOCK + KEYS_KIND_BLOCKS * (int)(kind)))
#define KEYS_LIMITS_OF(kind)  ((keys_block)(KEYS_OF(kind) + 1))
#define KEYS_COMMAND_OF(kind) ((keys_block)(KEYS_OF(kind) + 2))
// Those of sensors and of obstacles have one at most.
#define KEYS_SENSOR_OF(kind)   ((keys_block)(KEYS_OF(ACTUATOR_KINDS) + (int)(kind)))
#define KEYS_OBSTACLE_OF(kind) ((keys_block)(KEYS_SENSOR_OF(SENSOR_KINDS) + (int)(kind)))
enum { KEYS_BLOCKS = KEYS_OBSTACLE_OF(OBSTACLE_KINDS) }; // all

typedef enum keys_type {
    KEYS_MAP,   // of fixed keys
    KEYS_NAMED, // map of things that the user names
    KEYS_MAPS,  // list of maps
    KEYS_MAP_OR_MAPS,
    KEYS_TEXT,
    KEYS_NAME,  // of a thing elsewhere in the scene
    KEYS_WORD,  // one of a few
    KEYS_WORDS, // list of words
    KEYS_TRUE,
    KEYS_BOOL,
    KEYS_INTEGER,
    KEYS_UNIT,     // of the row's dimension
    KEYS_QUANTITY, // of the row's dimension
    KEYS_NUMBERS,  // list of 1 to 3 of the row's dimension
    KEYS_TRIPLE,   // [x, y, z] of the row's dimension
    KEYS_TRIPLES,  // list of those
    KEYS_EFFORT,   // one or three of the row's dimension
    KEYS_VALUES,   // one or a list, of the dimension of what is aimed at
    KEYS_VALUE,    // one, of the dimension of what its map is about
    KEYS_SPAN,     // [lo, hi] of that
    KEYS_RANGE,    // [lo, hi] of the row's dimension, infinite ends allowed
    KEYS_CORNERS,  // two triples, infinite values allowed
    KEYS_CARRIED,  // a point on a body: a triple, or {body, at}
    KEYS_CARRIEDS, // list of those
} keys_type;

typedef enum keys_need {
    KEYS_OPTIONAL,
    KEYS_REQUIRED,
    KEYS_ONE_OF, // exactly one of the block's keys that are marked so
} keys_need;

// Whether maps of a block hold a selection besides their own keys.
typedef enum keys_selects { KEYS_SELECTS_NONE, KEYS_SELECTS_ONE, KEYS_SELECTS_SOME } keys_selects;

typedef struct keys_row {
    keys_block block;
    const char *key;
    keys_need need;
    keys_type type;
    quantity_dimension dimension;
    const char *meaning;
} keys_row;

// What a block is called.
typedef struct keys_heading {
    const char *path; // "bodies.NAME.place"
    const char *what; // "a body", for messages
    keys_selects selects;
} keys_heading;

// All keys: those of keys_robot.c and keys_run.c, then those of kinds.
int keys_count(void);
const keys_row *keys_row_at(int i);

const char *keys_path(keys_block block); // "bodies.NAME.place"
const char *keys_what(keys_block block); // "a body", for messages

keys_selects keys_selection(keys_block block); // SOME: one, or none for all

// Whether maps of `block` may hold this row's key: its own, or those of a selection in it.
bool keys_allowed(keys_block block, const keys_row *row);

// The row of a key allowed in the block; NULL if there is none.
const keys_row *keys_find(keys_block block, const char *key);

// "pressure", "3 lengths", "name", ...: the type in words.
enum { KEYS_TYPE_TEXT_MAX = 48 };
const char *keys_type_text(const keys_row *row, char text[KEYS_TYPE_TEXT_MAX]);

#endif
