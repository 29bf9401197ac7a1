// Pairs that couple two bodies, or far parts of one: their stiffness stands beside the factors. Its
// coordinates are the nodes that such pairs meet; P picks them. In realtime, where a pass need not
// be exact, only directions along which contact is stiff: of flat faces without friction a third.
// Bodies that have fewer coordinates than that, as rigid ones and those of few modes, are in it
// with the lines of their A.
#include "base/eigen.h"
#include "base/memory.h"
#include "base/vec.h"
#include "step/contact_rows.h"
#include "step/phases.h"
#include "step/tolerances.h"

#include <string.h>

bool couple_create(const lithe_model *m, arena *memory, contact_coupling *t)
{
    size_t nodes = 3 * (size_t)m->nnode;
    t->by_lines = arena_new(memory, m->nbody, bool);
    t->motion = arena_new(memory, (size_t)PROXIMITY_POINTS * 3 * COUPLE_MOST_LINES, double);
    t->coordinate = arena_new(memory, nodes, int);
    t->axis = arena_new(memory, 3 * nodes, double);
    t->stiff = arena_new(memory, 3 * nodes, double);
    t->body_adr = arena_new(memory, m->nbody + 1, int);
    t->columns_adr = arena_new(memory, m->nbody + 1, size_t);
    return t->by_lines && t->motion && t->coordinate && t->axis && t->stiff && t->body_adr &&
           t->columns_adr;
}

void couple_free(contact_coupling *t)
{
    memory_free(t->columns);
    arena_free(&t->memory);
}

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
    contact_coupling *t = &s->contact.beside;
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

// What flat faces make of it: one direction a, beside which the others, whose sum is the trace less
// a' stiff a, do not count.
static bool find_only_axis(const double stiff[9], double little, double axis[3])
{
    enum { TIMES = 3 };
    int largest = stiff[0] > stiff[4] ? 0 : 1;
    largest = stiff[4 * largest] > stiff[8] ? largest : 2;
    memcpy(axis, &stiff[3 * largest], 3 * sizeof *axis);
    for (int k = 0; k < TIMES; k++) {
        double next[3], length = vec_norm(axis);
        if (!(length > 0))
            return false;
        vec_scale(axis, 1 / length);
        mat_apply(next, stiff, axis);
        double most = vec_dot(next, axis);
        if (most > little && stiff[0] + stiff[4] + stiff[8] - most <= little)
            return true;
        memcpy(axis, next, sizeof next);
    }
    return false;
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
    if (find_only_axis(stiff, little * m->contact.softest, axis))
        return 1;
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

// Has the body fewer lines than contact meets coordinates of its nodes?
static bool goes_by_lines(const contact_coupling *t, const body *b)
{
    int met = 0;
    for (int i = b->node_adr; i < b->node_adr + b->nnode; i++)
        met += t->coordinate[2 * i] >= 0;
    return b->space != &space_nodal && b->nline <= COUPLE_MOST_LINES && b->nline <= 3 * met;
}

// Numbers them, body by body. Returns how many there are.
static int number_coordinates(const lithe_model *m, lithe_state *s)
{
    contact_coupling *t = &s->contact.beside;
    int n = 0;
    bool whole = s->contact.whole || m->step.mode == LITHE_CONVERGED;
    find_stiff_nodes(m, s);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        t->body_adr[k] = n;
        t->by_lines[k] = goes_by_lines(t, b);
        for (int i = b->node_adr; i < b->node_adr + b->nnode && !t->by_lines[k]; i++) {
            int *at = &t->coordinate[2 * i];
            if (at[0] < 0)
                continue;
            at[0] = n;
            at[1] = find_axes(m, b, whole, i, &t->stiff[9 * (size_t)i], &t->axis[3 * (size_t)n]);
            n += at[1];
        }
        n += t->by_lines[k] ? b->nline : 0;
    }
    t->body_adr[m->nbody] = n;
    return n;
}

