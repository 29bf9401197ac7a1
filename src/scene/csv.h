// Tables of numbers as text: a line of column names, then a line of values for every time.
#ifndef SCENE_CSV_H
#define SCENE_CSV_H

#include "base/arena.h"
#include "lithe/lithe.h"

enum {
    CSV_BYTES_MAX = 64 << 20,
    CSV_LINES_MAX = 1000000,
    CSV_COLUMNS_MAX = 4096,
};

// Which columns are taken, and which others may stand beside them.
typedef struct csv_columns {
    int n;
    const char *const *name; // (n) besides "time_s"
    int nknown;
    const char *const *known; // (nknown)
    bool any;                 // whatever stands beside them
} csv_columns;

typedef struct csv_table {
    int nline;
    double *time;  // (nline) s, strictly rising, from 0 or later
    double *value; // (nline x n)
} csv_table;

// Reads the columns from a text that ends with 0 and is cut in place; path: for messages, which
// name the line and the column.
lithe_status csv_parse(const char *path, char *text, const csv_columns *columns, arena *memory,
                       csv_table *table, lithe_report *report);

// The same from a file.
lithe_status csv_read(const char *path, const csv_columns *columns, arena *memory, csv_table *table,
                      lithe_report *report);

// The pieces of other tables. A file's text, ended with 0, to be freed with memory_free:
lithe_status csv_load(const char *path, char **text, lithe_report *report);

// Cuts the line at *rest out of the text; NULL at its end.
char *csv_take_line(char **rest);

// Cuts the field at *rest out of its line, without spaces around it; NULL behind the last one.
char *csv_take_field(char **rest);

// Is the whole field one finite decimal number? In the locale of the caller.
bool csv_number(const char *field, double *value);

#endif
