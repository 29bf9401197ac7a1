// Selections, points and directions in a body's own frame: as its mesh stands before it is placed.
// They become those of the world once what they belong to is read. All that definitions point to is
// the reader's own, so that it may be written here.
#include "scene/reader.h"

#include "base/status.h"
#include "base/vec.h"

#include <string.h>

typedef struct own_frame {
    double R[9], move[3];
} own_frame;

static void move_point(const own_frame *f, double p[3])
{
    mat_apply(p, f->R, p);
    vec_axpy(p, 1, f->move);
}

static void move_points(const own_frame *f, int n, const double *point)
{
    for (int i = 0; i < n; i++)
        move_point(f, (double *)&point[3 * (size_t)i]);
}

static void rotate_direction(const own_frame *f, double d[3])
{
    mat_apply(d, f->R, d);
}

// R becomes the rotation of a box's axes.
static void rotate_axes(const own_frame *f, double rotate[3], double R[9])
{
    double own[9];
    mat_from_angles(own, rotate);
    mat_mul(R, f->R, own);
    mat_to_angles(R, rotate);
}

// Corners, some of which may be infinitely far, stay so in axes that rotate.
static void move_corners(const own_frame *f, lithe_selection *s)
{
    double R[9], move[3];
    rotate_axes(f, s->rotate, R);
    mat_apply_transposed(move, R, f->move);
    vec_axpy(s->a, 1, move);
    vec_axpy(s->b, 1, move);
}

static void move_box(const own_frame *f, lithe_selection *s)
{
    double R[9];
    rotate_axes(f, s->rotate, R);
    move_point(f, s->a);
}

static void move_selection(const own_frame *f, lithe_selection *s)
{
    switch (s->kind) {
    case LITHE_BOX: move_corners(f, s); break;
    case LITHE_ORIENTED_BOX: move_box(f, s); break;
    case LITHE_PLANE:
        rotate_direction(f, s->b);
        move_point(f, s->a);
        break;
    case LITHE_SPHERE:
    case LITHE_NEAREST: move_point(f, s->a); break;
    case LITHE_ALL_OF:
    case LITHE_ANY_OF:
    case LITHE_NONE_OF:
        for (int i = 0; i < s->npart; i++)
            move_selection(f, (lithe_selection *)&s->part[i]);
        break;
    case LITHE_ALL:
    case LITHE_GROUP: break;
    }
}

// ## bodies

typedef enum frame_word { FRAME_WORLD, FRAME_OWN } frame_word;

static lithe_status read_frame_word(const reader *r, const tree_node *map, frame_word *frame)
{
    static const char *const words[] = {[FRAME_WORLD] = "world", [FRAME_OWN] = "own"};
    int word = (int)*frame;
    LITHE_TRY(read_word(r, map, "frame", 2, words, &word));
    *frame = (frame_word)word;
    return LITHE_OK;
}

static own_frame frame_of(const lithe_body_def *body)
{
    own_frame f;
    mat_from_angles(f.R, body->rotate);
    memcpy(f.move, body->move, sizeof f.move);
    return f;
}

static void move_slender(const own_frame *f, const lithe_body_def *body)
{
    for (int i = 0; i < body->nrod; i++) {
        move_points(f, body->rod[i].npoint, body->rod[i].point);
        rotate_direction(f, (double *)body->rod[i].axis);
    }
    for (int i = 0; i < body->nspring; i++) {
        move_points(f, 1, body->spring[i].from);
        move_points(f, 1, body->spring[i].to);
    }
    for (int i = 0; i < body->nthread; i++)
        move_points(f, body->thread[i].npoint, body->thread[i].point);
}

static void move_body(const own_frame *f, const lithe_body_def *body)
{
    for (int i = 0; i < body->nfix; i++)
        move_selection(f, (lithe_selection *)&body->fix[i].where);
    for (int i = 0; i < body->nregion; i++)
        move_selection(f, (lithe_selection *)&body->region[i].where);
    for (int i = 0; i < body->nsurface; i++)
        move_selection(f, (lithe_selection *)&body->surface[i].where);
    for (int i = 0; i < body->nrigid; i++)
        move_selection(f, (lithe_selection *)&body->rigid[i].where);
    for (int i = 0; i < body->ncavity; i++)
        move_points(f, 1, body->cavity[i].inside);
    for (int i = 0; i < body->nattachment; i++) {
        move_selection(f, (lithe_selection *)&body->attachment[i].where);
        move_points(f, body->attachment[i].npoint, body->attachment[i].point);
    }
    move_slender(f, body);
}

lithe_status read_body_frame(const reader *r, const tree_node *node, lithe_body_def *body)
{
    frame_word word = FRAME_WORLD;
    LITHE_TRY(read_frame_word(r, node, &word));
    if (word == FRAME_WORLD)
        return LITHE_OK;
    own_frame f = frame_of(body);
    move_body(&f, body);
    body->own_fibres = true;
    return LITHE_OK;
}

