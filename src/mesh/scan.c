#include "mesh/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

scan scan_start(const mesh_source *source, lithe_report *report)
{
    return (scan){
        .path = source->path, .data = source->data, .size = source->size, .report = report};
}

static size_t line_number(const scan *s)
{
    size_t line = s->line0 + 1;
    for (size_t i = 0; i < s->at && i < s->size; i++)
        line += s->data[i] == '\n';
    return line;
}

lithe_status scan_fail(const scan *s, const char *format, ...)
{
    char text[LITHE_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (s->nowhere)
        return LITHE_FAIL(s->report, LITHE_INVALID, "%s: %s", s->path, text);
    if (s->binary)
        return LITHE_FAIL(s->report, LITHE_INVALID, "%s, byte %zu: %s", s->path, s->at, text);
    return LITHE_FAIL(s->report, LITHE_INVALID, "%s:%zu: %s", s->path, line_number(s), text);
}

int scan_bytes(scan_type type)
{
    static const int bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return bytes[type];
}

bool scan_is_real(scan_type type)
{
    return type == SCAN_FLOAT32 || type == SCAN_FLOAT64;
}

size_t scan_left(const scan *s)
{
    return s->size - s->at;
}

bool scan_line(scan *s, scan_text *line)
{
    if (s->at >= s->size)
        return false;
    const char *start = s->data + s->at;
    const char *end = memchr(start, '\n', scan_left(s));
    size_t size = end ? (size_t)(end - start) : scan_left(s);
    s->at += size + (end ? 1 : 0);
    while (size && start[size - 1] == '\r')
        size--;
    *line = (scan_text){start, size};
    return true;
}

void scan_skip_line(scan *s)
{
    scan_text line;
    scan_line(s, &line);
}

void scan_skip_space(scan *s)
{
    while (s->at < s->size && is_space(s->data[s->at]))
        s->at++;
}

bool scan_word(scan *s, scan_text *word)
{
    scan_skip_space(s);
    size_t start = s->at;
    while (s->at < s->size && !is_space(s->data[s->at]))
        s->at++;
    *word = (scan_text){s->data + start, s->at - start};
    return word->size > 0;
}

bool scan_word_of_line(scan_text *line, scan_text *word)
{
    scan s = {.data = line->at, .size = line->size};
    bool found = scan_word(&s, word);
    *line = (scan_text){line->at + s.at, line->size - s.at};
    return found;
}

bool scan_is(const scan_text *text, const char *word)
{
    return text->size == strlen(word) && strncasecmp(text->at, word, text->size) == 0;
}

bool scan_starts(const scan_text *text, const char *head)
{
    size_t n = strlen(head);
    return text->size >= n && strncasecmp(text->at, head, n) == 0;
}

scan_text scan_trim(scan_text text)
{
    while (text.size && is_space(text.at[0]))
        text = (scan_text){text.at + 1, text.size - 1};
    while (text.size && is_space(text.at[text.size - 1]))
        text.size--;
    return text;
}

scan_shown scan_show(const scan_text *text)
{
    scan_shown shown;
    size_t n = text->size < sizeof shown.text - 1 ? text->size : sizeof shown.text - 1;
    for (size_t i = 0; i < n; i++)
        shown.text[i] = text->at[i];
    for (size_t i = 0; i < n; i++)
        if (shown.text[i] < ' ' || shown.text[i] > '~')
            shown.text[i] = '?';
    shown.text[n] = 0;
    return shown;
}

bool scan_parse_int(const scan_text *word, int64_t *value)
{
    size_t i = word->size && (word->at[0] == '-' || word->at[0] == '+');
    bool negative = i && word->at[0] == '-';
    if (i >= word->size)
        return false;
    int64_t v = 0;
    for (; i < word->size; i++) {
        int digit = word->at[i] - '0';
        if (digit < 0 || digit > 9)
            return false;
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, negative ? -digit : digit, &v))
            return false;
    }
    *value = v;
    return true;
}

bool scan_parse_real(const scan_text *word, double *value)
{
    char text[128];
    if (word->size == 0 || word->size >= sizeof text)
        return false;
    memcpy(text, word->at, word->size);
    text[word->size] = 0;
    char *end;
    *value = strtod(text, &end);
    return end == text + word->size;
}

