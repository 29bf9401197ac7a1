// Writes one JSON value to a stream, item by item. Inside an object every item has a key; inside an
// array, and at the top, the key is NULL. Whether the writing succeeded is the stream's to say.
#ifndef IO_JSON_H
#define IO_JSON_H

#include <stdbool.h>
#include <stdio.h>

// Set out and leave the rest zero.
typedef struct json {
    FILE *out;
    int depth;  // open objects and arrays
    bool after; // an item stands before the next one in its object or array
} json;

void json_begin_object(json *j, const char *key);
void json_end_object(json *j);
void json_begin_array(json *j, const char *key);
void json_end_array(json *j);

// Bytes that are not UTF-8 become U+FFFD, so that any file name gives valid JSON.
void json_string(json *j, const char *key, const char *text);
void json_number(json *j, const char *key, double value); // not finite: null
void json_integer(json *j, const char *key, long value);
void json_bool(json *j, const char *key, bool value);
void json_null(json *j, const char *key);
void json_numbers(json *j, const char *key, int n, const double *value);

#endif
