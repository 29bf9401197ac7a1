#include "row/cloud.h"

#include "base/eigen.h"
#include "base/rotation.h"
#include "base/tolerances.h"
#include "base/vec.h"
#include "material/polar.h"
#include "row/point.h"
#include "row/tolerances.h"

#include <string.h>

static void mean_position(const row_cloud *cloud, const double *x, double mean[3])
{
    memset(mean, 0, 3 * sizeof *mean);
    for (int i = 0; i < cloud->n; i++)
        vec_axpy(mean, cloud->weight[i], &x[3 * cloud->node[i]]);
}

// An arm as it stands now.
static void rotated_arm(const row_cloud *cloud, int i, const double *x, double arm[3])
{
    double R[9];
    rotation_matrix(&x[3 * cloud->rotation[i]], R);
    mat_apply(arm, R, cloud->rotation_arm[i]);
}

double cloud_mean(const row_cloud *cloud, const double *x)
{
    double mean[3], arm[3];
    mean_position(cloud, x, mean);
    for (int i = 0; i < cloud->nrotation; i++) {
        rotated_arm(cloud, i, x, arm);
        vec_axpy(mean, 1, arm);
    }
    return vec_dot(cloud->direction, mean);
}

void cloud_mean_gradient(const row_cloud *cloud, const double *x, double *H)
{
    for (int i = 0; i < cloud->n; i++)
        vec_axpy(&H[3 * i], cloud->weight[i], cloud->direction);
    for (int i = 0; i < cloud->nrotation; i++) {
        double arm[3];
        rotated_arm(cloud, i, x, arm);
        vec_cross(&H[3 * (cloud->n + i)], arm, cloud->direction);
    }
}

void cloud_finish(row_cloud *cloud, const body *bodies)
{
    const body *b = &bodies[cloud->body];
    for (int i = 0; i < cloud->nrotation; i++) {
        int block = b->block[cloud->rotation[i] - b->node_adr];
        cloud->rotation_block[i] = block < 0 ? -1 : sparse_find(&b->pattern, block, block);
    }
}

void cloud_stiffness(const row_cloud *cloud, const double *x, double scale, double *const *blocks)
{
    for (int i = 0; i < cloud->nrotation; i++) {
        double arm[3], T[9];
        rotated_arm(cloud, i, x, arm);
        point_rotating(arm, cloud->direction, T);
        for (int k = 0; k < 9 && cloud->rotation_block[i] >= 0; k++)
            blocks[cloud->body][9 * (size_t)cloud->rotation_block[i] + (size_t)k] += scale * T[k];
    }
}

void cloud_stiffness_times(const row_cloud *cloud, const double *x, double scale,
                           const double *displacement, double *force)
{
    for (int i = 0; i < cloud->nrotation; i++) {
        double arm[3], T[9], f[3];
        rotated_arm(cloud, i, x, arm);
        point_rotating(arm, cloud->direction, T);
        mat_apply(f, T, &displacement[3 * cloud->rotation[i]]);
        vec_axpy(&force[3 * cloud->rotation[i]], scale, f);
    }
}

lithe_status cloud_measure_arms(row_cloud *cloud, const double *x, arena *memory)
{
    double mean[3];
    cloud->arm = arena_new(memory, 3 * (size_t)cloud->n, double);
    if (!cloud->arm)
        return LITHE_NO_MEMORY;
    mean_position(cloud, x, mean);
    for (int i = 0; i < cloud->n; i++)
        vec_sub(&cloud->arm[3 * i], &x[3 * cloud->node[i]], mean);
    return LITHE_OK;
}

bool cloud_can_rotate(const row_cloud *cloud)
{
    double C[9] = {0}, value[3], vector[9];
    for (int n = 0; n < cloud->n; n++)
        for (int i = 0; i < 9; i++)
            C[i] += cloud->weight[n] * cloud->arm[3 * n + i / 3] * cloud->arm[3 * n + i % 3];
    eigen_symmetric(3, C, value, vector);
    double largest = fmax(value[0], fmax(value[1], value[2]));
    int spanned = 0;
    for (int i = 0; i < 3; i++)
        spanned += value[i] > CLOUD_MOMENT * largest;
    return spanned >= 2;
}

