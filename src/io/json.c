#include "io/json.h"

#include "io/number.h"

#include <math.h>

// Length of the UTF-8 sequence at the start of text; 0 if it is not one. Overlong forms, surrogates
// and what lies beyond U+10FFFF are refused by the bounds on the second byte [RFC 3629].
static int utf8_length(const unsigned char *text)
{
    unsigned char lead = text[0];
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (text[1] < low || text[1] > high)
        return 0;
    for (int i = 2; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

static void write_char(FILE *out, const unsigned char *text, int length)
{
    if (length == 0)
        fputs("\\ufffd", out);
    else if (*text == '"' || *text == '\\')
        fprintf(out, "\\%c", *text);
    else if (*text == '\n')
        fputs("\\n", out);
    else if (*text < 0x20 || *text == 0x7F)
        fprintf(out, "\\u%04x", *text);
    else
        fwrite(text, 1, (size_t)length, out);
}

static void write_string(FILE *out, const char *string)
{
    const unsigned char *text = (const unsigned char *)string;
    fputc('"', out);
    while (*text) {
        int length = utf8_length(text);
        write_char(out, text, length);
        text += length ? length : 1;
    }
    fputc('"', out);
}

// What stands before an item. The outermost items get a line each: readable, and still one value.
static void begin_item(json *j, const char *key)
{
    if (j->after)
        fputs(j->depth == 1 ? ",\n " : ", ", j->out);
    j->after = true;
    if (!key)
        return;
    write_string(j->out, key);
    fputs(": ", j->out);
}

static void begin(json *j, const char *key, char bracket)
{
    begin_item(j, key);
    fputc(bracket, j->out);
    j->depth++;
    j->after = false;
}

static void end(json *j, char bracket)
{
    fputc(bracket, j->out);
    j->depth--;
    j->after = true;
    if (j->depth == 0)
        fputc('\n', j->out);
}

void json_begin_object(json *j, const char *key)
{
    begin(j, key, '{');
}

void json_end_object(json *j)
{
    end(j, '}');
}

void json_begin_array(json *j, const char *key)
{
    begin(j, key, '[');
}

void json_end_array(json *j)
{
    end(j, ']');
}

void json_string(json *j, const char *key, const char *text)
{
    begin_item(j, key);
    write_string(j->out, text);
}

void json_number(json *j, const char *key, double value)
{
    char text[NUMBER_TEXT];
    begin_item(j, key);
    fputs(isfinite(value) ? number_text(value, text) : "null", j->out);
}

void json_integer(json *j, const char *key, long value)
{
    begin_item(j, key);
    fprintf(j->out, "%ld", value);
}

void json_bool(json *j, const char *key, bool value)
{
    begin_item(j, key);
    fputs(value ? "true" : "false", j->out);
}

void json_null(json *j, const char *key)
{
    begin_item(j, key);
    fputs("null", j->out);
}

void json_numbers(json *j, const char *key, int n, const double *value)
{
    json_begin_array(j, key);
    for (int i = 0; i < n; i++)
        json_number(j, NULL, value[i]);
    json_end_array(j);
}
