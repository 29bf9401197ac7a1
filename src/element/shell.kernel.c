// Strains, drilling angles and tilts of a triangular shell, their first and second derivatives.
// Symbols as in docs/theory/shells.md: g1, g2 the deformed axes of the plane, c1, c2, c3 the rest
// axes and normal as each corner carries them.
#include "element/shell.h"

#include "element/quaternion.h"

extern const element_kind KERNEL(shell_kind);

typedef struct shell_shape {
    lanes gradient[3][2];
    lanes g[2][3];
    lanes c[3][3][3];         // corner, axis, component
    lanes tilt[SHELL_HALF];   // corner by corner, along both axes
    lanes strain[SHELL_HALF]; // 11, 22, 2 x 12, drilling angles: what is measured by the corners
                              // less what bending without strain makes of it
    lanes bent[SHELL_HALF][SHELL_HALF]; // how that grows with tilts
    lanes stress[SHELL_HALF];           // conjugate to strain
    lanes moment[SHELL_HALF];           // of bending
} shell_shape;

// Gradients by (g1, g2, spin 0, spin 1, spin 2): fifteen numbers.
enum { SHELL_FREE = 15 };

static inline void load_shape(const shell_batch *b, const double *x, shell_shape *w)
{
    lanes axis[3][3], frame[9];
    for (int i = 0; i < 9; i++)
        frame[i] = lanes_load(b->axes[i]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            axis[k][i] = frame[3 * i + k];
    for (int i = 0; i < 3; i++)
        w->g[0][i] = w->g[1][i] = lanes_set(0);
    for (int a = 0; a < 3; a++) {
        for (int k = 0; k < 2; k++)
            w->gradient[a][k] = lanes_load(b->gradient[2 * a + k]);
        lanes at[3], theta[3], q[4], r[4];
        lanes_load_points(x, b->node[a], at);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2; k++)
                w->g[k][i] += at[i] * w->gradient[a][k];
        lanes_load_points(x, b->node[3 + a], theta);
        quaternion_of_rotation(q, theta);
        for (int k = 0; k < 3; k++) {
            quaternion_carry(r, q, axis[k], q);
            for (int i = 0; i < 3; i++)
                w->c[a][k][i] = r[1 + i];
        }
    }
}

// out = K u, K symmetric
static inline void apply(double K[const SHELL_UPPER][LANES], const lanes u[SHELL_HALF],
                         lanes out[SHELL_HALF])
{
    for (int i = 0; i < SHELL_HALF; i++) {
        out[i] = lanes_set(0);
        for (int j = 0; j < SHELL_HALF; j++)
            out[i] += lanes_load(K[i >= j ? element_pair(i, j) : element_pair(j, i)]) * u[j];
    }
}

// What a side's ends say, of a number for each corner and axis (tilts, or how normals lean): bend,
// the difference along the side; twist, the difference across it; aside, the mean across it. As
// weights of the four numbers, first end first.
enum { BEND, TWIST, ASIDE, SIDE_NUMBERS };

static inline int side_number(int side, int i)
{
    return 2 * ((side + i / 2) % 3) + i % 2;
}

static inline void side_weights(const shell_batch *b, int s, lanes weight[SIDE_NUMBERS][4])
{
    lanes along[2] = {lanes_load(b->way[s][0]), lanes_load(b->way[s][1])};
    lanes across[2] = {-along[1], along[0]};
    for (int k = 0; k < 2; k++) {
        weight[BEND][k] = -along[k];
        weight[BEND][2 + k] = along[k];
        weight[TWIST][k] = -across[k];
        weight[TWIST][2 + k] = across[k];
        weight[ASIDE][k] = weight[ASIDE][2 + k] = 0.5 * across[k];
    }
}

// How the strains and drilling angles that the corners measure depend on what a side of a surface
// that is bent without strain does: its chord gets shorter, the chord swerves from the mean of its
// ends' rotations, one end rotates against the other. (docs/theory/shells.md)
enum { SHORTER, SWERVE, ROTATION, SIDE_EFFECTS };