static bool reserve(const lithe_model *m, contact_coupling *t, int n)
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
    if (n <= t->of.max)
        return true;
    int room = n + n / 4;
    arena_free(&t->memory);
    t->memory = (arena){0};
    t->of.max = 0;
    t->Z = arena_new(&t->memory, (size_t)room * (size_t)(m->nrow + 1), double);
    t->T = arena_new(&t->memory, (size_t)room * (size_t)(m->nrow + 1), double);
    t->u = arena_new(&t->memory, 2 * (size_t)room, double);
    return t->Z && t->T && t->u && coupling_create(&t->memory, room, &t->of);
}

static int count_of(const contact_coupling *t, int k)
{
    return t->body_adr[k + 1] - t->body_adr[k];
}

// The panel of body k whose first coordinate is its coordinate `first`.
static space_panel panel_at(const lithe_model *m, const contact_coupling *t, int k, int first)
{
    return panel_of(&m->body[k], t->columns + t->columns_adr[k], count_of(t, k), first);
}

// L^-1 P of one body.
static void find_columns(const lithe_model *m, lithe_state *s, int k)
{
    contact_coupling *t = &s->contact.beside;
    const body *b = &m->body[k];
    int count = count_of(t, k);
    for (int first = 0; first < count; first += PANEL_WIDTH) {
        space_panel p = panel_at(m, t, k, first);
        panel_begin(b, p.width, &p);
    }
    for (int c = 0; c < count && t->by_lines[k]; c++) {
        space_panel p = panel_at(m, t, k, c - c % PANEL_WIDTH);
        p.Y[(size_t)c * (size_t)p.width + (size_t)(c % PANEL_WIDTH)] = 1;
    }
    for (int i = 0; i < b->nnode && !t->by_lines[k]; i++) {
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
    contact_coupling *t = &s->contact.beside;
    size_t n = (size_t)count_of(t, k);
    double *S = coupling_part(&t->of, k);
    memset(S, 0, n * n * sizeof *S);
    for (int a = 0; a < count_of(t, k); a += PANEL_WIDTH)
        for (int b = a; b < count_of(t, k); b += PANEL_WIDTH) {
            space_panel left = panel_at(m, t, k, a), right = panel_at(m, t, k, b);
            panel_multiply(&m->body[k], &s->tangent.of[k], &left, right.width, &right, n,
                           &S[(size_t)a * n + (size_t)b]);
        }
}

// How a point moves per unit of some coordinates: weight times an axis each.
typedef struct couple_spot {
    int first, n;
    double weight;
    const double *axis; // (n x 3)
} couple_spot;

static couple_spot spot_of_node(const contact_coupling *t, int node, double weight)
{
    const int *at = &t->coordinate[2 * node];
    return (couple_spot){at[0], at[1], weight, &t->axis[3 * (size_t)at[0]]};
}

// Point i of a row. Returns how many spots there are.
static int find_spots(const lithe_model *m, const lithe_state *s, const contact_row *c, int i,
                      couple_spot spot[SURFACE_FACE])
{
    const contact_coupling *t = &s->contact.beside;
    surface_entry room[SURFACE_FACE];
    const surface_entry *entry;
    int n = contact_point(m, c, i, room, &entry), k = n > 0 ? contact_body(m, entry[0].node) : 0;
    if (n == 0 || !t->by_lines[k]) {
        for (int a = 0; a < n; a++)
            spot[a] = spot_of_node(t, entry[a].node, entry[a].weight);
        return n;
    }
    const body *b = &m->body[k];
    double *motion = &t->motion[(size_t)i * 3 * COUPLE_MOST_LINES];
    memset(motion, 0, 3 * (size_t)b->nline * sizeof *motion);
    for (int a = 0; a < n; a++)
        for (int axis = 0; axis < 3; axis++) {
            double f[3] = {0};
            f[axis] = entry[a].weight;
            b->space->scatter(b, step_jacobian(s, b), entry[a].node - b->node_adr, f, 3,
                              motion + axis);
        }
    spot[0] = (couple_spot){t->body_adr[k], b->nline, 1, motion};
    return 1;
}

// K (n x n) += what two spots do to each other; H (3 x 3) at a stride. both: and the transposed.
static void add_spots(size_t n, double unit, const couple_spot *line, const couple_spot *column,
                      const double *H, int stride, bool both, double *K)
{
    double factor = unit * line->weight * column->weight;
    for (int j = 0; j < column->n; j++) {
        const double *b = &column->axis[3 * j];
        double Hb[3];
        for (int k = 0; k < 3; k++)
            Hb[k] = factor * vec_dot(&H[k * stride], b);
        for (int i = 0; i < line->n; i++) {
            double part = vec_dot(&line->axis[3 * i], Hb);
            size_t at = (size_t)line->first + (size_t)i;
            size_t beside = (size_t)column->first + (size_t)j;
            K[at * n + beside] += part;
            if (both)
                K[beside * n + at] += part;
        }
    }
}

// K += what a row's points do to each other, H (3 npoint x 3 npoint), of which the lower half alone
// counts if it is symmetric.
static void add_row(const lithe_model *m, const lithe_state *s, const contact_row *c,
                    const double *H, bool symmetric, double *K)
{
    couple_spot spot[PROXIMITY_POINTS][SURFACE_FACE];
    int n[PROXIMITY_POINTS], size = 3 * c->pair.npoint;
    size_t lines = (size_t)s->contact.beside.of.n;
    for (int i = 0; i < c->pair.npoint; i++)
        n[i] = find_spots(m, s, c, i, spot[i]);
    for (int a = 0; a < c->pair.npoint; a++)
        for (int b = 0; b < (symmetric ? a + 1 : c->pair.npoint); b++)
            for (int i = 0; i < n[a]; i++)
                for (int j = 0; j < n[b]; j++)
                    add_spots(lines, s->contact.unit, &spot[a][i], &spot[b][j],
                              &H[3 * a * size + 3 * b], size, symmetric && b < a, K);
}

// What friction that slips adds, which is not symmetric.
static void find_slant(const contact_row *c, double *H)
{
    int n = 3 * c->pair.npoint;
    for (int i = 0; i < n * n; i++) {
        int a = i / n, b = i % n;
        H[i] = c->at.share[a / 3] * c->slide[a % 3] * c->at.share[b / 3] * c->at.normal[b % 3];
    }
}

static void find_stiffness(const lithe_model *m, lithe_state *s)
{
    contact_coupling *t = &s->contact.beside;
    const contact_rows *rows = s->now.contact;
    size_t square = (size_t)t->of.n * (size_t)t->of.n;
    memset(t->of.K, 0, square * sizeof *t->of.K);
    memset(t->of.slant, 0, square * sizeof *t->of.slant);
    t->of.symmetric = true;
    for (int r = 0; r < rows->n; r++) {
        const contact_row *c = &rows->row[r];
        double H[144];
        if (c->coupled)
            add_row(m, s, c, &s->contact.H[144 * (size_t)r], true, t->of.K);
        if (!slides(s, c))
            continue;
        find_slant(c, H);
        t->of.symmetric = false;
        add_row(m, s, c, H, false, t->of.slant);
    }
}

// Nodes that frames or modes carry do not move independently, and S would be singular: they get a
// little compliance of their own.
static void loosen(const lithe_model *m, lithe_state *s, int k)
{
    const contact_coupling *t = &s->contact.beside;
    size_t n = (size_t)count_of(t, k);
    double most = 0, *S = coupling_part(&t->of, k);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, S[i * n + i]);
    for (size_t i = 0; i < n && m->body[k].space != &space_nodal && !t->by_lines[k]; i++)
        S[i * n + i] += CONTACT_LOOSENED * most;
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
                if (s->contact.beside.coordinate[2 * entry[k].node] < 0 &&
                    !s->contact.beside.by_lines[contact_body(m, entry[k].node)])
                    return false;
        }
    return s->contact.beside.of.n > 0;
}

