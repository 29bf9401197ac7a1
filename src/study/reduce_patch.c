// Shapes by which a region of the surface gives way to contacts: how the whole robot moves under
// forces on the region's nodes, at rest and where its samples are farthest apart. Own
// coordinates of the region's nodes would let the surface be dented, but not let the robot behind
// it bend out of the way, which is most of what modes alone are too stiff by.
#include "base/status.h"
#include "base/vec.h"
#include "step/state.h"
#include "study/reducing.h"
#include "study/tolerances.h"

#include <math.h>
#include <string.h>

enum { PATCH_POSES = 5 };

typedef struct patching {
    reducing *r;
    lithe_reduction *of;
    const body *b;
    arena memory;
    int nnode, *node;                  // of the patch, on the surface
    int npose;                         // in which forces act on them: at rest, and samples
    const double *pose[PATCH_POSES];   // positions of nodes
    const double *effort[PATCH_POSES]; // NULL: none
    int n, lines;
    double *u;      // ways of nodes (n x lines), less what shapes have of them already
    double *square; // of each, in the measure of the mass (n)
    double *shape;  // that were picked (nshape x lines)
    double *weighed;
    int nshape, room;
} patching;

static bool has_marked(const contact_surface *s, int tri, const bool *mark)
{
    for (int c = 0; c < 3; c++)
        for (int e = s->entry_adr[s->tri[3 * tri + c]]; e < s->entry_adr[s->tri[3 * tri + c] + 1];
             e++)
            if (mark[s->entry[e].node])
                return true;
    return false;
}

static void mark_triangle(const contact_surface *s, int tri, bool *mark)
{
    for (int c = 0; c < 3; c++)
        for (int e = s->entry_adr[s->tri[3 * tri + c]]; e < s->entry_adr[s->tri[3 * tri + c] + 1];
             e++)
            mark[s->entry[e].node] = true;
}

// Nodes of triangles that can be in contact, or of those that have a node among others.
static void mark_surface(const lithe_model *m, const bool *among, bool *mark)
{
    const proximity_world *world = &m->contact.world;
    for (int i = 0; i < world->nsurface; i++) {
        const contact_surface *s = &world->surface[i];
        for (int t = 0; t < s->ntri && s->frame < 0; t++)
            if (!among || has_marked(s, t, among))
                mark_triangle(s, t, mark);
    }
}

// What was in contact in samples, and what is beside it.
static lithe_status find_met(patching *p, bool *in)
{
    const reducing *r = p->r;
    bool *met = arena_new(&p->memory, r->whole->nnode, bool);
    if (!met)
        return report_no_memory(r->report, "the patch");
    for (int i = 0; i < r->train.n; i++) {
        const double *found = reduce_found(r, &r->train, i);
        for (int k = 0; k < r->whole->nnode && reduce_converged(found); k++)
            met[k] = met[k] || vec_norm(&reduce_contact(r, found)[3 * k]) > 0;
    }
    mark_surface(r->whole, met, in);
    return LITHE_OK;
}

static lithe_status check_count(const patching *p)
{
    enum { MOST = 256 }; // more shapes than a reduction may have would not tell them apart
    bool met = p->r->wanted.patch == LITHE_PATCH_CONTACT;
    if (p->nnode > MOST)
        return LITHE_FAIL(
            p->r->report, LITHE_INVALID,
            "the patch has %d nodes on the surface, and %d are the most: select fewer", p->nnode,
            MOST);
    if (p->nnode > 0)
        return LITHE_OK;
    return LITHE_FAIL(p->r->report, LITHE_INVALID,
                      met ? "nothing touches the robot in the samples: select the patch, or put "
                            "what it is to touch within its reach"
                          : "the patch has no node on a surface that can touch anything: select "
                            "others");
}

static lithe_status find_nodes(patching *p)
{
    const lithe_model *m = p->r->whole;
    lithe_reduction *out = p->of;
    bool *on = arena_new(&p->memory, m->nnode, bool), *in = arena_new(&p->memory, m->nnode, bool);
    p->node = arena_new(&p->memory, m->nnode, int);
    out->patch = arena_new(&out->memory, m->nnode, int);
    if (!on || !in || !p->node || !out->patch)
        return report_no_memory(p->r->report, "the patch");
    for (int i = 0; i < m->npatch; i++)
        in[m->patch[i]] = true;
    if (p->r->wanted.patch == LITHE_PATCH_CONTACT)
        LITHE_TRY(find_met(p, in));
    mark_surface(m, NULL, on);
    for (int i = 0; i < m->nnode; i++) {
        if (!in[i] || body_is_held(p->b, i, LITHE_X | LITHE_Y | LITHE_Z))
            continue;
        out->patch[out->npatch++] = i;
        if (on[i])
            p->node[p->nnode++] = i;
    }
    out->patch_kind = p->r->wanted.patch;
    return check_count(p);
}

