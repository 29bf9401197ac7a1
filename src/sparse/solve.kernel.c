#define ENTRY double
#include "sparse/substitute.h"

extern const panel_solvers KERNEL(panel_solvers);

const panel_solvers KERNEL(panel_solvers) = {forward, backward, forward_one, backward_one};
