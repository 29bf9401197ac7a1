#include "body/liquid.h"

#include "base/vec.h"

typedef struct wall {
    double n[3];       // area times normal
    double edge[3][3]; // opposite each corner: dn/dx_c = [edge_c]x / 2
    double share[3];   // f_a = n share_a
} wall;

static wall wall_at(const body_liquid *liquid, int t, const double *x)
{
    const int *node = &liquid->tri[3 * t];
    wall w;
    double p[3], sum = 0;
    for (int c = 0; c < 3; c++) {
        double depth[3];
        vec_sub(w.edge[c], &x[3 * node[(c + 2) % 3]], &x[3 * node[(c + 1) % 3]]);
        vec_sub(depth, &x[3 * node[c]], liquid->reference);
        p[c] = vec_dot(liquid->weight, depth);
        sum += p[c];
    }
    vec_cross(w.n, w.edge[2], w.edge[0]); // (x1 - x0) x (x2 - x1)
    for (int c = 0; c < 3; c++) {
        w.n[c] *= 0.5;
        w.share[c] = (sum + p[c]) / 12;
    }
    return w;
}

void liquid_force(const body_liquid *liquid, const double *x, double scale, double *f)
{
    for (int t = 0; t < liquid->ntri; t++) {
        wall w = wall_at(liquid, t, x);
        for (int a = 0; a < 3; a++)
            vec_axpy(&f[3 * liquid->tri[3 * t + a]], scale * w.share[a], w.n);
    }
}

// Derivative of f_a by x_c, entry (i, j).
static double derivative(const body_liquid *liquid, const wall *w, int a, int c, int i, int j)
{
    const double *e = w->edge[c];
    double cross = i == j ? 0 : (j == (i + 1) % 3 ? -1 : 1) * e[3 - i - j]; // [e]x
    return 0.5 * w->share[a] * cross + w->n[i] * liquid->weight[j] * (1 + (a == c)) / 12;
}

void liquid_stiffness(const body_liquid *liquid, const double *x, double scale, double *blocks)
{
    for (int t = 0; t < liquid->ntri; t++) {
        wall w = wall_at(liquid, t, x);
        for (int a = 0, pair = 0; a < 3; a++)
            for (int c = 0; c <= a; c++, pair++) {
                int at = liquid->block[6 * t + pair];
                for (int k = 0; k < 9 && at >= 0; k++) {
                    int i = k / 3, j = k % 3;
                    double s =
                        0.5 * scale *
                        (derivative(liquid, &w, a, c, i, j) + derivative(liquid, &w, c, a, j, i));
                    blocks[9 * (size_t)(at >> 1) + (size_t)(at & 1 ? 3 * j + i : k)] += s;
                }
            }
    }
}

lithe_status liquid_finish(body_liquid *liquid, const sparse_pattern *pattern, const int *row,
                           arena *memory)
{
    liquid->block = arena_new(memory, 6 * (size_t)liquid->ntri, int);
    if (!liquid->block)
        return LITHE_NO_MEMORY;
    for (int t = 0; t < liquid->ntri; t++)
        for (int a = 0, pair = 0; a < 3; a++)
            for (int c = 0; c <= a; c++, pair++)
                liquid->block[6 * t + pair] = sparse_locate(pattern, row[liquid->tri[3 * t + a]],
                                                            row[liquid->tri[3 * t + c]]);
    return LITHE_OK;
}
