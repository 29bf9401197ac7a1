// Points near rods and shells: the nearest beam or triangle carries them, on arms from its nodes.
#include "base/vec.h"
#include "scene/slender.h"

// Weights of the point of a segment nearest to p.
static void segment_weights(const double *a, const double *b, const double p[3], double w[3])
{
    double ab[3], r[3];
    vec_sub(ab, b, a);
    vec_sub(r, p, a);
    w[1] = fmin(1, fmax(0, vec_dot(r, ab) / vec_dot(ab, ab)));
    w[0] = 1 - w[1];
    w[2] = 0;
}

static double foot_distance(const double *const X[3], const double w[3], const double p[3],
                            double foot[3])
{
    for (int i = 0; i < 3; i++)
        foot[i] = w[0] * X[0][i] + w[1] * X[1][i] + w[2] * X[2][i];
    return vec_distance(foot, p);
}

// The same for a triangle: the foot on its plane, or on the nearest side.
static void triangle_weights(const double *const X[3], const double p[3], double w[3])
{
    double ab[3], ac[3], r[3], n[3], side[3], best = INFINITY, foot[3];
    vec_sub(ab, X[1], X[0]);
    vec_sub(ac, X[2], X[0]);
    vec_sub(r, p, X[0]);
    vec_cross(n, ab, ac);
    double square = vec_dot(n, n);
    vec_cross(side, r, ac);
    w[1] = vec_dot(side, n) / square;
    vec_cross(side, ab, r);
    w[2] = vec_dot(side, n) / square;
    w[0] = 1 - w[1] - w[2];
    if (w[0] >= 0 && w[1] >= 0 && w[2] >= 0)
        return;
    for (int s = 0; s < 3; s++) {
        double two[3], three[3] = {0};
        segment_weights(X[s], X[(s + 1) % 3], p, two);
        three[s] = two[0];
        three[(s + 1) % 3] = two[1];
        double distance = foot_distance(X, three, p, foot);
        if (distance < best) {
            best = distance;
            for (int i = 0; i < 3; i++)
                w[i] = three[i];
        }
    }
}

// How far an element reaches from its middle line or surface.
static double reach(const struct slender *s, int e, double t)
{
    if (e >= s->nbeam)
        return 0.5 * s->triangle[e - s->nbeam].thickness;
    section here = section_between(&s->beam[e].end[0], &s->beam[e].end[1], t);
    return here.kind == SECTION_RECTANGLE ? 0.5 * fmax(here.size[0], here.size[1]) : here.size[0];
}

// The point moves with its foot and on an arm from it. Of the way from a node to the foot one half
// rotates with the node, which follows an arc through the nodes.
static void carry(const compile_body *part, int n, const int *node, const double w[3],
                  const double foot[3], const double p[3], row_point *out)
{
    *out = (row_point){0};
    for (int a = 0; a < n; a++)
        if (w[a] > 0) {
            out->weight[out->nposition] = w[a];
            out->node[out->nposition++] = node[a];
        }
    for (int a = 0; a < n; a++)
        if (w[a] > 0) {
            for (int i = 0; i < 3; i++)
                out->arm[out->nrotation][i] =
                    w[a] * (p[i] - foot[i] + 0.5 * (foot[i] - part->X[3 * node[a] + i]));
            out->node[out->nposition + out->nrotation++] = part->rotation[node[a]];
        }
    for (int i = 1; i < out->nrotation; i++) // ascending, as rows list their nodes
        for (int k = i; k > 0; k--) {
            int *at = &out->node[out->nposition + k];
            if (at[0] > at[-1])
                break;
            int swap = at[0];
            at[0] = at[-1];
            at[-1] = swap;
            for (int j = 0; j < 3; j++) {
                double arm = out->arm[k][j];
                out->arm[k][j] = out->arm[k - 1][j];
                out->arm[k - 1][j] = arm;
            }
        }
}

double slender_embed(const compile_body *part, const double at[3], row_point *out)
{
    double best = INFINITY;
    for (int e = 0; e < slender_nelement(part); e++) {
        const int *node;
        int n = slender_cell(part, e, &node);
        const double *X[3];
        double w[3], foot[3];
        for (int a = 0; a < 3; a++)
            X[a] = &part->X[3 * node[a < n ? a : 0]];
        if (n == 2)
            segment_weights(X[0], X[1], at, w);
        else
            triangle_weights(X, at, w);
        double distance = foot_distance(X, w, at, foot) - reach(part->slender, e, w[1]);
        if (distance < best) {
            best = distance;
            carry(part, n, node, w, foot, at, out);
        }
    }
    return isinf(best) ? best : fmax(best, 0);
}
