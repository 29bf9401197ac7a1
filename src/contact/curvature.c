// How the gap to a shape bends as its nodes move. A vertex feels the shape's own curvature D. On an
// edge or a face the nearest point q = sum_i w_i x_i slides along the spans e_a = x_a - x_0 so that
// e_a . n = 0; eliminating that slide gives
//
//     H = w w' (x) D - C' (e' D e)^-1 C,   C_a = e_a' D w + n (delta_a - delta_0)
//
// Derivation: docs/theory/contact-detection.md.
#include "contact/find.h"

#include "base/vec.h"

#include <string.h>

enum { MOST = 3, WIDTH = 3 * MOST };

// C (nspan x 3 n)
static void slide_rows(const contact *c, const contact_entry *e, double span[2][3], double *C)
{
    for (int a = 0; a < c->n - 1; a++)
        for (int j = 0; j < c->n; j++)
            for (int axis = 0; axis < 3; axis++) {
                double turn = j == a + 1 ? 1 : j == 0 ? -1 : 0;
                C[WIDTH * a + 3 * j + axis] =
                    e[j].weight * vec_dot(&c->curvature[3 * axis], span[a]) +
                    turn * c->normal[axis];
            }
}

void find_invert(int nspan, const double M[4], double inverse[4])
{
    double mean = 0.5 * (M[0] + M[3]), half = hypot(0.5 * (M[0] - M[3]), M[1]);
    double value[2] = {nspan == 1 ? M[0] : mean + half, nspan == 1 ? 0 : mean - half};
    double angle = nspan == 1 ? 0 : 0.5 * atan2(2 * M[1], M[0] - M[3]);
    double most = fmax(fabs(value[0]), fabs(value[1]));
    double direction[2][2] = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}};
    memset(inverse, 0, 4 * sizeof *inverse);
    for (int k = 0; k < nspan; k++)
        for (int i = 0; i < 4 && fabs(value[k]) > 1e-3 * most; i++)
            inverse[i] += direction[k][i / 2] * direction[k][i % 2] / value[k];
}

bool contact_curvature(const contact_list *list, int i, const double *x, double *H)
{
    const contact *c = &list->contact[i];
    const contact_entry *e = &list->entry[c->adr];
    double span[2][3], C[2 * WIDTH], M[4] = {0}, inverse[4];
    int n = c->n, nspan = n - 1;
    if (!c->curved || n > MOST)
        return false;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int k = 0; k < 9; k++)
                H[3 * n * (3 * a + k / 3) + 3 * b + k % 3] =
                    e[a].weight * e[b].weight * c->curvature[k];
    for (int a = 0; a < nspan; a++)
        vec_sub(span[a], &x[3 * (size_t)e[a + 1].node], &x[3 * (size_t)e[0].node]);
    for (int a = 0; a < nspan; a++)
        for (int b = 0; b < nspan; b++) {
            double De[3];
            mat_apply(De, c->curvature, span[b]);
            M[2 * a + b] = vec_dot(span[a], De);
        }
    slide_rows(c, e, span, C);
    find_invert(nspan, M, inverse);
    for (int k = 0; k < 9 * n * n; k++)
        for (int a = 0; a < nspan; a++)
            for (int b = 0; b < nspan; b++)
                H[k] -=
                    C[WIDTH * a + k / (3 * n)] * inverse[2 * a + b] * C[WIDTH * b + k % (3 * n)];
    return true;
}
