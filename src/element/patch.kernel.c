#include "element/patch.h"

#include "element/solid.h"

extern const element_kind KERNEL(patch_kinds)[PATCH_CLASSES];

typedef struct patch_state {
    lanes x[PATCH_NODES][3]; // from the first node
    lanes d[PATCH_NODES][3]; // dV/dx
} patch_state;

static inline const int (*triangle(const patch_batch *b, int t))[LANES]
{
    return &b->index[b->nnode + 3 * t];
}

// Triangles differ from lane to lane.
static inline void corners(const int (*tri)[LANES], const patch_state *s, lanes x[3][3])
{
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 3; i++)
            for (int l = 0; l < LANES; l++)
                x[c][i][l] = s->x[tri[c][l]][i][l];
}

static inline void cross(const lanes a[3], const lanes b[3], lanes out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static lanes measure(const patch_batch *b, const double *x, patch_state *s)
{
    lanes volume = lanes_set(0);
    for (int a = 0; a < b->nnode; a++)
        for (int i = 0; i < 3; i++) {
            s->d[a][i] = lanes_set(0);
            for (int l = 0; l < LANES; l++)
                s->x[a][i][l] = x[3 * b->index[a][l] + i] - x[3 * b->index[0][l] + i];
        }
    for (int t = 0; t < 2 * b->nnode; t++) {
        const int(*tri)[LANES] = triangle(b, t);
        lanes p[3][3], n[3];
        corners(tri, s, p);
        for (int c = 0; c < 3; c++) {
            cross(p[(c + 1) % 3], p[(c + 2) % 3], n);
            if (c == 0)
                volume += p[0][0] * n[0] + p[0][1] * n[1] + p[0][2] * n[2];
            for (int i = 0; i < 3; i++)
                for (int l = 0; l < LANES; l++)
                    s->d[tri[c][l]][i][l] += n[i][l] * (1.0 / 6);
        }
    }
    return volume * (1.0 / 6);
}

// + p d2V/dx2: of a triangle (a, b, c), block (a, b) is -[x_c]x / 6
static void add_rotating(const patch_batch *b, const patch_state *s, lanes p, double *stiff)
{
    int npair = b->nnode * (b->nnode + 1) / 2;
    for (int t = 0; t < 2 * b->nnode; t++)
        for (int c = 0; c < 3; c++)
            for (int l = 0; l < LANES; l++) {
                const int(*tri)[LANES] = triangle(b, t);
                int i = tri[(c + 1) % 3][l], j = tri[(c + 2) % 3][l];
                if (i == j)
                    continue;
                const lanes *x = s->x[tri[c][l]];
                double w = (i > j ? p[l] : -p[l]) * (1.0 / 6);
                double *K =
                    &stiff[9 * (npair * l + (i > j ? element_pair(i, j) : element_pair(j, i)))];
                K[1] += w * x[2][l];
                K[2] -= w * x[1][l];
                K[3] -= w * x[2][l];
                K[5] += w * x[0][l];
                K[6] += w * x[1][l];
                K[7] -= w * x[0][l];
            }
}

static void evaluate(const void *batch, const double *x, element_tangent tangent,
                     element_output out)
{
    const patch_batch *b = batch;
    patch_state s;
    lanes L[3];
    lanes volume = lanes_load(b->volume), k = lanes_load(b->bulk);
    solid_log(measure(b, x, &s) / volume, L);
    lanes p = k * L[0] * L[1], stiff = k * (L[1] * L[1] + L[0] * L[2]) / volume;
    lanes energy = 0.5 * k * volume * L[0] * L[0];
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    for (int a = 0; a < b->nnode; a++)
        for (int i = 0; i < 3; i++)
            for (int l = 0; l < LANES; l++)
                out.force[3 * (b->nnode * l + a) + i] = p[l] * s.d[a][i][l];
    if (tangent == ELEMENT_FORCE_ONLY)
        return;
    if (tangent == ELEMENT_POSITIVE)
        stiff = lanes_max(stiff, lanes_set(0));
    for (int a = 0; a < b->nnode; a++)
        for (int c = 0; c <= a; c++) {
            lanes K[9];
            for (int i = 0; i < 9; i++)
                K[i] = stiff * s.d[a][i / 3] * s.d[c][i % 3];
            solid_store_block(b->nnode, element_pair(a, c), K, out.stiff);
        }
    if (tangent == ELEMENT_EXACT)
        add_rotating(b, &s, p, out.stiff);
}

// What it stores belongs to the tetrahedra inside.
static void stress(const void *batch, const double *x, double *energy_density, double *von_mises)
{
    (void)batch;
    (void)x;
    for (int l = 0; l < LANES; l++)
        energy_density[l] = von_mises[l] = 0;
}

#define KIND(size, n)                                                                              \
    [size] = {.name = "patch",                                                                     \
              .nnode = (n),                                                                        \
              .cell = 0,                                                                           \
              .batch_size = PATCH_BATCH_SIZE(n),                                                   \
              .evaluate = evaluate,                                                                \
              .stress = stress}
const element_kind KERNEL(patch_kinds)[PATCH_CLASSES] = {
    KIND(0, 4), KIND(1, 6), KIND(2, 8), KIND(3, 10), KIND(4, 12), KIND(5, PATCH_NODES),
};
