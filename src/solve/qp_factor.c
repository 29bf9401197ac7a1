// The factor of the active set [goldfarb1983]. With H = Q + epsilon I and N the gradients of the
// active limits as columns,
//
//     J H J' = I,   J N = [R; 0],   R upper triangular
//
// so the last n - nactive rows of J span the directions along which the active limits stay. Adding
// and dropping a limit apply orthogonal transformations to the rows of J, which keep both.
#include "solve/qp_work.h"

#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

// L over Q + epsilon I = L L', into hessian, which is free at this time.
static double factor_cholesky(qp_work *w)
{
    int n = w->n;
    double *L = w->hessian, least = INFINITY;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            L[i * n + j] = (w->Q[i * n + j] - dense_dot(j, L + i * n, L + j * n)) / L[j * n + j];
        double pivot = w->Q[i * n + i] + w->epsilon - dense_dot(i, L + i * n, L + i * n);
        least = fmin(least, pivot);
        if (!(pivot > 0))
            return least;
        L[i * n + i] = sqrt(pivot);
    }
    return least;
}

double factor_start(qp_work *w)
{
    int n = w->n;
    w->nactive = 0;
    for (int i = 0; i < w->nc; i++)
        w->position[i] = -1;
    double least = factor_cholesky(w);
    if (!(least > 0))
        return least;
    const double *L = w->hessian;
    memset(w->J, 0, (size_t)n * (size_t)n * sizeof *w->J);
    for (int i = 0; i < n; i++) { // J = L^-1, row by row
        double *row = w->J + i * n;
        row[i] = 1;
        for (int j = 0; j < i; j++)
            qp_axpy(j + 1, -L[i * n + j], w->J + j * n, row);
        for (int j = 0; j <= i; j++)
            row[j] /= L[i * n + i];
    }
    return least;
}

static void take_limit(qp_work *w, int k, int side)
{
    int i = w->id[k];
    w->side[k] = w->lower[i] == w->upper[i] ? 0 : side;
    w->limit[k] = side > 0 ? w->upper[i] : w->lower[i];
}

void factor_resume(qp_work *w)
{
    for (int k = 0; k < w->nactive; k++) {
        take_limit(w, k, w->side[k] != 0 ? w->side[k] : 1);
        w->u[k] = 0;
    }
}

bool factor_project(qp_work *w, int constraint)
{
    int n = w->n;
    double *d = w->project, *row = w->along;
    if (constraint < n)
        for (int k = 0; k < n; k++)
            d[k] = w->J[k * n + constraint];
    else {
        memset(row, 0, (size_t)n * sizeof *row);
        qp_add_row(w, 1, constraint - n, row);
        for (int k = 0; k < n; k++)
            d[k] = dense_dot(n, w->J + k * n, row);
    }
    int q = w->nactive;
    double head = dense_dot(q, d, d), tail = dense_dot(n - q, d + q, d + q);
    w->tail = sqrt(tail);
    return tail > SOLVE_DEPENDENT * SOLVE_DEPENDENT * (head + tail);
}

// Reflects the face so that the projected gradient has one entry left there.
void factor_insert(qp_work *w, int constraint, int side, double u)
{
    int n = w->n, q = w->nactive, rest = n - q;
    double *d = w->project + q, *sum = w->along;
    double corner = d[0] > 0 ? -w->tail : w->tail;
    double head = d[0] - corner, scale = -1 / (corner * head); // 2 / v'v with v = d - corner e_0
    d[0] = head;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int k = 0; k < rest; k++)
        qp_axpy(n, d[k], w->J + (q + k) * n, sum);
    for (int k = 0; k < rest; k++)
        qp_axpy(n, -scale * d[k], sum, w->J + (q + k) * n);
    d[0] = corner;
    memcpy(w->R + q * n, w->project, (size_t)(q + 1) * sizeof *w->R);
    w->id[q] = constraint;
    take_limit(w, q, side);
    w->u[q] = u;
    w->position[constraint] = q;
    w->nactive++;
}

