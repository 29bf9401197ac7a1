// Pairs that couple two bodies, or far parts of one: their stiffness stands beside the factors. Its
// coordinates are the nodes that such pairs meet; P picks them. In realtime, where a pass need not
// be exact, only directions along which contact is stiff: of flat faces without friction a third.
#include "base/eigen.h"
#include "base/memory.h"
#include "base/vec.h"
#include "step/contact_rows.h"
#include "step/phases.h"
#include "step/tolerances.h"

#include <string.h>

// What slips has a part that is not symmetric, which has no block of A.
static bool slides(const lithe_state *s, const contact_row *c)
{
    return c->sliding > 0 && !s->tangent.found.clamped;
}

static bool stands_beside(const lithe_state *s, const contact_row *c)
{
    return c->coupled || slides(s, c);
}

// How stiff contact is at every node (nnode x 9) N/m, which of them it meets, and the stiffness
// of elements there. Parts of a row act together, so what counts of it is all that a node takes
// part in, and not the part itself.
static void find_stiff_nodes(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    const contact_rows *rows = s->now.contact;
    memset(t->coordinate, -1, 2 * (size_t)m->nnode * sizeof *t->coordinate);
    for (int r = 0; r < rows->n; r++) {
        const contact_row *c = &rows->row[r];
        double slant = vec_norm(c->slide);
        for (int i = 0; i < c->pair.npoint && stands_beside(s, c); i++) {
            surface_entry spot[SURFACE_FACE];
            const surface_entry *entry;
            int n = contact_point(m, c, i, spot, &entry);
            for (int k = 0; k < n; k++) {
                int *at = &t->coordinate[2 * entry[k].node];
                double *stiff = &t->stiff[9 * (size_t)entry[k].node];
                double part = fabs(c->at.share[i] * entry[k].weight);
                if (at[0] < 0)
                    memset(stiff, 0, 9 * sizeof *stiff);
                at[0] = 0;
                for (int l = 0; l < 9; l++)
                    stiff[l] += part * (c->stiff * c->at.normal[l / 3] * c->at.normal[l % 3] +
                                        (l % 4 == 0 ? c->cling + c->hessian + slant : 0));
            }
        }
    }
}

// The directions at a node along which contact is stiff enough to count, of those that are free.
// Returns how many there are.
static int find_axes(const lithe_model *m, const body *b, bool whole, int node, double *stiff,
                     double *axis)
{
    const double little = 0.05; // of an element's stiffness
    double value[3], vector[9];
    int n = 0;
    whole = whole || b->space != &space_nodal;
    for (int i = 0; i < 3; i++)
        whole = whole || body_is_held(b, node - b->node_adr, 1 << i);
    for (int i = 0; i < 3 && whole; i++) {
        if (body_is_held(b, node - b->node_adr, 1 << i))
            continue;
        memset(&axis[3 * n], 0, 3 * sizeof *axis);
        axis[3 * n++ + i] = 1;
    }
    if (whole)
        return n;
    eigen_symmetric(3, stiff, value, vector);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(value[i]) > little * m->contact.softest))
            continue;
        for (int k = 0; k < 3; k++)
            axis[3 * n + k] = vector[3 * k + i];
        n++;
    }
    return n;
}

