// The volume inside a closed surface of a body.
#ifndef ROW_CAVITY_H
#define ROW_CAVITY_H

#include "row/row.h"

double shell_volume(const row_shell *shell, const double *x);

// blocks += scale * d2(volume)/dx2
void shell_stiffness(const row_shell *shell, const double *x, double scale, double *const *blocks);

// Declares what its faces couple, where they are not those of a body's elements.
lithe_status shell_couple(const row_shell *shell, const body *b, sparse_builder *builder);

lithe_status shell_finish(row_shell *shell, const body *bodies, arena *memory);

#endif
