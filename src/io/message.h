// What a browser tells the view: docs/protocol.md. The bytes come from anyone who can reach the
// server, so nothing in them is trusted.
#ifndef IO_MESSAGE_H
#define IO_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum message_type {
    MESSAGE_DRIVE = 1,     // take the wheel
    MESSAGE_PLAY = 2,      // number: message_play
    MESSAGE_SPEED = 3,     // value[0]: simulated seconds a second
    MESSAGE_MODE = 4,      // number: 0 forward, 1 inverse, 2 the scene's task
    MESSAGE_COMMAND = 5,   // number: actuator, kind: 0 effort, 1 displacement, value: (3) SI
    MESSAGE_TARGET = 6,    // number: marker, value: point (3) m
    MESSAGE_RELEASE = 7,   // number: marker that has no target any more
    MESSAGE_MATERIAL = 8,  // number: material, value[0]: Young's modulus, Pa
    MESSAGE_RECORD = 9,    // number: 1 begin, 0 end
    MESSAGE_FIELDS = 10,   // number: DRAWING_… that this browser wants
    MESSAGE_SEEN = 11,     // number: of the newest frame that this browser has drawn
    MESSAGE_SEEK = 12,     // number: frame of a recording that this browser wants
    MESSAGE_OBSTACLE = 13, // number: obstacle, value: how far from where the scene has it (3) m
    MESSAGE_STOP = 14,     // emergency stop of a machine that is driven
    MESSAGE_BODY = 15,     // number: body, kind 0: pulled, value: how far from where it was seized
                           // (3) m; kind 1: let go
} message_type;

typedef enum message_play {
    MESSAGE_PAUSE = 0,
    MESSAGE_RESUME = 1,
    MESSAGE_ONE_STEP = 2,
    MESSAGE_RESET = 3,
} message_play;

enum { MESSAGE_BYTES = 32 }; // every message has this size

typedef struct message {
    message_type type;
    int kind;
    uint32_t number;
    double value[3];
} message;

// False: no such message; the sender is not to be listened to any more.
bool message_parse(const void *bytes, size_t n, message *out);

#endif