static inline void side_effects(const shell_batch *b, int s, lanes share[SIDE_EFFECTS][SHELL_HALF])
{
    lanes mean = lanes_set(0); // of the shear along the three sides, of a unit strain of this one
    for (int r = 0; r < 3; r++) {
        share[SHORTER][r] = lanes_load(b->side_strain[3 * r + s]);
        share[SWERVE][r] = share[ROTATION][r] = lanes_set(0);
    }
    for (int i = 0; i < 3; i++) {
        lanes x = lanes_load(b->way[i][0]), y = lanes_load(b->way[i][1]);
        mean += (x * y * (share[SHORTER][1] - share[SHORTER][0]) +
                 0.5 * (x * x - y * y) * share[SHORTER][2]) /
                3;
    }
    for (int a = 0; a < 3; a++) {
        share[SHORTER][3 + a] = mean;
        share[SWERVE][3 + a] = lanes_set(-1.0 / 3);
        share[ROTATION][3 + a] = lanes_set(a == s ? 1.0 / 3 : a == (s + 1) % 3 ? -1.0 / 3 : 0);
    }
}

// Effects are products of two side numbers, of the tilts and of how normals lean half-way between
// rest and now.
static const struct side_product {
    int effect, tilt, lean;
    double weight;
} products[] = {{SHORTER, BEND, BEND, -1.0 / 12},
                {SWERVE, TWIST, BEND, -1.0 / 6},
                {SWERVE, BEND, TWIST, 1.0 / 12},
                {ROTATION, BEND, ASIDE, 1}};
enum { NPRODUCT = sizeof products / sizeof *products };

static inline void take_bending_out(const shell_batch *b, shell_shape *w)
{
    for (int j = 0; j < SHELL_HALF; j++)
        for (int m = 0; m < SHELL_HALF; m++)
            w->bent[j][m] = lanes_set(0);
    for (int s = 0; s < 3; s++) {
        lanes weight[SIDE_NUMBERS][4], share[SIDE_EFFECTS][SHELL_HALF];
        lanes tilt[SIDE_NUMBERS], lean[SIDE_NUMBERS];
        side_weights(b, s, weight);
        side_effects(b, s, share);
        for (int n = 0; n < SIDE_NUMBERS; n++) {
            tilt[n] = lean[n] = lanes_set(0);
            for (int i = 0; i < 4; i++) {
                int m = side_number(s, i);
                tilt[n] += weight[n][i] * w->tilt[m];
                lean[n] += weight[n][i] * (lanes_load(b->lean[m]) + 0.5 * w->tilt[m]);
            }
        }
        for (int p = 0; p < NPRODUCT; p++) {
            const struct side_product *of = &products[p];
            for (int j = 0; j < SHELL_HALF; j++) {
                lanes scale = of->weight * share[of->effect][j];
                w->strain[j] -= scale * tilt[of->tilt] * lean[of->lean];
                for (int i = 0; i < 4; i++)
                    w->bent[j][side_number(s, i)] -=
                        scale * (weight[of->tilt][i] * lean[of->lean] +
                                 0.5 * tilt[of->tilt] * weight[of->lean][i]);
            }
        }
    }
}

static inline void find_strains(const shell_batch *b, shell_shape *w)
{
    w->strain[0] = 0.5 * (lanes_dot(w->g[0], w->g[0]) - 1);
    w->strain[1] = 0.5 * (lanes_dot(w->g[1], w->g[1]) - 1);
    w->strain[2] = lanes_dot(w->g[0], w->g[1]);
    for (int a = 0; a < 3; a++) {
        w->strain[3 + a] = 0.5 * (lanes_dot(w->c[a][0], w->g[1]) - lanes_dot(w->c[a][1], w->g[0]));
        for (int k = 0; k < 2; k++)
            w->tilt[2 * a + k] = lanes_dot(w->c[a][2], w->g[k]);
    }
    take_bending_out(b, w);
    apply((void *)b->membrane, w->strain, w->stress);
    apply((void *)b->bending, w->tilt, w->moment);
}

