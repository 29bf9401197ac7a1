// A step of a reduced model, looked at by the whole one every so many steps.
#ifndef REDUCE_SUPERVISE_H
#define REDUCE_SUPERVISE_H

#include "lithe/reduce.h"

lithe_status reduction_step(const lithe_model *m, lithe_state *s);

#endif
