#include "element/prony.h"

#include "element/tolerances.h"
#include "material/law.h"

extern const prony_kernels KERNEL(prony_kernels);

static inline void load_gradient(const prony_batch *b, const double *x, lanes F[9])
{
    for (int i = 0; i < 9; i++)
        F[i] = lanes_set(0);
    lanes origin[3], at[3];
    lanes_load_points(x, b->node[0], origin);
    for (int a = 1; a < b->nnode; a++) {
        lanes_load_points(x, b->node[a], at);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                F[3 * i + j] += (at[i] - origin[i]) * lanes_load(b->gradient[3 * a + j]);
    }
}

static inline lanes load_factor(const double *factor)
{
    lanes f = lanes_set(1);
    for (int l = 0; l < LANES && factor; l++)
        f[l] = factor[l];
    return f;
}

static void evaluate_law(const prony_batch *b, const lanes F[9], law_tangent tangent,
                         law_point *point)
{
    lanes p[LAW_PARAMETERS];
    for (int i = 0; i < law_nparameter(b->law); i++)
        p[i] = lanes_load(b->parameter[i]);
    law_evaluate(b->law, F, p, tangent, point);
}

// 11 22 33 23 13 12
static inline void load_symmetric(double (*from)[LANES], lanes S[9])
{
    static const int slot[9] = {0, 5, 4, 5, 1, 3, 4, 3, 2};
    for (int i = 0; i < 9; i++)
        S[i] = lanes_load(from[slot[i]]);
}

static void store_force(const prony_batch *b, const lanes P[9], lanes weight, double *force)
{
    for (int a = 0; a < b->nnode; a++)
        for (int i = 0; i < 3; i++) {
            lanes f = lanes_set(0);
            for (int j = 0; j < 3; j++)
                f += P[3 * i + j] * lanes_load(b->gradient[3 * a + j]);
            f *= weight;
            for (int l = 0; l < LANES; l++)
                force[3 * b->nnode * l + 3 * a + i] += f[l];
        }
}

static void store_stiff(const prony_batch *b, const lanes C[81], lanes weight, double *stiff)
{
    int npair = b->nnode * (b->nnode + 1) / 2;
    for (int c = 0; c < b->nnode; c++) {
        lanes T[27]; // C_iJkL g_L
        for (int n = 0; n < 27; n++) {
            T[n] = lanes_set(0);
            for (int j = 0; j < 3; j++)
                T[n] += C[9 * (n / 3) + 3 * (n % 3) + j] * lanes_load(b->gradient[3 * c + j]);
        }
        for (int a = c; a < b->nnode; a++)
            for (int i = 0; i < 9; i++) {
                lanes K = lanes_set(0);
                for (int j = 0; j < 3; j++)
                    K += T[9 * (i / 3) + 3 * j + i % 3] * lanes_load(b->gradient[3 * a + j]);
                K *= weight;
                for (int l = 0; l < LANES; l++)
                    stiff[9 * (npair * l + element_pair(a, c)) + i] += K[l];
            }
    }
}

static void add_extra(const prony_batch *b, const prony_state *s, const double *x,
                      const double *factor, element_tangent tangent, element_output out)
{
    _Alignas(64) double share[LANES], hold[ELEMENT_SET][LANES];
    for (int l = 0; l < LANES; l++) {
        bool some = b->weight[l] > 0;
        share[l] = some ? s->share[0][l] * (factor ? factor[l] : 1) : 0;
        for (int i = 0; i < ELEMENT_SET; i++)
            hold[i][l] = some ? s->hold[i][l] : 0;
    }
    b->extra->add(b->of, b->set, x, share, hold, tangent, out);
}

static void add(const prony_batch *b, const prony_state *s, const double *x, const double *factor,
                element_tangent tangent, element_output out)
{
    if (b->extra) {
        add_extra(b, s, x, factor, tangent, out);
        return;
    }
    lanes F[9], H[9], FH[9], weight = lanes_load(b->weight);
    lanes share = load_factor(factor) * lanes_load(s->share[0]);
    law_point point;
    load_gradient(b, x, F);
    load_symmetric(s->hold, H);
    evaluate_law(b, F, tangent == ELEMENT_FORCE_ONLY ? LAW_STRESS : LAW_EXACT, &point);
    lanes_mat_mul(FH, F, H);
    lanes energy = share * point.energy + 0.5 * (lanes_mat_dot(F, FH) - (H[0] + H[4] + H[8]));
    energy *= weight;
    for (int l = 0; l < LANES; l++)
        out.energy[l] += energy[l];
    for (int i = 0; i < 9; i++)
        point.P[i] = share * point.P[i] + FH[i];
    store_force(b, point.P, weight, out.force);
    if (tangent == ELEMENT_FORCE_ONLY)
        return;
    for (int i = 0; i < 81; i++)
        point.C[i] *= share;
    strain_add_geometric(H, point.C);
    if (tangent == ELEMENT_POSITIVE)
        spectrum_clamp(9, point.C);
    store_stiff(b, point.C, weight, out.stiff);
}

// S = F^-1 P; of elements that are inside out, where it has no meaning, as far as it is finite
static void stress(const prony_batch *b, const double *x, const double *factor,
                   double (*out)[LANES])
{
    static const int entry[6] = {0, 4, 8, 5, 2, 1};
    lanes F[9], cof[9], S[9], f = load_factor(factor);
    law_point point;
    if (b->extra) {
        b->extra->stress(b->of, b->set, x, out);
        for (int i = 0; i < ELEMENT_SET * LANES; i++)
            out[i / LANES][i % LANES] *= f[i % LANES];
        return;
    }
    load_gradient(b, x, F);
    evaluate_law(b, F, LAW_STRESS, &point);
    lanes_mat_cofactor(cof, F);
    lanes J = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
    lanes_mat_mul_tn(S, cof, point.P);
    f /= lanes_select(lanes_abs(J) > PRONY_FLAT, J, lanes_set(1));
    for (int i = 0; i < 6; i++)
        for (int l = 0; l < LANES; l++)
            out[i][l] = f[l] * S[entry[i]][l];
}

const prony_kernels KERNEL(prony_kernels) = {add, stress};