// What works on tilts: bending, and stresses through the strains that tilts make.
static inline lanes tilt_effort(const shell_shape *w, int m)
{
    lanes sum = w->moment[m];
    for (int j = 0; j < SHELL_HALF; j++)
        sum += w->stress[j] * w->bent[j][m];
    return sum;
}

static inline void clear(lanes v[SHELL_FREE])
{
    for (int i = 0; i < SHELL_FREE; i++)
        v[i] = lanes_set(0);
}

// Gradients of strains and drilling angles.
static inline void membrane_rates(const shell_shape *w, lanes B[SHELL_HALF][SHELL_FREE])
{
    for (int j = 0; j < SHELL_HALF; j++)
        clear(B[j]);
    for (int i = 0; i < 3; i++) {
        B[0][i] = B[2][3 + i] = w->g[0][i];
        B[1][3 + i] = B[2][i] = w->g[1][i];
    }
    for (int a = 0; a < 3; a++) {
        lanes first[3], second[3];
        lanes_cross(first, w->c[a][0], w->g[1]);
        lanes_cross(second, w->c[a][1], w->g[0]);
        for (int i = 0; i < 3; i++) {
            B[3 + a][i] = -0.5 * w->c[a][1][i];
            B[3 + a][3 + i] = 0.5 * w->c[a][0][i];
            B[3 + a][6 + 3 * a + i] = 0.5 * (first[i] - second[i]);
        }
    }
}

static inline void tilt_rates(const shell_shape *w, lanes B[SHELL_HALF][SHELL_FREE])
{
    for (int j = 0; j < SHELL_HALF; j++) {
        int a = j / 2, k = j % 2;
        clear(B[j]);
        lanes_cross(&B[j][6 + 3 * a], w->c[a][2], w->g[k]);
        for (int i = 0; i < 3; i++)
            B[j][3 * k + i] = w->c[a][2][i];
    }
}

// K += B' C B, lower triangle
static inline void add_material(double C[const SHELL_UPPER][LANES], lanes B[SHELL_HALF][SHELL_FREE],
                                lanes K[SHELL_FREE][SHELL_FREE])
{
    for (int k = 0; k < SHELL_FREE; k++) {
        lanes u[SHELL_HALF], f[SHELL_HALF];
        for (int j = 0; j < SHELL_HALF; j++)
            u[j] = B[j][k];
        apply(C, u, f);
        for (int i = k; i < SHELL_FREE; i++)
            for (int j = 0; j < SHELL_HALF; j++)
                K[i][k] += B[j][i] * f[j];
    }
}

// The plane's own rotation under its stress; positive: with the stress's pulling part alone.
static inline void add_stress(const shell_shape *w, bool positive, lanes K[SHELL_FREE][SHELL_FREE])
{
    lanes s11 = w->stress[0], s22 = w->stress[1], s12 = w->stress[2];
    if (positive) { // S = V diag(max(s, 0)) V'
        lanes mean = 0.5 * (s11 + s22), half = 0.5 * (s11 - s22), zero = lanes_set(0);
        lanes radius = lanes_sqrt(half * half + s12 * s12);
        lanes high = lanes_max(mean + radius, zero), low = lanes_max(mean - radius, zero);
        lanes middle = 0.5 * (high + low);
        lanes scale = lanes_select(radius > 0, 0.5 * (high - low) / radius, zero);
        s11 = middle + scale * half;
        s22 = middle - scale * half;
        s12 *= scale;
    }
    for (int i = 0; i < 3; i++) {
        K[i][i] += s11;
        K[3 + i][3 + i] += s22;
        K[3 + i][i] += s12;
    }
}

