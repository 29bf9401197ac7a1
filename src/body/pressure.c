#include "body/pressure.h"

#include "base/vec.h"

void pressure_force(int ntri, const int *tri, const int *slot, const double *x, double scale,
                    double *f)
{
    for (int t = 0; t < ntri; t++) {
        const int *n = &tri[3 * t];
        double e1[3], e2[3], normal[3];
        vec_sub(e1, &x[3 * n[1]], &x[3 * n[0]]);
        vec_sub(e2, &x[3 * n[2]], &x[3 * n[0]]);
        vec_cross(normal, e1, e2);
        for (int a = 0; a < 3; a++)
            vec_axpy(&f[3 * slot[3 * t + a]], scale / 6, normal);
    }
}

void pressure_rate(int ntri, const int *tri, const double *x, const double *displacement,
                   double scale, double *f)
{
    for (int t = 0; t < ntri; t++) {
        const int *n = &tri[3 * t];
        double e1[3], e2[3], d1[3], d2[3], a[3], b[3];
        vec_sub(e1, &x[3 * n[1]], &x[3 * n[0]]);
        vec_sub(e2, &x[3 * n[2]], &x[3 * n[0]]);
        vec_sub(d1, &displacement[3 * n[1]], &displacement[3 * n[0]]);
        vec_sub(d2, &displacement[3 * n[2]], &displacement[3 * n[0]]);
        vec_cross(a, d1, e2);
        vec_cross(b, e1, d2);
        vec_axpy(a, 1, b);
        for (int c = 0; c < 3; c++)
            vec_axpy(&f[3 * n[c]], scale / 6, a);
    }
}

// With C_b = df/dx_b = [edge opposite b]x / 6 for every corner, the symmetric part of block (a, b)
// is (C_b - C_a) / 2, itself a cross product; it vanishes for a = b.
void pressure_stiffness(int ntri, const int *tri, const double *x, double scale, const int *block,
                        double *blocks)
{
    static const int pair[3][2] = {{1, 0}, {2, 0}, {2, 1}};
    for (int t = 0; t < ntri; t++) {
        const int *n = &tri[3 * t];
        double edge[3][3];
        for (int b = 0; b < 3; b++)
            vec_sub(edge[b], &x[3 * n[(b + 2) % 3]], &x[3 * n[(b + 1) % 3]]);
        for (int p = 0; p < 3; p++) {
            int at = block[3 * t + p];
            if (at < 0)
                continue;
            double v[3];
            vec_sub(v, edge[pair[p][1]], edge[pair[p][0]]);
            double s =
                (at & 1 ? -scale : scale) / 12; // the transpose of a skew block is its negative
            pressure_add_cross(s, v, &blocks[9 * (at >> 1)]);
        }
    }
}

void pressure_blocks(const sparse_pattern *pattern, const int *row, int ntri, const int *tri,
                     int *out)
{
    for (int t = 0; t < ntri; t++) {
        int i[3] = {row[tri[3 * t]], row[tri[3 * t + 1]], row[tri[3 * t + 2]]};
        out[3 * t] = sparse_locate(pattern, i[1], i[0]);
        out[3 * t + 1] = sparse_locate(pattern, i[2], i[0]);
        out[3 * t + 2] = sparse_locate(pattern, i[2], i[1]);
    }
}
