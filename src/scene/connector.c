#include "scene/connector.h"

#include "base/vec.h"
#include "mesh/embed.h"
#include "scene/tolerances.h"

#include <string.h>

// A point of the body in its own nodes: in its mesh, or on the axis of a rod or the middle of a
// shell.
static lithe_status find_point(const compiler *c, const compile_body *part, const char *location,
                               const char *what, const double at[3], row_point *out)
{
    double size = 0, lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3];
    for (int i = 0; i < 3; i++)
        upper[i] = -INFINITY;
    for (int i = 0; i < 3 * part->nposition; i++) {
        lower[i % 3] = fmin(lower[i % 3], part->X[i]);
        upper[i % 3] = fmax(upper[i % 3], part->X[i]);
    }
    size = vec_distance(lower, upper);
    mesh_point embedded = {.outside = INFINITY};
    if (part->mesh->ntet > 0)
        embed_point(part->mesh, part->X, at, &embedded);
    double aside = slender_embed(part, at, out);
    if (!(fmin(aside, embedded.outside) <= 0.05 * size))
        return compile_fail(c, location,
                            "%s: the point (%.4g, %.4g, %.4g) m lies outside body '%s': check "
                            "units and place",
                            what, at[0], at[1], at[2], part->def->name);
    if (aside < embedded.outside)
        return LITHE_OK;
    *out = (row_point){0};
    compile_carry(part, &embedded, at, out);
    return LITHE_OK;
}

static void add_coefficients(spring_def *s, const row_point *p, double sign)
{
    for (int a = 0; a < p->nposition; a++) {
        int k = 0;
        while (k < s->nnode && s->node[k] != p->node[a])
            k++;
        if (k == s->nnode)
            s->node[s->nnode++] = p->node[a];
        s->coefficient[k] += sign * p->weight[a];
    }
}

static double length_now(const spring_def *s, const double *X)
{
    double d[3];
    memcpy(d, s->anchor, sizeof d);
    for (int a = 0; a < s->nnode; a++)
        vec_axpy(d, s->coefficient[a], &X[3 * s->node[a]]);
    return vec_norm(d);
}

// owner: the body's spring that it is; or its thread, behind all of them.
static spring_def *next_spring(struct joints *j, bool slack, int owner)
{
    j->spring_owner[j->nspring] = owner;
    spring_def *s = &j->spring[j->nspring++];
    *s = (spring_def){.slack = slack};
    return s;
}

// A point on a face, an edge or a node is carried by fewer nodes than its element has. What is left
// out goes to the heaviest: coefficients keep their sum, and forces have no resultant.
static void leave_out_idle(spring_def *s)
{
    int n = 0, heaviest = 0;
    double idle = 0;
    for (int a = 0; a < s->nnode; a++) {
        if (fabs(s->coefficient[a]) <= SCENE_ON_NODE) {
            idle += s->coefficient[a];
            continue;
        }
        s->node[n] = s->node[a];
        s->coefficient[n] = s->coefficient[a];
        heaviest = fabs(s->coefficient[n]) > fabs(s->coefficient[heaviest]) ? n : heaviest;
        n++;
    }
    s->coefficient[heaviest] += idle;
    s->nnode = n;
}

static lithe_status finish_spring(const compiler *c, compile_body *part, const char *location,
                                  const char *what, spring_def *s)
{
    double length = length_now(s, part->X);
    if (!(length > SCENE_SAME_POINT))
        return compile_fail(c, location, "%s has two points in the same place", what);
    if (isnan(s->rest))
        s->rest = length;
    leave_out_idle(s);
    return LITHE_OK;
}

static lithe_status add_spring(const compiler *c, compile_body *part, const lithe_spring_def *d)
{
    row_point from, to;
    if (!(d->stiffness > 0) || !isfinite(d->stiffness) || d->rest < 0)
        return compile_fail(c, d->location,
                            "spring '%s': its stiffness is %g N/m and its length at rest %g m; "
                            "they must not be negative",
                            d->name, d->stiffness, d->rest);
    spring_def *s = next_spring(part->joints, d->slack, (int)(d - part->def->spring));
    s->stiffness = d->stiffness;
    s->rest = d->rest;
    LITHE_TRY(find_point(c, part, d->location, "a spring", d->from, &from));
    add_coefficients(s, &from, -1);
    if (d->tied) {
        memcpy(s->anchor, d->to, sizeof s->anchor);
    } else {
        LITHE_TRY(find_point(c, part, d->location, "a spring", d->to, &to));
        add_coefficients(s, &to, 1);
    }
    return finish_spring(c, part, d->location, "a spring", s);
}

