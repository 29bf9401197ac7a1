// Pairs within reach as rows: their potential, force and stiffness at a configuration.
#include "step/contact_rows.h"
#include "base/memory.h"
#include "base/vec.h"
#include "step/contact_step.h"

#include <string.h>

typedef struct barrier {
    double energy, force, stiff; // b, -b', b''
} barrier;

static barrier barrier_at(double kappa, double reach, double d)
{
    double log_d = log(d / reach), in = d - reach;
    return (barrier){-kappa * in * in * log_d, kappa * (2 * in * log_d + in * in / d),
                     kappa * (-2 * log_d - 4 * in / d + in * in / (d * d))};
}

int contact_point(const lithe_model *m, const contact_row *c, int i,
                  surface_entry spot[SURFACE_FACE], const surface_entry **entry)
{
    int n = proximity_point(&m->contact.world, &c->pair, i, entry);
    int side = proximity_side(&c->pair, i);
    if (!m->contact.world.surface[c->pair.surface[side]].rolls)
        return n;
    for (int k = 0; k < n; k++)
        spot[k] = (surface_entry){(*entry)[k].node, (*entry)[k].weight + c->roll[side][k]};
    *entry = spot;
    return n;
}

// The first of the vertices that tell the rotation of a side that rolls; -1: it does not.
static int first_telling(const proximity_world *world, const proximity_pair *pair, int side)
{
    int surface = pair->surface[side];
    bool rolls = surface >= 0 && world->surface[surface].rolls;
    return rolls ? world->vertex_adr[surface + 1] - SURFACE_POINTS : -1;
}

void contact_point_way(const lithe_model *m, const contact_row *c, int i, const double *vertices,
                       double way[3])
{
    const proximity_world *world = &m->contact.world;
    int first = first_telling(world, &c->pair, proximity_side(&c->pair, i));
    surface_entry spot[SURFACE_FACE];
    const surface_entry *entry = spot;
    memcpy(way, &vertices[3 * (size_t)c->pair.vertex[i]], 3 * sizeof *way);
    if (first < 0)
        return;
    int n = contact_point(m, c, i, spot, &entry);
    memset(way, 0, 3 * sizeof *way);
    for (int k = 0; k < n; k++)
        vec_axpy(way, entry[k].weight, &vertices[3 * (size_t)(first + k)]);
}

// The material of a round side in contact is a radius away from its vertices, towards the other.
static void find_roll(const lithe_model *m, const contact_rows *rows, contact_row *c)
{
    const proximity_world *world = &m->contact.world;
    for (int side = 0; side < 2; side++) {
        int first = first_telling(world, &c->pair, side), surface = c->pair.surface[side];
        double way[3] = {0};
        if (first < 0)
            continue;
        vec_axpy(way, (side ? 1 : -1) * world->surface[surface].radius[0], c->at.normal);
        contact_surface_roll(&rows->positions.x[3 * (size_t)first], way, c->roll[side]);
    }
}

// Where a point that stands on the shape goes as the shape moves.
void contact_carry(const contact_frame *from, const contact_frame *to, const double x[3],
                   double way[3])
{
    double rel[3], own[3], back[9];
    vec_sub(rel, x, from->at);
    for (int i = 0; i < 9; i++)
        back[i] = from->R[3 * (i % 3) + i / 3];
    mat_apply(own, back, rel);
    mat_apply(way, to->R, own);
    vec_axpy(way, 1, to->at);
    vec_axpy(way, -1, x);
}

void contact_obstacle_way(const lithe_model *m, const lithe_state *s, int i, double way[3])
{
    const proximity_pair *pair = &s->now.contact->row[i].pair;
    lithe_contact c;
    int frame = pair->shape;
    for (int k = 0; k < 2 && frame < 0; k++)
        frame = m->contact.world.surface[pair->surface[k]].frame;
    memset(way, 0, 3 * sizeof *way);
    if (frame < 0)
        return;
    lithe_contact_get(m, s, i, &c);
    contact_carry(&s->now.contact->frame[frame], &s->contact.saved[frame], c.at, way);
    vec_scale(way, -1);
}

