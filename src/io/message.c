#include "io/message.h"

#include <math.h>
#include <string.h>

// Bytes of every message: type u8, kind u8, zero u16, number u32, value f64 x 3; little-endian.
enum { TYPE_AT = 0, KIND_AT = 1, ZERO_AT = 2, NUMBER_AT = 4, VALUE_AT = 8 };

// How many of the values count, and what the number and the kind may be.
typedef struct shape {
    int nvalue;
    uint32_t most;
    int kinds;
} shape;

static const shape SHAPES[] = {
    [MESSAGE_DRIVE] = {0, 0, 1},
    [MESSAGE_PLAY] = {0, MESSAGE_RESET, 1},
    [MESSAGE_SPEED] = {1, 0, 1},
    [MESSAGE_MODE] = {0, 2, 1},
    [MESSAGE_COMMAND] = {3, UINT32_MAX, 2},
    [MESSAGE_TARGET] = {3, UINT32_MAX, 1},
    [MESSAGE_RELEASE] = {0, UINT32_MAX, 1},
    [MESSAGE_MATERIAL] = {1, UINT32_MAX, 1},
    [MESSAGE_RECORD] = {0, 1, 1},
    [MESSAGE_FIELDS] = {0, 3, 1},
    [MESSAGE_SEEN] = {0, UINT32_MAX, 1},
    [MESSAGE_SEEK] = {0, UINT32_MAX, 1},
    [MESSAGE_OBSTACLE] = {3, UINT32_MAX, 1},
    [MESSAGE_STOP] = {0, 0, 1},
    [MESSAGE_BODY] = {3, UINT32_MAX, 2},
};
enum { NSHAPE = sizeof SHAPES / sizeof *SHAPES };

bool message_parse(const void *bytes, size_t n, message *out)
{
    const unsigned char *byte = bytes;
    uint16_t zero;
    if (n != MESSAGE_BYTES || byte[TYPE_AT] < MESSAGE_DRIVE || byte[TYPE_AT] >= NSHAPE)
        return false;
    *out = (message){.type = (message_type)byte[TYPE_AT], .kind = byte[KIND_AT]};
    memcpy(&zero, byte + ZERO_AT, sizeof zero);
    memcpy(&out->number, byte + NUMBER_AT, sizeof out->number);
    memcpy(out->value, byte + VALUE_AT, sizeof out->value);
    const shape *s = &SHAPES[out->type];
    for (int i = 0; i < 3; i++)
        if (i < s->nvalue ? !isfinite(out->value[i]) : out->value[i] != 0)
            return false;
    return zero == 0 && out->number <= s->most && out->kind < s->kinds;
}