// Pieces of a leg: no longer than the elements that it runs through.
static int count_pieces(const compile_body *part, const lithe_thread_def *d, int leg)
{
    const mesh *m = part->mesh;
    const double *a = &d->point[3 * leg], *b = &d->point[3 * ((leg + 1) % d->npoint)];
    double volume = 0;
    for (int e = 0; e < m->ntet; e++) {
        double edge[3][3];
        for (int i = 0; i < 3; i++)
            vec_sub(edge[i], &part->X[3 * m->tet[4 * e + 1 + i]], &part->X[3 * m->tet[4 * e]]);
        volume += fabs(vec_triple(edge[0], edge[1], edge[2])) / 6;
    }
    double size = m->ntet > 0 ? 1.5 * cbrt(volume / m->ntet) : INFINITY;
    return (int)fmin(fmax(1, ceil(vec_distance(a, b) / size)), 1000);
}

static lithe_status add_thread(compiler *c, compile_body *part, const lithe_thread_def *d)
{
    struct joints *j = part->joints;
    int material, owner = part->def->nspring + (int)(d - part->def->thread);
    if (d->npoint < 2 || !(d->radius > 0) || !isfinite(d->radius))
        return compile_fail(c, d->location,
                            "thread '%s' needs two points or more and a radius above 0", d->name);
    LITHE_TRY(compile_find_material(c, d->location, d->material ? d->material : part->def->material,
                                    &material));
    for (int leg = 0; leg < d->npoint - !d->closed; leg++) {
        const double *a = &d->point[3 * leg], *b = &d->point[3 * ((leg + 1) % d->npoint)];
        int pieces = count_pieces(part, d, leg);
        for (int k = 0; k < pieces; k++) {
            row_point end[2];
            j->spring_material[j->nspring] = material;
            j->spring_area[j->nspring] = M_PI * d->radius * d->radius;
            spring_def *s = next_spring(j, d->slack, owner);
            s->rest = NAN;
            for (int side = 0; side < 2; side++) {
                double t = (double)(k + side) / pieces, at[3];
                for (int i = 0; i < 3; i++)
                    at[i] = (1 - t) * a[i] + t * b[i];
                LITHE_TRY(find_point(c, part, d->location, "a thread", at, &end[side]));
                add_coefficients(s, &end[side], side ? 1 : -1);
            }
            LITHE_TRY(finish_spring(c, part, d->location, "a thread", s));
        }
    }
    return LITHE_OK;
}

// Gradients of a tetrahedron's shape functions; returns its volume.
static double tet_gradients(const double *X, const int *tet, double gradient[][3])
{
    double edge[3][3], cross[3];
    for (int i = 0; i < 3; i++)
        vec_sub(edge[i], &X[3 * tet[1 + i]], &X[3 * tet[0]]);
    double det = vec_triple(edge[0], edge[1], edge[2]);
    memset(gradient[0], 0, sizeof gradient[0]);
    for (int a = 0; a < 3; a++) {
        vec_cross(cross, edge[(a + 1) % 3], edge[(a + 2) % 3]);
        for (int i = 0; i < 3; i++) {
            gradient[1 + a][i] = cross[i] / det;
            gradient[0][i] -= cross[i] / det;
        }
    }
    return fabs(det) / 6;
}