// M, in units of the cloud's own size so that its scale does not matter, and the rotation nearest
// to it.
static void fit_rotation(const row_cloud *cloud, const double *x, double M[9], double R[9])
{
    double mean[3], size = 0;
    mean_position(cloud, x, mean);
    memset(M, 0, 9 * sizeof *M);
    for (int n = 0; n < cloud->n; n++) {
        double d[3];
        const double *arm = &cloud->arm[3 * n];
        vec_sub(d, &x[3 * cloud->node[n]], mean);
        size += cloud->weight[n] * vec_dot(arm, arm);
        for (int i = 0; i < 9; i++)
            M[i] += cloud->weight[n] * d[i / 3] * arm[i % 3];
    }
    for (int i = 0; i < 9; i++)
        M[i] /= size;
    polar_rotation(M, R);
}

double cloud_rotation(const row_cloud *cloud, const double *x)
{
    double M[9], R[9], theta[3];
    if (cloud->n == 0)
        return x[3 * cloud->rotation[0] + cloud->component];
    fit_rotation(cloud, x, M, R);
    rotation_of_matrix(R, theta);
    return theta[cloud->component];
}

// Row `component` of the inverse left Jacobian of rotations: d theta = J^-1(theta) omega,
// J^-1 = I - [theta]/2 + (1/a^2 - (1 + cos a) / (2 a sin a)) [theta]^2 with a = |theta|.
static void rotation_rate(const double theta[3], int component, double rate[3])
{
    double a = vec_norm(theta);
    double k = a > SMALL_ANGLE ? 1 / (a * a) - (1 + cos(a)) / (2 * a * sin(a)) : 1.0 / 12;
    double cross[3] = {0}, unit[3] = {0};
    unit[component] = 1;
    vec_cross(cross, unit, theta); // row of [theta]: e' [theta] v = (e x theta) . v
    for (int i = 0; i < 3; i++)
        rate[i] = unit[i] - 0.5 * cross[i] + k * (theta[component] * theta[i] - a * a * unit[i]);
}

// G = (tr(V) I - V)^-1 with V = M R', as in the corotational law; rate <- G rate.
static void apply_twist(const double M[9], const double R[9], double rate[3])
{
    double T[9], cof[9];
    double trace = 0;
    for (int i = 0; i < 9; i++)
        trace += M[i] * R[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            T[3 * i + j] = (i == j ? trace : 0) - vec_dot(&M[3 * i], &R[3 * j]);
    for (int i = 0; i < 3; i++)
        vec_cross(&cof[3 * i], &T[3 * ((i + 1) % 3)], &T[3 * ((i + 2) % 3)]);
    double det = vec_dot(T, cof), out[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i] += cof[3 * j + i] / det * rate[j];
    memcpy(rate, out, sizeof out);
}

// omega = sum over nodes of w G (h x dx) / size, h = R arm; so the gradient of rate . omega is w (G
// rate) x h.
void cloud_rotation_gradient(const row_cloud *cloud, const double *x, double *H)
{
    double M[9], R[9], theta[3], rate[3], size = 0;
    if (cloud->n == 0) {
        rotation_rate(&x[3 * cloud->rotation[0]], cloud->component, H);
        return;
    }
    fit_rotation(cloud, x, M, R);
    rotation_of_matrix(R, theta);
    rotation_rate(theta, cloud->component, rate);
    apply_twist(M, R, rate);
    for (int n = 0; n < cloud->n; n++)
        size += cloud->weight[n] * vec_dot(&cloud->arm[3 * n], &cloud->arm[3 * n]);
    for (int n = 0; n < cloud->n; n++) {
        double h[3], g[3];
        mat_apply(h, R, &cloud->arm[3 * n]);
        vec_cross(g, rate, h);
        vec_axpy(&H[3 * n], cloud->weight[n] / size, g);
    }
}
