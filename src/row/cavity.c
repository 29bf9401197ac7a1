#include "row/cavity.h"

double shell_volume(const row_shell *shell, const double *x)
{
    return face_volume(&shell->face, x);
}

void shell_stiffness(const row_shell *shell, const double *x, double scale, double *const *blocks)
{
    face_stiffness(&shell->face, x, scale, shell->block, blocks[shell->body]);
}

lithe_status shell_couple(const row_shell *shell, const body *b, sparse_builder *builder)
{
    const face_set *s = &shell->face;
    for (int i = 0; i < s->ntri + s->nwide; i++) {
        const int *face = i < s->ntri ? &s->tri[3 * i] : &s->wide[FACE_NODES * (i - s->ntri)];
        int node[FACE_NODES], n = i < s->ntri ? 3 : face_width(face);
        for (int k = 0; k < n; k++)
            node[k] = face[k] - b->node_adr;
        LITHE_TRY(body_couple(b, builder, n, node));
    }
    return LITHE_OK;
}

lithe_status shell_finish(row_shell *shell, const body *bodies, arena *memory)
{
    const body *b = &bodies[shell->body];
    face_set local;
    arena scratch = {0};
    lithe_status status = face_shifted(&shell->face, -b->node_adr, &scratch, &local);
    if (status == LITHE_OK)
        status = face_blocks(&local, &b->pattern, b->block, memory, &shell->block);
    arena_free(&scratch);
    return status;
}
