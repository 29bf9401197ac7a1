// Frames of a body: its rigid parts, and what servos rotate. A frame carries nodes; each has a
// rotation among the body's nodes, behind those of rods and shells, which rows can pull and
// measure.
#include "base/eigen.h"
#include "base/vec.h"
#include "scene/actuator_kind.h"
#include "scene/tolerances.h"

#include <string.h>

typedef struct frame_source {
    const char *name;
    const char *location;
    const lithe_selection *where;
    const lithe_actuator_def *servo; // NULL: it is free
} frame_source;

static bool is_servo_of(const compiler *c, const lithe_actuator_def *d, int body_id)
{
    return actuator_kinds[d->kind]->turns && d->body &&
           strcmp(d->body, c->body[body_id].def->name) == 0;
}

static const lithe_actuator_def *servo_of_part(const compiler *c, int body_id, const char *name)
{
    for (int a = 0; a < c->def->nactuator; a++) {
        const lithe_actuator_def *d = &c->def->actuator[a];
        if (is_servo_of(c, d, body_id) && d->part && strcmp(d->part, name) == 0)
            return d;
    }
    return NULL;
}

// Rigid parts first, then what servos rotate besides.
static int list_sources(const compiler *c, int body_id, frame_source *out)
{
    const lithe_body_def *d = c->body[body_id].def;
    int n = 0;
    if (compile_is_rigid(&c->body[body_id])) {
        static const lithe_selection all = {.kind = LITHE_ALL};
        out[n++] = (frame_source){d->name, d->location, &all, NULL};
        for (int a = 0; a < c->def->nactuator; a++)
            if (is_servo_of(c, &c->def->actuator[a], body_id)) {
                out[0].servo = &c->def->actuator[a];
                out[0].name = out[0].servo->name;
            }
        return n;
    }
    for (int i = 0; i < d->nrigid; i++)
        out[n++] = (frame_source){d->rigid[i].name, d->rigid[i].location, &d->rigid[i].where,
                                  servo_of_part(c, body_id, d->rigid[i].name)};
    for (int a = 0; a < c->def->nactuator; a++) {
        const lithe_actuator_def *servo = &c->def->actuator[a];
        if (is_servo_of(c, servo, body_id) && !servo->part)
            out[n++] = (frame_source){servo->name, servo->location, &servo->where, servo};
    }
    return n;
}

// True if points span at least a plane about the origin's mean, so that a rotation is defined.
static bool span_a_plane(const double *X, int n, const int *node, const double centre[3])
{
    double C[9] = {0}, value[3], vector[9];
    for (int k = 0; k < n; k++) {
        double arm[3];
        vec_sub(arm, &X[3 * node[k]], centre);
        for (int i = 0; i < 9; i++)
            C[i] += arm[i / 3] * arm[i % 3];
    }
    eigen_symmetric(3, C, value, vector);
    double largest = fmax(value[0], fmax(value[1], value[2]));
    int wide = 0;
    for (int i = 0; i < 3; i++)
        wide += value[i] > SCENE_MOMENT * largest;
    return wide >= 2;
}

static lithe_status check_servo_parts(const compiler *c, int body_id)
{
    const lithe_body_def *d = c->body[body_id].def;
    for (int a = 0; a < c->def->nactuator; a++) {
        const lithe_actuator_def *servo = &c->def->actuator[a];
        bool found = !is_servo_of(c, servo, body_id) || !servo->part;
        for (int i = 0; i < d->nrigid && !found; i++)
            found = strcmp(d->rigid[i].name, servo->part) == 0;
        if (!found)
            return compile_fail(
                c, servo->location,
                "servo '%s': body '%s' has no rigid part '%s'; name one under rigid, "
                "or select nodes",
                servo->name, d->name, servo->part);
        if (found && is_servo_of(c, servo, body_id) && servo->part &&
            servo_of_part(c, body_id, servo->part) != servo)
            return compile_fail(c, servo->location, "servo '%s': part '%s' has a servo already",
                                servo->name, servo->part);
    }
    return LITHE_OK;
}

