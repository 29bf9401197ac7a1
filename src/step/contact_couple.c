// Pairs that couple two bodies, or far parts of one: their stiffness stands beside the factors. Its
// coordinates are the nodes that such pairs touch; P picks them.
#include "base/memory.h"
#include "step/contact_rows.h"

#include <string.h>

// What slips has a part that is not symmetric, which has no place in A.
static bool slides(const lithe_state *s, const contact_row *c)
{
    return c->turn > 0 && !s->tangent.found.clamped;
}

static bool stands_beside(const lithe_state *s, const contact_row *c)
{
    return c->coupled || slides(s, c);
}

static void mark_coordinates(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    const contact_rows *rows = s->now.contact;
    memset(t->coordinate, -1, 3 * (size_t)m->nnode * sizeof *t->coordinate);
    for (int r = 0; r < rows->n; r++)
        for (int i = 0; i < rows->row[r].pair.npoint && stands_beside(s, &rows->row[r]); i++) {
            const surface_entry *entry;
            int n = proximity_point(&m->contact.world, &rows->row[r].pair, i, &entry);
            for (int k = 0; k < n; k++)
                t->coordinate[3 * entry[k].node] = 0;
        }
}

// Numbers them, body by body. Returns how many there are.
static int number_coordinates(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    int n = 0;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        t->body_adr[k] = n;
        for (int i = 0; i < b->nnode; i++) {
            int *at = &t->coordinate[3 * (b->node_adr + i)];
            bool marked = at[0] == 0;
            for (int axis = 0; axis < 3; axis++)
                at[axis] = marked && !body_is_held(b, i, 1 << axis) ? n++ : -1;
        }
    }
    t->body_adr[m->nbody] = n;
    return n;
}

static bool reserve(const lithe_model *m, step_contact *t, int n)
{
    size_t columns = 0;
    for (int k = 0; k < m->nbody; k++) {
        t->columns_adr[k] = columns;
        columns += (size_t)m->body[k].nline * (size_t)(t->body_adr[k + 1] - t->body_adr[k]);
    }
    if (columns > t->max_columns) {
        memory_free(t->columns);
        t->max_columns = 0;
        if (!(t->columns = memory_alloc((columns + columns / 4) * sizeof *t->columns)))
            return false;
        t->max_columns = columns + columns / 4;
    }
    if (n <= t->couple.max)
        return true;
    int room = n + n / 4;
    arena_free(&t->couple_memory);
    t->couple_memory = (arena){0};
    t->couple.max = 0;
    t->Z = arena_new(&t->couple_memory, (size_t)room * (size_t)(m->nrow + 1), double);
    t->T = arena_new(&t->couple_memory, (size_t)room * (size_t)(m->nrow + 1), double);
    t->u = arena_new(&t->couple_memory, 2 * (size_t)room, double);
    return t->Z && t->T && t->u && coupling_create(&t->couple_memory, room, &t->couple);
}

static int count_of(const step_contact *t, int k)
{
    return t->body_adr[k + 1] - t->body_adr[k];
}

// The panel of body k whose first coordinate is its coordinate `first`.
static space_panel panel_at(const lithe_model *m, const step_contact *t, int k, int first)
{
    return panel_of(&m->body[k], t->columns + t->columns_adr[k], count_of(t, k), first);
}