static bool is_rigid(const proximity_world *world, const proximity_pair *pair, int i)
{
    const surface_entry *entry;
    return proximity_point(world, pair, i, &entry) == 0;
}

int contact_body(const lithe_model *m, int node)
{
    int k = 0, last = m->nbody - 1;
    while (k < last) {
        int middle = (k + last + 1) / 2;
        if (m->body[middle].node_adr <= node)
            k = middle;
        else
            last = middle - 1;
    }
    return k;
}

// Has A a block for what two points do to each other?
static bool are_in_A(const lithe_model *m, const proximity_pair *pair, int first, int second)
{
    const surface_entry *a, *b;
    int na = proximity_point(&m->contact.world, pair, first, &a);
    int nb = proximity_point(&m->contact.world, pair, second, &b);
    for (int p = 0; p < na; p++)
        for (int q = 0; q < nb; q++) {
            const body *of = &m->body[contact_body(m, a[p].node)];
            int other = b[q].node - of->node_adr;
            if (other < 0 || other >= of->nnode)
                return false;
            if (!body_couples(of, a[p].node - of->node_adr, other))
                return false;
        }
    return true;
}

// Do both sides give way? Nodes of one element have their block of A all the same.
static bool is_coupled(const lithe_model *m, const proximity_pair *pair)
{
    const proximity_world *world = &m->contact.world;
    if (pair->shape >= 0 || is_rigid(world, pair, 0) || is_rigid(world, pair, pair->npoint - 1))
        return false;
    if (!world->match[pair->match].self)
        return true;
    for (int i = 0; i < pair->npoint; i++)
        for (int j = 0; j < i; j++)
            if (!are_in_A(m, pair, i, j))
                return true;
    return false;
}

static void find_pull(const lithe_model *m, contact_rows *rows, contact_row *c, double energy)
{
    double g[12];
    for (int i = 0; i < c->pair.npoint; i++)
        for (int axis = 0; axis < 3; axis++)
            c->pull[3 * i + axis] = c->force * c->at.share[i] * c->at.normal[axis];
    if (c->at.weight < 1 &&
        proximity_weigh(&m->contact.world, &rows->positions, &c->pair, &c->at, g, NULL))
        for (int i = 0; i < 3 * c->pair.npoint; i++)
            c->pull[i] -= energy * g[i];
}

// At the distance of a row. Its reach may be shorter for a while, and forces are then as large
// where it is as much nearer; points of cables stay as they are.
static barrier barrier_of(const lithe_model *m, const lithe_state *s, const contact_row *c)
{
    double nearer = c->soft ? 1 : s->contact.nearer * c->nearer, reach = nearer * m->contact.reach;
    return c->at.distance < reach
               ? barrier_at(m->contact.law[c->pair.match].kappa / nearer, reach, c->at.distance)
               : (barrier){0};
}

static bool is_within(const lithe_model *m, const lithe_state *s, const contact_row *c)
{
    return c->at.distance < (c->soft ? 1 : s->contact.nearer) * m->contact.reach &&
           c->at.weight > 0;
}

static void find_barrier(const lithe_model *m, const lithe_state *s, contact_rows *rows,
                         contact_row *c)
{
    double d = c->at.distance, weight = c->at.weight;
    if (!(d > 0)) {
        rows->energy = INFINITY;
        return;
    }
    barrier b = barrier_of(m, s, c);
    rows->energy += weight * b.energy;
    c->force = c->drive = weight * b.force;
    c->stiff = weight * b.stiff;
    find_pull(m, rows, c, b.energy);
}