// Squared length of a way in the measure of the mass, m^2.
static double square_of(patching *p, const double *u)
{
    double sum = 0, mass = basis_mass_times(p->b, u, p->weighed);
    for (int i = 0; i < p->lines; i++)
        sum += u[i] * p->weighed[i] / mass;
    return sum;
}

static double apart(patching *p, const double *a, const double *b, double *room)
{
    for (int i = 0; i < p->lines; i++)
        room[i] = a[i] - b[i];
    return square_of(p, room);
}

// At rest, and the samples that are farthest from what there is already.
static void find_poses(patching *p, double *room)
{
    const reducing *r = p->r;
    p->pose[p->npose++] = r->whole->X;
    while (p->npose < PATCH_POSES) {
        double most = r->how.tolerance * r->how.tolerance;
        int best = -1;
        for (int i = 0; i < r->train.n; i++) {
            const double *found = reduce_found(r, &r->train, i);
            double least = INFINITY;
            for (int k = 0; k < p->npose && reduce_converged(found); k++)
                least = fmin(least, apart(p, reduce_x(found), p->pose[k], room));
            if (reduce_converged(found) && least > most) {
                most = least;
                best = i;
            }
        }
        if (best < 0)
            break;
        const double *found = reduce_found(r, &r->train, best);
        p->effort[p->npose] = reduce_effort(r, found);
        p->pose[p->npose++] = reduce_x(found);
    }
}

// The stiffness in a pose, factored; false: it is singular there.
static bool linearize(const patching *p, int pose, lithe_state *s)
{
    const lithe_model *m = p->r->whole;
    memcpy(s->now.x, p->pose[pose], (size_t)p->lines * sizeof *s->now.x);
    memset(s->now.effort, 0, (size_t)m->nact * sizeof *s->now.effort);
    if (p->effort[pose])
        memcpy(s->now.effort, p->effort[pose], (size_t)m->nact * sizeof *s->now.effort);
    s->aim_load = 1;
    body_loading loads = state_loading(s);
    tangent_exact(m, &s->now, &loads, &s->tangent);
    p->b->space->assemble(p->b, NULL, NULL, NULL, &s->tangent.of[0]);
    return !p->b->space->factor(p->b, &s->tangent.of[0], NULL, NULL).singular;
}

// What the forces in `line` move.
static void solve(patching *p, lithe_state *s, double *line)
{
    const space *to = p->b->space;
    double *u = &p->u[(size_t)p->n * (size_t)p->lines];
    to->forward(p->b, &s->tangent.of[0], 1, 0, NULL, line);
    to->backward(p->b, &s->tangent.of[0], 1, line);
    to->spread(p->b, NULL, line, u);
    p->square[p->n++] = square_of(p, u);
    memset(line, 0, (size_t)p->b->nline * sizeof *line);
}

// … unit forces on nodes of the patch.
static double respond(patching *p, lithe_state *s, double *line)
{
    double most = 0;
    for (int k = 0; k < 3 * p->nnode; k++) {
        double force[3] = {0};
        force[k % 3] = 1;
        p->b->space->scatter(p->b, NULL, p->node[k / 3], force, 1, line);
        solve(p, s, line);
        most = fmax(most, p->square[p->n - 1]);
    }
    return most;
}

// … and efforts of rows that hold their displacement, which answer contacts: as long as the longest
// way of those.
static void respond_held(patching *p, int pose, double most, lithe_state *s, double *line,
                         double *H)
{
    for (int a = 0; a < p->r->whole->nact; a++) {
        const row *of = &p->r->whole->row[a];
        if (p->r->range[a].kind != LITHE_DISPLACEMENT || row_is_parameter(of))
            continue;
        row_gradient(of, p->pose[pose], H);
        for (int i = 0; i < of->nnode; i++)
            p->b->space->scatter(p->b, NULL, of->node[i], &H[3 * (size_t)i], 1, line);
        solve(p, s, line);
        double *square = &p->square[p->n - 1], *u = &p->u[(size_t)(p->n - 1) * (size_t)p->lines];
        double scale = *square > 0 ? sqrt(most / *square) : 0;
        for (int i = 0; i < p->lines; i++)
            u[i] *= scale;
        *square *= scale * scale;
    }
}

