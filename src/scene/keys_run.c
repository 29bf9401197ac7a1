// Keys of what is done with a robot: tasks, commands over time, motion, estimates, reduction,
// feedback, the wire to a machine and the one that is played, steps.
#include "scene/keys_table.h"

// clang-format off
static const keys_row rows[] = {
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

    {KEYS_PLAY, "waypoints", ONE_OF, KEYS_MAPS, QUANTITY_NUMBER, "values with their times"},
    {KEYS_PLAY, "sine",      ONE_OF, KEYS_MAP,  QUANTITY_NUMBER, "to and fro about the command"},
    {KEYS_PLAY, "csv",       ONE_OF, KEYS_TEXT, QUANTITY_NUMBER, "a file of values with their times"},

    {KEYS_PLAY_WAYPOINT, "time", REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "from the start"},
    {KEYS_PLAY_WAYPOINT, "at",   REQUIRED, KEYS_VALUES,   QUANTITY_NUMBER, "the command then"},

    {KEYS_SINE, "amplitude", REQUIRED, KEYS_VALUES,   QUANTITY_NUMBER, "to each side of the command"},
    {KEYS_SINE, "period",    REQUIRED, KEYS_QUANTITY, QUANTITY_TIME,   "of one turn"},
    {KEYS_SINE, "phase",     OPTIONAL, KEYS_QUANTITY, QUANTITY_ANGLE,  "at time 0"},

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
    {KEYS_REDUCTION, "patch",     OPTIONAL, KEYS_MAP,      QUANTITY_NUMBER, "a region of the surface that gives way to what touches it"},

    {KEYS_BEAM, "frames", OPTIONAL, KEYS_INTEGER, QUANTITY_NUMBER, "on the centre line"},
    {KEYS_BEAM, "line",   OPTIONAL, KEYS_TRIPLES, QUANTITY_LENGTH, "the centre line at rest, two points or more"},
    {KEYS_BEAM, "shapes", OPTIONAL, KEYS_INTEGER, QUANTITY_NUMBER, "by which the section at a frame deforms"},
    {KEYS_BEAM, "swell",  OPTIONAL, KEYS_INTEGER, QUANTITY_NUMBER, "numbers by which it swells and shrinks"},

    {KEYS_PATCH, "contact", ONE_OF,   KEYS_TRUE,    QUANTITY_NUMBER, "what was touched in the samples"},
    {KEYS_PATCH, "shapes",  OPTIONAL, KEYS_INTEGER, QUANTITY_NUMBER, "that it may add at most"},

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

const keys_table keys_run = {rows, sizeof rows / sizeof *rows};