void contact_shorten(const lithe_model *m, const lithe_state *s, contact_rows *rows, contact_row *c)
{
    const double least = 0.02;
    double before = barrier_of(m, s, c).energy;
    c->nearer = fmin(c->nearer, fmax(c->at.distance / m->contact.reach, least));
    rows->energy -= c->at.weight * (before - barrier_of(m, s, c).energy);
}

// What a pair that has bounced remembers.
static double nearer_of(const lithe_model *m, const lithe_state *s, uint64_t id)
{
    const struct contact_note *note =
        m->contact.bounces ? contact_recall(&s->contact.stick, id) : NULL;
    return note && note->number[3] > 0 && note->number[3] < 1 ? 1 - note->number[3] : 1;
}

static lithe_status find_pairs(const lithe_model *m, lithe_state *s, contact_rows *rows,
                               double reach)
{
    proximity_filter filter = contact_filter(m, s);
    int n;
    while ((n = proximity_find(&m->contact.world, &rows->positions, &filter, reach, &rows->list)) >
           rows->list.max)
        LITHE_TRY(proximity_reserve(&rows->list, n + n / 2));
    rows->list.n = n;
    return contact_rows_reserve(rows, n);
}

void contact_evaluate(const lithe_model *m, lithe_state *s, step_point *p)
{
    contact_rows *rows = p->contact;
    if (!m->contact.on)
        return;
    rows->n = 0;
    rows->energy = 0;
    rows->least = INFINITY;
    proximity_positions_at(&m->contact.world, &rows->positions, p->x, rows->frame);
    if (find_pairs(m, s, rows, m->contact.reach) != LITHE_OK) {
        rows->energy = INFINITY; // no memory: this configuration is not taken
        return;
    }
    for (int i = 0; i < rows->list.n; i++) {
        contact_row *c = &rows->row[rows->n];
        *c = (contact_row){.pair = rows->list.pair[i], .at = rows->list.at[i]};
        find_roll(m, rows, c);
        c->soft = m->contact.law[c->pair.match].sides < 0;
        c->nearer = nearer_of(m, s, c->pair.id);
        c->ratio = 1;
        if (!is_within(m, s, c))
            continue;
        c->coupled = s->async || is_coupled(m, &c->pair); // A is of an old shape there
        rows->least = fmin(rows->least, c->at.distance);
        rows->n++;
        if (!s->contact.law || c->soft)
            find_barrier(m, s, rows, c);
    }
    if (s->contact.law)
        polish_evaluate(m, s, p);
    for (int r = 0; r < rows->n && s->contact.rubs; r++)
        friction_evaluate(m, s, rows, &rows->row[r]);
    rows->told = 0;
    while (rows->told < rows->n && !rows->row[rows->told].soft)
        rows->told++;
    contact_pull(m, s, p);
}

void contact_look_far(const lithe_model *m, lithe_state *s)
{
    contact_rows *rows = s->now.contact;
    rows->n = 0;
    if (find_pairs(m, s, rows, m->contact.detection_distance) != LITHE_OK)
        return;
    for (int i = 0; i < rows->list.n; i++) {
        contact_row *c = &rows->row[rows->n++];
        *c = (contact_row){.pair = rows->list.pair[i], .at = rows->list.at[i]};
        find_roll(m, rows, c);
        const contact_law *law = &m->contact.law[c->pair.match];
        rows->n -= law->sides < 0 || c->at.distance > law->detection_distance;
    }
}

// Forces on points go to the nodes by the points' weights.
void contact_spread(const lithe_model *m, const contact_row *c, double factor, const double *point,
                    double *force)
{
    for (int i = 0; i < c->pair.npoint; i++) {
        surface_entry spot[SURFACE_FACE];
        const surface_entry *entry;
        int n = contact_point(m, c, i, spot, &entry);
        for (int k = 0; k < n; k++)
            vec_axpy(&force[3 * (size_t)entry[k].node], factor * entry[k].weight, &point[3 * i]);
    }
}