// ## what is on bodies

// What stands in the frame of a body: as the entry says, or else as the body does. *own: false
// where that is the world.
static lithe_status find_frame(const reader *r, const tree_node *entry, const char *name, bool *own,
                               own_frame *f)
{
    frame_word word = FRAME_WORLD;
    const lithe_body_def *body = NULL;
    for (int i = 0; i < r->def->nbody && name && !body; i++)
        body = strcmp(r->def->body[i].name, name) == 0 ? &r->def->body[i] : NULL;
    if (body)
        LITHE_TRY(read_frame_word(r, tree_find(tree_find(r->root, "bodies"), name), &word));
    LITHE_TRY(read_frame_word(r, entry, &word));
    *own = body && word == FRAME_OWN;
    if (*own)
        *f = frame_of(body);
    return LITHE_OK;
}

// Points and patches, each in the frame of its own body.
static lithe_status move_carried(const reader *r, const tree_node *entry, int n,
                                 const lithe_point_def *point, const lithe_selection *const *patch)
{
    for (int i = 0; i < n; i++) {
        own_frame f;
        bool own;
        LITHE_TRY(find_frame(r, entry, point[i].body, &own, &f));
        if (own)
            move_points(&f, 1, point[i].at);
        if (own && patch && patch[i])
            move_selection(&f, (lithe_selection *)patch[i]);
    }
    return LITHE_OK;
}

// The body that a map of the entry names: what is said there and is not on a body of its own is in
// its frame.
static const char *named_body(const tree_node *entry)
{
    for (const tree_node *c = entry->child; c; c = c->next) {
        const tree_node *body = tree_find(c, "body");
        if (body && body->kind == TREE_TEXT)
            return body->text;
    }
    return NULL;
}

lithe_status read_load_frame(const reader *r, const tree_node *node, lithe_load_def *load)
{
    own_frame f;
    bool own;
    LITHE_TRY(find_frame(r, node, load->body, &own, &f));
    if (own) {
        move_point(&f, load->at);
        rotate_direction(&f, load->value);
    }
    return LITHE_OK;
}

// A motor has the frame of its joint.
static lithe_status find_motor_frame(const reader *r, const tree_node *node, const char *joint,
                                     bool *own, own_frame *f)
{
    const tree_node *found = tree_find(tree_find(r->root, "joints"), joint);
    bool said = tree_find(node, "frame") != NULL;
    return find_frame(r, said ? node : found, tree_find(found, "body")->text, own, f);
}

lithe_status read_actuator_frame(const reader *r, const tree_node *node, bool on_joint,
                                 lithe_actuator_def *actuator)
{
    own_frame f;
    bool own;
    LITHE_TRY(move_carried(r, node, actuator->npoint, actuator->point, actuator->patch));
    LITHE_TRY(on_joint ? find_motor_frame(r, node, actuator->part, &own, &f)
                       : find_frame(r, node, named_body(node), &own, &f));
    if (!own)
        return LITHE_OK;
    move_point(&f, actuator->pulled_from);
    move_point(&f, actuator->tied_to);
    move_point(&f, actuator->through);
    move_point(&f, actuator->reference);
    rotate_direction(&f, actuator->direction);
    move_selection(&f, &actuator->where);
    return LITHE_OK;
}

lithe_status read_effector_frame(const reader *r, const tree_node *node,
                                 lithe_effector_def *effector)
{
    own_frame f;
    bool own;
    LITHE_TRY(move_carried(r, node, effector->npoint, effector->point, NULL));
    LITHE_TRY(find_frame(r, node, named_body(node), &own, &f));
    if (!own)
        return LITHE_OK;
    rotate_direction(&f, effector->direction);
    rotate_direction(&f, effector->load);
    move_selection(&f, &effector->where);
    return LITHE_OK;
}

lithe_status read_sensor_frame(const reader *r, const tree_node *node, lithe_sensor_def *sensor)
{
    return move_carried(r, node, sensor->npoint, sensor->point, NULL);
}

lithe_status read_joint_frame(const reader *r, const tree_node *node, lithe_joint_def *joint)
{
    own_frame f;
    bool own;
    LITHE_TRY(find_frame(r, node, joint->body, &own, &f));
    if (!own)
        return LITHE_OK;
    move_point(&f, joint->at);
    rotate_direction(&f, joint->axis);
    rotate_direction(&f, joint->cross);
    return LITHE_OK;
}

lithe_status read_pair_frame(const reader *r, const tree_node *node, lithe_pair_def *pair)
{
    own_frame f;
    bool own;
    LITHE_TRY(find_frame(r, node, pair->body, &own, &f));
    if (own)
        rotate_direction(&f, pair->along);
    return LITHE_OK;
}