// Each node has one frame.
static lithe_status own_nodes(compiler *c, int body_id, const frame_source *source, int k, int n,
                              const int *node)
{
    compile_body *part = &c->body[body_id];
    for (int i = 0; i < n; i++) {
        int before = part->owner[node[i]];
        if (before >= 0)
            return compile_fail(
                c, source->location,
                "body '%s': node %d is of '%s' and of '%s'; a node follows one rigid "
                "part or servo",
                part->def->name, node[i], part->frame[before].name, source->name);
        part->owner[node[i]] = k;
        if (part->rotation && part->rotation[node[i]] >= 0)
            part->owner[part->rotation[node[i]]] = k;
    }
    return LITHE_OK;
}

static void centre_of(const double *X, int n, const int *node, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < n; i++)
        vec_axpy(out, 1.0 / n, &X[3 * node[i]]);
}

// The node at the centre of mass of the rigid member of that name; -1: it is no member.
static int member_centre(const compile_body *part, const char *name)
{
    int member = part->member ? compile_find_member(part, name) : -1;
    return member >= 0 ? compile_member_centre(part, member) : -1;
}

static lithe_status make_frame(compiler *c, int body_id, const frame_source *source, int k)
{
    compile_body *part = &c->body[body_id];
    carry_frame *f = &part->frame[k];
    int n, *node;
    double centre[3];
    *f = (carry_frame){.name = source->name, .hinge = source->servo != NULL};
    LITHE_TRY(compile_find_nodes(c, body_id, source->location, source->where, &n, &node));
    centre_of(part->X, n, node, centre);
    if (compile_is_rigid(part))
        memcpy(centre, &part->X[3 * part->rigid->centre], sizeof centre);
    memcpy(f->origin, source->servo ? source->servo->through : centre, sizeof f->origin);
    if (!f->hinge && !span_a_plane(part->X, n, node, centre))
        return compile_fail(c, source->location,
                            "body '%s': rigid part '%s' has %d nodes in one line or point, so its "
                            "rotation is not known; select more of them",
                            part->def->name, source->name, n);
    if (f->hinge)
        LITHE_TRY(compile_direction(c, source->location, source->name, source->servo->direction,
                                    f->axis));
    LITHE_TRY(own_nodes(c, body_id, source, k, n, node));
    int middle = member_centre(part, source->name);
    if (middle >= 0)
        part->owner[middle] = k;
    if (middle >= 0 && !f->hinge)
        memcpy(f->origin, &part->X[3 * (size_t)middle], sizeof f->origin);
    return LITHE_OK;
}

// What is glued into a rigid part is of it.
static void own_glued(compile_body *part)
{
    for (int g = 0; g < joints_nglue(part); g++) {
        const int *host;
        int glued[2], n = joints_hosts(part, g, glued, &host);
        if (compile_is_still(part, n, host) && part->owner[glued[0]] < 0)
            part->owner[glued[0]] = part->owner[glued[1]] = part->owner[host[0]];
    }
}

// Room behind the rotations of rods and shells.
static lithe_status grow(compiler *c, compile_body *part, int nframe)
{
    size_t before = (size_t)part->nposition + (size_t)part->nrotation, n = before + (size_t)nframe;
    double *X = arena_new(&c->scratch, 3 * n, double);
    part->owner = arena_new(&c->scratch, n, int);
    part->frame = arena_new(&c->scratch, nframe, carry_frame);
    if (!X || !part->owner || !part->frame)
        return compile_no_memory(c);
    memcpy(X, part->X, 3 * before * sizeof *X);
    for (size_t i = 0; i < n; i++)
        part->owner[i] = (int)(i < before ? -1 : (ptrdiff_t)(i - before));
    part->X = X;
    part->nframe = nframe;
    part->nrotation += nframe;
    return LITHE_OK;
}

