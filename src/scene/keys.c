#include "scene/keys.h"

#include <stdio.h>
#include <string.h>

typedef struct block_row {
    const char *path;
    const char *what;
    bool selects; // holds a selection besides its own keys
} block_row;

// SCENE is the file itself; SELECTION and POINT stand for the paths where those maps may appear.
static const block_row blocks[KEYS_NBLOCK] = {
    [KEYS_SCENE] = {"SCENE", "a scene", false},
    [KEYS_UNITS] = {"units", "units", false},
    [KEYS_MATERIAL] = {"materials.NAME", "a material", false},
    [KEYS_BODY] = {"bodies.NAME", "a body", false},
    [KEYS_PLACE] = {"bodies.NAME.place", "place", false},
    [KEYS_REGION] = {"bodies.NAME.regions", "a region", true},
    [KEYS_FIX] = {"bodies.NAME.fix", "fix", true},
    [KEYS_SURFACE] = {"bodies.NAME.surfaces.NAME", "a surface", true},
    [KEYS_BODY_CAVITY] = {"bodies.NAME.cavities.NAME", "a cavity of a body", false},
    [KEYS_SELECTION] = {"SELECTION", "a selection", false},
    [KEYS_SPHERE] = {"SELECTION.sphere", "sphere", false},
    [KEYS_PLANE] = {"SELECTION.plane", "plane", false},
    [KEYS_LOAD] = {"loads.NAME", "a load", false},
    [KEYS_FORCE] = {"loads.NAME.force", "a force", false},
    [KEYS_TRACTION] = {"loads.NAME.traction", "a traction", false},
    [KEYS_PRESSURE] = {"loads.NAME.pressure", "a pressure", false},
    [KEYS_ACTUATOR] = {"actuators.NAME", "an actuator", false},
    [KEYS_CABLE] = {"actuators.NAME.cable", "a cable", false},
    [KEYS_CABLE_LIMITS] = {"actuators.NAME.limits", "the limits of a cable", false},
    [KEYS_CABLE_COMMAND] = {"actuators.NAME.command", "the command of a cable", false},
    [KEYS_PISTON] = {"actuators.NAME.piston", "a piston", false},
    [KEYS_PISTON_LIMITS] = {"actuators.NAME.limits", "the limits of a piston", false},
    [KEYS_PISTON_COMMAND] = {"actuators.NAME.command", "the command of a piston", false},
    [KEYS_CAVITY] = {"actuators.NAME.cavity", "a cavity", false},
    [KEYS_CAVITY_LIMITS] = {"actuators.NAME.limits", "the limits of a cavity", false},
    [KEYS_CAVITY_COMMAND] = {"actuators.NAME.command", "the command of a cavity", false},
    [KEYS_EFFECTOR] = {"effectors.NAME", "an effector", false},
    [KEYS_POINT] = {"POINT", "a point", false},
    [KEYS_STEP] = {"step", "step", false},
};

#define OPTIONAL KEYS_OPTIONAL
#define REQUIRED KEYS_REQUIRED
#define ONE_OF   KEYS_ONE_OF