void contact_pull(const lithe_model *m, lithe_state *s, step_point *p)
{
    for (int r = 0; r < p->contact->n; r++)
        contact_spread(m, &p->contact->row[r], s->contact.unit, p->contact->row[r].pull, p->pull);
}

static void add_outer(int n, double factor, const double *a, const double *b, double *H)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            H[i * n + j] += factor * a[i] * b[j];
}

// The largest |D|, of lanes side by side; D has room for a multiple of them.
static double largest(int n, double *D)
{
    enum { BESIDE = 8 };
    double most[BESIDE] = {0}, all = 0;
    for (int i = n; i % BESIDE != 0; i++)
        D[i] = 0;
    for (int i = 0; i < n; i += BESIDE)
        for (int k = 0; k < BESIDE; k++)
            most[k] = fabs(D[i + k]) > most[k] ? fabs(D[i + k]) : most[k];
    for (int k = 0; k < BESIDE; k++)
        all = most[k] > all ? most[k] : all;
    return all;
}

// Second derivative of weight * b(d) over the points. Without the part that may be negative where A
// is clamped, or what couples bodies is flat.
static void find_H(const lithe_model *m, const lithe_state *s, contact_row *c, double *H)
{
    int n = 3 * c->pair.npoint;
    double g[12], w[12], D[144], W[144];
    const contact_rows *rows = s->now.contact;
    for (int i = 0; i < n; i++)
        g[i] = c->at.share[i / 3] * c->at.normal[i % 3];
    memset(H, 0, (size_t)(n * n) * sizeof *H);
    add_outer(n, c->stiff, g, g, H);
    friction_stiffness(c, s->contact.secant, H);
    c->hessian = 0;
    if (s->tangent.found.clamped || (s->tangent.found.flat && c->coupled))
        return;
    proximity_hessian(&m->contact.world, &rows->positions, &c->pair, &c->at, D);
    for (int i = 0; i < n * n; i++)
        H[i] -= c->force * D[i];
    c->hessian = c->force * largest(n * n, D);
    if ((s->contact.law && !c->soft) || c->at.weight >= 1 ||
        !proximity_weigh(&m->contact.world, &rows->positions, &c->pair, &c->at, w, W))
        return;
    barrier b = barrier_of(m, s, c);
    add_outer(n, -b.force, g, w, H);
    add_outer(n, -b.force, w, g, H);
    for (int i = 0; i < n * n; i++)
        H[i] += b.energy * W[i];
}

// One pair of points into A's lower half: both are of one face.
static void add_points(const lithe_model *m, lithe_state *s, const contact_row *c, const double *H,
                       int a, int b)
{
    surface_entry spot[2][SURFACE_FACE];
    const surface_entry *line, *column;
    int nline = contact_point(m, c, a, spot[0], &line);
    int ncolumn = contact_point(m, c, b, spot[1], &column);
    if (nline == 0 || ncolumn == 0)
        return;
    int k = contact_body(m, line[0].node), n = 3 * c->pair.npoint;
    const body *of = &m->body[k];
    for (int i = 0; i < nline; i++)
        for (int j = 0; j < ncolumn; j++)
            body_add_pair(of, line[i].node - of->node_adr, column[j].node - of->node_adr,
                          s->contact.unit * line[i].weight * column[j].weight,
                          &H[3 * a * n + 3 * b], n, s->tangent.K[k]);
}

static bool reserve_H(step_contact *t, int n)
{
    if (n <= t->max_H)
        return true;
    double *H = memory_grow(t->H, 0, 144 * (size_t)(n + n / 2) * sizeof *H);
    if (!H)
        return false;
    t->H = H;
    t->max_H = n + n / 2;
    return true;
}

