// Selections in a body's own frame: as its mesh stands before it is placed.
#include "scene/reader.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

void read_angles(const double R[9], double angle[3])
{
    double level = hypot(R[0], R[3]);
    angle[1] = atan2(-R[6], level);
    angle[0] = level > 0 ? atan2(R[7], R[8]) : atan2(-R[5], R[4]);
    angle[2] = level > 0 ? atan2(R[3], R[0]) : 0;
}

static void move_point(const double R[9], const double move[3], double p[3])
{
    mat_apply(p, R, p);
    vec_axpy(p, 1, move);
}

// A box of corners, some of which may be infinitely far, as one of a centre and edges.
static void orient_box(lithe_selection *s)
{
    const double far = 1000000; // m
    for (int k = 0; k < 3; k++) {
        double low = fmax(fmin(s->a[k], s->b[k]), -far), high = fmin(fmax(s->a[k], s->b[k]), far);
        s->a[k] = 0.5 * (low + high);
        s->b[k] = high - low;
    }
    s->kind = LITHE_ORIENTED_BOX;
    memset(s->rotate, 0, sizeof s->rotate);
}

static void move_box(const double R[9], const double move[3], lithe_selection *s)
{
    double own[9], both[9];
    mat_from_angles(own, s->rotate);
    mat_mul(both, R, own);
    read_angles(both, s->rotate);
    move_point(R, move, s->a);
}

void read_moved_selection(const double R[9], const double move[3], lithe_selection *s)
{
    switch (s->kind) {
    case LITHE_BOX:
        orient_box(s);
        move_box(R, move, s);
        break;
    case LITHE_ORIENTED_BOX: move_box(R, move, s); break;
    case LITHE_PLANE:
        mat_apply(s->b, R, s->b);
        move_point(R, move, s->a);
        break;
    case LITHE_SPHERE:
    case LITHE_NEAREST: move_point(R, move, s->a); break;
    case LITHE_ALL_OF:
    case LITHE_ANY_OF:
    case LITHE_NONE_OF:
        for (int i = 0; i < s->npart; i++)
            read_moved_selection(R, move, (lithe_selection *)&s->part[i]); // the reader's own
        break;
    case LITHE_ALL:
    case LITHE_GROUP: break;
    }
}
