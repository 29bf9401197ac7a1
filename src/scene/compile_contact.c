// Surfaces of bodies, and the pairs of surfaces and obstacles that may come into contact.
#include "base/spelling.h"
#include "base/vec.h"
#include "contact/shape_traits.h"
#include "scene/compile.h"
#include "scene/slender.h"
#include "scene/tolerances.h"
#include "step/truth.h"

#include <string.h>

// What a surface is made of: faces of volumes or of what is rigid, rods, shells, points of a cable.
typedef enum surface_stuff {
    SURFACE_SKIN,
    SURFACE_RODS,
    SURFACE_SHELLS,
    SURFACE_POINTS_OF_CABLE
} surface_stuff;

enum { MOST_STUFF = 3 }; // of a body's side

// A surface that has been made: all that a body has of a stuff, or one named part.
typedef struct made_surface {
    int body;         // -1: an obstacle's
    const char *part; // NULL: all
    surface_stuff stuff;
} made_surface;

// What is being put together.
typedef struct contact_build {
    contact_surface *surface;
    made_surface *made; // (nsurface)
    int nsurface;
    int *obstacle; // the surface of an obstacle, -1: none that is in a match (nobstacle)
    proximity_match *match;
    int nmatch;
} contact_build;

// The surfaces of one side of a pair.
typedef struct pair_side {
    int n, surface[MOST_STUFF];
} pair_side;

// A part of a body that comes into contact.
typedef struct body_part {
    int body;
    const char *name; // NULL: all of it
    int nface, *face; // triangles of the boundary, those of shells left out
    bool *node;       // (nposition) corners of the boundary's triangles in a named part
} body_part;

static double rod_radius(const section *s)
{
    bool flat = s->kind == SECTION_RECTANGLE;
    return flat ? 0.5 * fmin(s->size[0], s->size[1]) : s->size[0];
}

static const lithe_rod_def *find_rod(const lithe_body_def *d, const char *name)
{
    for (int i = 0; name && i < d->nrod; i++)
        if (strcmp(d->rod[i].name, name) == 0)
            return &d->rod[i];
    return NULL;
}

// A rod that is glued into the body's mesh is inside of it, where nothing can reach it.
static bool stands_out(const lithe_body_def *d, const lithe_rod_def *rod)
{
    return !rod->glued || !slender_has_volumes(d);
}

