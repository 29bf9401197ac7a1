// Skins of bodies, and the pairs of skins and obstacles that may touch.
#include "base/nearest.h"
#include "scene/compile.h"
#include "scene/slender.h"

#include <string.h>

// A skin that has been made: all of a body's boundary, all of its rods, or one named part.
typedef struct made_skin {
    int body;         // -1: an obstacle's mesh
    const char *part; // NULL: all
    bool rods;
} made_skin;

// What is being put together.
typedef struct contact_build {
    contact_skin *skin;
    made_skin *made; // (nskin)
    int nskin, most_skin;
    int *mesh; // the skin of an obstacle's mesh, -1: a shape (nobstacle)
    contact_pair *pair;
    int npair, most_pair;
} contact_build;

// The skins of one side of a pair.
typedef struct pair_side {
    int n, skin[2];
} pair_side;

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
    return !rod->glued || (!d->mesh && !d->mesh_file);
}

// Beams stand in the order of their rods.
static lithe_status build_rods(compiler *c, int k, const char *name, contact_skin *out)
{
    const compile_body *part = &c->body[k];
    const struct slender *s = part->slender;
    int n = 0, e = 0, *segment = arena_new(&c->scratch, 2 * (size_t)s->nbeam + 1, int);
    double *radius = arena_new(&c->scratch, (size_t)part->nplace + 1, double);
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
    skin_source source = {.nnode = part->nplace,
                          .x = part->X,
                          .node_adr = c->model->body[k].node_adr,
                          .nsegment = n / 2,
                          .segment = segment,
                          .radius = radius};
    if (skin_build(out, &source, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    return LITHE_OK;
}

// The outside of a body: its boundary without the walls of closed cavities.
static lithe_status find_outside(compiler *c, int k, int *ntri, int **tri)
{
    const mesh_boundary *b = &c->body[k].boundary;
    *tri = arena_new(&c->scratch, 3 * (size_t)b->ntri + 1, int);
    if (!*tri)
        return compile_no_memory(c);
    for (int t = 0; t < b->ntri; t++) {
        bool inner = false;
        for (int v = 0; v < b->ncavity; v++)
            inner = inner || b->piece[t] == b->cavity[v];
        if (!inner)
            memcpy(&(*tri)[3 * (*ntri)++], &b->tri[3 * t], 3 * sizeof(int));
    }
    return LITHE_OK;
}

static lithe_status build_surface(compiler *c, int k, const char *place, const char *name,
                                  contact_skin *out)
{
    int ntri = 0, *tri = NULL;
    if (name)
        LITHE_TRY(compile_find_surface(c, k, place, name, &ntri, &tri));
    else
        LITHE_TRY(find_outside(c, k, &ntri, &tri));
    skin_source source = {.nnode = c->body[k].mesh->nnode,
                          .x = c->body[k].X,
                          .node_adr = c->model->body[k].node_adr,
                          .ntri = ntri,
                          .tri = tri};
    if (skin_build(out, &source, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    return LITHE_OK;
}

// A skin of a body, made once.
static lithe_status find_skin(compiler *c, contact_build *b, int k, const char *place,
                              const char *name, bool rods, int *id)
{
    for (*id = 0; *id < b->nskin; ++*id) {
        const made_skin *made = &b->made[*id];
        bool same = name && made->part ? strcmp(name, made->part) == 0 : name == made->part;
        if (made->body == k && same && made->rods == rods)
            return LITHE_OK;
    }
    b->made[*id] = (made_skin){k, name, rods};
    b->nskin++;
    contact_skin *out = &b->skin[*id];
    return rods ? build_rods(c, k, name, out) : build_surface(c, k, place, name, out);
}

static bool has_rods(const lithe_body_def *d)
{
    for (int i = 0; i < d->nrod; i++)
        if (stands_out(d, &d->rod[i]))
            return true;
    return false;
}

static lithe_status find_body_side(compiler *c, contact_build *b, int k, const char *place,
                                   const char *name, pair_side *side)
{
    const lithe_body_def *d = c->body[k].def;
    bool rods = name ? find_rod(d, name) != NULL : has_rods(d);
    bool surface = name ? !rods : c->body[k].boundary.ntri > 0;
    *side = (pair_side){0};
    if (surface)
        LITHE_TRY(find_skin(c, b, k, place, name, false, &side->skin[side->n++]));
    if (rods)
        LITHE_TRY(find_skin(c, b, k, place, name, true, &side->skin[side->n++]));
    if (side->n == 0)
        return compile_fail(c, d->place,
                            "body '%s' is of shells or springs alone and has no surface that could "
                            "touch; leave obstacles and contacts out, or give the body a mesh or a "
                            "rod",
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
    return compile_fail(c, d->place, "there is no obstacle or body '%s'%s%s%s",
                        d->with ? d->with : "", meant ? "; did you mean '" : "", meant ? meant : "",
                        meant ? "'?" : "");
}

static void add_pair(contact_build *b, const model_touch *t, contact_pair pair)
{
    t->pair_of[b->npair] = t->npair;
    b->pair[b->npair++] = pair;
}

// By volume the first side is cut into patches.
static lithe_status find_patches(compiler *c, const contact_build *b, const lithe_pair_def *d,
                                 contact_pair *pair)
{
    const contact_skin *skin = &b->skin[pair->first];
    pair->patches = NULL;
    if (!d->volume)
        return LITHE_OK;
    if (pair->self)
        return compile_fail(
            c, d->place, "body '%s' touches itself by points only; leave out by: volume", d->body);
    if (skin->ntri == 0 || (pair->second >= 0 && b->skin[pair->second].ntri == 0))
        return compile_fail(c, d->place,
                            "'%s' and '%s' touch by points only, as one of them is a rod; leave "
                            "out by: volume",
                            d->body, d->with);
    bool both = pair->second >= 0 && b->skin[pair->second].frame < 0;
    if (both && c->def->step.mode == LITHE_CONVERGED)
        return compile_fail(c, d->place,
                            "'%s' and '%s' are both soft: by volume they touch in realtime steps "
                            "only; leave out by: volume",
                            d->body, d->with);
    contact_patches *patches = arena_new(&c->model->memory, 1, contact_patches);
    if (!patches ||
        contact_patches_build(skin, d->patch, pair->alarm, &c->model->memory, patches) != LITHE_OK)
        return compile_no_memory(c);
    pair->patches = patches;
    return LITHE_OK;
}

// Every skin of the one side with every skin of the other. Of a body with itself, its skins are all
// looked at together once.
static lithe_status pair_sides(compiler *c, contact_build *b, const lithe_pair_def *d,
                               contact_pair pair, const pair_side *first, const pair_side *second)
{
    bool same = pair.self && !d->surface && !d->with_surface;
    for (int i = 0; i < first->n; i++)
        for (int j = same ? i : 0; j < second->n; j++) {
            pair.first = first->skin[i];
            pair.second = second->skin[j];
            LITHE_TRY(find_patches(c, b, d, &pair));
            add_pair(b, &c->model->touch, pair);
        }
    return LITHE_OK;
}

static lithe_status check_lengths(const compiler *c, const lithe_pair_def *d)
{
    if (!(d->alarm >= 0) || !isfinite(d->alarm) || !(d->patch >= 0) || !isfinite(d->patch))
        return compile_fail(c, d->place,
                            "a pair's alarm distance and patch must be lengths, not below 0");
    if (find_obstacle(c, d->with) >= 0 && d->with_surface)
        return compile_fail(c, d->place, "obstacle '%s' is touched as a whole; leave out '%s'",
                            d->with, d->with_surface);
    return LITHE_OK;
}

// Of the pair, or else of obstacle o, or else of all.
static double friction_of(const compiler *c, const lithe_pair_def *d, int o)
{
    if (d->friction >= 0)
        return d->friction;
    if (o >= 0 && c->def->obstacle[o].friction >= 0)
        return c->def->obstacle[o].friction;
    return c->def->contacts.friction;
}

// Where the first friction of the scene stands; the inverse will ask.
static lithe_status note_friction(compiler *c, const lithe_pair_def *d, int o)
{
    model_touch *t = &c->model->touch;
    const char *place = d->friction >= 0                              ? d->place
                        : o >= 0 && c->def->obstacle[o].friction >= 0 ? c->def->obstacle[o].place
                                                                      : c->def->contacts.place;
    if (t->friction || friction_of(c, d, o) <= 0)
        return LITHE_OK;
    t->friction = true;
    if (place && !(t->friction_place = arena_strdup(&c->model->memory, place)))
        return compile_no_memory(c);
    return LITHE_OK;
}

static lithe_status compile_pair(compiler *c, contact_build *b, const lithe_pair_def *d,
                                 double alarm)
{
    model_touch *t = &c->model->touch;
    int k = 0, o = find_obstacle(c, d->with), other = o < 0 ? find_body(c, d->with) : -1;
    pair_side first, second;
    LITHE_TRY(compile_find_body(c, d->place, d->body, &k));
    if (o < 0 && other < 0)
        return fail_partner(c, d);
    LITHE_TRY(check_lengths(c, d));
    contact_pair pair = {.self = other == k,
                         .alarm = d->alarm > 0 ? d->alarm : alarm,
                         .friction = friction_of(c, d, o)};
    LITHE_TRY(note_friction(c, d, o));
    LITHE_TRY(find_body_side(c, b, k, d->place, d->surface, &first));
    if (o >= 0 && b->mesh[o] >= 0)
        second = (pair_side){1, {b->mesh[o]}};
    else if (o >= 0) {
        for (int i = 0; i < first.n; i++) {
            pair.first = first.skin[i];
            pair.second = -1;
            pair.shape = o;
            LITHE_TRY(find_patches(c, b, d, &pair));
            add_pair(b, t, pair);
        }
        second.n = 0;
    } else
        LITHE_TRY(find_body_side(c, b, other, d->place, d->with_surface, &second));
    LITHE_TRY(pair_sides(c, b, d, pair, &first, &second));
    t->pair[t->npair].name[0] = c->model->body[k].name;
    t->pair[t->npair].name[1] = o >= 0 ? t->shape_name[o] : c->model->body[other].name;
    t->pair[t->npair++].off = d->off;
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
                                  const char *second, double alarm)
{
    lithe_pair_def d = lithe_pair_def_default();
    d.place = c->def->contacts.place;
    d.body = first;
    d.with = second;
    return is_named(&c->def->contacts, first, second) ? LITHE_OK : compile_pair(c, b, &d, alarm);
}

static lithe_status compile_pairs(compiler *c, contact_build *b, double alarm)
{
    const lithe_def *def = c->def;
    const lithe_contacts_def *d = &def->contacts;
    for (int k = 0; k < def->nbody && !d->only_named; k++) {
        for (int o = 0; o < def->nobstacle; o++)
            LITHE_TRY(compile_usual(c, b, def->body[k].name, def->obstacle[o].name, alarm));
        for (int other = k + 1; other < def->nbody; other++)
            LITHE_TRY(compile_usual(c, b, def->body[k].name, def->body[other].name, alarm));
    }
    for (int i = 0; i < d->nself; i++)
        LITHE_TRY(compile_usual(c, b, d->self[i], d->self[i], alarm));
    for (int i = 0; i < d->npair; i++)
        LITHE_TRY(compile_pair(c, b, &d->pair[i], alarm));
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
    model_touch *t = &c->model->touch;
    arena *a = &c->model->memory;
    size_t skins = 2 * (size_t)d->nbody + 4 * (size_t)d->contacts.npair + (size_t)d->nobstacle + 1;
    b->skin = arena_new(a, skins, contact_skin);
    b->made = arena_new(&c->scratch, skins, made_skin);
    b->mesh = arena_new(&c->scratch, (size_t)d->nobstacle + 1, int);
    b->pair = arena_new(a, 4 * (size_t)npair, contact_pair);
    t->pair = arena_new(a, npair, touch_pair);
    t->pair_of = arena_new(a, 4 * (size_t)npair, int);
    t->pose = arena_new(a, (size_t)d->nobstacle + 1, contact_frame);
    t->path = arena_new(a, (size_t)d->nobstacle + 1, touch_path);
    t->shape_name = arena_new(a, (size_t)d->nobstacle + 1, const char *);
    return b->skin && b->made && b->mesh && b->pair && t->pair && t->pair_of && t->pose &&
           t->path && t->shape_name;
}

static lithe_status compile_obstacles(compiler *c, contact_build *b, contact_shape *shape)
{
    for (int o = 0; o < c->def->nobstacle; o++) {
        LITHE_TRY(compile_obstacle(c, o, &shape[o]));
        b->mesh[o] = -1;
        if (shape[o].kind != SHAPE_MESH)
            continue;
        b->mesh[o] = b->nskin;
        b->made[b->nskin] = (made_skin){.body = -1};
        LITHE_TRY(compile_obstacle_mesh(c, o, &b->skin[b->nskin++]));
    }
    return LITHE_OK;
}

lithe_status compile_contacts(compiler *c)
{
    const lithe_def *d = c->def;
    lithe_model *m = c->model;
    int npair = count_pairs(d);
    bool asked =
        d->contacts.place || d->nobstacle > 0 || d->contacts.nself > 0 || d->contacts.npair > 0;
    contact_build b = {0};
    if (npair == 0 || d->contacts.max < 1 || !asked)
        return LITHE_OK;
    if (d->contacts.max > LITHE_CONTACTS_MAX)
        return compile_fail(c, d->contacts.place,
                            "contacts.max is %d; there can be %d contacts at a time, which make "
                            "dense matrices",
                            d->contacts.max, LITHE_CONTACTS_MAX);
    if (d->step.mode == LITHE_ASYNCHRONOUS)
        return compile_fail(c, d->contacts.place,
                            "the mode asynchronous knows no contacts; use realtime or converged");
    if (d->dynamics.scheme == LITHE_ALPHA && d->dynamics.mass != LITHE_LUMPED)
        return compile_fail(c, d->contacts.place,
                            "contacts with the scheme alpha need lumped masses; use mass: lumped "
                            "or scheme: euler");
    contact_shape *shapes = arena_new(&m->memory, (size_t)d->nobstacle + 1, contact_shape);
    if (!shapes || !allocate(c, &b, npair))
        return compile_no_memory(c);
    LITHE_TRY(compile_obstacles(c, &b, shapes));
    double alarm = d->contacts.alarm > 0 ? d->contacts.alarm : 0.02 * m->size;
    LITHE_TRY(compile_pairs(c, &b, alarm));
    bool quick = d->step.mode != LITHE_CONVERGED;
    m->touch.overlap = d->contacts.overlap > 0 ? d->contacts.overlap : 1e-3 * m->size;
    m->touch.world = (contact_world){b.nskin, b.skin, d->nobstacle, shapes,
                                     b.npair, b.pair, quick,        0.5 * m->touch.overlap};
    m->touch.max = d->contacts.max;
    m->touch.global = d->contacts.global;
    return truth_build(m) == LITHE_OK ? LITHE_OK : compile_no_memory(c);
}
