// Open Sound Control 1.0, by its specification: an address, the types of what follows, and that,
// all in fours of bytes, big-endian.
//     /lithe/order   ,ihid…   number, time, mode, values
//     /lithe/reading ,ihihd…  number, time, echo, echo time, values
// Times are microseconds. Whole numbers may come as i or h, values as f, d, i, h, or N: none. Of a
// bundle the first message counts.
#include "io/wire.h"

#include <math.h>
#include <string.h>

#define ORDER   "/lithe/order"
#define READING "/lithe/reading"

enum { FOUR = 4, HEAD = 16 }; // both addresses take 16 bytes

static size_t padded(size_t n)
{
    return (n + FOUR) / FOUR * FOUR; // with the 0 that ends it
}

static void put(char *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        out[i] = (char)(value >> (8 * (bytes - 1 - i)));
}

static uint64_t get(const char *in, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | (unsigned char)in[i];
    return value;
}

static size_t write_osc(const wire_message *m, char out[WIRE_BYTES])
{
    const char *head = m->reading ? ",ihih" : ",ihi";
    size_t ntype = strlen(head) + (size_t)m->n, types = padded(ntype), used = HEAD + types;
    uint64_t number = (uint64_t)m->number, echo = (uint64_t)m->echo;
    if (m->n > WIRE_NUMBERS || used + 24 + 8 * (size_t)m->n > WIRE_BYTES)
        return 0;
    memset(out, 0, used);
    memcpy(out, m->reading ? READING : ORDER, m->reading ? sizeof READING : sizeof ORDER);
    memcpy(out + HEAD, head, strlen(head) + 1);
    memset(out + HEAD + strlen(head), 'd', (size_t)m->n);
    put(out + used, number, 4);
    put(out + used + 4, (uint64_t)m->time, 8);
    put(out + used + 12, m->reading ? echo : (uint64_t)m->mode, 4);
    used += 16;
    if (m->reading) {
        put(out + used, (uint64_t)m->echo_time, 8);
        used += 8;
    }
    for (int i = 0; i < m->n; i++, used += 8) {
        uint64_t bits;
        memcpy(&bits, &m->value[i], sizeof bits);
        put(out + used, bits, 8);
    }
    return used;
}

// What is left of a message, and of its types.
typedef struct cursor {
    const char *type, *type_end, *at, *end;
    bool good;
} cursor;

static const char *take(cursor *c, ptrdiff_t bytes)
{
    const char *at = c->at;
    c->good = c->good && c->end - c->at >= bytes;
    if (c->good)
        c->at += bytes;
    return c->good ? at : NULL;
}

static int64_t take_integer(cursor *c, int64_t least, int64_t most)
{
    char type = c->type < c->type_end ? *c->type++ : 0;
    int bytes = type == 'i' ? 4 : 8;
    c->good = c->good && (type == 'i' || type == 'h');
    const char *at = c->good ? take(c, bytes) : NULL;
    if (!at)
        return -1;
    int64_t value = bytes == 4 ? (int32_t)(uint32_t)get(at, 4) : (int64_t)get(at, 8);
    c->good = value >= least && value <= most;
    return c->good ? value : -1;
}

static double take_value(cursor *c)
{
    char type = *c->type;
    if (type == 'N') {
        c->type++;
        return NAN;
    }
    if (type == 'i' || type == 'h')
        return (double)take_integer(c, INT64_MIN, INT64_MAX);
    c->type++;
    c->good = c->good && (type == 'f' || type == 'd');
    const char *at = c->good ? take(c, type == 'f' ? 4 : 8) : NULL;
    if (!at)
        return NAN;
    if (type == 'f') {
        uint32_t bits = (uint32_t)get(at, 4);
        float value;
        memcpy(&value, &bits, sizeof value);
        return isfinite(value) ? (double)value : NAN;
    }
    uint64_t bits = get(at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : NAN;
}

// Address and types; false: they do not end within the message.
static bool open_message(const char *bytes, size_t n, bool *reading, cursor *c)
{
    if (n < HEAD || n % FOUR != 0)
        return false;
    *reading = memcmp(bytes, READING "\0", sizeof READING) == 0;
    if (!*reading && memcmp(bytes, ORDER "\0\0\0", sizeof ORDER + 3) != 0)
        return false;
    const char *type = bytes + HEAD, *stop = memchr(type, 0, n - HEAD);
    if (!stop || *type != ',')
        return false;
    size_t length = padded((size_t)(stop - type));
    if (length > n - HEAD)
        return false;
    *c = (cursor){type + 1, stop, type + length, bytes + n, true};
    return true;
}

static bool parse_message(const char *bytes, size_t n, wire_message *m)
{
    cursor c;
    *m = (wire_message){.echo = -1, .echo_time = -1};
    if (!open_message(bytes, n, &m->reading, &c))
        return false;
    m->number = (long)take_integer(&c, 0, INT32_MAX);
    m->time = take_integer(&c, -1, INT64_MAX);
    if (m->reading) {
        m->echo = (long)take_integer(&c, -1, INT32_MAX);
        m->echo_time = take_integer(&c, -1, INT64_MAX);
    } else {
        m->mode = (int)take_integer(&c, LITHE_GATE_CLOSED, LITHE_GATE_STOP);
    }
    while (c.good && c.type < c.type_end) {
        if (m->n == WIRE_NUMBERS)
            return false;
        m->value[m->n++] = take_value(&c);
    }
    return c.good && c.at == c.end;
}

static bool parse_osc(const char *bytes, size_t n, wire_message *m)
{
    enum { BUNDLE = 16 }; // "#bundle" and a time
    if (n >= BUNDLE + FOUR && memcmp(bytes, "#bundle", 8) == 0) {
        size_t size = (size_t)get(bytes + BUNDLE, FOUR);
        return size <= n - BUNDLE - FOUR && parse_message(bytes + BUNDLE + FOUR, size, m);
    }
    return parse_message(bytes, n, m);
}

const wire_form wire_osc_form = {write_osc, parse_osc};