// Numbers them, body by body. Returns how many there are.
static int number_coordinates(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    int n = 0;
    bool whole = t->whole || m->step.mode == LITHE_CONVERGED;
    find_stiff_nodes(m, s);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        t->body_adr[k] = n;
        for (int i = b->node_adr; i < b->node_adr + b->nnode; i++) {
            int *at = &t->coordinate[2 * i];
            if (at[0] < 0)
                continue;
            at[0] = n;
            at[1] = find_axes(m, b, whole, i, &t->stiff[9 * (size_t)i], &t->axis[3 * (size_t)n]);
            n += at[1];
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
    for (int i = 0; i < b->nnode; i++) {
        const int *of = &t->coordinate[2 * (b->node_adr + i)];
        for (int c = 0; of[0] >= 0 && c < of[1]; c++) {
            int at = of[0] + c - t->body_adr[k];
            space_panel p = panel_at(m, t, k, at - at % PANEL_WIDTH);
            panel_add(b, step_jacobian(s, b), i, &t->axis[3 * (size_t)(of[0] + c)],
                      at % PANEL_WIDTH, &p);
        }
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
    size_t n = (size_t)count_of(t, k);
    double *S = coupling_part(&t->couple, k);
    memset(S, 0, n * n * sizeof *S);
    for (int a = 0; a < count_of(t, k); a += PANEL_WIDTH)
        for (int b = a; b < count_of(t, k); b += PANEL_WIDTH) {
            space_panel left = panel_at(m, t, k, a), right = panel_at(m, t, k, b);
            panel_multiply(&m->body[k], &s->tangent.of[k], &left, right.width, &right, n,
                           &S[(size_t)a * n + (size_t)b]);
        }
}

// Are the three axes of a node those of the world, as all have in bodies that frames carry?
static bool is_plain(const step_contact *t, const int of[2])
{
    const double *axis = &t->axis[3 * (size_t)of[0]];
    return of[1] == 3 && axis[0] == 1 && axis[4] == 1 && axis[8] == 1;
}

static void add_plain(double factor, const double *H, int stride, size_t n, double *K)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            K[i * n + j] += factor * H[i * (size_t)stride + j];
}

// K += what two nodes do to each other, along their axes; H (3 x 3) at a stride.
static void add_nodes(step_contact *t, int first, int second, double factor, const double *H,
                      int stride, double *K)
{
    const int *line = &t->coordinate[2 * first], *column = &t->coordinate[2 * second];
    size_t n = (size_t)t->couple.n;
    if (is_plain(t, line) && is_plain(t, column)) {
        add_plain(factor, H, stride, n, &K[(size_t)line[0] * n + (size_t)column[0]]);
        return;
    }
    for (int i = 0; i < line[1]; i++)
        for (int j = 0; j < column[1]; j++) {
            const double *a = &t->axis[3 * (size_t)(line[0] + i)];
            const double *b = &t->axis[3 * (size_t)(column[0] + j)];
            double sum = 0;
            for (int l = 0; l < 9; l++)
                sum += a[l / 3] * H[l / 3 * stride + l % 3] * b[l % 3];
            K[(size_t)(line[0] + i) * n + (size_t)(column[0] + j)] += factor * sum;
        }
}

static void add_points(const lithe_model *m, step_contact *t, const contact_row *c, const double *H,
                       int a, int b, double *K)
{
    surface_entry spot[2][SURFACE_FACE];
    const surface_entry *line, *column;
    int nline = contact_point(m, c, a, spot[0], &line);
    int ncolumn = contact_point(m, c, b, spot[1], &column);
    int size = 3 * c->pair.npoint;
    for (int i = 0; i < nline; i++)
        for (int j = 0; j < ncolumn; j++)
            add_nodes(t, line[i].node, column[j].node, t->unit * line[i].weight * column[j].weight,
                      &H[3 * a * size + 3 * b], size, K);
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
static void loosen(const lithe_model *m, lithe_state *s, int k)
{
    const step_contact *t = &s->contact;
    size_t n = (size_t)count_of(t, k);
    double most = 0, *S = coupling_part(&t->couple, k);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, S[i * n + i]);
    for (size_t i = 0; i < n && m->body[k].space != &space_nodal; i++)
        S[i * n + i] += CONTACT_LOOSENED * most;
}

bool contact_is_beside(const lithe_state *s)
{
    for (int r = 0; r < s->now.contact->n; r++)
        if (!s->now.contact->row[r].coupled)
            return false;
    return s->now.contact->n > 0;
}

// Have all nodes that are in contact their coordinates already?
static bool covers(const lithe_model *m, const lithe_state *s)
{
    const contact_rows *rows = s->now.contact;
    for (int r = 0; r < rows->n; r++)
        for (int i = 0; i < rows->row[r].pair.npoint; i++) {
            const surface_entry *entry;
            int n = proximity_point(&m->contact.world, &rows->row[r].pair, i, &entry);
            for (int k = 0; k < n; k++)
                if (s->contact.coordinate[2 * entry[k].node] < 0)
                    return false;
        }
    return s->contact.couple.n > 0;
}

// Coordinates, and S of them.
static lithe_status find_coordinates(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    int n = number_coordinates(m, s);
    t->couple.n = 0;
    if (n == 0)
        return LITHE_OK;
    if (!reserve(m, t, n))
        return report_no_memory(&s->report, "contacts");
    t->couple.n = n;
    t->couple.factored = false;
    t->couple.npart = m->nbody;
    t->couple.part = t->body_adr;
    for (int k = 0; k < m->nbody; k++) {
        find_columns(m, s, k);
        find_compliance(m, s, k);
        loosen(m, s, k);
    }
    return LITHE_OK;
}

lithe_status contact_couple(const lithe_model *m, lithe_state *s, int *negative)
{
    step_contact *t = &s->contact;
    *negative = 0;
    if (!m->contact.on)
        return LITHE_OK;
    if (!s->tangent.keep || !covers(m, s))
        LITHE_TRY(find_coordinates(m, s));
    if (t->couple.n == 0)
        return LITHE_OK;
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
            row_panels_times(&m->body[k], &s->tangent.of[k], &s->pass.rows[k], &p, n,
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
