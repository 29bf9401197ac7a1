// The inverse as it is with contacts that come and go: efforts x and forces of everything that is
// within the detection distance, each of which obeys Signorini's law or is off, in the linear model
// of the shape. A QPCC [coevoet2019, eq. 4.10], whose pieces are sets of active contacts. The
// inverse walks over equilibria with the contacts that there are. Where that leads no farther, an
// optimum may lie where a contact just begins: the pieces around it prove that, or show a way on.
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/inverse.h"
#include "step/phases.h"

#include "base/vec.h"
#include "solve/qpcc.h"

#include <string.h>

typedef struct pieces {
    int n; // hard rows
    contact_row *row;
    double *columns;     // L^-1 H' of one body, panel by panel (lines x n)
    double *W_cc, *W_cr; // (n x n), (n x ncol)
    double *gap, *W_ca;  // (n), (n x nact)
    double *Jc, *Ac;     // (rows x n), (limits x n)
    qpcc_level *level;
} pieces;

// Of every vertex the nearest point alone; between edges all.
static bool is_nearest(const contact_rows *rows, int r)
{
    const contact_row *c = &rows->row[r];
    bool own = c->pair.kind == PAIR_VERTEX_FACE || c->pair.kind == PAIR_VERTEX_EDGE;
    if (c->pair.kind == PAIR_EDGE_EDGE)
        return c->at.free == 2 && c->at.weight >= 1;
    for (int i = 0; i < rows->n && own; i++)
        if (i != r && rows->row[i].pair.kind == c->pair.kind &&
            rows->row[i].pair.vertex[0] == c->pair.vertex[0] &&
            (rows->row[i].at.distance < c->at.distance ||
             (rows->row[i].at.distance == c->at.distance && i < r)))
            return false;
    return true;
}

static void scatter_piece(const lithe_model *m, const lithe_state *s, int k, const contact_row *c,
                          int column, space_panel *out)
{
    const body *b = &m->body[k];
    for (int i = 0; i < c->pair.npoint; i++) {
        surface_entry spot[SURFACE_FACE];
        const surface_entry *entry;
        int n = contact_point(m, c, i, spot, &entry);
        for (int e = 0; e < n; e++) {
            int node = entry[e].node - b->node_adr;
            double f[3] = {0};
            vec_axpy(f, c->at.share[i] * entry[e].weight, c->at.normal);
            if (node >= 0 && node < b->nnode)
                panel_add(b, body_jacobian(b, s->now.J), node, f, column, out);
        }
    }
}

static void find_columns(const lithe_model *m, lithe_state *s, int k, const pieces *p)
{
    const body *b = &m->body[k];
    for (int first = 0; first < p->n; first += PANEL_WIDTH) {
        space_panel part = panel_of(b, p->columns, p->n, first);
        panel_begin(b, part.width, &part);
        for (int c = 0; c < part.width; c++)
            scatter_piece(m, s, k, &p->row[first + c], c, &part);
        panel_solve(b, &s->tangent.of[k], &part);
    }
}

static void condense(const lithe_model *m, lithe_state *s, const pieces *p)
{
    size_t n = (size_t)p->n, ncol = (size_t)s->pass.ncol;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        const space_tangent *t = &s->tangent.of[k];
        find_columns(m, s, k, p);
        for (int a = 0; a < p->n; a += PANEL_WIDTH) {
            space_panel left = panel_of(b, p->columns, p->n, a);
            panel_project(b, t, &left, s->pass.rhs[k], &p->gap[a]);
            row_panels_by(b, t, &left, &s->pass.rows[k], ncol, &p->W_cr[(size_t)a * ncol]);
            for (int c = 0; c < p->n; c += PANEL_WIDTH) {
                space_panel right = panel_of(b, p->columns, p->n, c);
                panel_multiply(b, t, &left, right.width, &right, n,
                               &p->W_cc[(size_t)a * n + (size_t)c]);
            }
        }
    }
}

// The linear model of the shape without contacts: their forces are unknowns.
static lithe_status linearize(const lithe_model *m, lithe_state *s)
{
    s->now.contact->n = 0;
    point_evaluate_plain(m, s, &s->now);
    LITHE_TRY(step_linearize(m, s, STEP_INVERSE, false));
    return step_phases(m, s, STEP_INVERSE, PHASE_FREE, PHASE_CONDENSE);
}

static bool take_rows(const lithe_model *m, lithe_state *s, arena *memory, pieces *p)
{
    contact_rows *rows = s->now.contact;
    contact_look_far(m, s);
    p->row = arena_new(memory, rows->n + 1, contact_row);
    for (int r = 0; p->row && r < rows->n; r++)
        if (is_nearest(rows, r))
            p->row[p->n++] = rows->row[r];
    size_t n = (size_t)p->n, all = (size_t)m->nact + (size_t)m->nrow;
    int lines = 1;
    for (int k = 0; k < m->nbody; k++)
        lines = m->body[k].nline > lines ? m->body[k].nline : lines;
    p->columns = arena_new(memory, (size_t)lines * n + 1, double);
    p->W_cc = arena_new(memory, n * n + 1, double);
    p->W_cr = arena_new(memory, n * all + 1, double);
    p->gap = arena_new(memory, n + 1, double);
    p->W_ca = arena_new(memory, n * all + 1, double);
    p->Jc = arena_new(memory, n * all + 1, double);
    p->Ac = arena_new(memory, n * all + 1, double);
    p->level = arena_new(memory, STEP_LEVELS, qpcc_level);
    return p->row && p->columns && p->W_cc && p->W_cr && p->gap && p->W_ca && p->Jc && p->Ac &&
           p->level;
}

