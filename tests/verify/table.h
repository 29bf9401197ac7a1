// What the cases have filled in, for those who write it down.
#ifndef VERIFY_TABLE_H
#define VERIFY_TABLE_H

#include "verify.h"

#include <stdio.h>

enum {
    MOST_ROWS = 1024,
    MOST_NOTES = 64,
    MOST_PLOTS = 32,
    MOST_CURVES = 8,
    MOST_POINTS = 12,
    MOST_TEXT = 112,
};

typedef struct table_row {
    int number;
    char mesh[MOST_TEXT];
    char quantity[MOST_TEXT];
    double computed, expected, error;
    double gate, bound; // NaN: not judged
} table_row;

typedef struct table_curve {
    char name[MOST_TEXT];
    int n;
    double x[MOST_POINTS], error[MOST_POINTS];
} table_curve;

typedef struct table_plot {
    int number;
    const verify_plot *what;
    int ncurve;
    table_curve curve[MOST_CURVES];
} table_plot;

struct verify_table {
    int number;
    const char *name;
    char mesh[MOST_TEXT];
    int nrow;
    table_row row[MOST_ROWS];
    int nnote;
    int note_number[MOST_NOTES];
    const char *note[MOST_NOTES];
    int nplot;
    table_plot plot[MOST_PLOTS];
    bool failed;
    bool left_out; // a mesh of the case at hand
    char *page;    // what the last whole run found, to compare with; NULL: nothing
};

// The error that the page has for a row; NAN: it has none.
double page_error(const char *page, const table_row *r);

const char *table_verdict(const table_row *r);

// The page; and a plot, as SVG.
void page_write(FILE *file, const verify_table *table);
void plot_write(FILE *file, const table_plot *plot);

#endif