// A node that rotates and lies in the mesh is glued to the tetrahedron around it. Stiffnesses are
// those of the tetrahedron, for a unit of modulus, many times for the position; see
// docs/theory/beams.md.
static void add_glue(compile_body *part, int node)
{
    const double firm = 1e3, rotating = 10;
    mesh_point at;
    const mesh *m = part->mesh;
    struct joints *j = part->joints;
    embed_point(m, part->X, &part->X[3 * node], &at);
    if (at.outside > 0)
        return;
    glue_def *g = &j->glue[j->nglue];
    double gradient[4][3];
    row_point carried = {0};
    compile_carry(part, &at, &part->X[3 * node], &carried);
    *g = (glue_def){.node = node, .rotation = part->rotation[node], .nhost = carried.nposition};
    double size = cbrt(tet_gradients(part->X, at.node, gradient));
    for (int a = 0; a < carried.nposition; a++) { // its corners are among the element's nodes
        g->host[a] = carried.node[a];
        g->weight[a] = carried.weight[a];
        for (int k = 0; k < 4; k++)
            if (at.node[k] == carried.node[a])
                memcpy(g->gradient[a], gradient[k], sizeof gradient[k]);
    }
    j->wide_glue = j->wide_glue || g->nhost > GLUE_HOST;
    g->stiffness = firm * size;
    g->rotating = rotating * size * size * size;
    int host = 0;
    while (memcmp(&m->tet[4 * host], at.node, sizeof at.node) != 0)
        host++;
    const int *cell_of = part->skeleton.cell_of;
    j->glue_host[j->nglue++] = cell_of ? cell_of[host] : host;
}

// Nodes of rods and shells that ask for it, unless they are nodes of the mesh itself.
static lithe_status glue_parts(compiler *c, compile_body *part)
{
    const lithe_body_def *d = part->def;
    bool *wanted = arena_new(&c->scratch, part->nposition, bool);
    if (!wanted)
        return compile_no_memory(c);
    for (int g = 0; g < part->mesh->ngroup; g++) {
        const mesh_group *group = &part->mesh->group[g];
        bool glued = false;
        for (int i = 0; i < d->nrod; i++)
            glued = glued || (d->rod[i].glued && d->rod[i].name == group->name);
        for (int i = 0; i < d->nshell; i++)
            glued = glued || (d->shell[i].glued && d->shell[i].name == group->name);
        for (int i = 0; glued && i < group->nmember; i++)
            for (int a = 0; a < (group->dim ? 3 : 1); a++)
                wanted[group->dim ? part->mesh->tri[3 * group->member[i] + a] : group->member[i]] =
                    true;
    }
    for (int i = part->nposition - part->mesh->nslender; i < part->nposition; i++)
        if (wanted[i])
            add_glue(part, i);
    return LITHE_OK;
}

// Families are of one width, and elements are numbered family by family.
static lithe_status sort_springs(compiler *c, struct joints *j)
{
    struct joints old = *j;
    j->spring = arena_new(&c->scratch, j->nspring + 1, spring_def);
    j->spring_material = arena_new(&c->scratch, j->nspring + 1, int);
    j->spring_area = arena_new(&c->scratch, j->nspring + 1, double);
    j->spring_owner = arena_new(&c->scratch, j->nspring + 1, int);
    if (!j->spring || !j->spring_material || !j->spring_area || !j->spring_owner)
        return compile_no_memory(c);
    for (int width = 0, n = 0; width < SPRING_KINDS; width++)
        for (int i = 0; i < old.nspring; i++)
            if (spring_width(old.spring[i].nnode) == width) {
                j->spring[n] = old.spring[i];
                j->spring_material[n] = old.spring_material[i];
                j->spring_owner[n] = old.spring_owner[i];
                j->spring_area[n++] = old.spring_area[i];
            }
    return LITHE_OK;
}