// Corner a's energy is linear in A1 . g1 + A2 . g2, where A1 and A2 rotate with the corner: by
// spin and spin (A g' + g A')/2 - (A . g) I, by g and spin -[A]x.
static inline void add_rotating(const shell_shape *w, int a, lanes K[SHELL_FREE][SHELL_FREE])
{
    for (int k = 0; k < 2; k++) {
        lanes A[3], torque = (k ? 0.5 : -0.5) * w->stress[3 + a];
        for (int i = 0; i < 3; i++)
            A[i] = torque * w->c[a][1 - k][i] + tilt_effort(w, 2 * a + k) * w->c[a][2][i];
        lanes inner = lanes_dot(A, w->g[k]);
        int spin = 6 + 3 * a;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j <= i; j++)
                K[spin + i][spin + j] += 0.5 * (A[i] * w->g[k][j] + w->g[k][i] * A[j]);
            K[spin + i][spin + i] -= inner;
            int j = (i + 1) % 3, m = (i + 2) % 3; // spin by g: [A]x
            K[spin + m][3 * k + j] += A[i];
            K[spin + j][3 * k + m] -= A[i];
        }
    }
}

// How the strains that tilts make resist under stress: the second derivatives by tilts.
static inline void bent_stiffness(const shell_batch *b, const shell_shape *w, lanes C[SHELL_UPPER])
{
    for (int s = 0; s < 3; s++) {
        lanes weight[SIDE_NUMBERS][4], share[SIDE_EFFECTS][SHELL_HALF];
        side_weights(b, s, weight);
        side_effects(b, s, share);
        for (int p = 0; p < NPRODUCT; p++) {
            const struct side_product *of = &products[p];
            lanes effort = lanes_set(0);
            for (int j = 0; j < SHELL_HALF; j++)
                effort -= 0.5 * of->weight * share[of->effect][j] * w->stress[j];
            for (int i = 0; i < 16; i++) {
                int row = i / 4, col = i % 4, m = side_number(s, row), n = side_number(s, col);
                if (m >= n)
                    C[element_pair(m, n)] +=
                        effort * (weight[of->tilt][row] * weight[of->lean][col] +
                                  weight[of->lean][row] * weight[of->tilt][col]);
            }
        }
    }
}

static inline void find_stiffness(const shell_batch *b, const shell_shape *w, bool positive,
                                  lanes K[SHELL_FREE][SHELL_FREE])
{
    lanes B[SHELL_HALF][SHELL_FREE], tilts[SHELL_HALF][SHELL_FREE], C[SHELL_UPPER];
    for (int i = 0; i < SHELL_FREE; i++)
        clear(K[i]);
    tilt_rates(w, tilts);
    membrane_rates(w, B);
    for (int j = 0; j < SHELL_HALF; j++)
        for (int m = 0; m < SHELL_HALF; m++)
            for (int i = 0; i < SHELL_FREE; i++)
                B[j][i] += w->bent[j][m] * tilts[m][i];
    add_material((void *)b->membrane, B, K);
    for (int i = 0; i < SHELL_UPPER; i++)
        C[i] = lanes_load(b->bending[i]);
    if (!positive)
        bent_stiffness(b, w, C);
    add_material((void *)C, tilts, K);
    add_stress(w, positive, K);
    for (int a = 0; a < 3 && !positive; a++)
        add_rotating(w, a, K);
}

static inline void store_block(const lanes M[9], int pair, double *stiff)
{
    for (int i = 0; i < 9; i++)
        for (int l = 0; l < LANES; l++)
            stiff[9 * SHELL_UPPER * l + 9 * pair + i] = M[i][l];
}

// From (g, spins) to nodes: a corner moves g_k by its gradient.
static inline void store_stiff(const shell_shape *w, lanes K[SHELL_FREE][SHELL_FREE], double *stiff)
{
    lanes M[9];
    for (int i = 0; i < SHELL_FREE; i++)
        for (int j = 0; j < i; j++)
            K[j][i] = K[i][j];
    for (int a = 0; a < SHELL_NODE; a++)
        for (int c = 0; c <= a; c++) {
            for (int i = 0; i < 9; i++) {
                int row = i / 3, col = i % 3;
                M[i] = lanes_set(0);
                for (int k = 0; k < (a < 3 ? 2 : 1); k++)
                    for (int m = 0; m < (c < 3 ? 2 : 1); m++) {
                        lanes v =
                            K[(a < 3 ? 3 * k : 3 * a - 3) + row][(c < 3 ? 3 * m : 3 * c - 3) + col];
                        v *= a < 3 ? w->gradient[a][k] : lanes_set(1);
                        M[i] += v * (c < 3 ? w->gradient[c][m] : lanes_set(1));
                    }
            }
            store_block(M, element_pair(a, c), stiff);
        }
}