static lithe_status find_responses(patching *p)
{
    lithe_state *s = NULL; // of its own: nobody shall take this factor for one of a step
    double *line = arena_new(&p->memory, p->b->nline, double);
    double *H = arena_new(&p->memory, p->lines, double);
    size_t room = (size_t)(3 * p->nnode + p->r->whole->nact) * (size_t)p->npose;
    p->u = arena_new(&p->memory, room * (size_t)p->lines, double);
    p->square = arena_new(&p->memory, room, double);
    if (!line || !H || !p->u || !p->square)
        return report_no_memory(p->r->report, "the patch");
    lithe_status status = lithe_state_create(p->r->whole, 1, &s, p->r->report);
    for (int i = 0; i < p->npose && status == LITHE_OK; i++)
        if (linearize(p, i, s))
            respond_held(p, i, respond(p, s, line), s, line, H);
    lithe_state_free(s);
    return status;
}

// u less what a shape has of it, whose square is the whole mass.
typedef struct leaving {
    patching *p;
    const double *shape, *weighed;
    double mass;
} leaving;

static void leave_some(void *context, int first, int last)
{
    const leaving *l = context;
    for (int i = first; i < last; i++) {
        double *u = &l->p->u[(size_t)i * (size_t)l->p->lines], share = 0;
        for (int k = 0; k < l->p->lines; k++)
            share += u[k] * l->weighed[k];
        share /= l->mass;
        for (int k = 0; k < l->p->lines; k++)
            u[k] -= share * l->shape[k];
        l->p->square[i] = fmax(0, l->p->square[i] - share * share);
    }
}

static void leave_out(patching *p, const double *shape)
{
    leaving l = {p, shape, p->weighed, basis_mass_times(p->b, shape, p->weighed)};
    pool_for(p->r->threads, p->n, 1, leave_some, &l);
}

// The way that is missed most becomes a shape; false: what is missed is little enough.
static bool pick(patching *p, double all)
{
    double sum = 0;
    int best = 0;
    for (int i = 0; i < p->n; i++) {
        sum += p->square[i];
        best = p->square[i] > p->square[best] ? i : best;
    }
    if (!(sum > p->r->patch_share * p->r->patch_share * all) || p->nshape == p->room)
        return false;
    double *shape = &p->shape[(size_t)p->nshape++ * (size_t)p->lines], square = 0;
    memcpy(shape, &p->u[(size_t)best * (size_t)p->lines], (size_t)p->lines * sizeof *shape);
    double mass = basis_mass_times(p->b, shape, p->weighed);
    for (int i = 0; i < p->lines; i++)
        square += shape[i] * p->weighed[i];
    for (int i = 0; i < p->lines; i++)
        shape[i] *= sqrt(mass / square);
    leave_out(p, shape);
    p->square[best] = 0;
    return true;
}

static lithe_status pick_shapes(patching *p)
{
    int n = p->of->nmode, most = p->r->wanted.npatch_shape;
    double all = 0;
    p->room = REDUCTION_MODES - n;
    p->room = most > 0 && most < p->room ? most : p->room;
    p->shape = arena_new(&p->memory, (size_t)(p->room + 1) * (size_t)p->lines, double);
    if (!p->shape)
        return report_no_memory(p->r->report, "the patch");
    for (int i = 0; i < p->n; i++)
        all += p->square[i];
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < p->lines; i++)
            p->shape[i] = p->of->mode[(size_t)i * (size_t)n + (size_t)k];
        leave_out(p, p->shape);
    }
    while (pick(p, all))
        ;
    return LITHE_OK;
}

// Behind the modes that there are.
static lithe_status add_shapes(patching *p)
{
    lithe_reduction *out = p->of;
    size_t n = (size_t)out->nmode, more = (size_t)p->nshape, lines = (size_t)p->lines;
    double mass, *mode = arena_new(&out->memory, lines * (n + more), double);
    if (!mode)
        return report_no_memory(p->r->report, "the patch");
    for (size_t i = 0; i < lines; i++) {
        memcpy(&mode[i * (n + more)], &out->mode[i * n], n * sizeof *mode);
        for (size_t k = 0; k < more; k++)
            mode[i * (n + more) + n + k] = p->shape[k * lines + i];
    }
    out->mode = mode;
    out->nmode = (int)(n + more);
    out->npatch_shape = p->nshape;
    return basis_orthonormalize(p->b, out->nmode, mode, &p->memory, &mass, p->r->report);
}

lithe_status reduce_patch(reducing *r, lithe_reduction *out)
{
    patching p = {.r = r, .of = out, .b = &r->whole->body[0], .lines = 3 * r->whole->nnode};
    double *room = arena_new(&p.memory, p.lines, double);
    p.weighed = arena_new(&p.memory, p.lines, double);
    lithe_status status =
        room && p.weighed ? find_nodes(&p) : report_no_memory(r->report, "the patch");
    if (status == LITHE_OK) {
        find_poses(&p, room);
        status = find_responses(&p);
    }
    if (status == LITHE_OK)
        status = pick_shapes(&p);
    if (status == LITHE_OK)
        status = add_shapes(&p);
    arena_free(&p.memory);
    return status;
}