// clang-format off
const keys_row keys_table[] = {
    {KEYS_SCENE, "units",     OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "what bare numbers mean"},
    {KEYS_SCENE, "gravity",   OPTIONAL, KEYS_TRIPLE, QUANTITY_ACCELERATION, "gravity on every body"},
    {KEYS_SCENE, "materials", REQUIRED, KEYS_NAMED,  QUANTITY_NUMBER,       "what bodies are made of"},
    {KEYS_SCENE, "bodies",    REQUIRED, KEYS_NAMED,  QUANTITY_NUMBER,       "the soft parts"},
    {KEYS_SCENE, "loads",     OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "forces that are not actuators"},
    {KEYS_SCENE, "actuators", OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "cables, pistons and cavities"},
    {KEYS_SCENE, "effectors", OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "points whose motion matters"},
    {KEYS_SCENE, "step",      OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "how a step is solved"},

    {KEYS_UNITS, "length",       OPTIONAL, KEYS_UNIT, QUANTITY_LENGTH,       "unit of bare lengths"},
    {KEYS_UNITS, "force",        OPTIONAL, KEYS_UNIT, QUANTITY_FORCE,        "unit of bare forces"},
    {KEYS_UNITS, "pressure",     OPTIONAL, KEYS_UNIT, QUANTITY_PRESSURE,     "unit of bare pressures"},
    {KEYS_UNITS, "mass",         OPTIONAL, KEYS_UNIT, QUANTITY_MASS,         "unit of bare masses"},
    {KEYS_UNITS, "time",         OPTIONAL, KEYS_UNIT, QUANTITY_TIME,         "unit of bare times"},
    {KEYS_UNITS, "angle",        OPTIONAL, KEYS_UNIT, QUANTITY_ANGLE,        "unit of bare angles"},
    {KEYS_UNITS, "volume",       OPTIONAL, KEYS_UNIT, QUANTITY_VOLUME,       "unit of bare volumes"},
    {KEYS_UNITS, "density",      OPTIONAL, KEYS_UNIT, QUANTITY_DENSITY,      "unit of bare densities"},
    {KEYS_UNITS, "acceleration", OPTIONAL, KEYS_UNIT, QUANTITY_ACCELERATION, "unit of bare accelerations"},

    {KEYS_MATERIAL, "law",     REQUIRED, KEYS_WORD,     QUANTITY_NUMBER,   "the elastic law"},
    {KEYS_MATERIAL, "young",   REQUIRED, KEYS_QUANTITY, QUANTITY_PRESSURE, "Young's modulus"},
    {KEYS_MATERIAL, "poisson", REQUIRED, KEYS_QUANTITY, QUANTITY_NUMBER,   "Poisson's ratio"},
    {KEYS_MATERIAL, "density", OPTIONAL, KEYS_QUANTITY, QUANTITY_DENSITY,  "mass in a volume"},

    {KEYS_BODY, "mesh",      REQUIRED, KEYS_TEXT,        QUANTITY_NUMBER, "the mesh file"},
    {KEYS_BODY, "mesh_unit", OPTIONAL, KEYS_UNIT,        QUANTITY_LENGTH, "unit of the mesh's coordinates"},
    {KEYS_BODY, "place",     OPTIONAL, KEYS_MAP,         QUANTITY_NUMBER, "where the mesh is put in the world"},
    {KEYS_BODY, "material",  REQUIRED, KEYS_NAME,        QUANTITY_NUMBER, "a name under materials"},
    {KEYS_BODY, "mass",      OPTIONAL, KEYS_QUANTITY,    QUANTITY_MASS,   "replaces the density, spread by volume"},
    {KEYS_BODY, "regions",   OPTIONAL, KEYS_MAPS,        QUANTITY_NUMBER, "parts of another material"},
    {KEYS_BODY, "fix",       OPTIONAL, KEYS_MAP_OR_MAPS, QUANTITY_NUMBER, "nodes that are held"},
    {KEYS_BODY, "surfaces",  OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "named parts of the boundary"},
    {KEYS_BODY, "cavities",  OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "named inner cavities"},

    {KEYS_PLACE, "rotate", OPTIONAL, KEYS_TRIPLE, QUANTITY_ANGLE,  "turns about the fixed x, then y, then z axis"},
    {KEYS_PLACE, "move",   OPTIONAL, KEYS_TRIPLE, QUANTITY_LENGTH, "translation after rotating"},

    {KEYS_REGION, "material", REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under materials"},

    {KEYS_FIX, "axes",         OPTIONAL, KEYS_WORDS,  QUANTITY_NUMBER, "the axes held, of x, y, z"},
    {KEYS_FIX, "displacement", OPTIONAL, KEYS_TRIPLE, QUANTITY_LENGTH, "where from rest the nodes are held"},

    {KEYS_BODY_CAVITY, "number", ONE_OF, KEYS_INTEGER, QUANTITY_NUMBER, "1 is the largest at rest"},
    {KEYS_BODY_CAVITY, "inside", ONE_OF, KEYS_TRIPLE,  QUANTITY_LENGTH, "a point inside it, at rest"},
    {KEYS_BODY_CAVITY, "group",  ONE_OF, KEYS_TEXT,    QUANTITY_NUMBER, "a closed surface group of the mesh"},

    {KEYS_SELECTION, "box",     ONE_OF, KEYS_CORNERS, QUANTITY_LENGTH, "two opposite corners of a box"},
    {KEYS_SELECTION, "sphere",  ONE_OF, KEYS_MAP,     QUANTITY_NUMBER, "a ball"},
    {KEYS_SELECTION, "plane",   ONE_OF, KEYS_MAP,     QUANTITY_NUMBER, "the side of a plane that its normal points to"},
    {KEYS_SELECTION, "group",   ONE_OF, KEYS_TEXT,    QUANTITY_NUMBER, "a group of the mesh file, or a surface of the body"},
    {KEYS_SELECTION, "nearest", ONE_OF, KEYS_TRIPLE,  QUANTITY_LENGTH, "the one node nearest to a point"},
    {KEYS_SELECTION, "all",     ONE_OF, KEYS_TRUE,    QUANTITY_NUMBER, "the whole body"},

    {KEYS_SPHERE, "center", REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "centre of the sphere"},
    {KEYS_SPHERE, "radius", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "radius of the sphere"},

    {KEYS_PLANE, "point",  REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "a point on the plane"},
    {KEYS_PLANE, "normal", REQUIRED, KEYS_TRIPLE, QUANTITY_NUMBER, "direction of the side that is taken"},

    {KEYS_LOAD, "force",    ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a force at a point of a body"},
    {KEYS_LOAD, "traction", ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a force of fixed direction on a surface"},
    {KEYS_LOAD, "pressure", ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a pressure that follows a surface"},

    {KEYS_FORCE, "body",  REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_FORCE, "at",    REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "the material point, at rest"},
    {KEYS_FORCE, "value", REQUIRED, KEYS_TRIPLE, QUANTITY_FORCE,  "the force"},

    {KEYS_TRACTION, "body",    REQUIRED, KEYS_NAME,   QUANTITY_NUMBER,   "a name under bodies"},
    {KEYS_TRACTION, "surface", REQUIRED, KEYS_TEXT,   QUANTITY_NUMBER,   "a surface of the body or a group of its mesh"},
    {KEYS_TRACTION, "value",   ONE_OF,   KEYS_TRIPLE, QUANTITY_PRESSURE, "force per area at rest"},
    {KEYS_TRACTION, "total",   ONE_OF,   KEYS_TRIPLE, QUANTITY_FORCE,    "the whole force, spread evenly over the area at rest"},

    {KEYS_PRESSURE, "body",    REQUIRED, KEYS_NAME,     QUANTITY_NUMBER,   "a name under bodies"},
    {KEYS_PRESSURE, "surface", REQUIRED, KEYS_TEXT,     QUANTITY_NUMBER,   "a surface of the body or a group of its mesh"},
    {KEYS_PRESSURE, "value",   REQUIRED, KEYS_QUANTITY, QUANTITY_PRESSURE, "positive pushes into the body"},

    {KEYS_ACTUATOR, "cable",   ONE_OF,   KEYS_MAP, QUANTITY_NUMBER, "a cable through points of bodies"},
    {KEYS_ACTUATOR, "piston",  ONE_OF,   KEYS_MAP, QUANTITY_NUMBER, "a piston between two points of bodies"},
    {KEYS_ACTUATOR, "cavity",  ONE_OF,   KEYS_MAP, QUANTITY_NUMBER, "a pressurized cavity of a body"},
    {KEYS_ACTUATOR, "limits",  OPTIONAL, KEYS_MAP, QUANTITY_NUMBER, "what the actuator can do"},
    {KEYS_ACTUATOR, "command", OPTIONAL, KEYS_MAP, QUANTITY_NUMBER, "what the actuator is told"},

    {KEYS_CABLE, "body",        OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER, "carries the points that do not name their own"},
    {KEYS_CABLE, "through",     REQUIRED, KEYS_CARRIEDS, QUANTITY_LENGTH, "points in order, from the pulled end to the tied end"},
    {KEYS_CABLE, "pulled_from", OPTIONAL, KEYS_TRIPLE,   QUANTITY_LENGTH, "point of the world where it is pulled"},
    {KEYS_CABLE, "tied_to",     OPTIONAL, KEYS_TRIPLE,   QUANTITY_LENGTH, "point of the world where its far end is tied"},

    {KEYS_CABLE_LIMITS,  "pull",    OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH, "range of the shortening"},
    {KEYS_CABLE_LIMITS,  "tension", OPTIONAL, KEYS_RANGE,    QUANTITY_FORCE,  "range of the tension"},
    {KEYS_CABLE_COMMAND, "pull",    ONE_OF,   KEYS_QUANTITY, QUANTITY_LENGTH, "shortening from the rest length"},
    {KEYS_CABLE_COMMAND, "tension", ONE_OF,   KEYS_QUANTITY, QUANTITY_FORCE,  "tension"},

    {KEYS_PISTON, "body", OPTIONAL, KEYS_NAME,    QUANTITY_NUMBER, "carries the points that do not name their own"},
    {KEYS_PISTON, "from", REQUIRED, KEYS_CARRIED, QUANTITY_LENGTH, "one end"},
    {KEYS_PISTON, "to",   REQUIRED, KEYS_CARRIED, QUANTITY_LENGTH, "the other end"},

    {KEYS_PISTON_LIMITS,  "stroke", OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH, "range of the lengthening"},
    {KEYS_PISTON_LIMITS,  "force",  OPTIONAL, KEYS_RANGE,    QUANTITY_FORCE,  "range of the force"},
    {KEYS_PISTON_COMMAND, "stroke", ONE_OF,   KEYS_QUANTITY, QUANTITY_LENGTH, "lengthening from the rest distance"},
    {KEYS_PISTON_COMMAND, "force",  ONE_OF,   KEYS_QUANTITY, QUANTITY_FORCE,  "positive pushes the ends apart"},

    {KEYS_CAVITY, "body",   REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_CAVITY, "cavity", OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "a name under the body's cavities"},

    {KEYS_CAVITY_LIMITS,  "volume",   OPTIONAL, KEYS_RANGE,    QUANTITY_VOLUME,   "range of the volume change"},
    {KEYS_CAVITY_LIMITS,  "pressure", OPTIONAL, KEYS_RANGE,    QUANTITY_PRESSURE, "range of the pressure"},
    {KEYS_CAVITY_COMMAND, "volume",   ONE_OF,   KEYS_QUANTITY, QUANTITY_VOLUME,   "change from the volume at rest"},
    {KEYS_CAVITY_COMMAND, "pressure", ONE_OF,   KEYS_QUANTITY, QUANTITY_PRESSURE, "positive inflates"},

    {KEYS_EFFECTOR, "point", REQUIRED, KEYS_MAP, QUANTITY_NUMBER, "a point of a body"},

    {KEYS_POINT, "body", REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_POINT, "at",   REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "the material point, at rest"},

    {KEYS_STEP, "mode",           OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER, "when a step ends"},
    {KEYS_STEP, "dt",             OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "time from step to step"},
    {KEYS_STEP, "steps",          OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "steps from rest to the commands"},
    {KEYS_STEP, "iterations",     OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "iterations of a realtime step"},
    {KEYS_STEP, "max_iterations", OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "most iterations of a load increment"},
    {KEYS_STEP, "tolerance",      OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "relative residual of a converged step"},
};
// clang-format on

const int keys_nrow = sizeof keys_table / sizeof keys_table[0];

const char *keys_path(keys_block block)
{
    return blocks[block].path;
}

const char *keys_what(keys_block block)
{
    return blocks[block].what;
}

bool keys_allowed(keys_block block, const keys_row *row)
{
    return row->block == block || (row->block == KEYS_SELECTION && blocks[block].selects);
}

const keys_row *keys_find(keys_block block, const char *key)
{
    for (int i = 0; i < keys_nrow; i++)
        if (keys_allowed(block, &keys_table[i]) && strcmp(keys_table[i].key, key) == 0)
            return &keys_table[i];
    return NULL;
}

static const char *plural_ending(const char *name)
{
    return name[strlen(name) - 1] == 's' ? "es" : "s";
}

const char *keys_type_text(const keys_row *row, char text[KEYS_TYPE_TEXT_MAX])
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
        [KEYS_INTEGER] = "integer",
        [KEYS_CARRIED] = "point",
        [KEYS_CARRIEDS] = "list of points",
        [KEYS_CORNERS] = "2 x 3 lengths",
    };
    const char *name = quantity_name(row->dimension);
    switch (row->type) {
    case KEYS_UNIT: snprintf(text, KEYS_TYPE_TEXT_MAX, "unit of %s", name); break;
    case KEYS_QUANTITY: snprintf(text, KEYS_TYPE_TEXT_MAX, "%s", name); break;
    case KEYS_TRIPLE:
        snprintf(text, KEYS_TYPE_TEXT_MAX, "3 %s%s", name, plural_ending(name));
        break;
    case KEYS_RANGE: snprintf(text, KEYS_TYPE_TEXT_MAX, "2 %s%s", name, plural_ending(name)); break;
    default: snprintf(text, KEYS_TYPE_TEXT_MAX, "%s", fixed[row->type]); break;
    }
    return text;
}
