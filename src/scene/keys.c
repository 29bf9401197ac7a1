#include "scene/keys.h"

#include "scene/actuator_kind.h"
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

#define OPTIONAL KEYS_OPTIONAL
#define REQUIRED KEYS_REQUIRED
#define ONE_OF   KEYS_ONE_OF

// clang-format off
static const keys_row table[] = {
    {KEYS_SCENE, "units",     OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "what bare numbers mean"},
    {KEYS_SCENE, "gravity",   OPTIONAL, KEYS_TRIPLE, QUANTITY_ACCELERATION, "gravity on every body"},
    {KEYS_SCENE, "materials", OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "what bodies are made of"},
    {KEYS_SCENE, "bodies",    REQUIRED, KEYS_NAMED,  QUANTITY_NUMBER,       "the soft parts, and rigid bodies"},
    {KEYS_SCENE, "urdf",      OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "a robot of rigid links, from a file"},
    {KEYS_SCENE, "joints",    OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "what joins bodies, and holds them to the world"},
    {KEYS_SCENE, "loads",     OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "forces that are not actuators"},
    {KEYS_SCENE, "actuators", OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "what moves the robot"},
    {KEYS_SCENE, "effectors", OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "what is measured and controlled"},
    {KEYS_SCENE, "sensors",   OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "what the real robot measures"},
    {KEYS_SCENE, "obstacles", OPTIONAL, KEYS_NAMED,  QUANTITY_NUMBER,       "rigid things that bodies come into contact with"},
    {KEYS_SCENE, "contacts",  OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "which contacts are looked for"},
    {KEYS_SCENE, "task",      OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "what lithe track shall do"},
    {KEYS_SCENE, "dynamics",  OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "how time passes; without, statics"},
    {KEYS_SCENE, "step",      OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "how a step is solved"},
    {KEYS_SCENE, "estimate",  OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "how the shape is found from measurements"},
    {KEYS_SCENE, "reduction", OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "a reduced model in place of the whole one"},
    {KEYS_SCENE, "controller", OPTIONAL, KEYS_MAP,   QUANTITY_NUMBER,       "the closed loop"},
    {KEYS_SCENE, "wire",      OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "how the machine is spoken to"},
    {KEYS_SCENE, "plant",     OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER,       "what is wrong with the machine that lithe plant plays"},

    {KEYS_UNITS, "length",       OPTIONAL, KEYS_UNIT, QUANTITY_LENGTH,       "unit of bare lengths"},
    {KEYS_UNITS, "force",        OPTIONAL, KEYS_UNIT, QUANTITY_FORCE,        "unit of bare forces"},
    {KEYS_UNITS, "pressure",     OPTIONAL, KEYS_UNIT, QUANTITY_PRESSURE,     "unit of bare pressures"},
    {KEYS_UNITS, "mass",         OPTIONAL, KEYS_UNIT, QUANTITY_MASS,         "unit of bare masses"},
    {KEYS_UNITS, "time",         OPTIONAL, KEYS_UNIT, QUANTITY_TIME,         "unit of bare times"},
    {KEYS_UNITS, "angle",        OPTIONAL, KEYS_UNIT, QUANTITY_ANGLE,        "unit of bare angles"},
    {KEYS_UNITS, "volume",       OPTIONAL, KEYS_UNIT, QUANTITY_VOLUME,       "unit of bare volumes"},
    {KEYS_UNITS, "density",      OPTIONAL, KEYS_UNIT, QUANTITY_DENSITY,      "unit of bare densities"},
    {KEYS_UNITS, "acceleration", OPTIONAL, KEYS_UNIT, QUANTITY_ACCELERATION, "unit of bare accelerations"},

    {KEYS_MATERIAL, "from",         OPTIONAL, KEYS_TEXT,     QUANTITY_NUMBER,   "a silicone of the library"},
    {KEYS_MATERIAL, "law",          OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER,   "the elastic law"},
    {KEYS_MATERIAL, "young",        OPTIONAL, KEYS_QUANTITY, QUANTITY_PRESSURE, "Young's modulus"},
    {KEYS_MATERIAL, "poisson",      OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER,   "Poisson's ratio"},
    {KEYS_MATERIAL, "density",      OPTIONAL, KEYS_QUANTITY, QUANTITY_DENSITY,  "mass in a volume"},
    {KEYS_MATERIAL, "coefficients", OPTIONAL, KEYS_NUMBERS,  QUANTITY_PRESSURE, "of the law"},
    {KEYS_MATERIAL, "exponents",    OPTIONAL, KEYS_NUMBERS,  QUANTITY_NUMBER,   "ogden: of the stretches"},
    {KEYS_MATERIAL, "locking",      OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER,   "gent: I1 - 3 where it is stretched out, J_m"},
    {KEYS_MATERIAL, "moduli",       OPTIONAL, KEYS_TRIPLE,   QUANTITY_PRESSURE, "orthotropic: Young's moduli"},
    {KEYS_MATERIAL, "ratios",       OPTIONAL, KEYS_TRIPLE,   QUANTITY_NUMBER,   "orthotropic: Poisson's ratios"},
    {KEYS_MATERIAL, "shears",       OPTIONAL, KEYS_TRIPLE,   QUANTITY_PRESSURE, "orthotropic: shear moduli"},
    {KEYS_MATERIAL, "fibre",        OPTIONAL, KEYS_TRIPLE,   QUANTITY_NUMBER,   "orthotropic: the first axis"},
    {KEYS_MATERIAL, "prony",        OPTIONAL, KEYS_MAPS,     QUANTITY_NUMBER,   "viscoelastic: how it relaxes"},
    {KEYS_MATERIAL, "across",       OPTIONAL, KEYS_TRIPLE,   QUANTITY_NUMBER,   "orthotropic: the second axis"},

    {KEYS_PRONY, "weight", REQUIRED, KEYS_QUANTITY, QUANTITY_NUMBER, "share of the sudden stiffness that fades"},
    {KEYS_PRONY, "time",   REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "in which it fades to 37 %"},

    {KEYS_BODY, "mesh",      OPTIONAL, KEYS_TEXT,        QUANTITY_NUMBER, "the mesh file"},
    {KEYS_BODY, "mesh_unit", OPTIONAL, KEYS_UNIT,        QUANTITY_LENGTH, "unit of the mesh's coordinates"},
    {KEYS_BODY, "box",       OPTIONAL, KEYS_TRIPLE,      QUANTITY_LENGTH, "a soft block: lengths of its edges"},
    {KEYS_BODY, "ball",      OPTIONAL, KEYS_QUANTITY,    QUANTITY_LENGTH, "a soft ball: its radius"},
    {KEYS_BODY, "cylinder",  OPTIONAL, KEYS_MAP,         QUANTITY_NUMBER, "a soft rod with flat ends, along z"},
    {KEYS_BODY, "cell",      OPTIONAL, KEYS_QUANTITY,    QUANTITY_LENGTH, "about the edge of its cells"},
    {KEYS_BODY, "place",     OPTIONAL, KEYS_MAP,         QUANTITY_NUMBER, "where the mesh is put in the world"},
    {KEYS_BODY, "frame",     OPTIONAL, KEYS_WORD,        QUANTITY_NUMBER, "in which what is said of it is"},
    {KEYS_BODY, "element",   OPTIONAL, KEYS_WORD,        QUANTITY_NUMBER, "what the mesh's volumes become"},
    {KEYS_BODY, "material",  OPTIONAL, KEYS_NAME,        QUANTITY_NUMBER, "a name under materials"},
    {KEYS_BODY, "mass",      OPTIONAL, KEYS_QUANTITY,    QUANTITY_MASS,   "replaces the density, spread by volume"},
    {KEYS_BODY, "velocity",  OPTIONAL, KEYS_TRIPLE,      QUANTITY_VELOCITY, "dynamics: at the start"},
    {KEYS_BODY, "spin",      OPTIONAL, KEYS_TRIPLE,      QUANTITY_SPIN,   "dynamics: about its centre of mass, at the start"},
    {KEYS_BODY, "regions",   OPTIONAL, KEYS_MAPS,        QUANTITY_NUMBER, "parts of another material"},
    {KEYS_BODY, "fix",       OPTIONAL, KEYS_MAP_OR_MAPS, QUANTITY_NUMBER, "nodes that are held"},
    {KEYS_BODY, "rigid",     OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "parts that do not deform"},
    {KEYS_BODY, "rigid_body", OPTIONAL, KEYS_MAP,        QUANTITY_NUMBER, "the whole body does not deform"},
    {KEYS_BODY, "surfaces",  OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "named parts of the boundary"},
    {KEYS_BODY, "cavities",  OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "named inner cavities"},
    {KEYS_BODY, "rods",      OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "slender parts made of beams"},
    {KEYS_BODY, "shells",    OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "thin walls made of triangles"},
    {KEYS_BODY, "springs",   OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "springs between points"},
    {KEYS_BODY, "threads",   OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "threads that run through it"},
    {KEYS_BODY, "like",      OPTIONAL, KEYS_NAME,        QUANTITY_NUMBER, "another body, whose keys this one has too"},
    {KEYS_BODY, "path",      OPTIONAL, KEYS_MAPS,        QUANTITY_NUMBER, "a rigid body: how it is moved"},
    {KEYS_BODY, "members",   OPTIONAL, KEYS_NAMED,       QUANTITY_NUMBER, "several meshes in one body, soft and rigid"},
    {KEYS_BODY, "attachments", OPTIONAL, KEYS_MAPS,      QUANTITY_NUMBER, "where members follow each other"},

    {KEYS_MEMBER, "mesh",       OPTIONAL, KEYS_TEXT,     QUANTITY_NUMBER, "the mesh file"},
    {KEYS_MEMBER, "mesh_unit",  OPTIONAL, KEYS_UNIT,     QUANTITY_LENGTH, "unit of the mesh's coordinates"},
    {KEYS_MEMBER, "box",       OPTIONAL, KEYS_TRIPLE,      QUANTITY_LENGTH, "a soft block: lengths of its edges"},
    {KEYS_MEMBER, "ball",      OPTIONAL, KEYS_QUANTITY,    QUANTITY_LENGTH, "a soft ball: its radius"},
    {KEYS_MEMBER, "cylinder",  OPTIONAL, KEYS_MAP,         QUANTITY_NUMBER, "a soft rod with flat ends, along z"},
    {KEYS_MEMBER, "cell",      OPTIONAL, KEYS_QUANTITY,    QUANTITY_LENGTH, "about the edge of its cells"},
    {KEYS_MEMBER, "place",      OPTIONAL, KEYS_MAP,      QUANTITY_NUMBER, "where it is put in the world"},
    {KEYS_MEMBER, "material",   OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER, "a name under materials"},
    {KEYS_MEMBER, "rigid_body", OPTIONAL, KEYS_MAP,      QUANTITY_NUMBER, "it does not deform"},
    {KEYS_MEMBER, "mass",       OPTIONAL, KEYS_QUANTITY, QUANTITY_MASS,   "of a rigid one"},
    {KEYS_MEMBER, "like",       OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER, "another member, whose keys this one has too"},

    {KEYS_ATTACHMENT, "member",  REQUIRED, KEYS_NAME,    QUANTITY_NUMBER, "a member that deforms"},
    {KEYS_ATTACHMENT, "to",      REQUIRED, KEYS_NAME,    QUANTITY_NUMBER, "the member that it follows"},
    {KEYS_ATTACHMENT, "points",  ONE_OF,   KEYS_TRIPLES, QUANTITY_LENGTH, "points of the member, at rest"},
    {KEYS_ATTACHMENT, "overlap", ONE_OF,   KEYS_TRUE,    QUANTITY_NUMBER, "its nodes that lie in the other one at rest"},

    {KEYS_RIGID_BODY, "box",      ONE_OF,   KEYS_TRIPLE,   QUANTITY_LENGTH,  "a block: lengths of its edges"},
    {KEYS_RIGID_BODY, "sphere",   ONE_OF,   KEYS_QUANTITY, QUANTITY_LENGTH,  "a ball: its radius"},
    {KEYS_RIGID_BODY, "cylinder", ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER,  "a rod with flat ends, along z"},
    {KEYS_RIGID_BODY, "capsule",  ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER,  "a rod with round ends, along z"},
    {KEYS_RIGID_BODY, "mesh",     ONE_OF,   KEYS_TRUE,     QUANTITY_NUMBER,  "the body's mesh, a volume or a closed surface"},
    {KEYS_RIGID_BODY, "center",   OPTIONAL, KEYS_TRIPLE,   QUANTITY_LENGTH,  "centre of mass"},
    {KEYS_RIGID_BODY, "inertia",  OPTIONAL, KEYS_TRIPLE,   QUANTITY_INERTIA, "about the centre of mass: xx, yy, zz"},
    {KEYS_RIGID_BODY, "products", OPTIONAL, KEYS_TRIPLE,   QUANTITY_INERTIA, "the tensor's entries xy, xz, yz"},

    {KEYS_RIGID_ROUND, "radius", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "its radius"},
    {KEYS_RIGID_ROUND, "length", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "of the cylinder; of a capsule without its round ends"},

    {KEYS_ROD, "points",    REQUIRED, KEYS_TRIPLES,  QUANTITY_LENGTH, "where it runs at rest, two or more"},
    {KEYS_ROD, "smooth",    OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "in a smooth curve through its points"},
    {KEYS_ROD, "elements",  OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "beams in it"},
    {KEYS_ROD, "material",  OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER, "a name under materials"},
    {KEYS_ROD, "circle",    ONE_OF,   KEYS_QUANTITY, QUANTITY_LENGTH, "radius of a full round section"},
    {KEYS_ROD, "tube",      ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER, "a hollow round section"},
    {KEYS_ROD, "rectangle", ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER, "a rectangular section"},
    {KEYS_ROD, "taper",     OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "size at its end over size at its start"},
    {KEYS_ROD, "axis",      OPTIONAL, KEYS_TRIPLE,   QUANTITY_NUMBER, "a direction near the section's first axis"},
    {KEYS_ROD, "glued",     OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "its nodes inside the mesh are glued to it"},

    {KEYS_TUBE, "outer", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "outer radius"},
    {KEYS_TUBE, "inner", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "inner radius"},

    {KEYS_RECTANGLE, "along",  REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "size along the axis"},
    {KEYS_RECTANGLE, "across", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "size across it"},

    {KEYS_SHELL, "mesh",      OPTIONAL, KEYS_TEXT,     QUANTITY_NUMBER, "a file with its triangles"},
    {KEYS_SHELL, "group",     OPTIONAL, KEYS_TEXT,     QUANTITY_NUMBER, "triangles of the body's own mesh"},
    {KEYS_SHELL, "thickness", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "of the wall"},
    {KEYS_SHELL, "material",  OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER, "a name under materials"},
    {KEYS_SHELL, "glued",     OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "its nodes inside the body's mesh are glued to it"},

    {KEYS_SPRING, "from",      REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH,    "a point of the body, at rest"},
    {KEYS_SPRING, "to",        ONE_OF,   KEYS_TRIPLE,   QUANTITY_LENGTH,    "another point of the body, at rest"},
    {KEYS_SPRING, "tied_to",   ONE_OF,   KEYS_TRIPLE,   QUANTITY_LENGTH,    "a point of the world"},
    {KEYS_SPRING, "stiffness", REQUIRED, KEYS_QUANTITY, QUANTITY_STIFFNESS, "force per lengthening"},
    {KEYS_SPRING, "rest",      OPTIONAL, KEYS_QUANTITY, QUANTITY_LENGTH,    "length without force"},
    {KEYS_SPRING, "slack",     OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER,    "it pulls and does not push"},

    {KEYS_THREAD, "points",   REQUIRED, KEYS_TRIPLES,  QUANTITY_LENGTH, "where it runs at rest, two or more"},
    {KEYS_THREAD, "closed",   OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "from the last point back to the first"},
    {KEYS_THREAD, "radius",   REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "of its round section"},
    {KEYS_THREAD, "material", OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER, "a name under materials"},
    {KEYS_THREAD, "slack",    OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "it pulls and does not push"},

    {KEYS_TRANSFORM, "rotate", OPTIONAL, KEYS_TRIPLE, QUANTITY_ANGLE,  "rotation about the fixed x, then y, then z axis"},
    {KEYS_TRANSFORM, "move",   OPTIONAL, KEYS_TRIPLE, QUANTITY_LENGTH, "translation after rotating"},

    {KEYS_REGION, "material", REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under materials"},

    {KEYS_FIX, "axes",         OPTIONAL, KEYS_WORDS,  QUANTITY_NUMBER, "the axes held, of x, y, z"},
    {KEYS_FIX, "displacement", OPTIONAL, KEYS_TRIPLE, QUANTITY_LENGTH, "where from rest the nodes are held"},
    {KEYS_FIX, "rotations",    OPTIONAL, KEYS_BOOL,   QUANTITY_NUMBER, "rotations of rods and shells are held too"},
    {KEYS_FIX, "rotation",     OPTIONAL, KEYS_TRIPLE, QUANTITY_ANGLE,  "rotation vector at which they are held"},
    {KEYS_FIX, "play",         OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER, "how the displacement goes on in time"},

    {KEYS_BODY_CAVITY, "number", ONE_OF, KEYS_INTEGER, QUANTITY_NUMBER, "1 is the largest at rest"},
    {KEYS_BODY_CAVITY, "inside", ONE_OF, KEYS_TRIPLE,  QUANTITY_LENGTH, "a point inside it, at rest"},
    {KEYS_BODY_CAVITY, "group",  ONE_OF, KEYS_TEXT,    QUANTITY_NUMBER, "a closed surface group of the mesh"},

    {KEYS_URDF, "file",  REQUIRED, KEYS_TEXT, QUANTITY_NUMBER, "the URDF file"},
    {KEYS_URDF, "base",  OPTIONAL, KEYS_WORD, QUANTITY_NUMBER, "whether its root is held"},
    {KEYS_URDF, "place", OPTIONAL, KEYS_MAP,  QUANTITY_NUMBER, "where its root is"},

    {KEYS_JOINT, "kind",      REQUIRED, KEYS_WORD,   QUANTITY_NUMBER, "what it leaves free"},
    {KEYS_JOINT, "body",      REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_JOINT, "part",      OPTIONAL, KEYS_TEXT,   QUANTITY_NUMBER, "a rigid part of the body"},
    {KEYS_JOINT, "with",      OPTIONAL, KEYS_NAME,   QUANTITY_NUMBER, "the other body"},
    {KEYS_JOINT, "with_part", OPTIONAL, KEYS_TEXT,   QUANTITY_NUMBER, "a rigid part of the other body"},
    {KEYS_JOINT, "at",        REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "where it is, at rest"},
    {KEYS_JOINT, "axis",      OPTIONAL, KEYS_TRIPLE, QUANTITY_NUMBER, "of rotation, of travel, or normal to the plane, at rest"},
    {KEYS_JOINT, "cross",     OPTIONAL, KEYS_TRIPLE, QUANTITY_NUMBER, "universal: the axis in the other body, at rest"},
    {KEYS_JOINT, "angle",       OPTIONAL, KEYS_MAP,  QUANTITY_NUMBER, "of rotation about the axis"},
    {KEYS_JOINT, "cross_angle", OPTIONAL, KEYS_MAP,  QUANTITY_NUMBER, "universal: of rotation about cross"},
    {KEYS_JOINT, "travel",      OPTIONAL, KEYS_MAP,  QUANTITY_NUMBER, "along the axis, or across that of a plane"},

    {KEYS_JOINT, "mimic",       OPTIONAL, KEYS_MAP,  QUANTITY_NUMBER, "moves as another joint does"},
    {KEYS_JOINT, "like",  OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "another joint, whose keys this one has too"},
    {KEYS_JOINT, "frame", OPTIONAL, KEYS_WORD, QUANTITY_NUMBER, "in which its points and directions are"},

    {KEYS_MIMIC, "joint", REQUIRED, KEYS_NAME,     QUANTITY_NUMBER, "a name under joints"},
    {KEYS_MIMIC, "ratio", OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "how much of its angle or travel"},

    {KEYS_JOINT_ANGLE, "limits",    OPTIONAL, KEYS_RANGE,    QUANTITY_ANGLE,            "where it stops"},
    {KEYS_JOINT_ANGLE, "stiffness", OPTIONAL, KEYS_QUANTITY, QUANTITY_ROTARY_STIFFNESS, "of a spring"},
    {KEYS_JOINT_ANGLE, "rest",      OPTIONAL, KEYS_QUANTITY, QUANTITY_ANGLE,            "where the spring pulls to"},
    {KEYS_JOINT_ANGLE, "damping",   OPTIONAL, KEYS_QUANTITY, QUANTITY_ROTARY_DAMPING,   "against its rate"},
    {KEYS_JOINT_ANGLE, "friction",  OPTIONAL, KEYS_QUANTITY, QUANTITY_MOMENT,           "the moment by which it sticks"},

    {KEYS_JOINT_TRAVEL, "limits",    OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH,    "where it stops"},
    {KEYS_JOINT_TRAVEL, "stiffness", OPTIONAL, KEYS_QUANTITY, QUANTITY_STIFFNESS, "of a spring"},
    {KEYS_JOINT_TRAVEL, "rest",      OPTIONAL, KEYS_QUANTITY, QUANTITY_LENGTH,    "where the spring pulls to"},
    {KEYS_JOINT_TRAVEL, "damping",   OPTIONAL, KEYS_QUANTITY, QUANTITY_DAMPING,   "against its rate"},
    {KEYS_JOINT_TRAVEL, "friction",  OPTIONAL, KEYS_QUANTITY, QUANTITY_FORCE,     "the force by which it sticks"},

    {KEYS_SELECTION, "box",     ONE_OF, KEYS_CORNERS, QUANTITY_LENGTH, "two opposite corners of a box"},
    {KEYS_SELECTION, "sphere",  ONE_OF, KEYS_MAP,     QUANTITY_NUMBER, "a ball"},
    {KEYS_SELECTION, "plane",   ONE_OF, KEYS_MAP,     QUANTITY_NUMBER, "the side of a plane that its normal points to"},
    {KEYS_SELECTION, "group",   ONE_OF, KEYS_TEXT,    QUANTITY_NUMBER, "a group of the mesh file, or a surface of the body"},
    {KEYS_SELECTION, "nearest", ONE_OF, KEYS_TRIPLE,  QUANTITY_LENGTH, "the one node nearest to a point"},
    {KEYS_SELECTION, "all",     ONE_OF, KEYS_TRUE,    QUANTITY_NUMBER, "the whole body"},
    {KEYS_SELECTION, "oriented_box", ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a box that lies aslant"},
    {KEYS_SELECTION, "all_of",  ONE_OF, KEYS_MAPS,    QUANTITY_NUMBER, "what all of some selections mean"},
    {KEYS_SELECTION, "any_of",  ONE_OF, KEYS_MAPS,    QUANTITY_NUMBER, "what any of some selections means"},
    {KEYS_SELECTION, "none_of", ONE_OF, KEYS_MAPS,    QUANTITY_NUMBER, "what none of some selections means"},

    {KEYS_ORIENTED_BOX, "center", REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "its centre"},
    {KEYS_ORIENTED_BOX, "size",   REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "lengths of its edges"},
    {KEYS_ORIENTED_BOX, "rotate", OPTIONAL, KEYS_TRIPLE, QUANTITY_ANGLE,  "rotation about the fixed x, then y, then z axis"},

    {KEYS_SPHERE, "center", REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "centre of the sphere"},
    {KEYS_SPHERE, "radius", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "radius of the sphere"},

    {KEYS_PLANE, "point",  REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "a point on the plane"},
    {KEYS_PLANE, "normal", REQUIRED, KEYS_TRIPLE, QUANTITY_NUMBER, "direction of the side that is taken"},

    {KEYS_LOAD, "force",    ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a force at a point of a body"},
    {KEYS_LOAD, "traction", ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a force of fixed direction on a surface"},
    {KEYS_LOAD, "pressure", ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a pressure that follows a surface"},
    {KEYS_LOAD, "from",     OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME, "dynamics: when it begins"},
    {KEYS_LOAD, "until",    OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME, "dynamics: when it ends"},
    {KEYS_LOAD, "moment",   ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a moment at a point of a rod or shell"},
    {KEYS_LOAD, "like",  OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "another load, whose keys this one has too"},
    {KEYS_LOAD, "body",  OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "with like: the body that it is on instead"},
    {KEYS_LOAD, "frame", OPTIONAL, KEYS_WORD, QUANTITY_NUMBER, "in which its points and directions are"},

    {KEYS_MOMENT, "body",  REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_MOMENT, "at",    REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "the material point, at rest"},
    {KEYS_MOMENT, "value", REQUIRED, KEYS_TRIPLE, QUANTITY_MOMENT, "the moment, about fixed axes"},

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

    {KEYS_ACTUATOR, "limits",  OPTIONAL, KEYS_MAP,  QUANTITY_NUMBER, "what the actuator can do"},
    {KEYS_ACTUATOR, "command", OPTIONAL, KEYS_MAP,  QUANTITY_NUMBER, "what the actuator is told"},
    {KEYS_ACTUATOR, "given",   OPTIONAL, KEYS_BOOL, QUANTITY_NUMBER, "the inverse leaves it at its command"},
    {KEYS_ACTUATOR, "play",    OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER, "how the command goes on in time"},
    {KEYS_ACTUATOR, "valve",   OPTIONAL, KEYS_MAP,    QUANTITY_NUMBER, "how fast a cavity follows its command"},
    {KEYS_ACTUATOR, "like",  OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "another actuator, whose keys this one has too"},
    {KEYS_ACTUATOR, "body",  OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "with like: the body that it is on instead"},
    {KEYS_ACTUATOR, "frame", OPTIONAL, KEYS_WORD, QUANTITY_NUMBER, "in which its points and directions are"},

    {KEYS_EFFECTOR, "point",       ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER, "position of a point of a body"},
    {KEYS_EFFECTOR, "points",      ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER, "positions of several points"},
    {KEYS_EFFECTOR, "barycentre",  ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER, "mean position of nodes"},
    {KEYS_EFFECTOR, "mass_centre", ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER, "centre of mass of a body"},
    {KEYS_EFFECTOR, "orientation", ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER, "rotation of a patch of nodes"},
    {KEYS_EFFECTOR, "volume",      ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER, "volume of a cavity"},
    {KEYS_EFFECTOR, "length",      ONE_OF,   KEYS_MAP,      QUANTITY_NUMBER, "length of a line through points"},
    {KEYS_EFFECTOR, "axes",        OPTIONAL, KEYS_WORDS,    QUANTITY_NUMBER, "the axes that count, of x, y, z"},
    {KEYS_EFFECTOR, "direction",   OPTIONAL, KEYS_TRIPLE,   QUANTITY_NUMBER, "the one direction that counts"},
    {KEYS_EFFECTOR, "weight",      OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "of its error among those of its priority"},
    {KEYS_EFFECTOR, "priority",    OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "1 is served first"},
    {KEYS_EFFECTOR, "load",        OPTIONAL, KEYS_TRIPLE,   QUANTITY_FORCE,  "a known load that hangs on it"},
    {KEYS_EFFECTOR, "like",  OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "another effector, whose keys this one has too"},
    {KEYS_EFFECTOR, "body",  OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "with like: the body that it is on instead"},
    {KEYS_EFFECTOR, "frame", OPTIONAL, KEYS_WORD, QUANTITY_NUMBER, "in which its points and directions are"},

    {KEYS_POINTS, "body", OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER, "carries the points that do not name their own"},
    {KEYS_POINTS, "at",   REQUIRED, KEYS_CARRIEDS, QUANTITY_LENGTH, "the points"},

    {KEYS_BARYCENTRE,  "body", REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_MASS_CENTRE, "body", REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_ORIENTATION, "body", REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under bodies"},

    {KEYS_SENSOR, "like", OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "another sensor, whose keys this one has too"},
    {KEYS_SENSOR, "body", OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "with like: the body that it is on instead"},
    {KEYS_SENSOR, "frame", OPTIONAL, KEYS_WORD, QUANTITY_NUMBER, "in which its points are"},
    {KEYS_SENSOR_EFFORT, "actuator", REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under actuators"},

    {KEYS_POINT, "body", REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_POINT, "at",   REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "the material point, at rest"},
    {KEYS_END, "body",  OPTIONAL, KEYS_NAME,   QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_END, "at",    ONE_OF,   KEYS_TRIPLE, QUANTITY_LENGTH, "the material point, at rest"},
    {KEYS_END, "world", ONE_OF,   KEYS_TRIPLE, QUANTITY_LENGTH, "a point of the world"},

    {KEYS_LINE, "body",    OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER, "carries the points that do not name their own"},
    {KEYS_LINE, "through", REQUIRED, KEYS_CARRIEDS, QUANTITY_LENGTH, "points in order"},

    {KEYS_VOLUME, "body",   REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_VOLUME, "cavity", OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "a name under the body's cavities"},

    {KEYS_TASK, "follow",   OPTIONAL, KEYS_MAP_OR_MAPS, QUANTITY_NUMBER,   "targets that move"},
    {KEYS_TASK, "hold",     OPTIONAL, KEYS_MAP_OR_MAPS, QUANTITY_NUMBER,   "targets that stay"},
    {KEYS_TASK, "keep",     OPTIONAL, KEYS_MAP_OR_MAPS, QUANTITY_NUMBER,   "values that are met exactly"},
    {KEYS_TASK, "approach", OPTIONAL, KEYS_QUANTITY,    QUANTITY_VELOCITY, "fastest way of targets to their start"},
    {KEYS_TASK, "settle",   OPTIONAL, KEYS_INTEGER,     QUANTITY_NUMBER,   "steps after the end"},

    {KEYS_FOLLOW, "effector",  OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "a name under effectors"},
    {KEYS_FOLLOW, "sensor",    OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "a name under sensors"},
    {KEYS_FOLLOW, "circle",    ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "a circle at constant speed"},
    {KEYS_FOLLOW, "line",      ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "from one point to another"},
    {KEYS_FOLLOW, "polygon",   ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "round corners at constant speed"},
    {KEYS_FOLLOW, "waypoints", ONE_OF,   KEYS_MAPS, QUANTITY_NUMBER, "targets with their times"},
    {KEYS_FOLLOW, "csv",       ONE_OF,   KEYS_TEXT, QUANTITY_NUMBER, "a file of targets with their times"},

    {KEYS_CIRCLE, "center", REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "centre of the circle"},
    {KEYS_CIRCLE, "radius", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "radius of the circle"},
    {KEYS_CIRCLE, "normal", REQUIRED, KEYS_TRIPLE,   QUANTITY_NUMBER, "its turn is right-handed about it"},
    {KEYS_CIRCLE, "period", REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "time of one turn"},
    {KEYS_CIRCLE, "turns",  OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "how many"},

    {KEYS_STRAIGHT, "from", REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "where it starts"},
    {KEYS_STRAIGHT, "to",   REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "where it ends"},
    {KEYS_STRAIGHT, "time", REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "from start to end"},

    {KEYS_POLYGON, "corners", REQUIRED, KEYS_TRIPLES,  QUANTITY_LENGTH, "two or more, the first is where it starts"},
    {KEYS_POLYGON, "period",  REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "time of one turn"},
    {KEYS_POLYGON, "turns",   OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "how many"},

    {KEYS_WAYPOINT, "time", REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "from the start of the path"},
    {KEYS_WAYPOINT, "at",   REQUIRED, KEYS_VALUES,   QUANTITY_NUMBER, "the target then"},

    {KEYS_HOLD, "effector", OPTIONAL, KEYS_NAME,   QUANTITY_NUMBER, "a name under effectors"},
    {KEYS_HOLD, "sensor",   OPTIONAL, KEYS_NAME,   QUANTITY_NUMBER, "a name under sensors"},
    {KEYS_HOLD, "at",       REQUIRED, KEYS_VALUES, QUANTITY_NUMBER, "the target"},

    {KEYS_OBSTACLE, "path",     OPTIONAL, KEYS_MAPS, QUANTITY_NUMBER, "how it moves in time"},
    {KEYS_OBSTACLE, "friction", OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "Coulomb's coefficient"},
    {KEYS_OBSTACLE, "friction_across", OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "Coulomb's coefficient across the direction along"},
    {KEYS_OBSTACLE, "along", OPTIONAL, KEYS_TRIPLE, QUANTITY_NUMBER, "the direction in which friction is that of friction"},
    {KEYS_OBSTACLE, "restitution", OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "how rigid bodies bounce, 0 to 1"},

    {KEYS_OBSTACLE_WAYPOINT, "time",   REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "from the start"},
    {KEYS_OBSTACLE_WAYPOINT, "move",   OPTIONAL, KEYS_TRIPLE,   QUANTITY_LENGTH, "from where it began"},
    {KEYS_OBSTACLE_WAYPOINT, "rotate", OPTIONAL, KEYS_TRIPLE,   QUANTITY_ANGLE,  "from how it began, about its own place"},

    {KEYS_OBSTACLE_ROUND,  "from",   REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "one end of the axis"},
    {KEYS_OBSTACLE_ROUND,  "to",     REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "the other end"},
    {KEYS_OBSTACLE_ROUND,  "radius", REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "about the axis"},

    {KEYS_CONTACTS, "max",    OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "room for contacts at the start"},
    {KEYS_CONTACTS, "detection_distance", OPTIONAL, KEYS_QUANTITY, QUANTITY_LENGTH, "farthest gap that the inverse looks at"},
    {KEYS_CONTACTS, "overlap", OPTIONAL, KEYS_QUANTITY, QUANTITY_LENGTH, "deepest that a realtime step is content with"},
    {KEYS_CONTACTS, "self",   OPTIONAL, KEYS_WORDS,    QUANTITY_NUMBER, "bodies in contact with themselves"},
    {KEYS_CONTACTS, "search", OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER, "how far the inverse looks"},
    {KEYS_CONTACTS, "pairs",  OPTIONAL, KEYS_MAPS,     QUANTITY_NUMBER, "what is in contact with what, and how"},
    {KEYS_CONTACTS, "others", OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "pairs that are not named are in contact too"},
    {KEYS_CONTACTS, "friction", OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "Coulomb's coefficient"},
    {KEYS_CONTACTS, "restitution", OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "how rigid bodies bounce, 0 to 1"},

    {KEYS_PAIR, "body",         REQUIRED, KEYS_NAME,     QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_PAIR, "surface",      OPTIONAL, KEYS_TEXT,     QUANTITY_NUMBER, "a surface or rod of the body, or a group of its mesh"},
    {KEYS_PAIR, "with",         REQUIRED, KEYS_NAME,     QUANTITY_NUMBER, "an obstacle or a body, itself too"},
    {KEYS_PAIR, "with_surface", OPTIONAL, KEYS_TEXT,     QUANTITY_NUMBER, "a surface or rod of that body"},
    {KEYS_PAIR, "detection_distance", OPTIONAL, KEYS_QUANTITY, QUANTITY_LENGTH, "farthest gap that the inverse looks at"},
    {KEYS_PAIR, "by",           OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER, "points or volume"},
    {KEYS_PAIR, "patch",        OPTIONAL, KEYS_QUANTITY, QUANTITY_LENGTH, "by volume: radius of a row's region"},
    {KEYS_PAIR, "off",          OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "starts switched off"},
    {KEYS_PAIR, "friction",     OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "Coulomb's coefficient"},
    {KEYS_PAIR, "friction_across", OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "Coulomb's coefficient across the direction along"},
    {KEYS_PAIR, "along", OPTIONAL, KEYS_TRIPLE, QUANTITY_NUMBER, "the direction in which friction is that of friction"},
    {KEYS_PAIR, "restitution",  OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "how rigid bodies bounce, 0 to 1"},
    {KEYS_PAIR, "frame", OPTIONAL, KEYS_WORD, QUANTITY_NUMBER, "in which the direction along is"},

    {KEYS_PLAY, "waypoints", ONE_OF, KEYS_MAPS, QUANTITY_NUMBER, "values with their times"},
    {KEYS_PLAY, "sine",      ONE_OF, KEYS_MAP,  QUANTITY_NUMBER, "to and fro about the command"},
    {KEYS_PLAY, "csv",       ONE_OF, KEYS_TEXT, QUANTITY_NUMBER, "a file of values with their times"},

    {KEYS_PLAY_WAYPOINT, "time", REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "from the start"},
    {KEYS_PLAY_WAYPOINT, "at",   REQUIRED, KEYS_VALUES,   QUANTITY_NUMBER, "the command then"},

    {KEYS_SINE, "amplitude", REQUIRED, KEYS_VALUES,   QUANTITY_NUMBER, "to each side of the command"},
    {KEYS_SINE, "period",    REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "of one turn"},
    {KEYS_SINE, "phase",     OPTIONAL, KEYS_QUANTITY, QUANTITY_ANGLE,  "at time 0"},

    {KEYS_VALVE, "inflation",      OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,          "time constant when the pressure rises"},
    {KEYS_VALVE, "deflation",      OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,          "time constant when the pressure falls"},
    {KEYS_VALVE, "inflation_rate", OPTIONAL, KEYS_QUANTITY, QUANTITY_PRESSURE_RATE, "fastest rise of the pressure"},
    {KEYS_VALVE, "deflation_rate", OPTIONAL, KEYS_QUANTITY, QUANTITY_PRESSURE_RATE, "fastest fall of the pressure"},

    {KEYS_DYNAMICS, "scheme",            OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER,    "how velocities follow"},
    {KEYS_DYNAMICS, "spectral_radius",   OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER,    "what a step leaves of the fastest vibrations"},
    {KEYS_DYNAMICS, "mass",              OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER,    "where elements have their mass"},
    {KEYS_DYNAMICS, "mass_damping",      OPTIONAL, KEYS_QUANTITY, QUANTITY_FREQUENCY, "damping per mass"},
    {KEYS_DYNAMICS, "stiffness_damping", OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,      "damping per stiffness"},
    {KEYS_DYNAMICS, "start",             OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER,    "where the robot is at time 0"},
    {KEYS_DYNAMICS, "duration",          OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,      "how long lithe run plays"},
    {KEYS_DYNAMICS, "adaptive",          OPTIONAL, KEYS_MAP,      QUANTITY_NUMBER,    "dt is cut where motion is fast"},

    {KEYS_ADAPTIVE, "error",    REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "what a step may be off by"},
    {KEYS_ADAPTIVE, "shortest", OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "no step is shorter"},

    {KEYS_ESTIMATE, "readings", REQUIRED, KEYS_NAMED,    QUANTITY_NUMBER, "the noise of what is measured"},
    {KEYS_ESTIMATE, "unknowns", OPTIONAL, KEYS_NAMED,    QUANTITY_NUMBER, "what is not known of actuators"},
    {KEYS_ESTIMATE, "outlier",  OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "from how far on a reading is not believed"},
    {KEYS_ESTIMATE, "memory",   OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "steps for which unknowns stay as they are"},

    {KEYS_REDUCTION, "file",      OPTIONAL, KEYS_TEXT,     QUANTITY_NUMBER, "what lithe reduce has made"},
    {KEYS_REDUCTION, "tolerance", OPTIONAL, KEYS_QUANTITY, QUANTITY_LENGTH, "largest error at effectors"},
    {KEYS_REDUCTION, "samples",   OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "equilibria that it is made of"},
    {KEYS_REDUCTION, "seed",      OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "of where they are"},
    {KEYS_REDUCTION, "every",     OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "steps between estimates of the error"},
    {KEYS_REDUCTION, "beyond",    OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER, "what goes on beyond the tolerance"},
    {KEYS_REDUCTION, "beam",      OPTIONAL, KEYS_MAP,      QUANTITY_NUMBER, "frames along a centre line carry the nodes"},

    {KEYS_BEAM, "frames", OPTIONAL, KEYS_INTEGER, QUANTITY_NUMBER, "on the centre line"},
    {KEYS_BEAM, "line",   OPTIONAL, KEYS_TRIPLES, QUANTITY_LENGTH, "the centre line at rest, two points or more"},
    {KEYS_BEAM, "shapes", OPTIONAL, KEYS_INTEGER, QUANTITY_NUMBER, "by which the section at a frame deforms"},
    {KEYS_BEAM, "swell",  OPTIONAL, KEYS_INTEGER, QUANTITY_NUMBER, "numbers by which it swells and shrinks"},

    {KEYS_CONTROLLER, "law",    OPTIONAL, KEYS_WORD,   QUANTITY_NUMBER, "what is done about an error"},
    {KEYS_CONTROLLER, "kp",     OPTIONAL, KEYS_EFFORT, QUANTITY_NUMBER, "on the error"},
    {KEYS_CONTROLLER, "ki",     OPTIONAL, KEYS_EFFORT, QUANTITY_NUMBER, "on the sum of errors"},
    {KEYS_CONTROLLER, "kd",     OPTIONAL, KEYS_EFFORT, QUANTITY_NUMBER, "on the change of the error"},
    {KEYS_CONTROLLER, "filter", OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME, "time constant of that change"},
    {KEYS_CONTROLLER, "delay",  OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME, "of readings"},
    {KEYS_CONTROLLER, "lead",   OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME, "by which targets are asked for early"},
    {KEYS_CONTROLLER, "windup", OPTIONAL, KEYS_QUANTITY, QUANTITY_LENGTH, "most that the sum of errors may ask for"},

    {KEYS_WIRE, "over",     REQUIRED, KEYS_MAP,   QUANTITY_NUMBER, "what it goes over"},
    {KEYS_WIRE, "out",      REQUIRED, KEYS_NAMED, QUANTITY_NUMBER, "actuators, in the order of the wire"},
    {KEYS_WIRE, "in",       REQUIRED, KEYS_NAMED, QUANTITY_NUMBER, "what is measured, in the order of the wire"},
    {KEYS_WIRE, "watchdog", OPTIONAL, KEYS_MAP,   QUANTITY_NUMBER, "what happens when no reading comes"},
    {KEYS_WIRE, "clock",    OPTIONAL, KEYS_WORD,  QUANTITY_NUMBER, "what both sides move on by"},

    {KEYS_WIRE_OVER, "serial", ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "lines over a serial port"},
    {KEYS_WIRE_OVER, "tcp",    ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "JSON lines over TCP"},
    {KEYS_WIRE_OVER, "udp",    ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "Open Sound Control over UDP"},
    {KEYS_WIRE_OVER, "zmq",    ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "JSON over ZeroMQ"},

    {KEYS_WIRE_SERIAL, "port", REQUIRED, KEYS_TEXT,    QUANTITY_NUMBER, "the device"},
    {KEYS_WIRE_SERIAL, "baud", OPTIONAL, KEYS_INTEGER, QUANTITY_NUMBER, "bits a second"},
    {KEYS_WIRE_TCP, "address", OPTIONAL, KEYS_TEXT,    QUANTITY_NUMBER, "of the machine"},
    {KEYS_WIRE_TCP, "port",    REQUIRED, KEYS_INTEGER, QUANTITY_NUMBER, "where the machine listens"},
    {KEYS_WIRE_UDP, "address", OPTIONAL, KEYS_TEXT,    QUANTITY_NUMBER, "of the machine"},
    {KEYS_WIRE_UDP, "port",    REQUIRED, KEYS_INTEGER, QUANTITY_NUMBER, "where the machine listens"},
    {KEYS_WIRE_UDP, "reply",   REQUIRED, KEYS_INTEGER, QUANTITY_NUMBER, "where its readings go"},
    {KEYS_WIRE_ZMQ, "address", OPTIONAL, KEYS_TEXT,    QUANTITY_NUMBER, "of the machine"},
    {KEYS_WIRE_ZMQ, "port",    REQUIRED, KEYS_INTEGER, QUANTITY_NUMBER, "where the machine hears orders"},
    {KEYS_WIRE_ZMQ, "reply",   REQUIRED, KEYS_INTEGER, QUANTITY_NUMBER, "where it tells readings"},

    {KEYS_WIRE_OUT, "quantity", OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER, "what the actuator is told"},
    {KEYS_WIRE_OUT, "unit",     OPTIONAL, KEYS_TEXT,     QUANTITY_NUMBER, "of the numbers on the wire"},
    {KEYS_WIRE_OUT, "scale",    OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "on the value in that unit"},
    {KEYS_WIRE_OUT, "offset",   OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "added after scaling"},
    {KEYS_WIRE_OUT, "limits",   OPTIONAL, KEYS_SPAN,     QUANTITY_NUMBER, "nothing beyond is sent"},
    {KEYS_WIRE_OUT, "rate",     OPTIONAL, KEYS_VALUE,    QUANTITY_NUMBER, "most change in a second"},
    {KEYS_WIRE_OUT, "ramp",     OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "in which that rate is gathered"},
    {KEYS_WIRE_OUT, "safe",     OPTIONAL, KEYS_VALUE,    QUANTITY_NUMBER, "where it goes in the safe state"},
    {KEYS_WIRE_IN, "quantity", OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER, "of an actuator: what is measured"},
    {KEYS_WIRE_IN, "unit",     OPTIONAL, KEYS_TEXT,     QUANTITY_NUMBER, "of the numbers on the wire"},
    {KEYS_WIRE_IN, "scale",    OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "on the value in that unit"},
    {KEYS_WIRE_IN, "offset",   OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "added after scaling"},
    {KEYS_WIRE_IN, "limits",   OPTIONAL, KEYS_SPAN,     QUANTITY_NUMBER, "nothing beyond is believed"},
    {KEYS_WIRE_IN, "stuck",    OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "for which it may read the same"},
    {KEYS_WATCHDOG, "hold",   OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "after which outputs stay"},
    {KEYS_WATCHDOG, "safe",   OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "after which they go to the safe state"},
    {KEYS_WATCHDOG, "resume", OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "the safe state ends by itself"},

    {KEYS_PLANT, "seed",      OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "of what happens at random"},
    {KEYS_PLANT, "lost",      OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "share of messages that never arrive"},
    {KEYS_PLANT, "actuators", OPTIONAL, KEYS_NAMED,    QUANTITY_NUMBER, "what is wrong with actuators"},
    {KEYS_PLANT, "sensors",   OPTIONAL, KEYS_NAMED,    QUANTITY_NUMBER, "what is wrong with readings"},
    {KEYS_PLANT, "loads",     OPTIONAL, KEYS_NAMED,    QUANTITY_NUMBER, "loads that come and go"},

    {KEYS_PLANT_ACTUATOR, "lag",       OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "time constant"},
    {KEYS_PLANT_ACTUATOR, "rate",      OPTIONAL, KEYS_VALUE,    QUANTITY_NUMBER, "most change in a second"},
    {KEYS_PLANT_ACTUATOR, "dead_band", OPTIONAL, KEYS_VALUE,    QUANTITY_NUMBER, "changes below it do nothing"},
    {KEYS_PLANT_ACTUATOR, "backlash",  OPTIONAL, KEYS_VALUE,    QUANTITY_NUMBER, "play"},
    {KEYS_PLANT_ACTUATOR, "friction",  OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "of a cable in its guides"},
    {KEYS_PLANT_ACTUATOR, "wrap",      OPTIONAL, KEYS_QUANTITY, QUANTITY_ANGLE,  "by which guides bend it"},

    {KEYS_PLANT_SENSOR, "noise",   OPTIONAL, KEYS_VALUE,    QUANTITY_NUMBER, "standard deviation"},
    {KEYS_PLANT_SENSOR, "quantum", OPTIONAL, KEYS_VALUE,    QUANTITY_NUMBER, "readings are multiples of it"},
    {KEYS_PLANT_SENSOR, "delay",   OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "by which they come late"},
    {KEYS_PLANT_SENSOR, "stuck",   OPTIONAL, KEYS_RANGE,    QUANTITY_TIME,   "when it reads the same"},

    {KEYS_PLANT_LOAD, "from",   OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "when it comes"},
    {KEYS_PLANT_LOAD, "until",  OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "when it goes"},
    {KEYS_PLANT_LOAD, "every",  OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "after which it comes again"},
    {KEYS_PLANT_LOAD, "factor", OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "on the load while it acts"},

    {KEYS_STEP, "mode",           OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER, "when a step ends"},
    {KEYS_STEP, "dt",             OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "time from step to step"},
    {KEYS_STEP, "steps",          OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "steps from rest to the commands"},
    {KEYS_STEP, "iterations",     OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "iterations of a realtime step"},
    {KEYS_STEP, "max_iterations", OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "most iterations of a load increment"},
    {KEYS_STEP, "deadline",       OPTIONAL, KEYS_QUANTITY, QUANTITY_TIME,   "longest asynchronous step"},
    {KEYS_STEP, "factor_age",     OPTIONAL, KEYS_INTEGER,  QUANTITY_NUMBER, "age of an asynchronous step's factor"},
    {KEYS_STEP, "tolerance",      OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "relative residual of a converged step"},
    {KEYS_STEP, "method",         OPTIONAL, KEYS_WORD,     QUANTITY_NUMBER, "how the inverse chooses efforts"},
    {KEYS_STEP, "epsilon",        OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "method epsilon: weight of the efforts"},
    {KEYS_STEP, "relaxation",     OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "method seidel: share of each update"},
    {KEYS_STEP, "creep",          OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "time passes for materials without dynamics"},
};
// clang-format on

enum { NROW = sizeof table / sizeof table[0] };

int keys_count(void)
{
    int n = NROW;
    for (int k = 0; k < ACTUATOR_KINDS; k++)
        n += actuator_kinds[k]->nkey;
    for (int k = 0; k < SENSOR_KINDS; k++)
        n += sensor_kinds[k]->nkey;
    for (int k = 0; k < OBSTACLE_KINDS; k++)
        n += obstacle_kinds[k].nkey;
    return n;
}

const keys_row *keys_row_at(int i)
{
    if (i < NROW)
        return &table[i];
    i -= NROW;
    for (int k = 0; k < ACTUATOR_KINDS; i -= actuator_kinds[k++]->nkey)
        if (i < actuator_kinds[k]->nkey)
            return &actuator_kinds[k]->key[i];
    for (int k = 0; k < SENSOR_KINDS; i -= sensor_kinds[k++]->nkey)
        if (i < sensor_kinds[k]->nkey)
            return &sensor_kinds[k]->key[i];
    for (int k = 0; k < OBSTACLE_KINDS; i -= obstacle_kinds[k++].nkey)
        if (i < obstacle_kinds[k].nkey)
            return &obstacle_kinds[k].key[i];
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