static inline void store_force(const shell_shape *w, const lanes f[SHELL_FREE], double *force)
{
    for (int a = 0; a < SHELL_NODE; a++)
        for (int i = 0; i < 3; i++) {
            lanes v =
                a < 3 ? f[i] * w->gradient[a][0] + f[3 + i] * w->gradient[a][1] : f[3 * a - 3 + i];
            for (int l = 0; l < LANES; l++)
                force[3 * SHELL_NODE * l + 3 * a + i] = v[l];
        }
}

static inline lanes find_force(const shell_shape *w, lanes f[SHELL_FREE])
{
    lanes B[SHELL_HALF][SHELL_FREE], energy = lanes_set(0);
    clear(f);
    for (int j = 0; j < SHELL_HALF; j++)
        energy += 0.5 * (w->stress[j] * w->strain[j] + w->moment[j] * w->tilt[j]);
    for (int part = 0; part < 2; part++) {
        if (part)
            tilt_rates(w, B);
        else
            membrane_rates(w, B);
        for (int j = 0; j < SHELL_HALF; j++) {
            lanes effort = part ? tilt_effort(w, j) : w->stress[j];
            for (int i = 0; i < SHELL_FREE; i++)
                f[i] += effort * B[j][i];
        }
    }
    return energy;
}

static void evaluate(const void *of, const double *x, element_tangent tangent, element_output out)
{
    const shell_batch *b = of;
    shell_shape w;
    lanes f[SHELL_FREE], K[SHELL_FREE][SHELL_FREE];
    load_shape(b, x, &w);
    find_strains(b, &w);
    lanes energy = find_force(&w, f);
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    store_force(&w, f, out.force);
    if (tangent == ELEMENT_FORCE_ONLY)
        return;
    find_stiffness(b, &w, tangent == ELEMENT_POSITIVE, K);
    store_stiff(&w, K, out.stiff);
}

static inline lanes mises(lanes s11, lanes s22, lanes s12)
{
    return lanes_sqrt(s11 * s11 - s11 * s22 + s22 * s22 + 3 * s12 * s12);
}

// Of the middle surface and of both faces the largest, where strains are the mean ones and
// curvatures those of linear tilts.
static void stress(const void *of, const double *x, double *energy_density, double *von_mises)
{
    const shell_batch *b = of;
    shell_shape w;
    lanes f[SHELL_FREE], curve[3] = {lanes_set(0), lanes_set(0), lanes_set(0)};
    load_shape(b, x, &w);
    find_strains(b, &w);
    lanes energy = find_force(&w, f), E = lanes_load(b->rigidity[0]);
    lanes nu = lanes_load(b->rigidity[1]), half = 0.5 * lanes_load(b->rigidity[2]);
    for (int a = 0; a < 3; a++) {
        curve[0] += w.gradient[a][0] * w.tilt[2 * a];
        curve[1] += w.gradient[a][1] * w.tilt[2 * a + 1];
        curve[2] += w.gradient[a][1] * w.tilt[2 * a] + w.gradient[a][0] * w.tilt[2 * a + 1];
    }
    lanes most = lanes_set(0);
    for (int face = -1; face < 2; face++) {
        lanes e[3];
        for (int i = 0; i < 3; i++)
            e[i] = w.strain[i] + face * half * curve[i];
        most = lanes_max(
            most, mises(E * (e[0] + nu * e[1]), E * (e[1] + nu * e[0]), 0.5 * E * (1 - nu) * e[2]));
    }
    for (int l = 0; l < LANES; l++) {
        energy_density[l] = energy[l] / b->rigidity[3][l];
        von_mises[l] = most[l];
    }
}

const element_kind KERNEL(shell_kind) = {
    .name = "shell",
    .nnode = SHELL_NODE,
    .nrotation = 3,
    .cell = 5, // a triangle
    .batch_size = sizeof(shell_batch),
    .evaluate = evaluate,
    .stress = stress,
};
