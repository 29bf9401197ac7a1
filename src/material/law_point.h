// Laws as functions, compiled once for each instruction set, for kernels that are the same for
// every law.
#ifndef MATERIAL_LAW_POINT_H
#define MATERIAL_LAW_POINT_H

#include "material/law.h"

// parameter: (law_nparameter x LANES), as material/kind.h says.
typedef void law_function(const lanes F[9], const double (*parameter)[LANES], law_tangent tangent,
                          law_point *out);

#define law_table KERNEL(law_functions)
extern law_function *const law_table[LAW_KINDS]; // by law_kind

#endif