// Coordinates, and S of them.
static lithe_status find_coordinates(const lithe_model *m, lithe_state *s)
{
    contact_coupling *t = &s->contact.beside;
    int n = number_coordinates(m, s);
    t->of.n = 0;
    if (n == 0)
        return LITHE_OK;
    if (!reserve(m, t, n))
        return report_no_memory(&s->report, "contacts");
    t->of.n = n;
    t->of.factored = false;
    t->of.npart = m->nbody;
    t->of.part = t->body_adr;
    for (int k = 0; k < m->nbody; k++) {
        find_columns(m, s, k);
        find_compliance(m, s, k);
        loosen(m, s, k);
    }
    return LITHE_OK;
}

static lithe_status factor(const lithe_model *m, lithe_state *s, bool count, int *negative)
{
    coupling *of = &s->contact.beside.of;
    find_stiffness(m, s);
    if (!coupling_factor(of, count))
        return LITHE_NOT_CONVERGED;
    *negative = of->negative;
    return LITHE_OK;
}

lithe_status contact_couple(const lithe_model *m, lithe_state *s, int *negative)
{
    contact_coupling *t = &s->contact.beside;
    *negative = 0;
    if (!m->contact.on)
        return LITHE_OK;
    bool kept = s->tangent.keep;
    for (int k = 0; k < m->nbody; k++)
        kept = kept && !s->tangent.fresh[k];
    kept = kept && covers(m, s);
    if (!kept)
        LITHE_TRY(find_coordinates(m, s));
    return t->of.n == 0 ? LITHE_OK : factor(m, s, !kept, negative);
}