// L^-1 P of one body.
static void find_columns(const lithe_model *m, lithe_state *s, int k)
{
    step_contact *t = &s->contact;
    const body *b = &m->body[k];
    int count = count_of(t, k);
    for (int first = 0; first < count; first += PANEL_WIDTH) {
        space_panel p = panel_at(m, t, k, first);
        panel_begin(b, p.width, &p);
    }
    for (int i = 0; i < 3 * b->nnode; i++) {
        int at = t->coordinate[3 * b->node_adr + i] - t->body_adr[k];
        if (at < 0)
            continue;
        space_panel p = panel_at(m, t, k, at - at % PANEL_WIDTH);
        double unit[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        panel_add(b, body_jacobian(b, s->now.J), i / 3, unit, at % PANEL_WIDTH, &p);
    }
    for (int first = 0; first < count; first += PANEL_WIDTH) {
        space_panel p = panel_at(m, t, k, first);
        panel_solve(b, &s->tangent.of[k], &p);
    }
}

// S = P' A^-1 P: bodies do not meet in it.
static void find_compliance(const lithe_model *m, lithe_state *s, int k)
{
    step_contact *t = &s->contact;
    size_t n = (size_t)t->couple.n;
    for (int a = 0; a < count_of(t, k); a += PANEL_WIDTH)
        for (int b = a; b < count_of(t, k); b += PANEL_WIDTH) {
            space_panel left = panel_at(m, t, k, a), right = panel_at(m, t, k, b);
            size_t line = (size_t)t->body_adr[k] + (size_t)a,
                   column = (size_t)t->body_adr[k] + (size_t)b;
            panel_multiply(&m->body[k], &s->tangent.of[k], &left, right.width, &right, n,
                           &t->couple.S[line * n + column]);
        }
}

static void add_points(const lithe_model *m, step_contact *t, const contact_row *c, const double *H,
                       int a, int b, double *K)
{
    const surface_entry *line, *column;
    int nline = proximity_point(&m->contact.world, &c->pair, a, &line);
    int ncolumn = proximity_point(&m->contact.world, &c->pair, b, &column);
    int size = 3 * c->pair.npoint;
    size_t n = (size_t)t->couple.n;
    for (int i = 0; i < nline; i++)
        for (int j = 0; j < ncolumn; j++)
            for (int l = 0; l < 9; l++) {
                int first = t->coordinate[3 * line[i].node + l / 3];
                int second = t->coordinate[3 * column[j].node + l % 3];
                if (first >= 0 && second >= 0)
                    K[(size_t)first * n + (size_t)second] +=
                        t->unit * line[i].weight * column[j].weight *
                        H[(3 * a + l / 3) * size + 3 * b + l % 3];
            }
}

static void find_stiffness(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    const contact_rows *rows = s->now.contact;
    size_t square = (size_t)t->couple.n * (size_t)t->couple.n;
    memset(t->couple.K, 0, square * sizeof *t->couple.K);
    memset(t->couple.slant, 0, square * sizeof *t->couple.slant);
    t->couple.symmetric = true;
    for (int r = 0; r < rows->n; r++) {
        const contact_row *c = &rows->row[r];
        int n = 3 * c->pair.npoint;
        double H[144];
        for (int i = 0; i < c->pair.npoint * c->pair.npoint && c->coupled; i++)
            add_points(m, t, c, &t->H[144 * (size_t)r], i / c->pair.npoint, i % c->pair.npoint,
                       t->couple.K);
        if (!slides(s, c))
            continue;
        for (int i = 0; i < n * n; i++) {
            int a = i / n, b = i % n;
            H[i] = c->at.share[a / 3] * c->slide[a % 3] * c->at.share[b / 3] * c->at.normal[b % 3];
        }
        t->couple.symmetric = false;
        for (int i = 0; i < c->pair.npoint * c->pair.npoint; i++)
            add_points(m, t, c, H, i / c->pair.npoint, i % c->pair.npoint, t->couple.slant);
    }
}

// Nodes that frames or modes carry do not move independently, and S would be singular: they get a
// little compliance of their own.
static void loosen(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    size_t n = (size_t)t->couple.n;
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, t->couple.S[i * n + i]);
    for (int k = 0; k < m->nbody; k++)
        for (int i = t->body_adr[k]; i < t->body_adr[k + 1] && m->body[k].space != &space_nodal;
             i++)
            t->couple.S[(size_t)i * n + (size_t)i] += 1e-9 * most;
}