static void fill(const lithe_model *m, const lithe_state *s, int nlevel, int nlimit,
                 const pieces *p)
{
    const step_task *t = &s->task;
    int at = 0;
    double weight;
    for (int k = 0; k < nlevel; k++) {
        const hierarchy_level *h = &t->level[k];
        p->level[k] = (qpcc_level){h->nrow, h->J, &p->Jc[at * p->n], h->e, h->weight};
        at += h->nrow;
    }
    at = 0;
    for (int priority = 1; priority <= STEP_LEVELS; priority++)
        for (int r = m->nact; r < m->nrow; r++)
            if (t->wanted[r] && !t->kept[r] && task_priority(m, s, r, &weight) == priority) {
                for (int c = 0; c < p->n; c++)
                    p->Jc[at * p->n + c] = p->W_cr[c * s->pass.ncol + r] / m->row[r].scale;
                at++;
            }
    for (int i = 0; i < nlimit; i++)
        for (int c = 0; c < p->n; c++)
            p->Ac[i * p->n + c] = p->W_cr[c * s->pass.ncol + t->row_of[i]];
    for (int c = 0; c < p->n; c++) {
        p->gap[c] += p->row[c].at.distance;
        memcpy(&p->W_ca[c * m->nact], &p->W_cr[c * s->pass.ncol],
               (size_t)m->nact * sizeof *p->W_ca);
    }
}

// The problem of the pieces at s->now; false: nothing is near, or it cannot be told.
static bool find_problem(const lithe_model *m, lithe_state *s, arena *memory, pieces *p,
                         qpcc_problem *out)
{
    int nlevel = 0, nlimit = 0;
    if (m->njoined < m->nact) // it knows no joints
        return false;
    if (!take_rows(m, s, memory, p) || p->n == 0 || linearize(m, s) != LITHE_OK)
        return false;
    condense(m, s, p);
    inverse_gather(m, s, &nlevel, &nlimit);
    fill(m, s, nlevel, nlimit, p);
    *out =
        (qpcc_problem){.n = m->nact,
                       .nlimit = nlimit,
                       .ncontact = p->n,
                       .nlevel = nlevel,
                       .level = p->level,
                       .lo = s->task.lo,
                       .hi = s->task.hi,
                       .A = s->task.A,
                       .Ac = p->Ac,
                       .blo = s->task.blo,
                       .bhi = s->task.bhi,
                       .W_ca = p->W_ca,
                       .W_cc = p->W_cc,
                       .gap = p->gap,
                       .R = inverse_weights(m, s),
                       .x0 = s->now.effort,
                       .mode = m->step.method == LITHE_EPSILON ? HIERARCHY_MIXED : HIERARCHY_STRICT,
                       .factor = m->step.epsilon,
                       .global = m->contact.global,
                       .stop = s->stop,
                       .stopper = s->stop_user};
    return true;
}

void contact_observe(const lithe_model *m, lithe_state *s)
{
    arena memory = {0};
    pieces p = {0};
    qpcc_problem problem;
    if (s->contact.observe && find_problem(m, s, &memory, &p, &problem))
        s->contact.observe(s->contact.observer, &problem);
    arena_free(&memory);
}

static void keep_proposal(const lithe_model *m, lithe_state *s, const pieces *p,
                          const qpcc_solution *found)
{
    memset(s->proposal.q, 0, (size_t)m->nq * sizeof *s->proposal.q);
    for (int r = 0; r < m->nact; r++)
        s->proposal.effort[r] = s->now.effort[r] + found->x[r];
    for (int r = 0; r < s->pass.ncol; r++) {
        s->proposal.delta[r] = s->pass.delta_free[r];
        for (int c = 0; c < m->nact; c++)
            s->proposal.delta[r] += s->pass.W[r * m->nact + c] * found->x[c];
        for (int c = 0; c < p->n; c++)
            s->proposal.delta[r] += p->W_cr[c * s->pass.ncol + r] * found->lambda[c];
    }
}

bool contact_propose(const lithe_model *m, lithe_state *s)
{
    arena memory = {0};
    pieces p = {0};
    qpcc_problem problem;
    qpcc_solution found;
    s->contact.proof = NULL;
    bool solved = find_problem(m, s, &memory, &p, &problem);
    if (solved) {
        qpcc_size size = {problem.n, problem.nlimit, problem.ncontact, problem.nlevel,
                          0,         problem.global};
        for (int k = 0; k < problem.nlevel; k++)
            size.nrow += problem.level[k].nrow;
        qpcc_work *work = qpcc_create(&memory, size);
        solved = work && qpcc_solve(work, &problem, &found) == QPCC_SOLVED;
    }
    if (solved) {
        keep_proposal(m, s, &p, &found);
        s->contact.proof = found.proof <= QPCC_LOCAL ? qpcc_proof_text(found.proof) : NULL;
    }
    arena_free(&memory);
    point_evaluate(m, s, &s->now);
    return solved;
}

void state_observe(lithe_state *s, void (*observe)(void *observer, const qpcc_problem *p),
                   void *observer)
{
    s->contact.observe = observe;
    s->contact.observer = observer;
}
