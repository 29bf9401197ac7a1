// Lithe: the model moves the machine.
//
// Readings come in, orders go out, cycle by cycle. Nothing here has a clock or a connection of its
// own: whoever calls says what time it is and carries the numbers, so that a run can be repeated to
// the bit. Times are seconds from any start; numbers on the wire are in the units of their
// channels; everything else is SI.
//
//     reading --lithe_driver_hear--> driver --lithe_driver_cycle--> order
//     order --lithe_plant_tell--> plant --lithe_plant_step--> --lithe_plant_read--> reading
//
// Every order has gone through a gate, which knows nothing of models and is the last to decide.
#ifndef LITHE_DRIVE_H
#define LITHE_DRIVE_H

#include "lithe/lithe.h"

#ifdef __cplusplus
extern "C" {
#endif

// ## definitions

// One thing on the wire: an actuator (out), or what is measured (in): an effector, a sensor, or
// what an actuator does. It has as many numbers as that has rows.
typedef struct lithe_channel_def {
    const char *location;
    const char *name;        // of the actuator, effector or sensor
    lithe_command_kind kind; // of an actuator: which of its two quantities
    double unit;             // SI in one unit of the wire
    double scale, offset;    // number on the wire = offset + scale value / unit
    double limit[2]; // out: nothing beyond is sent; in: what lies beyond is not believed (SI)
    double rate;     // out: most change in a second; INFINITY: the actuator's, which must have one
    double ramp;     // out: s in which that rate is gathered; 0: at once
    double safe;     // out: where it goes in the safe state (SI)
    double stuck;    // in: s for which its numbers may all stay as they are; INFINITY: for good
} lithe_channel_def;

typedef enum lithe_transport {
    LITHE_SERIAL, // lines over a serial port
    LITHE_TCP,    // a stream of JSON lines
    LITHE_UDP,    // Open Sound Control
    LITHE_ZMQ,    // JSON in ZeroMQ messages
} lithe_transport;

typedef struct lithe_wire_def {
    const char *location; // NULL: there is no wire
    lithe_transport transport;
    const char *device;  // serial
    int baud;            //
    const char *address; // the others; the machine's
    int port;            // where the machine listens
    int reply;           // UDP, ZeroMQ: where its readings come out
    bool lockstep;       // both sides move on by messages, not by the clock
    int nout;
    const lithe_channel_def *out; // in the order of the wire
    int nin;
    const lithe_channel_def *in; //
    double hold;                 // s without a fresh reading after which outputs stay
    double safe;                 // … after which they go to the safe state
    bool resume;                 // the safe state ends when readings come again
} lithe_wire_def;

typedef enum lithe_feedback {
    LITHE_FEEDBACK_NONE,     // open loop: the inverse alone
    LITHE_FEEDBACK_TASK,     // the inverse of y_d + kp e + ki integral of e + kd de/dt, e = y_d -
                             // y_m
    LITHE_FEEDBACK_JACOBIAN, // lithe_control: the Jacobian at the present shape
} lithe_feedback;

typedef struct lithe_feedback_def {
    lithe_feedback law;
    double kp[3];      // by axis; -
    double ki[3];      // 1/s
    double kd[3];      // s
    double filter;     // time constant of the derivative, s
    double windup;     // most that ki times the integral may be, in the unit of what is measured
    double delay;      // of readings, s: they are compared with what was wanted that long ago
    double lead;       // s by which targets are asked for early: the lag of the machine
    lithe_gains gains; // of LITHE_FEEDBACK_JACOBIAN
} lithe_feedback_def;

// What is wrong with an actuator of the real machine.
typedef struct lithe_plant_actuator_def {
    const char *location;
    const char *name;
    double lag;       // time constant of first order, s
    double rate;      // most change in a second; INFINITY: any
    double dead_band; // changes of the command below this do nothing
    double backlash;  // play between the drive and the robot
    double friction;  // of a cable in its guides: coefficient …
    double wrap;      // … and the angle that it is bent by, rad
} lithe_plant_actuator_def;

// What is wrong with a sensor of it.
typedef struct lithe_plant_sensor_def {
    const char *location;
    const char *name;
    double noise;    // standard deviation
    double quantum;  // readings are whole multiples of this; 0: any
    double delay;    // s
    double stuck[2]; // reads the same from one time until another, s; both 0: never
} lithe_plant_sensor_def;

// A load of its scene that comes and goes; the controller knows nothing of it.
typedef struct lithe_plant_load_def {
    const char *location;
    const char *name;
    double from, until; // s: acts between the two …
    double every;       // … and again after each such time; INFINITY: once
    double factor;      // on the load while it acts
} lithe_plant_load_def;

typedef struct lithe_plant_def {
    const char *location;
    int seed;
    double lost; // share of messages, orders and readings, that never arrive
    int nactuator;
    const lithe_plant_actuator_def *actuator;
    int nsensor;
    const lithe_plant_sensor_def *sensor;
    int nload;
    const lithe_plant_load_def *load;
} lithe_plant_def;

// All of the above; made by its default function, which fills in its size.
typedef struct lithe_drive_def {
    size_t bytes; // of this struct; from its default function
    lithe_wire_def wire;
    lithe_feedback_def feedback;
    lithe_plant_def plant;
} lithe_drive_def;

LITHE_API lithe_drive_def lithe_drive_def_default(void);
LITHE_API lithe_channel_def lithe_channel_def_default(void);
LITHE_API const lithe_drive_def *lithe_scene_drive(const lithe_scene *scene);

// ## the gate
//
// The one way out. Whatever it is asked for, what leaves is within limits, changes no faster than
// its rate, gathers that rate no faster than its ramp, and is a number.

typedef struct lithe_gate lithe_gate;

typedef enum lithe_gate_mode {
    LITHE_GATE_CLOSED, // nothing leaves before the machine's state was measured
    LITHE_GATE_OPEN,   //
    LITHE_GATE_HOLD,   // no fresh reading: outputs come to rest where they are
    LITHE_GATE_SAFE,   // none for longer: outputs go to the safe state, and stay until it is
                       // started again
    LITHE_GATE_STOP,   // the same, for good
} lithe_gate_mode;

typedef struct lithe_gate_output {
    double limit[2]; // both finite
    double rate;     // most change in a second; INFINITY: any
    double ramp;     // s in which the rate is gathered; 0: at once
    double safe;     // within the limits
} lithe_gate_output;

// period: the longest time that one pass may use up; what is later than that is not caught up.
// hold, safe: s without a fresh reading, hold <= safe. A pass that is later than a period and safe
// finds a machine that nobody has told anything for so long: it goes to the safe state, too.
LITHE_API lithe_status lithe_gate_create(int noutput, const lithe_gate_output *output,
                                         double period, double hold, double safe, lithe_gate **gate,
                                         lithe_report *report);
LITHE_API void lithe_gate_free(lithe_gate *gate);

// Opens it from where the outputs are known to be. LITHE_INVALID: one is no number, or is farther
// outside of its limits than a twentieth of their range; or it was stopped.
LITHE_API lithe_status lithe_gate_start(lithe_gate *gate, double now, const double *present,
                                        lithe_report *report);
LITHE_API void lithe_gate_hear(lithe_gate *gate, double now); // a fresh reading came
// One came that is not believed, or no reading at all: silence is told with that.
LITHE_API void lithe_gate_doubt(lithe_gate *gate, const char *why);
LITHE_API void lithe_gate_lose(lithe_gate *gate, const char *reason); // safe state at once
LITHE_API void lithe_gate_stop(lithe_gate *gate, const char *reason); // … for good

// What leaves at this time (noutput). Nothing is written, and nothing must be sent, before it was
// started.
LITHE_API lithe_gate_mode lithe_gate_pass(lithe_gate *gate, double now, const double *wanted,
                                          double *sent);
LITHE_API bool lithe_gate_started(const lithe_gate *gate);
LITHE_API lithe_gate_mode lithe_gate_state(const lithe_gate *gate);
LITHE_API const char *lithe_gate_mode_name(lithe_gate_mode mode); // "open", "hold", …
LITHE_API const char *lithe_gate_reason(const lithe_gate *gate);  // why it is not open; "": it is
LITHE_API long lithe_gate_refused(const lithe_gate *gate);        // numbers that were none
LITHE_API bool lithe_gate_limited(const lithe_gate *gate, int output); // by the last pass
LITHE_API bool lithe_gate_rests(const lithe_gate *gate, int output);   // it is in the safe state

// ## the driver

typedef struct lithe_driver lithe_driver;

// What came from the machine.
typedef struct lithe_reading {
    long number;      // counts readings
    double time;      // by the machine's clock, s
    long echo;        // number of the last order that it heard, anybody's; -1: none, or it does not
                      // tell
    double echo_time; // … and when, by its clock, s
    const double *value; // (nin)
} lithe_reading;

// What goes to it.
typedef struct lithe_order {
    bool send; // false: there is nothing to send yet
    long number;
    lithe_gate_mode mode;
    const double *value; // (nout)
} lithe_order;

// The model must outlive it, and the definition with its arrays and strings too.
LITHE_API lithe_status lithe_driver_create(const lithe_model *model, const lithe_drive_def *def,
                                           int threads, lithe_driver **driver,
                                           lithe_report *report);
LITHE_API void lithe_driver_free(lithe_driver *driver);
LITHE_API int lithe_driver_nout(const lithe_driver *driver); // numbers in an order
LITHE_API int lithe_driver_nin(const lithe_driver *driver);  // numbers in a reading

// LITHE_INVALID: it is not believed, and lithe_driver_text says why.
LITHE_API lithe_status lithe_driver_hear(lithe_driver *driver, double now,
                                         const lithe_reading *reading);

// Something came that is no reading.
LITHE_API void lithe_driver_doubt(lithe_driver *driver, const char *why);

// One cycle: targets, controller, model, gate. The order's values stand until the next one, and it
// must be sent whatever is returned. Only one before which none has left for as long as the machine
// waits must not: it has gone to its safe state then, and lithe_driver_lose says so.
// LITHE_NOT_CONVERGED: a step did not converge, and outputs stay where they are; where none has for
// as long as readings may be missing, they go to the safe state. Whatever else is returned: the
// model failed, and outputs go there for good. lithe_driver_text says why.
LITHE_API lithe_status lithe_driver_cycle(lithe_driver *driver, double now, lithe_order *order);
LITHE_API void lithe_driver_sent(lithe_driver *driver, double now); // the order has left, just now
// The connection, or the machine behind it. By the clock nothing is sent then before it is begun
// with anew: where outputs are measured, else in their safe state, once it has heard no order for
// so long that it has gone there by itself.
LITHE_API void lithe_driver_lose(lithe_driver *driver, const char *reason);
LITHE_API void lithe_driver_stop(lithe_driver *driver, const char *reason); // emergency stop
LITHE_API const char *lithe_driver_text(const lithe_driver *driver);
LITHE_API const lithe_gate *lithe_driver_gate(const lithe_driver *driver);
LITHE_API lithe_state *lithe_driver_state(lithe_driver *driver); // the model's

// Before the first cycle: the task begins where the state is now, which lithe_state_load may have
// changed. In the mode asynchronous a run can be repeated from a state that was loaded, not from
// one that a thread had a hand in.
LITHE_API lithe_status lithe_driver_begin(lithe_driver *driver, lithe_report *report);

// The task: whole cycles of it, and how many have been done with the gate open. A held task waits.
LITHE_API int lithe_driver_steps(const lithe_driver *driver);
LITHE_API int lithe_driver_done(const lithe_driver *driver);
LITHE_API int lithe_driver_approach(const lithe_driver *driver); // of them, before paths begin

// By rows of the model (nrow), NAN where there is none: what was last measured, what the task
// wanted when that was measured, what it wants at the end of this cycle, and what the model was
// asked for.
LITHE_API const double *lithe_driver_measured(const lithe_driver *driver);
LITHE_API const double *lithe_driver_compared(const lithe_driver *driver);
LITHE_API const double *lithe_driver_targets(const lithe_driver *driver);
LITHE_API const double *lithe_driver_asked(const lithe_driver *driver);

LITHE_API void lithe_driver_measures(const lithe_driver *driver,
                                     bool *measured); // which of them are on the wire (nrow)

typedef struct lithe_drive_report {
    long cycles;   //
    long heard;    // fresh readings that were believed
    long missing;  // numbers that were left out between them
    long repeated; // readings that were not new
    long refused;  // that were not believed
    long failed;   // steps of the model that did not converge or failed otherwise
    double offset; // of the machine's clock against ours, s; NAN: not known
    double trip;   // shortest way there and back, s; NAN: not known
    double age;    // of the last order's reading when that left, by both clocks, s; NAN: not known
} lithe_drive_report;

LITHE_API lithe_drive_report lithe_driver_report(const lithe_driver *driver);

// ## the plant
//
// A model that stands in for the machine, with the faults of one. The same seed, the same orders:
// the same readings.

typedef struct lithe_plant lithe_plant;

LITHE_API lithe_status lithe_plant_create(const lithe_model *model, const lithe_drive_def *def,
                                          int threads, lithe_plant **plant, lithe_report *report);
LITHE_API void lithe_plant_free(lithe_plant *plant);
LITHE_API int lithe_plant_nout(const lithe_plant *plant); // numbers in an order
LITHE_API int lithe_plant_nin(const lithe_plant *plant);  // numbers in a reading
LITHE_API lithe_state *lithe_plant_state(lithe_plant *plant);
LITHE_API double lithe_plant_time(const lithe_plant *plant); // that has passed in it, s

// Asked once for every order, before it is told: false, this one never arrives.
LITHE_API bool lithe_plant_hears(lithe_plant *plant);

// An order as it came from the wire; LITHE_INVALID: one of its numbers is none, nothing is done.
LITHE_API lithe_status lithe_plant_tell(lithe_plant *plant, const double *value);
LITHE_API void lithe_plant_rest(lithe_plant *plant);         // to the safe state, as if told so
LITHE_API lithe_status lithe_plant_step(lithe_plant *plant); // dt passes
// What its sensors say now (nin), as it goes on the wire; true: this reading never arrives.
LITHE_API bool lithe_plant_read(lithe_plant *plant, double *value);

#ifdef __cplusplus
}
#endif

#endif