lithe_status contact_couple(const lithe_model *m, lithe_state *s, int *negative)
{
    step_contact *t = &s->contact;
    *negative = t->couple.n = 0;
    if (!m->contact.on)
        return LITHE_OK;
    mark_coordinates(m, s);
    int n = number_coordinates(m, s);
    if (n == 0)
        return LITHE_OK;
    if (!reserve(m, t, n))
        return report_no_memory(&s->report, "contacts");
    t->couple.n = n;
    memset(t->couple.S, 0, (size_t)n * (size_t)n * sizeof *t->couple.S);
    for (int k = 0; k < m->nbody; k++) {
        find_columns(m, s, k);
        find_compliance(m, s, k);
    }
    loosen(m, s);
    find_stiffness(m, s);
    if (!coupling_factor(&t->couple))
        return LITHE_NOT_CONVERGED;
    *negative = t->couple.negative;
    return LITHE_OK;
}

// u = P' A^-1 r = Y_P' D^-1 y of all bodies
static void project(const lithe_model *m, const lithe_state *s, double *u)
{
    const step_contact *t = &s->contact;
    memset(u, 0, (size_t)t->couple.n * sizeof *u);
    for (int k = 0; k < m->nbody; k++)
        for (int first = 0; first < count_of(t, k); first += PANEL_WIDTH) {
            space_panel p = panel_at(m, t, k, first);
            panel_project(&m->body[k], &s->tangent.of[k], &p, s->pass.rhs[k],
                          &u[t->body_adr[k] + first]);
        }
}

// The same of every row, Z.
static void project_rows(const lithe_model *m, const lithe_state *s)
{
    const step_contact *t = &s->contact;
    size_t n = (size_t)t->couple.n;
    memset(t->Z, 0, (size_t)s->pass.ncol * n * sizeof *t->Z);
    for (int k = 0; k < m->nbody && s->pass.ncol > 0; k++)
        for (int first = 0; first < count_of(t, k); first += PANEL_WIDTH) {
            space_panel p = panel_at(m, t, k, first);
            panel_multiply(&m->body[k], &s->tangent.of[k], &s->pass.rows[k], p.width, &p, n,
                           &t->Z[t->body_adr[k] + first]);
        }
}

// What the rows measure after the free motion, with what couples.
void contact_rows_free_motion(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    if (t->couple.n == 0)
        return;
    size_t n = (size_t)t->couple.n;
    project(m, s, t->u);
    coupling_apply(&t->couple, t->u);
    project_rows(m, s);
    memcpy(t->T, t->Z, (size_t)s->pass.ncol * n * sizeof *t->T);
    for (int r = 0; r < s->pass.ncol; r++) {
        coupling_apply(&t->couple, &t->T[(size_t)r * n]);
        for (size_t i = 0; i < n; i++)
            s->pass.delta_free[r] -= t->Z[(size_t)r * n + i] * t->u[i];
    }
}

void contact_condense(const lithe_model *m, lithe_state *s)
{
    const step_contact *t = &s->contact;
    int n = t->couple.n;
    for (int r = 0; r < s->pass.ncol && n > 0; r++)
        for (int c = 0; c < m->nact; c++)
            for (int i = 0; i < n; i++)
                s->pass.W[r * m->nact + c] -= t->Z[(size_t)r * (size_t)n + (size_t)i] *
                                              t->T[(size_t)c * (size_t)n + (size_t)i];
}

// y -= Y_P t
void contact_correct(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    if (t->couple.n == 0)
        return;
    project(m, s, t->u);
    coupling_apply(&t->couple, t->u);
    for (int i = 0; i < t->couple.n; i++)
        t->u[i] = -t->u[i];
    for (int k = 0; k < m->nbody; k++)
        for (int first = 0; first < count_of(t, k); first += PANEL_WIDTH) {
            space_panel p = panel_at(m, t, k, first);
            panel_spread(&m->body[k], &p, p.width, &t->u[t->body_adr[k] + first], s->pass.rhs[k]);
        }
}