// Rotates rows k and k+1 of J and of R's columns from `first` on, so that R[k+1, first] = 0.
static void factor_rotate(qp_work *w, int k, int first)
{
    int n = w->n;
    double a = w->R[first * n + k], b = w->R[first * n + k + 1], length = sqrt(a * a + b * b);
    double c = length > 0 ? a / length : 1, s = length > 0 ? b / length : 0;
    for (int j = first; j < w->nactive; j++) {
        double *column = w->R + j * n, top = column[k], low = column[k + 1];
        column[k] = c * top + s * low;
        column[k + 1] = c * low - s * top;
    }
    double *restrict upper = w->J + k * n, *restrict under = upper + n;
    for (int i = 0; i < n; i++) {
        double top = upper[i], low = under[i];
        upper[i] = c * top + s * low;
        under[i] = c * low - s * top;
    }
}

void factor_drop(qp_work *w, int k)
{
    int n = w->n;
    w->position[w->id[k]] = -1;
    w->nactive--;
    for (int j = k; j < w->nactive; j++) {
        memcpy(w->R + j * n, w->R + (j + 1) * n, (size_t)(j + 2) * sizeof *w->R);
        w->id[j] = w->id[j + 1];
        w->side[j] = w->side[j + 1];
        w->limit[j] = w->limit[j + 1];
        w->u[j] = w->u[j + 1];
        w->position[w->id[j]] = j;
    }
    for (int j = k; j < w->nactive; j++)
        factor_rotate(w, j, j);
}

void factor_solve(const qp_work *w, double *b)
{
    for (int k = w->nactive - 1; k >= 0; k--) {
        const double *column = w->R + k * w->n;
        b[k] /= column[k];
        qp_axpy(k, -b[k], column, b);
    }
}

void factor_solve_transposed(const qp_work *w, double *b)
{
    for (int k = 0; k < w->nactive; k++) {
        const double *column = w->R + k * w->n;
        b[k] = (b[k] - dense_dot(k, column, b)) / column[k];
    }
}

void constraint_values(const qp_work *w, const double *x, double *value)
{
    int n = w->n;
    memcpy(value, x, (size_t)n * sizeof *value);
    memset(value + n, 0, (size_t)w->m * sizeof *value);
    for (int j = 0; j < n; j++)
        qp_axpy(w->m, x[j], w->A + j * w->stride, value + n);
}

static double dot_abs(int n, const double *a, const double *b)
{
    double even = 0, odd = 0;
    int i = 0;
    for (; i + 1 < n; i += 2) {
        even += fabs(a[i] * b[i]);
        odd += fabs(a[i + 1] * b[i + 1]);
    }
    if (i < n)
        even += fabs(a[i] * b[i]);
    return even + odd;
}

// The size of x: its small entries are known no better than this times the tolerance. Where all of
// x is small, what limits and c could make of it counts a little; where a variable runs away far
// beyond every limit, it must not make light of all else.
static double x_size(const qp_work *w)
{
    double alone = w->c_max > 0 ? w->c_max / (w->q_max + w->epsilon) : 0;
    double most = qp_largest(w->n, w->x), far = QP_FAR * w->far;
    return qp_larger(most < far ? most : far, QP_LITTLE * (alone < w->far ? alone : w->far));
}

// value and terms of the rows += x times a column of A, and the same without signs
static void add_column(int m, double x, const double *restrict A, double *restrict value,
                       double *restrict terms)
{
    for (int i = 0; i < m; i++) {
        double term = A[i] * x;
        value[i] += term;
        terms[i] += fabs(term);
    }
}

void constraint_scales(qp_work *w)
{
    int n = w->n;
    double size = x_size(w), *value = w->value, *terms = w->scale;
    for (int j = 0; j < n; j++) {
        value[j] = w->x[j];
        terms[j] = fabs(w->x[j]);
    }
    memset(value + n, 0, (size_t)w->m * sizeof *value);
    memset(terms + n, 0, (size_t)w->m * sizeof *terms);
    for (int j = 0; j < n; j++)
        add_column(w->m, w->x[j], w->A + j * w->stride, value + n, terms + n);
    for (int i = 0; i < w->nc; i++)
        terms[i] = qp_larger(terms[i], size);
}

void update_gradient(qp_work *w)
{
    int n = w->n;
    w->pull = QP_LEAST_PULL * w->q_max * x_size(w); // roundoff in x counts where all terms vanish
    for (int i = 0; i < n; i++) {
        w->gradient[i] = w->c[i] + dense_dot(n, w->Q + i * n, w->x);
        w->pull = qp_larger(fabs(w->c[i]) + dot_abs(n, w->Q + i * n, w->x), w->pull);
    }
}