// A += what pairs with obstacles add; the others wait for contact_couple.
lithe_status contact_stiffness(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    const contact_rows *rows = s->now.contact;
    if (!m->contact.on)
        return LITHE_OK;
    if (!reserve_H(t, rows->n))
        return report_no_memory(&s->report, "contacts");
    for (int k = 0; k < m->nbody && !s->async; k++) // a barrier may be stiffer than everything
        body_keep_scale(&m->body[k], &s->tangent.of[k], rows->n > 0);
    for (int r = 0; r < rows->n; r++) {
        contact_row *c = &rows->row[r];
        double *H = &t->H[144 * (size_t)r];
        find_H(m, s, c, H);
        for (int a = 0; a < c->pair.npoint && !c->coupled; a++)
            for (int b = 0; b < c->pair.npoint; b++)
                add_points(m, s, c, H, a, b);
    }
    return LITHE_OK;
}

void contact_coupled_stiffness(const lithe_model *m, lithe_state *s)
{
    for (int r = 0; r < s->now.contact->n; r++)
        if (s->now.contact->row[r].coupled)
            find_H(m, s, &s->now.contact->row[r], &s->contact.H[144 * (size_t)r]);
}

void contact_mark(const lithe_model *m, const lithe_state *s, bool *met)
{
    const contact_rows *rows = s->now.contact;
    for (int r = 0; r < (m->contact.on ? rows->n : 0); r++)
        for (int i = 0; i < rows->row[r].pair.npoint && !rows->row[r].coupled; i++) {
            const surface_entry *entry;
            int n = proximity_point(&m->contact.world, &rows->row[r].pair, i, &entry);
            for (int k = 0; k < n; k++)
                met[contact_body(m, entry[k].node)] = true;
        }
}

// How points move when nodes do and obstacles go to their aim, against a shape's frame if there is
// one.
static void find_points(const lithe_model *m, lithe_state *s, const double *way)
{
    const proximity_world *world = &m->contact.world;
    step_contact *t = &s->contact;
    const proximity_positions *now = &s->now.contact->positions;
    proximity_positions_at(world, &t->ahead, s->now.x,
                           contact_moving(s) ? t->aim : s->now.contact->frame);
    for (int k = 0; k < world->nsurface; k++) {
        const contact_surface *surface = &world->surface[k];
        double *out = &t->point[3 * (size_t)world->vertex_adr[k]];
        if (surface->frame < 0)
            contact_surface_carry(surface, way, out);
        else
            for (int i = 0; i < 3 * surface->nvertex; i++)
                out[i] =
                    t->ahead.x[3 * world->vertex_adr[k] + i] - now->x[3 * world->vertex_adr[k] + i];
    }
}

void contact_times(const lithe_model *m, lithe_state *s, const double *way, double *force)
{
    step_contact *t = &s->contact;
    const contact_rows *rows = s->now.contact;
    if (!m->contact.on || rows->n == 0)
        return;
    find_points(m, s, way);
    for (int r = 0; r < rows->n; r++) {
        const contact_row *c = &rows->row[r];
        int n = 3 * c->pair.npoint;
        double u[12] = {0}, f[12] = {0}, along[3] = {0};
        for (int i = 0; i < c->pair.npoint; i++) {
            contact_point_way(m, c, i, t->point, &u[3 * i]);
            if (c->pair.shape >= 0 && contact_moving(s)) {
                contact_carry(&rows->frame[c->pair.shape], &t->aim[c->pair.shape],
                              &rows->positions.x[3 * (size_t)c->pair.vertex[i]], along);
                vec_axpy(&u[3 * i], -1, along);
            }
        }
        double opening = 0;
        for (int j = 0; j < n; j++)
            opening += c->at.share[j / 3] * c->at.normal[j % 3] * u[j];
        for (int i = 0; i < n && !s->tangent.found.clamped; i++)
            f[i] += c->at.share[i / 3] * c->slide[i % 3] * opening;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                f[i] += t->H[144 * (size_t)r + (size_t)(i * n + j)] * u[j];
        contact_spread(m, c, t->unit, f, force);
    }
}
