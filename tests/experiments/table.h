// What experiments find, row by row; the program prints, judges and writes it.
#ifndef EXPERIMENTS_TABLE_H
#define EXPERIMENTS_TABLE_H

#include <stdbool.h>

typedef struct table table;

typedef struct finding {
    const char *quantity;
    const char *paper;    // what the paper has for it; NULL: nothing
    const char *expected; // NULL: nothing but a small error
    const char *ours;
    double error, gate; // in `unit`; gate NAN: only shown
    const char *unit;
} finding;

// Which experiment the next rows are about.
void table_experiment(table *t, char letter, const char *name);

void table_add(table *t, finding row);

// One paragraph that a reader of the table must know, or a list that the experiment made.
__attribute__((format(printf, 2, 3))) void table_note(table *t, const char *format, ...);

// The experiment could not be done.
__attribute__((format(printf, 2, 3))) void table_broken(table *t, const char *format, ...);

// Only what is quick is wanted.
bool table_quick(const table *t);

// Formatted text that lives until some twenty more have been formatted.
__attribute__((format(printf, 1, 2))) const char *text(const char *format, ...);

#endif
