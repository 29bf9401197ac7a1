// One JSON object a message:
//     {"order":12,"time":345678,"mode":"open","value":[1,2]}
//     {"reading":12,"time":345678,"echo":11,"echo_time":345000,"value":[1.5,null]}
// Keys come in any order; those that are not known are passed over, unless an object stands there.
#include "io/number.h"
#include "io/wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t put_values(const wire_message *m, char out[WIRE_BYTES], size_t used)
{
    enum { TAIL = 8 };
    char text[NUMBER_TEXT];
    for (int i = 0; i < m->n; i++) {
        const char *word = isfinite(m->value[i]) ? number_text(m->value[i], text) : "null";
        if (used + strlen(word) + TAIL > WIRE_BYTES)
            return 0;
        used += (size_t)snprintf(out + used, WIRE_BYTES - used, "%s%s", i ? "," : "", word);
    }
    return used + (size_t)snprintf(out + used, WIRE_BYTES - used, "]}\n");
}

static size_t write_json(const wire_message *m, char out[WIRE_BYTES])
{
    int n = snprintf(out, WIRE_BYTES, "{\"%s\":%ld,\"time\":%lld,",
                     m->reading ? "reading" : "order", m->number, (long long)m->time);
    size_t used = (size_t)n;
    n = m->reading ? snprintf(out + used, WIRE_BYTES - used, "\"echo\":%ld,\"echo_time\":%lld,",
                              m->echo, (long long)m->echo_time)
                   : snprintf(out + used, WIRE_BYTES - used, "\"mode\":\"%s\",",
                              lithe_gate_mode_name((lithe_gate_mode)m->mode));
    used += (size_t)n;
    used += (size_t)snprintf(out + used, WIRE_BYTES - used, "\"value\":[");
    return put_values(m, out, used);
}

static char *skip_blanks(char *at)
{
    return at + strspn(at, " \t\r\n");
}

static bool take_mark(char **at, char mark)
{
    *at = skip_blanks(*at);
    if (**at != mark)
        return false;
    ++*at;
    return true;
}

// A string without escapes, cut out in place; NULL: none stands here.
static char *take_string(char **at)
{
    if (!take_mark(at, '"'))
        return NULL;
    char *text = *at;
    size_t n = strcspn(text, "\"\\");
    if (text[n] != '"')
        return NULL;
    text[n] = 0;
    *at = text + n + 1;
    return text;
}

static bool take_number(char **at, double *value)
{
    char *end;
    *at = skip_blanks(*at);
    if (strncmp(*at, "null", 4) == 0) {
        *value = NAN;
        *at += 4;
        return true;
    }
    size_t n = strspn(*at, "+-.0123456789eE");
    if (n == 0 || !strchr("-0123456789", **at))
        return false;
    *value = strtod(*at, &end);
    if (end != *at + n || !isfinite(*value))
        return false;
    *at = end;
    return true;
}

static bool take_integer(char **at, int64_t least, int64_t most, int64_t *value)
{
    char *end;
    *at = skip_blanks(*at);
    size_t n = strspn(*at, "-0123456789");
    *value = strtoll(*at, &end, 10);
    if (n == 0 || end != *at + n || *value < least || *value > most)
        return false;
    *at = end;
    return true;
}

static bool take_values(char **at, int most, int *n, double *value)
{
    *n = 0;
    if (!take_mark(at, '['))
        return false;
    if (take_mark(at, ']'))
        return true;
    do
        if (*n == most || !take_number(at, &value[(*n)++]))
            return false;
    while (take_mark(at, ','));
    return take_mark(at, ']');
}

static bool pass_over(char **at)
{
    double unused[WIRE_NUMBERS];
    int n;
    *at = skip_blanks(*at);
    if (**at == '"')
        return take_string(at) != NULL;
    if (**at == '[')
        return take_values(at, WIRE_NUMBERS, &n, unused);
    for (int i = 0; i < 2; i++) {
        const char *word = i ? "true" : "false";
        if (strncmp(*at, word, strlen(word)) == 0) {
            *at += strlen(word);
            return true;
        }
    }
    return take_number(at, unused);
}

static bool take_mode(char **at, int *mode)
{
    const char *word = take_string(at);
    for (*mode = LITHE_GATE_CLOSED; word && *mode <= LITHE_GATE_STOP; ++*mode)
        if (strcmp(word, lithe_gate_mode_name((lithe_gate_mode)*mode)) == 0)
            return true;
    return false;
}

typedef struct seen {
    bool number, value;
} seen;

static bool take_entry(char **at, wire_message *m, seen *s)
{
    int64_t integer = -1;
    const char *key = take_string(at);
    if (!key || !take_mark(at, ':'))
        return false;
    if (strcmp(key, "order") == 0 || strcmp(key, "reading") == 0) {
        bool good = !s->number && take_integer(at, 0, INT32_MAX, &integer);
        s->number = true;
        m->reading = key[0] == 'r';
        m->number = (long)integer;
        return good;
    }
    if (strcmp(key, "time") == 0)
        return take_integer(at, -1, INT64_MAX, &m->time);
    if (strcmp(key, "echo_time") == 0)
        return take_integer(at, -1, INT64_MAX, &m->echo_time);
    if (strcmp(key, "echo") == 0) {
        bool good = take_integer(at, -1, INT32_MAX, &integer);
        m->echo = (long)integer;
        return good;
    }
    if (strcmp(key, "mode") == 0)
        return take_mode(at, &m->mode);
    if (strcmp(key, "value") == 0) {
        bool good = !s->value && take_values(at, WIRE_NUMBERS, &m->n, m->value);
        s->value = true;
        return good;
    }
    return pass_over(at);
}

static bool parse_json(const char *bytes, size_t n, wire_message *m)
{
    char copy[WIRE_BYTES], *at = copy;
    seen s = {0};
    if (n >= WIRE_BYTES || memchr(bytes, 0, n))
        return false;
    memcpy(copy, bytes, n);
    copy[n] = 0;
    *m = (wire_message){.time = -1, .echo = -1, .echo_time = -1, .mode = LITHE_GATE_OPEN};
    if (!take_mark(&at, '{'))
        return false;
    do
        if (!take_entry(&at, m, &s))
            return false;
    while (take_mark(&at, ','));
    return take_mark(&at, '}') && *skip_blanks(at) == 0 && s.number && s.value;
}

const wire_form wire_json_form = {write_json, parse_json};
