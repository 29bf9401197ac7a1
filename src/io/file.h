// A file that is written whole, or removed and reported with its path and the system's reason.
#ifndef IO_FILE_H
#define IO_FILE_H

#include "lithe/lithe.h"

#include <stdio.h>

// What to do about a failed write, by the system's reason: "free some space …".
const char *file_remedy(int error);

// A file's bytes, to be freed with memory_free; NULL, errno says why, when they cannot be had.
void *file_load(const char *path, size_t *bytes);

lithe_status file_create(const char *path, FILE **file, lithe_report *report);

// Hands everything to the system and closes. Failures of earlier writes to the stream are reported
// here, so that writers need not look at each one.
lithe_status file_finish(FILE *file, const char *path, lithe_report *report);

#endif