lithe_status compile_frames(compiler *c, int body_id)
{
    compile_body *part = &c->body[body_id];
    frame_source *source =
        arena_new(&c->scratch, 1 + part->def->nrigid + c->def->nactuator, frame_source);
    if (!source)
        return compile_no_memory(c);
    LITHE_TRY(check_servo_parts(c, body_id));
    int n = list_sources(c, body_id, source);
    if (n == 0)
        return LITHE_OK;
    LITHE_TRY(grow(c, part, n));
    for (int k = 0; k < n; k++)
        LITHE_TRY(make_frame(c, body_id, &source[k], k));
    own_glued(part);
    return LITHE_OK;
}

int compile_frame_node(const compile_body *part, int frame)
{
    return part->nposition + part->nrotation - part->nframe + frame;
}

void compile_ride_frame(const compiler *c, int body_id, int frame, const double at[3],
                        row_point *out)
{
    const compile_body *part = &c->body[body_id];
    int first = c->model->body[body_id].node_adr, node = 0;
    while (part->owner[node] != frame)
        node++;
    *out = (row_point){.body = body_id, .nposition = 1, .nrotation = 1, .weight = {1}};
    out->node[0] = first + node;
    out->node[1] = first + compile_frame_node(part, frame);
    vec_sub(out->arm[0], at, &part->X[3 * (size_t)node]);
}

bool compile_is_still(const compile_body *part, int n, const int *node)
{
    int owner = part->owner ? part->owner[node[0]] : -1;
    for (int i = 1; i < n && owner >= 0; i++)
        owner = part->owner[node[i]] == owner ? owner : -1;
    return owner >= 0;
}

// ## what holds a frame: fixes of the nodes that it carries

typedef struct frame_hold {
    int ncoordinate; // held, of all its nodes
    double gram[36]; // of what they take from the six motions about `centre`
    double centre[3], size;
    int axes;   // along which some node is held
    int npoint; // nodes that are held along all axes
    int point;  // one of them
    double displacement[3];
    int lead[3]; // the fix that leads them in time
    bool uneven; // they are displaced differently
} frame_hold;

static frame_hold measure_hold(const compile_body *part, int k)
{
    frame_hold h = {.point = -1};
    int n = 0;
    for (int i = 0; i < part->nposition; i++)
        if (part->owner[i] == k && part->held[i]) {
            vec_axpy(h.centre, 1, &part->X[3 * i]);
            n++;
        }
    vec_scale(h.centre, n > 0 ? 1.0 / n : 1);
    for (int i = 0; i < part->nposition; i++)
        if (part->owner[i] == k)
            h.size = fmax(h.size, vec_distance(&part->X[3 * i], h.centre));
    for (int i = 0; i < part->nposition; i++) {
        if (part->owner[i] != k)
            continue;
        h.npoint += part->held[i] == LITHE_XYZ;
        h.point = part->held[i] == LITHE_XYZ ? i : h.point;
        for (int axis = 0; axis < 3; axis++) {
            if (!(part->held[i] & (1 << axis)))
                continue;
            double at = part->hold[3 * i + axis];
            int lead = part->lead[3 * i + axis];
            h.uneven = h.uneven || ((h.axes & (1 << axis)) &&
                                    (h.displacement[axis] != at || h.lead[axis] != lead));
            h.displacement[axis] = at;
            h.lead[axis] = lead;
            h.axes |= 1 << axis;
            h.ncoordinate++;
            compile_add_hold(h.gram, axis, &part->X[3 * i], h.centre, h.size);
        }
    }
    return h;
}

static int rank_of(const double gram[36])
{
    double copy[36], value[6], vector[36], largest = 0;
    int rank = 0;
    memcpy(copy, gram, sizeof copy);
    eigen_symmetric(6, copy, value, vector);
    for (int i = 0; i < 6; i++)
        largest = fmax(largest, value[i]);
    for (int i = 0; i < 6; i++)
        rank += value[i] > SCENE_RANK * largest;
    return rank;
}

