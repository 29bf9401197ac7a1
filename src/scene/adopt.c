#include "scene/adopt.h"

#include "base/defaults.h"

#include <stddef.h>
#include <string.h>

typedef struct adopter {
    arena *memory;
    lithe_report *report;
} adopter;

// *array: the caller's, then ours.
static lithe_status take_array(const adopter *a, lithe_def_kind what, int n, const void **array)
{
    size_t now = def_size_now(what);
    if (n <= 0 || !*array)
        return LITHE_OK;
    char *own = arena_alloc(a->memory, (size_t)n, now);
    if (!own)
        return report_no_memory(a->report, "the definition");
    const char *from = *array;
    size_t stride = def_size(what, from);
    for (int i = 0; i < n; i++)
        LITHE_TRY(def_take(what, from + (size_t)i * stride, own + (size_t)i * now, a->report));
    *array = own;
    return LITHE_OK;
}

#define TAKE(what, n, array)                                                                       \
    do {                                                                                           \
        const void *taken = (array);                                                               \
        LITHE_TRY(take_array(a, (what), (n), &taken));                                             \
        (array) = taken;                                                                           \
    } while (0)

static lithe_status take_parts(const adopter *a, lithe_body_def *b)
{
    TAKE(LITHE_DEF_REGION, b->nregion, b->region);
    TAKE(LITHE_DEF_FIX, b->nfix, b->fix);
    TAKE(LITHE_DEF_SURFACE, b->nsurface, b->surface);
    TAKE(LITHE_DEF_CAVITY, b->ncavity, b->cavity);
    TAKE(LITHE_DEF_ROD, b->nrod, b->rod);
    TAKE(LITHE_DEF_SHELL, b->nshell, b->shell);
    TAKE(LITHE_DEF_SPRING, b->nspring, b->spring);
    TAKE(LITHE_DEF_THREAD, b->nthread, b->thread);
    TAKE(LITHE_DEF_RIGID, b->nrigid, b->rigid);
    TAKE(LITHE_DEF_BODY, b->nmember, b->member);
    TAKE(LITHE_DEF_ATTACHMENT, b->nattachment, b->attachment);
    return LITHE_OK;
}

static lithe_status take_bodies(const adopter *a, lithe_def *d)
{
    TAKE(LITHE_DEF_BODY, d->nbody, d->body);
    for (int k = 0; d->body && k < d->nbody; k++)
        LITHE_TRY(take_parts(a, (lithe_body_def *)&d->body[k])); // our own copy
    return LITHE_OK;
}

static lithe_status take_arrays(const adopter *a, lithe_def *d)
{
    TAKE(LITHE_DEF_MATERIAL, d->nmaterial, d->material);
    LITHE_TRY(take_bodies(a, d));
    TAKE(LITHE_DEF_LOAD, d->nload, d->load);
    TAKE(LITHE_DEF_ACTUATOR, d->nactuator, d->actuator);
    TAKE(LITHE_DEF_EFFECTOR, d->neffector, d->effector);
    TAKE(LITHE_DEF_SENSOR, d->nsensor, d->sensor);
    TAKE(LITHE_DEF_GOAL, d->task.ngoal, d->task.goal);
    TAKE(LITHE_DEF_OBSTACLE, d->nobstacle, d->obstacle);
    TAKE(LITHE_DEF_PAIR, d->contacts.npair, d->contacts.pair);
    TAKE(LITHE_DEF_JOINT, d->njoint, d->joint);
    return LITHE_OK;
}

// The definition as a row of pieces: what stands in it itself, and structs with a size of their
// own, each of which may be shorter in the caller's.
static lithe_status take_pieces(const adopter *a, const lithe_def *def, lithe_def *out)
{
    static const struct {
        lithe_def_kind what; // LITHE_DEF: plain bytes
        size_t at, end;      // of ours
    } piece[] = {
        {LITHE_DEF, 0, offsetof(lithe_def, step)},
        {LITHE_DEF_STEP, offsetof(lithe_def, step), 0},
        {LITHE_DEF_DYNAMICS, offsetof(lithe_def, dynamics), 0},
        {LITHE_DEF, offsetof(lithe_def, nmaterial), offsetof(lithe_def, task)},
        {LITHE_DEF_TASK, offsetof(lithe_def, task), 0},
        {LITHE_DEF, offsetof(lithe_def, nobstacle), offsetof(lithe_def, contacts)},
        {LITHE_DEF_CONTACTS, offsetof(lithe_def, contacts), 0},
        {LITHE_DEF_ESTIMATE, offsetof(lithe_def, estimate), 0},
        {LITHE_DEF_CONTROLLER, offsetof(lithe_def, controller), 0},
        {LITHE_DEF_REDUCTION, offsetof(lithe_def, reduction), 0},
        {LITHE_DEF, offsetof(lithe_def, njoint), sizeof(lithe_def)},
    };
    const char *from = (const char *)def, *end = from + def_size(LITHE_DEF, def);
    for (size_t i = 0; i < sizeof piece / sizeof *piece && from < end; i++) {
        char *to = (char *)out + piece[i].at;
        size_t bytes = piece[i].end - piece[i].at;
        if (piece[i].what == LITHE_DEF)
            memcpy(to, from, bytes);
        else {
            LITHE_TRY(def_take(piece[i].what, from, to, a->report));
            bytes = def_size(piece[i].what, from);
        }
        from += bytes;
    }
    out->bytes = sizeof *out;
    return LITHE_OK;
}

lithe_status def_adopt(const lithe_def *def, arena *memory, lithe_def *out, lithe_report *report)
{
    adopter a = {memory, report};
    *out = lithe_def_default();
    LITHE_TRY(take_pieces(&a, def, out));
    return take_arrays(&a, out);
}
