// The wire between the program and a machine: orders go one way, readings come the other. A
// transport is one table of functions; what it carries is text or bytes of one of three forms.
// docs/hardware.md says what they look like. What arrives is from strangers and is not trusted.
#ifndef IO_WIRE_H
#define IO_WIRE_H

#include "lithe/drive.h"

#include <stdint.h>

enum { WIRE_NUMBERS = 256, WIRE_BYTES = 8192 }; // at most, in one message

typedef struct wire_message {
    bool reading;      // from the machine; else an order to it
    long number;       // 0 … 2^31 - 1
    int64_t time;      // by the sender's clock, microseconds; -1: not told
    int mode;          // of an order: lithe_gate_mode
    long echo;         // of a reading: the last order that was heard; -1: none
    int64_t echo_time; // … and when, by the sender's clock; -1: not told
    int n;
    double value[WIRE_NUMBERS]; // NAN: not measured
} wire_message;

// A form: how a message is written (bytes, 0: it does not fit) and read (false: it is none).
typedef struct wire_form {
    size_t (*write)(const wire_message *m, char out[WIRE_BYTES]);
    bool (*parse)(const char *bytes, size_t n, wire_message *m);
} wire_form;

extern const wire_form wire_line_form; // "R 12 345678 11 345000 1.5 2.5*5A"
extern const wire_form wire_json_form; // {"reading":12,"time":345678,"value":[1.5,2.5]}
extern const wire_form wire_osc_form;  // Open Sound Control 1.0

typedef struct wire wire;

// machine: plays the machine's side. Close what was opened.
lithe_status wire_open(const lithe_wire_def *def, bool machine, wire **out, lithe_report *report);
void wire_close(wire *w);

typedef enum wire_event {
    WIRE_NOTHING,
    WIRE_MESSAGE,
    WIRE_NONSENSE, // something came that is no message
    WIRE_GONE,     // the other side has gone
} wire_event;

// None of these waits. False: it was not sent, since the way is full or nobody is there.
bool wire_send(wire *w, const wire_message *m);
wire_event wire_receive(wire *w, wire_message *m);

// Until something may have come, at most so long.
void wire_wait(wire *w, double seconds);

const char *wire_name(const wire *w); // "serial port /dev/ttyACM0 at 115200 baud"

#endif