// Rotations about world axes through the centre that the fixes leave free: those of which they take
// nothing.
static int held_rotations(const frame_hold *h)
{
    int held = 0;
    for (int axis = 0; axis < 3; axis++)
        if (h->gram[6 * (3 + axis) + 3 + axis] > SCENE_HELD_ROTATION * h->ncoordinate)
            held |= 1 << axis;
    return held;
}

static int bits(int axes)
{
    return (axes & 1) + (axes >> 1 & 1) + (axes >> 2 & 1);
}

static lithe_status hold_frame(const compiler *c, compile_body *part, int k)
{
    carry_frame *f = &part->frame[k];
    frame_hold h = measure_hold(part, k);
    if (h.ncoordinate == 0)
        return LITHE_OK;
    if (f->hinge)
        return compile_fail(
            c, part->def->location,
            "body '%s': a fix holds nodes that the servo '%s' turns; leave them out "
            "of one of the two",
            part->def->name, f->name);
    if (h.uneven)
        return compile_fail(c, part->def->location,
                            "body '%s': fixes displace nodes of the rigid part '%s' differently; "
                            "displace them alike, or turn it by a servo",
                            part->def->name, f->name);
    f->held[0] = h.axes;
    f->held[1] = h.npoint == 1 && h.ncoordinate == 3 ? 0 : held_rotations(&h);
    if (bits(f->held[0]) + bits(f->held[1]) != rank_of(h.gram))
        return compile_fail(
            c, part->def->location,
            "body '%s': fixes hold the rigid part '%s' as a hinge would; fix one of "
            "its nodes, or three that are not in a line, or use a servo",
            part->def->name, f->name);
    memcpy(f->hold[0], h.displacement, sizeof f->hold[0]);
    if (f->held[1] == LITHE_XYZ)
        memcpy(f->hold[1], &part->hold[3 * compile_frame_node(part, k)], sizeof f->hold[1]);
    memcpy(f->origin, h.centre, sizeof f->origin);
    return LITHE_OK;
}

static lithe_status list_members(compiler *c, compile_body *part, int k)
{
    carry_frame *f = &part->frame[k];
    int all = part->nposition + part->nrotation, n = 0;
    for (int i = 0; i < all; i++)
        f->nmember += part->owner[i] == k;
    for (int i = 0; i < part->nhang; i++)
        f->nmember += part->hang[i].frame == k;
    f->member = arena_new(&c->scratch, f->nmember, carry_member);
    if (!f->member)
        return compile_no_memory(c);
    for (int i = 0; i < all; i++) {
        if (part->owner[i] != k)
            continue;
        carry_member *member = &f->member[n++];
        *member = (carry_member){.node = i, .weight = 1};
        if (i < part->nposition)
            vec_sub(member->arm, &part->X[3 * i], f->origin);
        part->held[i] = 0;
        memset(&part->hold[3 * i], 0, 3 * sizeof *part->hold);
    }
    for (int i = 0; i < part->nhang; i++)
        if (part->hang[i].frame == k) {
            carry_member *member = &f->member[n++];
            *member = (carry_member){.node = part->hang[i].node, .weight = part->hang[i].weight};
            vec_sub(member->arm, part->hang[i].at, f->origin);
        }
    return LITHE_OK;
}

// What follows other nodes goes where they go.
static lithe_status check_tied(const compiler *c, const compile_body *part)
{
    for (int i = 0; part->tied && i < part->nposition; i++)
        if (part->tied[i] && part->held[i])
            return compile_fail(c, part->def->location,
                                "body '%s': a fix holds node %d at (%.4g, %.4g, %.4g) m, which is "
                                "attached to another member; fix that one, or leave it out",
                                part->def->name, i, part->X[3 * i], part->X[3 * i + 1],
                                part->X[3 * i + 2]);
    return LITHE_OK;
}

lithe_status compile_carried(compiler *c, int body_id)
{
    compile_body *part = &c->body[body_id];
    LITHE_TRY(check_tied(c, part));
    for (int k = 0; k < part->nframe; k++) {
        LITHE_TRY(hold_frame(c, part, k));
        LITHE_TRY(list_members(c, part, k));
    }
    return LITHE_OK;
}
