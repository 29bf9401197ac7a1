#include "solve/seidel.h"

#include <math.h>

// delta and shift at the given efforts: [duriez2013, eq. 4], all contributions included.
static void evaluate(const seidel_problem *p, const double *effort, double *shift, double *delta)
{
    int n = p->nactuator;
    for (int i = 0; i < p->neffector; i++) {
        shift[i] = p->shift_free[i];
        for (int j = 0; j < n; j++)
            shift[i] += p->W_ea[i * n + j] * effort[j];
    }
    for (int i = 0; i < n; i++) {
        delta[i] = p->delta_free[i];
        for (int j = 0; j < n; j++)
            delta[i] += p->W_aa[i * n + j] * effort[j];
    }
}

// The change of effort j that brings the effectors nearest to their targets (eq. 8), damped; 0 for
// an actuator that does not move them.
static double wanted_change(const seidel_problem *p, int j, const double *shift, double *length)
{
    double square = 0, product = 0;
    for (int i = 0; i < p->neffector; i++) {
        double w = p->W_ea[i * p->nactuator + j];
        square += w * w;
        product += w * shift[i];
    }
    *length = sqrt(square);
    return square > 0 ? -p->omega * product / square : 0;
}

// The effort after the change, within the stroke first and the effort limits last, so that those
// are never broken (section IV.C).
static double clamped(const seidel_problem *p, int j, double effort, double change, double delta)
{
    double w = p->W_aa[j * p->nactuator + j];
    double moved = delta + w * change;
    double correction = fmax(p->delta_lo[j] - moved, 0) + fmin(p->delta_hi[j] - moved, 0);
    double next = effort + change + (w > 0 ? correction / w : 0);
    return fmin(fmax(next, p->effort_lo[j]), p->effort_hi[j]);
}

// One local update: eq. 8, the limits, then eq. 4 and 6. Returns how far the effectors moved.
static double update(const seidel_problem *p, int j, double *effort, double *shift, double *delta)
{
    double length, change = wanted_change(p, j, shift, &length);
    double next = clamped(p, j, effort[j], change, delta[j]);
    change = next - effort[j];
    effort[j] = next;
    for (int i = 0; i < p->neffector; i++)
        shift[i] += p->W_ea[i * p->nactuator + j] * change;
    for (int i = 0; i < p->nactuator; i++)
        delta[i] += p->W_aa[i * p->nactuator + j] * change;
    for (int c = 0; p->contacts && c < p->contacts->n; c++)
        p->contacts->gap[c] += p->contacts->W_ac[j * p->contacts->n + c] * change;
    return fabs(change) * length;
}

// Effectors, actuators and gaps as the contact forces move them.
static void push(const seidel_problem *p, int c, double change, double *shift, double *delta)
{
    const seidel_contacts *k = p->contacts;
    for (int i = 0; i < p->neffector; i++)
        shift[i] += k->W_ec[i * k->n + c] * change;
    for (int i = 0; i < p->nactuator; i++)
        delta[i] += k->W_ac[i * k->n + c] * change;
    for (int i = 0; i < k->n; i++)
        k->gap[i] += k->W_cc[i * k->n + c] * change;
}

// All gaps from efforts and forces, and what the forces do to effectors and actuators.
static void evaluate_contacts(const seidel_problem *p, const double *effort, double *shift,
                              double *delta)
{
    const seidel_contacts *k = p->contacts;
    for (int c = 0; k && c < k->n; c++) {
        k->gap[c] = k->gap_free[c];
        for (int j = 0; j < p->nactuator; j++)
            k->gap[c] += k->W_ac[j * k->n + c] * effort[j];
    }
    for (int c = 0; k && c < k->n; c++)
        push(p, c, k->force[c], shift, delta);
}

// Signorini's law for one contact. Returns how far the effectors moved.
static double obey_signorini(const seidel_problem *p, int c, double *shift, double *delta)
{
    const seidel_contacts *k = p->contacts;
    double own = k->W_cc[c * k->n + c], length = 0;
    if (own <= 0)
        return 0;
    double next = fmax(0, k->force[c] - k->gap[c] / own), change = next - k->force[c];
    k->force[c] = next;
    if (change != 0)
        push(p, c, change, shift, delta);
    for (int i = 0; i < p->neffector; i++)
        length = hypot(length, k->W_ec[i * k->n + c]);
    return fabs(change) * length;
}

static double overrun(const seidel_problem *p, const double *delta)
{
    double worst = 0;
    for (int j = 0; j < p->nactuator; j++)
        worst = fmax(worst, fmax(p->delta_lo[j] - delta[j], delta[j] - p->delta_hi[j]));
    return worst;
}

seidel_result seidel_solve(const seidel_problem *p, double *effort, double *shift, double *delta)
{
    seidel_result result = {0};
    for (int j = 0; j < p->nactuator; j++)
        effort[j] = fmin(fmax(effort[j], p->effort_lo[j]), p->effort_hi[j]);
    evaluate(p, effort, shift, delta);
    evaluate_contacts(p, effort, shift, delta);
    while (result.iteration < p->max_iteration && !result.converged) {
        result.change = 0;
        for (int j = 0; j < p->nactuator; j++)
            result.change = fmax(result.change, update(p, j, effort, shift, delta));
        for (int c = 0; p->contacts && c < p->contacts->n; c++)
            result.change = fmax(result.change, obey_signorini(p, c, shift, delta));
        result.iteration++;
        result.converged = result.change <= p->tolerance;
    }
    evaluate(p, effort, shift, delta); // afresh: the updates add up roundoff
    evaluate_contacts(p, effort, shift, delta);
    for (int c = 0; p->contacts && c < p->contacts->n; c++)
        result.depth = fmax(result.depth, -p->contacts->gap[c]);
    for (int i = 0; i < p->neffector; i++)
        result.shift = hypot(result.shift, shift[i]);
    result.overrun = overrun(p, delta);
    return result;
}
