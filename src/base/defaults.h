// Definitions as other versions of the header know them: each carries its size, and what it does
// not know has its default.
#ifndef BASE_DEFAULTS_H
#define BASE_DEFAULTS_H

#include "base/status.h"
#include "lithe/calibrate.h"
#include "lithe/reduce.h"

// Bytes of a caller's definition, also from one to the next in an array; and of ours.
size_t def_size(lithe_def_kind what, const void *def);
size_t def_size_now(lithe_def_kind what);

// lithe_default, but for what the table of actuators' kinds says.
void def_default(lithe_def_kind what, int kind, void *out, size_t size);

// Copies one, which may be of an older version, into one of ours. Not for lithe_def itself.
lithe_status def_take(lithe_def_kind what, const void *def, void *out, lithe_report *report);

#endif
