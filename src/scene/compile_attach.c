// Where members of a body follow each other, exactly. What follows a rigid member is carried by its
// frame; what follows a soft one has the weights of a point of an element of it. A point p of a
// member that is no node of it, p = sum w_i x_i, gives up the node of the largest weight: x_k = (q
// - the rest of the sum) / w_k, with q where the other member has that point.
#include "base/vec.h"
#include "mesh/embed.h"
#include "mesh/select.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

#include <string.h>

// What a node follows: a node, or a point of a frame.
typedef struct follow {
    int node, host; // host: -1: of a frame
    int frame;      // -1: of a node
    double weight;
    double at[3]; // the point at rest, of a frame
} follow;

typedef struct attaching {
    compiler *c;
    int body_id;
    compile_body *part;
    const lithe_attachment_def *d;
    int member, to, frame; // frame: of `to`, -1: it is soft
    mesh own, other;       // the body's mesh, of the one member and of the other
    double size;           // of `to`, m
    int nfollow, room;
    follow *list;
    bool *tied; // nodes that follow nodes
} attaching;

static lithe_status fail(const attaching *a, const char *cause)
{
    return compile_fail(a->c, a->d->location, "body '%s': '%s' cannot be attached to '%s': %s",
                        a->part->def->name, a->d->member ? a->d->member : "",
                        a->d->to ? a->d->to : "", cause);
}

static lithe_status add(attaching *a, follow f)
{
    if (a->nfollow == a->room) {
        int room = 2 * a->room + 64;
        follow *list = arena_new(&a->c->scratch, room, follow);
        if (!list)
            return compile_no_memory(a->c);
        if (a->nfollow > 0)
            memcpy(list, a->list, (size_t)a->nfollow * sizeof *list);
        a->list = list;
        a->room = room;
    }
    a->list[a->nfollow++] = f;
    return LITHE_OK;
}

static bool follows(const attaching *a, int node)
{
    return a->part->owner[node] >= 0 || a->tied[node];
}

// A point of `to` times a weight, for a node.
static lithe_status follow_point(attaching *a, int node, const double at[3], double weight)
{
    const double just_outside = 0.05; // of its size: further off, it is a mistake
    follow f = {.node = node, .host = -1, .frame = a->frame, .weight = weight};
    memcpy(f.at, at, sizeof f.at);
    if (a->frame >= 0)
        return add(a, f);
    mesh_point embedded;
    row_point point = {0};
    embed_point(&a->other, a->part->X, at, &embedded);
    if (embedded.outside > just_outside * a->size)
        return compile_fail(
            a->c, a->d->location,
            "body '%s': the point (%.4g, %.4g, %.4g) m of '%s' lies %.3g mm outside "
            "'%s', to which it is attached; check places and units",
            a->part->def->name, at[0], at[1], at[2], a->d->member, 1e3 * embedded.outside,
            a->d->to);
    compile_carry(a->part, &embedded, at, &point);
    for (int i = 0; i < point.nposition; i++) {
        f.host = point.node[i];
        f.weight = weight * point.weight[i];
        if (fabs(point.weight[i]) > SCENE_ON_NODE)
            LITHE_TRY(add(a, f));
    }
    return LITHE_OK;
}

static lithe_status attach_node(attaching *a, int node)
{
    if (follows(a, node))
        return fail(a, "some of its nodes follow something else already; attach other nodes, or "
                       "leave them out there");
    if (a->frame >= 0) {
        a->part->owner[node] = a->frame;
        return LITHE_OK;
    }
    LITHE_TRY(follow_point(a, node, &a->part->X[3 * (size_t)node], 1));
    a->tied[node] = true;
    return LITHE_OK;
}

// A point that is no node: the node of the largest weight makes it stay.
static lithe_status attach_point(attaching *a, const double at[3])
{
    mesh_point embedded;
    row_point point = {0};
    embed_point(&a->own, a->part->X, at, &embedded);
    if (embedded.outside > SCENE_SAME_POINT)
        return compile_fail(a->c, a->d->location,
                            "body '%s': the point (%.4g, %.4g, %.4g) m lies %.3g mm outside '%s'",
                            a->part->def->name, at[0], at[1], at[2], 1e3 * embedded.outside,
                            a->d->member);
    compile_carry(a->part, &embedded, at, &point);
    int k = 0;
    for (int i = 1; i < point.nposition; i++)
        k = fabs(point.weight[i]) > fabs(point.weight[k]) ? i : k;
    int node = point.node[k];
    if (point.weight[k] > 1 - SCENE_ON_NODE)
        return attach_node(a, node);
    if (follows(a, node))
        return fail(a, "another attachment has taken nodes of the element that a point lies in; "
                       "attach nodes by a selection instead, or mesh it finer");
    for (int i = 0; i < point.nposition; i++) {
        follow f = {.node = node, .host = point.node[i], .frame = -1};
        f.weight = -point.weight[i] / point.weight[k];
        if (i != k && fabs(point.weight[i]) > SCENE_ON_NODE)
            LITHE_TRY(add(a, f));
    }
    LITHE_TRY(follow_point(a, node, at, 1 / point.weight[k]));
    a->tied[node] = true;
    return LITHE_OK;
}

