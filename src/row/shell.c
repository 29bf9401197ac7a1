#include "row/shell.h"

#include "base/memory.h"
#include "mesh/surface.h"

double shell_volume(const row_shell *shell, const double *x)
{
    return surface_volume(shell->ntri, shell->tri, x);
}

void shell_stiffness(const row_shell *shell, const double *x, double scale, double *const *blocks)
{
    pressure_stiffness(shell->ntri, shell->tri, x, scale, shell->block, blocks[shell->body]);
}

lithe_status shell_finish(row_shell *shell, const body *bodies, arena *memory)
{
    const body *b = &bodies[shell->body];
    size_t n = 3 * (size_t)shell->ntri;
    shell->block = arena_new(memory, n, int);
    int *local = memory_alloc(n * sizeof *local);
    if (!shell->block || !local) {
        memory_free(local);
        return LITHE_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        local[i] = shell->tri[i] - b->node_adr;
    pressure_blocks(&b->pattern, b->block, shell->ntri, local, shell->block);
    memory_free(local);
    return LITHE_OK;
}
