// Contacts in time. Implicit Euler brakes what touches at once and keeps nothing of it.
// Generalized- alpha would carry the blow on in its accelerations; so the forces of contacts are
// left out of these and act on the new velocities by themselves,
//
//     x' = … + h^2 / 2 M^-1 F_c,   v' = … + h M^-1 F_c
//
// which never adds energy [kane2000]. What touches or sticks then keeps no velocity away from
// there: a blow is not elastic.
#include "base/vec.h"
#include "step/step.h"

#include <string.h>

static double mass_of(const lithe_model *m, int node)
{
    int k = 0;
    while (node >= m->body[k].node_adr + m->body[k].nnode)
        k++;
    return m->body[k].mass[node - m->body[k].node_adr];
}

static bool is_alpha(const lithe_model *m, const lithe_state *s)
{
    return m->dynamics.scheme == LITHE_ALPHA && s->touch.nrow > 0;
}

void touch_push(const lithe_model *m, lithe_state *s, double *push)
{
    memset(push, 0, 3 * (size_t)m->nnode * sizeof *push);
    if (!is_alpha(m, s))
        return;
    touch_pull(s, s->now.press, push);
    for (int i = 0; i < m->nnode; i++)
        if (push[3 * i] != 0 || push[3 * i + 1] != 0 || push[3 * i + 2] != 0)
            vec_scale(&push[3 * i], 1 / mass_of(m, i));
}

// Takes the velocity of row r away, by an impulse; if it opens only.
static void stop_row(const lithe_model *m, lithe_state *s, int r, bool opening)
{
    const step_touch *t = &s->touch;
    const contact *k = touch_contact(t, r);
    double *v = s->motion.velocity, H[3], way[3], rate = 0, give = 0;
    const double *direction = r < t->list.n ? k->normal : &t->tangent[3 * (r - t->list.n)];
    touch_obstacle_way(m, s, k, way);
    rate = -vec_dot(direction, way) / s->motion.h;
    for (int i = 0; i < k->n; i++) {
        const contact_entry *e = touch_gradient(t, r, i, H);
        rate += vec_dot(H, &v[3 * e->node]);
        give += vec_dot(H, H) / mass_of(m, e->node);
    }
    if (give == 0 || (opening && rate <= 0))
        return;
    for (int i = 0; i < k->n; i++) {
        const contact_entry *e = touch_gradient(t, r, i, H);
        vec_axpy(&v[3 * e->node], -rate / (give * mass_of(m, e->node)), H);
    }
}

void touch_stop(const lithe_model *m, lithe_state *s)
{
    const step_touch *t = &s->touch;
    if (!is_alpha(m, s))
        return;
    for (int c = 0; c < t->list.n; c++)
        if (s->now.press[c] > 0)
            stop_row(m, s, c, true);
    for (int r = t->list.n; r < t->nrow; r++) {
        int f = (r - t->list.n) / 2, c = t->slider[f];
        if (slip_sticks(slip_coefficient(m, s, c), s->now.press[c],
                        &s->now.press[t->list.n + 2 * f]))
            stop_row(m, s, r, false);
    }
}
