#define ENTRY float
#include "sparse/substitute.h"

extern const panel_solvers KERNEL(panel_single_solvers);

const panel_solvers KERNEL(panel_single_solvers) = {forward, backward, forward_one, backward_one};