// The bits of a binary number, in the low end of `bits`.
static lithe_status take_bits(scan *s, scan_type type, const char *what, uint64_t *bits)
{
    int n = scan_bytes(type);
    if (scan_left(s) < (size_t)n)
        return scan_fail(s, "the file ends where %s was expected; it is cut short: write it again",
                         what);
    *bits = 0;
    for (int i = 0; i < n; i++) {
        uint64_t byte = (unsigned char)s->data[s->at + (size_t)i];
        *bits |= byte << 8 * (s->big ? n - 1 - i : i);
    }
    s->at += (size_t)n;
    return LITHE_OK;
}

static int64_t int_from_bits(scan_type type, uint64_t bits)
{
    switch (type) {
    case SCAN_INT8: return (int8_t)bits;
    case SCAN_INT16: return (int16_t)bits;
    case SCAN_INT32: return (int32_t)bits;
    case SCAN_UINT64: return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    default: return (int64_t)bits;
    }
}

static double real_from_bits(scan_type type, uint64_t bits)
{
    if (type == SCAN_FLOAT64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (type == SCAN_FLOAT32) {
        uint32_t low = (uint32_t)bits;
        float value;
        memcpy(&value, &low, sizeof value);
        return value;
    }
    return (double)int_from_bits(type, bits);
}

static lithe_status take_word(scan *s, const char *what, scan_text *word)
{
    if (!scan_word(s, word))
        return scan_fail(s, "the file ends where %s was expected; it is cut short: write it again",
                         what);
    return LITHE_OK;
}

// The word was already passed: go back to it, so that the message names its line.
static lithe_status fail_word(scan *s, const scan_text *word, const char *kind, const char *what)
{
    s->at -= word->size;
    return scan_fail(s, "'%s' is not %s, expected %s", scan_show(word).text, kind, what);
}

// The next number: its bits in a binary file, its word in another.
static lithe_status take_number(scan *s, scan_type type, const char *what, uint64_t *bits,
                                scan_text *word)
{
    return s->binary ? take_bits(s, type, what, bits) : take_word(s, what, word);
}

lithe_status scan_int(scan *s, scan_type type, const char *what, int64_t *value)
{
    uint64_t bits = 0;
    scan_text word = {0};
    LITHE_TRY(take_number(s, type, what, &bits, &word));
    if (!s->binary && !scan_parse_int(&word, value))
        return fail_word(s, &word, "a whole number", what);
    if (s->binary)
        *value = int_from_bits(type, bits);
    return LITHE_OK;
}

lithe_status scan_real(scan *s, scan_type type, const char *what, double *value)
{
    uint64_t bits = 0;
    scan_text word = {0};
    LITHE_TRY(take_number(s, type, what, &bits, &word));
    if (!s->binary && !scan_parse_real(&word, value))
        return fail_word(s, &word, "a number", what);
    if (s->binary)
        *value = real_from_bits(type, bits);
    return LITHE_OK;
}

lithe_status scan_int_in(scan *s, scan_type type, const char *what, int64_t low, int64_t high,
                         int *value)
{
    int64_t v = 0;
    LITHE_TRY(scan_int(s, type, what, &v));
    if (v < low || v > high)
        return scan_fail(s, "%s is %lld, outside %lld to %lld; the file is damaged: write it again",
                         what, (long long)v, (long long)low, (long long)high);
    *value = (int)v;
    return LITHE_OK;
}

lithe_status scan_skip(scan *s, scan_type type, const char *what, int64_t n)
{
    LITHE_TRY(scan_check_count(s, what, n, 1, scan_bytes(type)));
    if (s->binary) {
        s->at += (size_t)n * (size_t)scan_bytes(type);
        return LITHE_OK;
    }
    scan_text word;
    for (int64_t i = 0; i < n; i++)
        LITHE_TRY(take_word(s, what, &word));
    return LITHE_OK;
}

lithe_status scan_check_count(const scan *s, const char *what, int64_t count, int numbers,
                              int bytes)
{
    size_t each = (size_t)(s->binary ? bytes : 2 * numbers);
    // the last number of a text may lack its blank
    size_t left = scan_left(s) + (s->binary ? 0 : 1);
    size_t holds = each ? left / each : SIZE_MAX;
    if (count < 0 || (uint64_t)count > holds)
        return scan_fail(s,
                         "%lld %s announced, but the %zu bytes that follow hold at most %zu; the "
                         "file is cut short or damaged: write it again",
                         (long long)count, what, scan_left(s), holds);
    return LITHE_OK;
}
