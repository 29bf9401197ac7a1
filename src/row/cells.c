#include "row/cells.h"

#include "base/vec.h"

static void cross_at(const row_cells *c, int cell, int a, const double *x, double out[3])
{
    const int *node = &c->node[3 * cell];
    vec_cross(out, &x[3 * node[(a + 1) % 3]], &x[3 * node[(a + 2) % 3]]);
}

double cells_value(const row_cells *c, const double *x)
{
    double sum = c->constant, cross[3];
    for (int k = 0; k < c->n; k++) {
        cross_at(c, k, 0, x, cross);
        sum += c->weight[k] * vec_dot(&x[3 * c->node[3 * k]], cross);
    }
    return sum;
}

void cells_gradient(const row_cells *c, const double *x, double *H)
{
    double cross[3];
    for (int k = 0; k < c->n; k++)
        for (int a = 0; a < 3; a++) {
            cross_at(c, k, a, x, cross);
            vec_axpy(&H[3 * c->slot[3 * k + a]], c->weight[k], cross);
        }
}

// d(x1 x x2)/dx1 takes d to d x x2: of node a by the next one, what it makes of the third.
static void add_cross(double factor, const double x[3], bool transposed, double *K)
{
    double f = transposed ? -factor : factor; // it is skew
    K[1] += f * x[2];
    K[2] -= f * x[1];
    K[3] -= f * x[2];
    K[5] += f * x[0];
    K[6] += f * x[1];
    K[7] -= f * x[0];
}

static const int pair_of[3][2] = {{1, 0}, {2, 0}, {2, 1}};

// det is the same when its nodes go round, so of (1, 0), (2, 0), (2, 1) the second one is a node
// and the next, and the others are a node and the one before.
void cells_stiffness(const row_cells *c, const double *x, double scale, double *const *blocks)
{
    for (int k = 0; k < c->n; k++)
        for (int p = 0; p < 3; p++) {
            int at = c->block[3 * k + p], third = 3 - pair_of[p][0] - pair_of[p][1];
            double sign = p == 1 ? 1 : -1;
            if (at >= 0)
                add_cross(sign * scale * c->weight[k], &x[3 * c->node[3 * k + third]], at & 1,
                          &blocks[c->body][9 * (size_t)(at >> 1)]);
        }
}

void cells_stiffness_times(const row_cells *c, const double *x, double scale,
                           const double *displacement, double *force)
{
    double cross[3];
    for (int k = 0; k < c->n; k++)
        for (int a = 0; a < 3; a++) {
            int own = c->node[3 * k + a], next = c->node[3 * k + (a + 1) % 3],
                last = c->node[3 * k + (a + 2) % 3];
            vec_cross(cross, &displacement[3 * next], &x[3 * last]);
            vec_axpy(&force[3 * own], scale * c->weight[k], cross);
            vec_cross(cross, &x[3 * next], &displacement[3 * last]);
            vec_axpy(&force[3 * own], scale * c->weight[k], cross);
        }
}

lithe_status cells_couple(const row_cells *c, int body_id, const body *b, sparse_builder *builder)
{
    for (int k = 0; k < c->n && c->body == body_id; k++) {
        int node[3];
        for (int a = 0; a < 3; a++)
            node[a] = c->node[3 * k + a] - b->node_adr;
        LITHE_TRY(body_couple(b, builder, 3, node));
    }
    return LITHE_OK;
}

lithe_status cells_finish(row_cells *c, const body *bodies, arena *memory)
{
    const body *b = &bodies[c->body];
    c->block = arena_new(memory, 3 * (size_t)c->n, int);
    for (int k = 0; c->block && k < 3 * c->n; k++) {
        const int *node = &c->node[k / 3 * 3], *pair = pair_of[k % 3];
        c->block[k] = sparse_locate(&b->pattern, b->block[node[pair[0]] - b->node_adr],
                                    b->block[node[pair[1]] - b->node_adr]);
    }
    return c->block ? LITHE_OK : LITHE_NO_MEMORY;
}