lithe_status joints_collect(compiler *c, compile_body *part)
{
    const lithe_body_def *d = part->def;
    int most = d->nspring;
    bool glue = part->nrotation > 0 && part->mesh->ntet > 0;
    if (d->nspring + d->nthread == 0 && !glue)
        return LITHE_OK;
    for (int i = 0; i < d->nthread; i++)
        for (int leg = 0; leg < d->thread[i].npoint - !d->thread[i].closed; leg++)
            most += count_pieces(part, &d->thread[i], leg);
    struct joints *j = part->joints = arena_new(&c->scratch, 1, struct joints);
    if (!j)
        return compile_no_memory(c);
    j->spring = arena_new(&c->scratch, most, spring_def);
    j->spring_material = arena_new(&c->scratch, most, int);
    j->spring_area = arena_new(&c->scratch, most, double);
    j->spring_owner = arena_new(&c->scratch, most, int);
    j->glue = arena_new(&c->scratch, part->mesh->nslender, glue_def);
    j->glue_host = arena_new(&c->scratch, part->mesh->nslender, int);
    if (!j->spring || !j->spring_material || !j->spring_area || !j->spring_owner || !j->glue ||
        !j->glue_host)
        return compile_no_memory(c);
    for (int i = 0; i < d->nspring; i++)
        LITHE_TRY(add_spring(c, part, &d->spring[i]));
    for (int i = 0; i < d->nthread; i++)
        LITHE_TRY(add_thread(c, part, &d->thread[i]));
    LITHE_TRY(sort_springs(c, j));
    return glue ? glue_parts(c, part) : LITHE_OK;
}

int joints_nelement(const compile_body *part)
{
    return part->joints ? part->joints->nspring + part->joints->nglue : 0;
}

int joints_material(const compile_body *part, int e)
{
    return e < part->joints->nspring ? part->joints->spring_material[e] : 0;
}

bool joints_follow_material(const compile_body *part, int e)
{
    return e < part->joints->nspring && part->joints->spring_area[e] > 0;
}

// The glue's own node and one of its hosts: what it joins.
void joints_pair(const compile_body *part, int e, int pair[2])
{
    const glue_def *g = &part->joints->glue[e];
    pair[0] = g->node;
    pair[1] = g->host[0];
}

int joints_hosts(const compile_body *part, int glue, int glued[2], const int **host)
{
    const glue_def *g = &part->joints->glue[glue];
    glued[0] = g->node;
    glued[1] = g->rotation;
    *host = g->host;
    return g->nhost;
}

int joints_nglue(const compile_body *part)
{
    return part->joints ? part->joints->nglue : 0;
}

static spring_def finished(const compiler *c, const struct joints *j, int e)
{
    spring_def s = j->spring[e];
    if (j->spring_area[e] > 0) {
        s.stiffness = c->material[j->spring_material[e]].young * j->spring_area[e] / s.rest;
        s.volume = j->spring_area[e] * s.rest;
    }
    return s;
}

bool joints_of(const compiler *c, const compile_body *part, int owner, int *next, spring_def *out)
{
    const struct joints *j = part->joints;
    while (j && *next < j->nspring && j->spring_owner[*next] != owner)
        ++*next;
    if (!j || *next >= j->nspring)
        return false;
    *out = finished(c, j, (*next)++);
    return true;
}

// The springs of one width, [first, last).
static lithe_status build_springs(compiler *c, const struct joints *j, int first, int last,
                                  element_family *f)
{
    int width = spring_width(j->spring[first].nnode);
    const element_kind *kind = spring_kind(element_best_variant(), width);
    if (family_create(f, kind, last - first, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    for (int e = first; e < last; e++) {
        spring_def s = finished(c, j, e);
        spring_set(f, e - first, &s);
    }
    return LITHE_OK;
}

static lithe_status build_glue(compiler *c, const compile_body *part, element_family *f)
{
    const struct joints *j = part->joints;
    const element_kind *kind = glue_kind(element_best_variant(), j->wide_glue);
    if (family_create(f, kind, j->nglue, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    for (int e = 0; e < j->nglue; e++) {
        glue_def g = j->glue[e];
        double young = part->stuff[part->element[j->glue_host[e]]]->young;
        g.stiffness *= young;
        g.rotating *= young;
        glue_set(f, e, &g);
    }
    return LITHE_OK;
}

lithe_status joints_families(compiler *c, const compile_body *part, element_family *family, int *n)
{
    const struct joints *j = part->joints;
    for (int first = 0, last; j && first < j->nspring; first = last) {
        int width = spring_width(j->spring[first].nnode);
        for (last = first; last < j->nspring; last++)
            if (spring_width(j->spring[last].nnode) != width)
                break;
        LITHE_TRY(build_springs(c, j, first, last, &family[(*n)++]));
    }
    if (j && j->nglue > 0)
        LITHE_TRY(build_glue(c, part, &family[(*n)++]));
    return LITHE_OK;
}
