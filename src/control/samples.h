// The same work for many samples, over threads: results stand by their number, whoever made them
// and in whatever order, so they have the same bits on any number of threads. A journal keeps
// them on disk as they come, so that a run that was ended, at whatever moment, goes on where it
// was.
#ifndef CONTROL_SAMPLES_H
#define CONTROL_SAMPLES_H

#include "base/pool.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct samples_journal samples_journal;

// key: what results depend on; width: numbers of one. What a file of another key has in it is
// forgotten. A record that was cut short is too.
lithe_status samples_journal_open(const char *path, uint64_t key, size_t width,
                                  samples_journal **out, lithe_report *report);
void samples_journal_close(samples_journal *j); // NULL: nothing happens

typedef struct samples_job {
    int n;
    const int *number; // of each sample, by which the journal knows it (n)
    size_t width;      // numbers of a result
    // Writes a result; from any thread. False: it could not be had for lack of memory.
    bool (*work)(void *user, int number, double *out);
    // Done of all there are; one call at a time, from any thread. False: end. NULL: nobody asks.
    bool (*progress)(void *user, int done, int total);
    void *user;
    samples_journal *journal; // NULL: none
} samples_job;

// out: (n x width). LITHE_NOT_CONVERGED: progress ended it.
lithe_status samples_run(const samples_job *job, pool *threads, double *out, lithe_report *report);

// Number `number` of a sequence that fills the unit cube evenly, shifted by what the seed says:
// Halton's, with prime bases. n: dimensions, at most SAMPLES_DIMENSIONS.
enum { SAMPLES_DIMENSIONS = 32 };
void samples_point(unsigned seed, int number, int n, double *out);

#endif