// Beams stand in the order of their rods.
static lithe_status build_rods(compiler *c, int k, const char *name, contact_surface *out,
                               check_source *solid)
{
    const compile_body *part = &c->body[k];
    const struct slender *s = part->slender;
    int n = 0, e = 0, *segment = arena_new(&c->scratch, 2 * (size_t)s->nbeam + 1, int);
    double *radius = arena_new(&c->scratch, (size_t)part->nposition + 1, double);
    if (!segment || !radius)
        return compile_no_memory(c);
    for (int r = 0; r < part->def->nrod; r++) {
        const lithe_rod_def *rod = &part->def->rod[r];
        bool taken = name ? strcmp(rod->name, name) == 0 : stands_out(part->def, rod);
        for (int i = 0; i < rod->elements; i++, e++)
            for (int end = 0; end < 2 && taken; end++) {
                int node = s->beam[e].node[end];
                segment[n++] = node;
                radius[node] = fmax(radius[node], rod_radius(&s->beam[e].end[end]));
            }
    }
    surface_source source = {.nnode = part->nposition,
                             .x = part->X,
                             .node_adr = c->model->body[k].node_adr,
                             .nsegment = n / 2,
                             .segment = segment,
                             .radius = radius};
    if (contact_surface_build(out, &source, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    check_source rods = {.nvertex = part->nposition,
                         .node = &source.node_adr,
                         .rest = part->X,
                         .radius = radius,
                         .frame = -1,
                         .nsegment = n / 2,
                         .segment = segment};
    return compile_solid(c, &rods, solid);
}

// Faces as docs/meshes.md cuts them: of four along the diagonal from the least node, of six at all
// nodes.
static int *cut_faces(compiler *c, const face_set *faces, int *ntri)
{
    static const int six[12] = {0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5};
    int *tri = arena_new(&c->scratch, 3 * (size_t)faces->ntri + 12 * (size_t)faces->nwide + 1, int);
    *ntri = faces->ntri;
    if (!tri)
        return NULL;
    memcpy(tri, faces->tri, 3 * (size_t)faces->ntri * sizeof *tri);
    for (int f = 0; f < faces->nwide; f++) {
        const int *node = &faces->wide[FACE_NODES * f];
        int least = 0, *to = &tri[3 * *ntri];
        for (int i = 1; i < 4; i++)
            least = node[i] < node[least] ? i : least;
        if (face_width(node) == 4)
            for (int i = 0; i < 6; i++)
                to[i] = node[(least + (i < 3 ? i : i == 3 ? 0 : i - 2)) % 4];
        else
            for (int i = 0; i < 12; i++)
                to[i] = node[six[i]];
        *ntri += face_width(node) == 4 ? 2 : 4;
    }
    return tri;
}

// The outside of a body: its boundary without the walls of closed cavities.
static bool is_outside(const mesh_boundary *b, int triangle)
{
    for (int v = 0; v < b->ncavity; v++)
        if (b->piece[triangle] == b->cavity[v])
            return false;
    return true;
}

// Does the part have this triangle of a shell?
static bool has_triangle(const body_part *part, const slender_triangle *t)
{
    return part->name ? part->node[t->node[0]] && part->node[t->node[1]] && part->node[t->node[2]]
                      : !t->inside;
}

static lithe_status find_part(compiler *c, const char *location, body_part *part)
{
    const compile_body *own = &c->body[part->body];
    const mesh_boundary *b = &own->boundary;
    int n = b->ntri, *pick = NULL, shells = own->slender ? own->slender->nboundary : 0;
    if (part->name)
        LITHE_TRY(compile_pick_surface(c, part->body, location, part->name, &n, &pick));
    part->face = arena_new(&c->scratch, (size_t)n + 1, int);
    part->node = arena_new(&c->scratch, (size_t)own->nposition + 1, bool);
    if (!part->face || !part->node)
        return compile_no_memory(c);
    for (int i = 0; i < n; i++) {
        int t = pick ? pick[i] : i;
        for (int k = 0; k < 3; k++)
            part->node[b->tri[3 * t + k]] = true;
        if (t < b->ntri - shells && (part->name || is_outside(b, t)))
            part->face[part->nface++] = t;
    }
    return LITHE_OK;
}

static lithe_status build_skin(compiler *c, const body_part *part, contact_surface *out,
                               check_source *solid)
{
    int ntri = 0, k = part->body;
    face_set faces;
    LITHE_TRY(compile_faces(c, &c->body[k], part->nface, part->face, false, 0, &faces));
    surface_source source = {.nnode = c->body[k].mesh->nnode,
                             .x = c->body[k].X,
                             .node_adr = c->model->body[k].node_adr,
                             .stiff = compile_is_rigid(&c->body[k]),
                             .nface = faces.nwide,
                             .face = faces.wide,
                             .ntri = faces.ntri,
                             .tri = faces.tri};
    int *tri = cut_faces(c, &faces, &ntri);
    if (!tri || contact_surface_build(out, &source, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    if (compile_is_rigid(&c->body[k]))
        LITHE_TRY(compile_ride(c, k, out));
    check_source whole = {.nvertex = source.nnode,
                          .node = &source.node_adr,
                          .rest = source.x,
                          .frame = -1,
                          .ntri = ntri,
                          .tri = tri};
    return compile_solid(c, &whole, solid);
}

// The middle of a shell, off which its two sides stand by half of its thickness.
static lithe_status build_shells(compiler *c, const body_part *part, contact_surface *out,
                                 check_source *solid)
{
    const compile_body *own = &c->body[part->body];
    const struct slender *s = own->slender;
    int n = 0, *tri = arena_new(&c->scratch, 3 * (size_t)s->ntriangle + 1, int);
    double *radius = arena_new(&c->scratch, (size_t)own->nposition + 1, double);
    if (!tri || !radius)
        return compile_no_memory(c);
    for (int t = 0; t < s->ntriangle; t++)
        for (int i = 0; i < 3 && has_triangle(part, &s->triangle[t]); i++) {
            int node = s->triangle[t].node[i];
            tri[n++] = node;
            radius[node] = fmax(radius[node], 0.5 * s->triangle[t].thickness);
        }
    surface_source source = {.nnode = own->nposition,
                             .x = own->X,
                             .node_adr = c->model->body[part->body].node_adr,
                             .ntri = n / 3,
                             .tri = tri,
                             .radius = radius};
    if (contact_surface_build(out, &source, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    check_source shells = {.nvertex = own->nposition,
                           .node = &source.node_adr,
                           .rest = own->X,
                           .radius = radius,
                           .frame = -1,
                           .ntri = n / 3,
                           .tri = tri};
    return compile_solid(c, &shells, solid);
}

// A surface of a body, made once.
static lithe_status find_surface(compiler *c, contact_build *b, const body_part *part,
                                 surface_stuff stuff, int *id)
{
    const compile_body *own = &c->body[part->body];
    for (*id = 0; *id < b->nsurface; ++*id) {
        const made_surface *made = &b->made[*id];
        bool same = part->name && made->part ? strcmp(part->name, made->part) == 0
                                             : part->name == made->part;
        if (made->body == part->body && same && made->stuff == stuff)
            return LITHE_OK;
    }
    b->made[*id] = (made_surface){.body = part->body, .part = part->name, .stuff = stuff};
    b->nsurface++;
    contact_surface *out = &b->surface[*id];
    check_source *solid = &c->model->contact.solid[*id];
    if (!part->name && compile_rigid_nround(own) > 0)
        return compile_rigid_round(c, part->body, out, solid);
    return stuff == SURFACE_RODS     ? build_rods(c, part->body, part->name, out, solid)
           : stuff == SURFACE_SHELLS ? build_shells(c, part, out, solid)
                                     : build_skin(c, part, out, solid);
}

static bool has_rods(const lithe_body_def *d)
{
    for (int i = 0; i < d->nrod; i++)
        if (stands_out(d, &d->rod[i]))
            return true;
    return false;
}

static bool has_shells(const compile_body *own, const body_part *part)
{
    for (int t = 0; own->slender && t < own->slender->ntriangle; t++)
        if (has_triangle(part, &own->slender->triangle[t]))
            return true;
    return false;
}

static lithe_status find_body_side(compiler *c, contact_build *b, int k, const char *location,
                                   const char *name, pair_side *side)
{
    const lithe_body_def *d = c->body[k].def;
    bool rod = find_rod(d, name);
    body_part part = {.body = k, .name = name};
    *side = (pair_side){0};
    if (!rod)
        LITHE_TRY(find_part(c, location, &part));
    bool has[MOST_STUFF] = {[SURFACE_SKIN] = part.nface > 0,
                            [SURFACE_RODS] = name ? rod : has_rods(d),
                            [SURFACE_SHELLS] = !rod && has_shells(&c->body[k], &part)};
    for (int stuff = 0; stuff < MOST_STUFF; stuff++)
        if (has[stuff])
            LITHE_TRY(find_surface(c, b, &part, (surface_stuff)stuff, &side->surface[side->n++]));
    if (side->n == 0)
        return compile_fail(c, d->location,
                            "body '%s' is of springs, or of what is glued inside, alone and has no "
                            "surface that could touch; leave obstacles and contacts out, or give "
                            "the body a mesh, a rod or a shell",
                            d->name);
    return LITHE_OK;
}

static int find_obstacle(const compiler *c, const char *name)
{
    for (int o = 0; name && o < c->def->nobstacle; o++)
        if (strcmp(c->def->obstacle[o].name, name) == 0)
            return o;
    return -1;
}

static int find_body(const compiler *c, const char *name)
{
    for (int k = 0; name && k < c->def->nbody; k++)
        if (strcmp(c->def->body[k].name, name) == 0)
            return k;
    return -1;
}

static lithe_status fail_partner(const compiler *c, const lithe_pair_def *d)
{
    nearest near = nearest_start(d->with ? d->with : "");
    for (int o = 0; o < c->def->nobstacle; o++)
        nearest_offer(&near, c->def->obstacle[o].name);
    for (int k = 0; k < c->def->nbody; k++)
        nearest_offer(&near, c->def->body[k].name);
    const char *meant = nearest_found(&near);
    return compile_fail(c, d->location, "there is no obstacle or body '%s'%s%s%s",
                        d->with ? d->with : "", meant ? "; did you mean '" : "", meant ? meant : "",
                        meant ? "'?" : "");
}

// Mean edge of a surface at rest; of points, that of an element.
static double mean_edge(const contact_surface *s, const body *b)
{
    double sum = 0;
    if (s->nedge == 0)
        return cbrt(b->volume / (b->nelement > 0 ? b->nelement : 1));
    for (int e = 0; e < s->nedge; e++)
        sum += vec_distance(&s->rest[3 * s->edge[4 * e]], &s->rest[3 * s->edge[4 * e + 1]]);
    return sum / s->nedge;
}

static double mean_stiffness(const compiler *c, int k)
{
    const body *b = &c->model->body[k];
    double sum = 0;
    if (compile_is_rigid(&c->body[k]))
        return compile_rigid_stiffness(c, k);
    for (int i = 0; i < b->nfamily; i++)
        for (int e = 0; e < b->family[i].n; e++)
            sum += b->family[i].stiffness[e];
    return b->nelement > 0 ? sum / b->nelement : 0;
}

// The barrier pushes about a fiftieth of the softness that it meets into half its reach; stiffer
// does no harm, softer is pushed through towards the wall. docs/theory/contact-method.md
static void find_law(const compiler *c, const contact_build *b, proximity_match match, int sides,
                     const compile_law *told, contact_law *law)
{
    const double hardness = 0.02, grip = 100;
    double most = 0, edge = 0;
    int side[2] = {match.first, match.second};
    law->rigid = !match.self;
    for (int i = 0; i < 2; i++) {
        int k = side[i] >= 0 ? b->made[side[i]].body : -1;
        if (k < 0)
            continue;
        law->rigid = law->rigid && compile_is_rigid(&c->body[k]);
        most = fmax(most, mean_stiffness(c, k));
        edge = fmax(edge, mean_edge(&b->surface[side[i]], &c->model->body[k]));
    }
    law->kappa = hardness * most * edge / c->model->contact.reach;
    law->cling = grip * most;
    c->model->contact.softest = fmin(c->model->contact.softest, most);
    law->friction = told->friction;
    law->across = told->across;
    law->restitution = law->rigid ? told->restitution : 0;
    law->detection_distance = told->detection_distance;
    law->sides = sides;
}

static lithe_status add_match(compiler *c, contact_build *b, proximity_match match, int sides,
                              const compile_law *told)
{
    contact_law *law = &c->model->contact.law[b->nmatch];
    find_law(c, b, match, sides, told, law);
    c->model->contact.bounces = c->model->contact.bounces || law->restitution > 0;
    c->model->contact.detection_distance =
        fmax(c->model->contact.detection_distance, law->detection_distance);
    b->match[b->nmatch++] = match;
    return compile_ease(c, told, &b->surface[match.first], law);
}

// Every surface of the one side with every surface of the other. Of a body with itself, its
// surfaces are all looked at together once.
static lithe_status match_sides(compiler *c, contact_build *b, const lithe_pair_def *d, bool self,
                                const compile_law *told, const pair_side *first,
                                const pair_side *second)
{
    bool same = self && !d->surface && !d->with_surface;
    for (int i = 0; i < first->n; i++)
        for (int j = same ? i : 0; j < second->n; j++)
            LITHE_TRY(add_match(c, b,
                                (proximity_match){.first = first->surface[i],
                                                  .second = second->surface[j],
                                                  .shape = -1,
                                                  .self = self},
                                c->model->contact.nsides, told));
    return LITHE_OK;
}

static lithe_status check_lengths(const compiler *c, const lithe_pair_def *d)
{
    if (!(d->detection_distance >= 0) || !isfinite(d->detection_distance) || !(d->patch >= 0) ||
        !isfinite(d->patch))
        return compile_fail(c, d->location,
                            "a pair's detection distance and patch must be lengths, not below 0");
    if (d->volume)
        return compile_fail(
            c, d->location,
            "by: volume is gone: '%s' and '%s' touch without overlap, and redundant "
            "contacts cost little; leave it out",
            d->body, d->with);
    if (find_obstacle(c, d->with) >= 0 && d->with_surface)
        return compile_fail(c, d->location, "obstacle '%s' is touched as a whole; leave out '%s'",
                            d->with, d->with_surface);
    return LITHE_OK;
}

static lithe_status compile_pair(compiler *c, contact_build *b, const lithe_pair_def *d)
{
    model_contact *t = &c->model->contact;
    int k = 0, o = find_obstacle(c, d->with), other = o < 0 ? find_body(c, d->with) : -1;
    pair_side first, second;
    compile_law told;
    LITHE_TRY(compile_find_body(c, d->location, d->body, &k));
    if (o < 0 && other < 0)
        return fail_partner(c, d);
    LITHE_TRY(check_lengths(c, d));
    LITHE_TRY(compile_pair_law(c, d, o, k, other, &told));
    LITHE_TRY(find_body_side(c, b, k, d->location, d->surface, &first));
    if (o >= 0 && b->obstacle[o] >= 0)
        second = (pair_side){1, {b->obstacle[o]}};
    else if (o < 0)
        LITHE_TRY(find_body_side(c, b, other, d->location, d->with_surface, &second));
    if (o >= 0 && b->obstacle[o] < 0)
        for (int i = 0; i < first.n; i++)
            LITHE_TRY(add_match(
                c, b, (proximity_match){.first = first.surface[i], .second = -1, .shape = o},
                t->nsides, &told));
    else
        LITHE_TRY(match_sides(c, b, d, other == k, &told, &first, &second));
    t->sides[t->nsides].name[0] = c->model->body[k].name;
    t->sides[t->nsides].name[1] = o >= 0 ? t->shape_name[o] : c->model->body[other].name;
    t->sides[t->nsides++].off = d->off;
    return LITHE_OK;
}

// Does the scene say something of its own about these two?
static bool is_named(const lithe_contacts_def *d, const char *one, const char *other)
{
    for (int i = 0; i < d->npair; i++) {
        const char *first = d->pair[i].body ? d->pair[i].body : "";
        const char *second = d->pair[i].with ? d->pair[i].with : "";
        if ((strcmp(first, one) == 0 && strcmp(second, other) == 0) ||
            (strcmp(first, other) == 0 && strcmp(second, one) == 0))
            return true;
    }
    return false;
}

static lithe_status compile_usual(compiler *c, contact_build *b, const char *first,
                                  const char *second)
{
    lithe_pair_def d = lithe_pair_def_default();
    d.location = c->def->contacts.location;
    d.body = first;
    d.with = second;
    return is_named(&c->def->contacts, first, second) ? LITHE_OK : compile_pair(c, b, &d);
}

static lithe_status compile_pairs(compiler *c, contact_build *b)
{
    const lithe_def *def = c->def;
    const lithe_contacts_def *d = &def->contacts;
    for (int k = 0; k < def->nbody && !d->only_named; k++) {
        for (int o = 0; o < def->nobstacle; o++)
            LITHE_TRY(compile_usual(c, b, def->body[k].name, def->obstacle[o].name));
        for (int other = k + 1; other < def->nbody; other++)
            LITHE_TRY(compile_usual(c, b, def->body[k].name, def->body[other].name));
    }
    for (int i = 0; i < d->nself; i++)
        LITHE_TRY(compile_usual(c, b, d->self[i], d->self[i]));
    for (int i = 0; i < d->npair; i++)
        LITHE_TRY(compile_pair(c, b, &d->pair[i]));
    return LITHE_OK;
}

// Pairs as outsiders count them, at most.
static int count_pairs(const lithe_def *d)
{
    int usual = d->nbody * d->nobstacle + d->nbody * (d->nbody - 1) / 2;
    return (d->contacts.only_named ? 0 : usual) + d->contacts.nself + d->contacts.npair;
}

static bool allocate(compiler *c, contact_build *b, int npair)
{
    const lithe_def *d = c->def;
    model_contact *t = &c->model->contact;
    arena *a = &c->model->memory;
    size_t parts = (size_t)d->nbody + 2 * (size_t)d->contacts.npair;
    size_t surfaces = MOST_STUFF * parts + (size_t)d->nobstacle + (size_t)d->nactuator + 1;
    size_t matches = MOST_STUFF * MOST_STUFF * (size_t)npair + (size_t)d->nactuator;
    b->surface = arena_new(a, surfaces, contact_surface);
    b->made = arena_new(&c->scratch, surfaces, made_surface);
    t->solid = arena_new(a, surfaces, check_source);
    b->obstacle = arena_new(&c->scratch, (size_t)d->nobstacle + 1, int);
    b->match = arena_new(a, matches, proximity_match);
    t->law = arena_new(a, matches, contact_law);
    t->sides = arena_new(a, npair, contact_sides);
    t->pose = arena_new(a, (size_t)d->nobstacle + 1, contact_frame);
    t->path = arena_new(a, (size_t)d->nobstacle + 1, contact_path);
    t->shape_name = arena_new(a, (size_t)d->nobstacle + 1, const char *);
    t->shape_surface = arena_new(a, (size_t)d->nobstacle + 1, int);
    t->held = arena_new(a, c->model->nnode, bool);
    return b->surface && b->made && t->solid && b->obstacle && b->match && t->law && t->sides &&
           t->pose && t->path && t->shape_name && t->shape_surface && t->held;
}

// What has a skin without rims (boxes, balls, capsules) is in contact as surfaces are; planes,
// pipes and shapes with rims by their formula, and the rims besides.
static lithe_status compile_obstacles(compiler *c, contact_build *b, contact_shape *shape)
{
    for (int o = 0; o < c->def->nobstacle; o++) {
        LITHE_TRY(compile_obstacle(c, o, &shape[o]));
        contact_surface *surface = &b->surface[b->nsurface];
        const shape_traits *kind = shape_traits_of(&shape[o]);
        c->model->contact.shape_surface[o] = kind->told ? b->nsurface : -1;
        if (kind->told)
            LITHE_TRY(compile_obstacle_mesh(c, o, surface, &c->model->contact.solid[b->nsurface]));
        else if (contact_surface_of_shape(surface, &shape[o], o, &c->model->memory) != LITHE_OK)
            return compile_no_memory(c);
        bool whole = surface->nvertex > 0 && kind->nrim == 0;
        b->obstacle[o] = whole ? b->nsurface : -1;
        if (surface->nvertex == 0)
            continue;
        b->made[b->nsurface++] = (made_surface){.body = -1};
    }
    return LITHE_OK;
}

// The node that a cable's point is, in its body; -1: it is between nodes.
static int node_of_point(const lithe_model *m, const row_point *p)
{
    for (int i = 0; i < p->nposition && p->body >= 0; i++)
        if (p->weight[i] > 1 - SCENE_ON_NODE)
            return p->node[i] - m->body[p->body].node_adr;
    return -1;
}

// Points of a cable do not go through each other, as where a notch closes: the cable's length has a
// kink there, and its direction is lost.
static lithe_status compile_cable(compiler *c, contact_build *b, const row *r)
{
    const row_line *line = &r->line;
    int *node = arena_new(&c->scratch, (size_t)line->npoint + 1, int), n = 0, k = -1;
    if (!node)
        return compile_no_memory(c);
    for (int i = 0; i < line->npoint; i++) {
        int found = node_of_point(c->model, &line->point[i]);
        if (found >= 0 && (k < 0 || line->point[i].body == k)) {
            k = line->point[i].body;
            node[n++] = found;
        }
    }
    if (n < 2)
        return LITHE_OK;
    surface_source source = {.nnode = c->body[k].nposition,
                             .x = c->body[k].X,
                             .node_adr = c->model->body[k].node_adr,
                             .npoint = n,
                             .point = node};
    int id = b->nsurface++;
    b->made[id] = (made_surface){.body = k, .stuff = SURFACE_POINTS_OF_CABLE};
    if (contact_surface_build(&b->surface[id], &source, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    return add_match(c, b, (proximity_match){.first = id, .second = id, .shape = -1, .self = true},
                     -1, &(compile_law){.across = -1, .obstacle = -1});
}

static void find_held(lithe_model *m)
{
    for (int k = 0; k < m->nbody; k++)
        for (int i = 0; i < m->body[k].nnode; i++)
            m->contact.held[m->body[k].node_adr + i] = m->body[k].block[i] < 0;
}

lithe_status compile_contacts(compiler *c)
{
    const lithe_def *d = c->def;
    lithe_model *m = c->model;
    model_contact *t = &m->contact;
    int npair = count_pairs(d);
    bool asked =
        d->contacts.location || d->nobstacle > 0 || d->contacts.nself > 0 || d->contacts.npair > 0;
    contact_build b = {0};
    if (npair == 0 || d->contacts.max < 1 || !asked)
        return LITHE_OK;
    if (d->contacts.max > LITHE_CONTACTS_MAX)
        return compile_fail(c, d->contacts.location,
                            "contacts.max is %d; there can be %d contacts at a time, which make "
                            "dense matrices",
                            d->contacts.max, LITHE_CONTACTS_MAX);
    if (d->dynamics.scheme == LITHE_ALPHA && d->dynamics.mass != LITHE_LUMPED)
        return compile_fail(c, d->contacts.location,
                            "contacts with the scheme alpha need lumped masses; use mass: lumped "
                            "or scheme: euler");
    contact_shape *shapes = arena_new(&m->memory, (size_t)d->nobstacle + 1, contact_shape);
    if (!shapes || !allocate(c, &b, npair))
        return compile_no_memory(c);
    bool narrow = d->step.mode != LITHE_CONVERGED && d->dynamics.scheme == LITHE_STATIC;
    t->reach = (narrow ? SCENE_REACH_REALTIME : SCENE_REACH) * m->size;
    t->held_at = SCENE_HELD_AT * m->size;
    t->softest = INFINITY;
    LITHE_TRY(compile_obstacles(c, &b, shapes));
    LITHE_TRY(compile_pairs(c, &b));
    for (int r = 0; r < m->nact; r++)
        if (m->row[r].kind == ROW_CABLE)
            LITHE_TRY(compile_cable(c, &b, &m->row[r]));
    find_held(m);
    t->overlap = d->contacts.overlap > 0 ? d->contacts.overlap : SCENE_OVERLAP * m->size;
    t->world = (proximity_world){.nsurface = b.nsurface,
                                 .surface = b.surface,
                                 .nshape = d->nobstacle,
                                 .shape = shapes,
                                 .nmatch = b.nmatch,
                                 .match = b.match,
                                 .soft = t->reach};
    t->room = d->contacts.max;
    t->global = d->contacts.global;
    t->on = true;
    if (proximity_world_prepare(&t->world, &m->memory) != LITHE_OK || truth_build(m) != LITHE_OK)
        return compile_no_memory(c);
    return compile_check_apart(c);
}
