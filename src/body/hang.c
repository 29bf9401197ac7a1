#include "body/hang.h"

#include "base/rotation.h"
#include "base/vec.h"

#include <string.h>

lithe_status body_add_hang(body *b, int rotation, const double arm[3], const double force[3],
                           body_span span, arena *memory)
{
    if (b->nhang == b->hang_room) {
        int room = 2 * b->hang_room + 8;
        body_hang *more = arena_new(memory, room, body_hang);
        if (!more)
            return LITHE_NO_MEMORY;
        if (b->nhang > 0)
            memcpy(more, b->hang, (size_t)b->nhang * sizeof *more);
        b->hang = more;
        b->hang_room = room;
    }
    body_hang *h = &b->hang[b->nhang++];
    *h = (body_hang){.rotation = rotation, .span = span};
    memcpy(h->arm, arm, sizeof h->arm);
    memcpy(h->force, force, sizeof h->force);
    return LITHE_OK;
}

void hang_finish(body *b)
{
    for (int i = 0; i < b->nhang; i++) {
        int row = b->block[b->hang[i].rotation];
        b->hang[i].block = row < 0 ? -1 : sparse_find(&b->pattern, row, row);
    }
}

// The moment arm x force rotates with the arm; its work is force . arm, whose second derivative by
// spins is (arm force' + force arm') / 2 - (arm . force) I.
void hang_load(const body *b, const body_loading *how, const double *x, double *force,
               double *blocks)
{
    for (int i = 0; i < b->nhang; i++) {
        const body_hang *h = &b->hang[i];
        const double *hung = body_value(&h->span, how, h->force);
        double R[9], arm[3], moment[3], load = body_share(&h->span, how);
        if (load == 0)
            continue;
        rotation_matrix(&x[3 * h->rotation], R);
        mat_apply(arm, R, h->arm);
        vec_cross(moment, arm, hung);
        vec_axpy(&force[3 * h->rotation], load, moment);
        for (int k = 0; k < 9 && blocks && h->block >= 0; k++)
            blocks[9 * (size_t)h->block + (size_t)k] -=
                load * (0.5 * (arm[k / 3] * hung[k % 3] + hung[k / 3] * arm[k % 3]) -
                        (k % 4 ? 0 : vec_dot(arm, hung)));
    }
}

double hang_work(const body *b, const body_loading *how, const double *x)
{
    double work = 0;
    for (int i = 0; i < b->nhang; i++) {
        const body_hang *h = &b->hang[i];
        double R[9], arm[3];
        rotation_matrix(&x[3 * h->rotation], R);
        mat_apply(arm, R, h->arm);
        vec_axpy(arm, -1, h->arm);
        work += body_share(&h->span, how) * vec_dot(arm, body_value(&h->span, how, h->force));
    }
    return work;
}