// … with the coordinates that there are, without curvature.
lithe_status contact_flatten(const lithe_model *m, lithe_state *s, int *negative)
{
    contact_coupled_stiffness(m, s);
    return factor(m, s, true, negative);
}

// u = P' A^-1 r = Y_P' D^-1 y of all bodies
static void project(const lithe_model *m, const lithe_state *s, double *u)
{
    const contact_coupling *t = &s->contact.beside;
    memset(u, 0, (size_t)t->of.n * sizeof *u);
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
    const contact_coupling *t = &s->contact.beside;
    size_t n = (size_t)t->of.n;
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
    contact_coupling *t = &s->contact.beside;
    if (t->of.n == 0)
        return;
    size_t n = (size_t)t->of.n;
    project(m, s, t->u);
    coupling_apply(&t->of, t->u);
    project_rows(m, s);
    memcpy(t->T, t->Z, (size_t)s->pass.ncol * n * sizeof *t->T);
    for (int r = 0; r < s->pass.ncol; r++) {
        bool met = false; // what contact couples
        for (size_t i = 0; i < n; i++) {
            s->pass.delta_free[r] -= t->Z[(size_t)r * n + i] * t->u[i];
            met = met || t->Z[(size_t)r * n + i] != 0;
        }
        if (met)
            coupling_apply(&t->of, &t->T[(size_t)r * n]);
    }
}

void contact_condense(const lithe_model *m, lithe_state *s)
{
    const contact_coupling *t = &s->contact.beside;
    int n = t->of.n;
    for (int r = 0; r < s->pass.ncol && n > 0; r++)
        for (int c = 0; c < m->nact; c++)
            for (int i = 0; i < n; i++)
                s->pass.W[r * m->nact + c] -= t->Z[(size_t)r * (size_t)n + (size_t)i] *
                                              t->T[(size_t)c * (size_t)n + (size_t)i];
}

// y -= Y_P t, where t is that of the free motion, and what efforts bring
void contact_correct(const lithe_model *m, lithe_state *s, const double *change)
{
    contact_coupling *t = &s->contact.beside;
    size_t n = (size_t)t->of.n;
    double *back = t->u + n;
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        back[i] = -t->u[i];
    for (int r = 0; r < m->nact; r++)
        for (size_t i = 0; i < n && change[r] != 0; i++)
            back[i] -= change[r] * t->T[(size_t)r * n + i];
    for (int k = 0; k < m->nbody; k++)
        for (int first = 0; first < count_of(t, k); first += PANEL_WIDTH) {
            space_panel p = panel_at(m, t, k, first);
            panel_spread(&m->body[k], &p, p.width, &back[t->body_adr[k] + first], s->pass.rhs[k]);
        }
}
