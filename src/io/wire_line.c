// Lines for a serial port, which a small board writes with print and reads with strtod:
//     O number time mode value …*checksum           an order
//     R number time echo echo_time value …*checksum a reading
// with blanks between, times in microseconds, and behind the star two hexadecimal digits: all bytes
// before it, by exclusive or.
#include "io/number.h"
#include "io/wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned checksum(const char *bytes, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum ^= (unsigned char)bytes[i];
    return sum;
}

static size_t write_line(const wire_message *m, char out[WIRE_BYTES])
{
    enum { TAIL = 8 };
    char text[NUMBER_TEXT];
    int n = m->reading ? snprintf(out, WIRE_BYTES, "R %ld %lld %ld %lld", m->number,
                                  (long long)m->time, m->echo, (long long)m->echo_time)
                       : snprintf(out, WIRE_BYTES, "O %ld %lld %d", m->number, (long long)m->time,
                                  m->mode);
    size_t used = (size_t)n;
    for (int i = 0; i < m->n; i++) {
        const char *word = isfinite(m->value[i]) ? number_text(m->value[i], text) : "nan";
        if (used + strlen(word) + TAIL > WIRE_BYTES)
            return 0;
        used += (size_t)snprintf(out + used, WIRE_BYTES - used, " %s", word);
    }
    return used + (size_t)snprintf(out + used, WIRE_BYTES - used, "*%02X\n", checksum(out, used));
}

// The words of a line, one after the other.
typedef struct words {
    char *at;
    bool good;
} words;

static const char *take_word(words *w)
{
    w->at += strspn(w->at, " ");
    char *word = w->at;
    size_t n = strcspn(word, " ");
    w->good = w->good && n > 0;
    w->at += n + (word[n] == ' ');
    word[n] = 0;
    return word;
}

static long long take_integer(words *w, long long least, long long most)
{
    char *end;
    const char *word = take_word(w);
    long long value = strtoll(word, &end, 10);
    w->good = w->good && end != word && !*end && value >= least && value <= most;
    return w->good ? value : -1;
}

static double take_number(words *w)
{
    char *end;
    const char *word = take_word(w);
    if (strcmp(word, "nan") == 0)
        return NAN;
    double value = strtod(word, &end);
    w->good =
        w->good && !*end && strspn(word, "+-.0123456789eE") == strlen(word) && isfinite(value);
    return value;
}

static bool check(const char *bytes, size_t n, size_t *length)
{
    char digits[3] = {0}, *end;
    if (n < 4 || n >= WIRE_BYTES || bytes[n - 3] != '*' || memchr(bytes, 0, n))
        return false;
    memcpy(digits, bytes + n - 2, 2);
    *length = n - 3;
    return strspn(digits, "0123456789ABCDEFabcdef") == 2 &&
           strtoul(digits, &end, 16) == checksum(bytes, *length);
}

static bool parse_line(const char *bytes, size_t n, wire_message *m)
{
    char copy[WIRE_BYTES];
    size_t length;
    if (!check(bytes, n, &length))
        return false;
    memcpy(copy, bytes, length);
    copy[length] = 0;
    words w = {.at = copy, .good = true};
    const char *kind = take_word(&w);
    if (strcmp(kind, "R") != 0 && strcmp(kind, "O") != 0)
        return false;
    *m = (wire_message){.reading = kind[0] == 'R', .echo = -1, .echo_time = -1};
    m->number = (long)take_integer(&w, 0, INT32_MAX);
    m->time = take_integer(&w, -1, INT64_MAX);
    if (m->reading) {
        m->echo = (long)take_integer(&w, -1, INT32_MAX);
        m->echo_time = take_integer(&w, -1, INT64_MAX);
    } else {
        m->mode = (int)take_integer(&w, LITHE_GATE_CLOSED, LITHE_GATE_STOP);
    }
    while (w.good && w.at[strspn(w.at, " ")]) {
        if (m->n == WIRE_NUMBERS)
            return false;
        m->value[m->n++] = take_number(&w);
    }
    return w.good;
}

const wire_form wire_line_form = {write_line, parse_line};
