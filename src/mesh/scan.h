// A walk over the bytes of a file, which are text or binary numbers. Every failure names the file
// and the line (the byte, in binary files).
#ifndef MESH_SCAN_H
#define MESH_SCAN_H

#include "mesh/read.h"

#include <stdint.h>

typedef enum scan_type {
    SCAN_INT8,
    SCAN_UINT8,
    SCAN_INT16,
    SCAN_UINT16,
    SCAN_INT32,
    SCAN_UINT32,
    SCAN_INT64,
    SCAN_UINT64,
    SCAN_FLOAT32,
    SCAN_FLOAT64,
} scan_type;

typedef struct scan {
    const char *path;
    const char *data;
    size_t size;
    size_t at;
    size_t line0; // lines before data[0], when data is a part of a larger file
    bool nowhere; // the position means nothing: messages name the file alone
    bool binary;  // numbers are binary; words and lines are text all the same
    bool big;     // binary numbers start with their highest byte
    lithe_report *report;
} scan;

// A piece of the file; not terminated.
typedef struct scan_text {
    const char *at;
    size_t size;
} scan_text;

scan scan_start(const mesh_source *source, lithe_report *report);

// LITHE_INVALID, with the location before the text.
__attribute__((format(printf, 2, 3))) lithe_status scan_fail(const scan *s, const char *format,
                                                             ...);

int scan_bytes(scan_type type);
bool scan_is_real(scan_type type);
size_t scan_left(const scan *s);

// The next line without its end, or the next word (across lines); false at the end of the file.
bool scan_line(scan *s, scan_text *line);
bool scan_word(scan *s, scan_text *word);

// The next word of the line, false if there is none left on it.
bool scan_word_of_line(scan_text *line, scan_text *word);
void scan_skip_space(scan *s);

// Ends the current line: in binary files numbers start right after it.
void scan_skip_line(scan *s);

bool scan_is(const scan_text *text, const char *word); // letters of any case
bool scan_starts(const scan_text *text, const char *head);
scan_text scan_trim(scan_text text);

// At most 40 characters of a text, for a message: what is not printable becomes '?'.
typedef struct scan_shown {
    char text[41];
} scan_shown;
scan_shown scan_show(const scan_text *text);

bool scan_parse_int(const scan_text *word, int64_t *value);
bool scan_parse_real(const scan_text *word, double *value);

// The next number; `what` names it in messages. Of text files the type says nothing.
lithe_status scan_int(scan *s, scan_type type, const char *what, int64_t *value);
lithe_status scan_real(scan *s, scan_type type, const char *what, double *value);

// A number that must lie in [low, high].
lithe_status scan_int_in(scan *s, scan_type type, const char *what, int64_t low, int64_t high,
                         int *value);

// Passes over n numbers.
lithe_status scan_skip(scan *s, scan_type type, const char *what, int64_t n);

// Refuses a count that the rest of the file cannot hold: each needs at least `numbers` numbers of
// `bytes` bytes in all (in text two bytes a number: a digit and a blank).
lithe_status scan_check_count(const scan *s, const char *what, int64_t count, int numbers,
                              int bytes);

#endif