static lithe_status attach_nodes(attaching *a)
{
    int n = 0, *node = NULL, taken = 0;
    bool *own = NULL;
    LITHE_TRY(compile_member_nodes(a->c, a->part, a->member, &own));
    lithe_selection all = {.kind = LITHE_ALL};
    bool overlap = a->d->kind == LITHE_ATTACH_OVERLAP;
    LITHE_TRY(compile_find_nodes(a->c, a->body_id, a->d->location, overlap ? &all : &a->d->where,
                                 &n, &node));
    for (int i = 0; i < n; i++) {
        mesh_point point = {.outside = 0};
        if (!own[node[i]])
            continue;
        if (overlap)
            embed_point(&a->other, a->part->X, &a->part->X[3 * (size_t)node[i]], &point);
        if (point.outside > SCENE_OUTSIDE * a->size)
            continue;
        LITHE_TRY(attach_node(a, node[i]));
        taken++;
    }
    return taken > 0
               ? LITHE_OK
               : fail(a, overlap ? "no node of it lies in the other one; check places and units"
                                 : "the selection holds no node of it; check places and units");
}

static lithe_status begin(attaching *a, const lithe_attachment_def *d)
{
    a->d = d;
    a->member = compile_find_member(a->part, d->member);
    a->to = compile_find_member(a->part, d->to);
    if (a->member < 0 || a->to < 0)
        return fail(a, "there is no member of that name");
    if (a->member == a->to)
        return fail(a, "they are the same");
    if (compile_member_centre(a->part, a->member) >= 0)
        return fail(a, "it is rigid; attach what is soft to it instead, or fix two rigid ones to "
                       "each other by a joint");
    a->frame = compile_member_frame(a->part, a->to);
    LITHE_TRY(compile_member_mesh(a->c, a->part, a->member, &a->own));
    LITHE_TRY(compile_member_mesh(a->c, a->part, a->to, &a->other));
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    bool *in = NULL;
    LITHE_TRY(compile_member_nodes(a->c, a->part, a->to, &in));
    for (int i = 0; i < 3 * a->part->mesh->nnode; i++) {
        if (!in[i / 3])
            continue;
        lower[i % 3] = fmin(lower[i % 3], a->part->X[i]);
        upper[i % 3] = fmax(upper[i % 3], a->part->X[i]);
    }
    a->size = vec_distance(lower, upper);
    return LITHE_OK;
}

// Now that it is known what carries each node: ties to nodes that are coordinates, and points of
// frames. What follows a node that follows others would need those, and may be a circle.
static lithe_status take_list(attaching *a)
{
    compile_body *part = a->part;
    part->tie = arena_new(&a->c->scratch, a->nfollow, carry_tie);
    part->hang = arena_new(&a->c->scratch, a->nfollow, compile_hang_on);
    if (!part->tie || !part->hang)
        return compile_no_memory(a->c);
    for (int i = 0; i < a->nfollow; i++) {
        follow *f = &a->list[i];
        if (f->host >= 0 && a->tied[f->host])
            return compile_fail(
                a->c, part->def->location,
                "body '%s': node %d follows node %d, which is attached to something itself; attach "
                "the one to the other or both to a third, and points to different elements",
                part->def->name, f->node, f->host);
        if (f->host >= 0 && part->owner[f->host] >= 0) {
            f->frame = part->owner[f->host];
            memcpy(f->at, &part->X[3 * (size_t)f->host], sizeof f->at);
        }
        if (f->frame < 0) {
            part->tie[part->ntie++] = (carry_tie){f->node, f->host, f->weight, 0};
            continue;
        }
        compile_hang_on *on = &part->hang[part->nhang++];
        *on = (compile_hang_on){.node = f->node, .frame = f->frame, .weight = f->weight};
        memcpy(on->at, f->at, sizeof on->at);
    }
    part->tied = a->tied;
    return LITHE_OK;
}

// Where there are no frames.
static bool own_nothing(compiler *c, compile_body *part)
{
    int n = part->nposition + part->nrotation;
    part->owner = arena_new(&c->scratch, n, int);
    for (int i = 0; part->owner && i < n; i++)
        part->owner[i] = -1;
    return part->owner != NULL;
}

lithe_status compile_attach(compiler *c, int body_id)
{
    compile_body *part = &c->body[body_id];
    attaching a = {.c = c, .body_id = body_id, .part = part};
    if (part->def->nattachment > 0 && !part->member)
        return compile_fail(c, part->def->location,
                            "body '%s' has attachments, and no members that they could be between",
                            part->def->name);
    if (part->def->nattachment == 0)
        return LITHE_OK;
    a.tied = arena_new(&c->scratch, part->nposition + part->nrotation, bool);
    if (!a.tied || (!part->owner && !own_nothing(c, part)))
        return compile_no_memory(c);
    // Frames first, so that what follows a soft member knows what carries that.
    for (int soft = 0; soft < 2; soft++)
        for (int i = 0; i < part->def->nattachment; i++) {
            LITHE_TRY(begin(&a, &part->def->attachment[i]));
            if ((a.frame < 0) != (soft == 1))
                continue;
            for (int k = 0; k < a.d->npoint && a.d->kind == LITHE_ATTACH_POINTS; k++)
                LITHE_TRY(attach_point(&a, &a.d->point[3 * (size_t)k]));
            if (a.d->kind != LITHE_ATTACH_POINTS)
                LITHE_TRY(attach_nodes(&a));
        }
    return take_list(&a);
}
