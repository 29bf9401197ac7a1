// A state as bytes: what it is (the first group of its fields) and what the last step said. All
// that follows from those is computed again, so a state that was saved and loaded steps on with the
// same bits.
#include "step/async.h"
#include "step/step.h"

#include <stdint.h>
#include <string.h>

typedef struct save_head {
    char magic[8];
    uint64_t bytes; // of everything, this head included
    uint64_t model; // fingerprint of what the state moves over
    uint64_t sum;   // of all bytes after the head
} save_head;

static const char magic[8] = "lithe 2";

// Walks over the parts of a state.
typedef struct save_walk {
    void (*visit)(struct save_walk *walk, void *part, size_t bytes);
    unsigned char *at; // in the caller's buffer; NULL: only counting
    size_t bytes;      // so far
} save_walk;

static void count(save_walk *walk, void *part, size_t bytes)
{
    (void)part;
    walk->bytes += bytes;
}

static void copy_out(save_walk *walk, void *part, size_t bytes)
{
    if (bytes > 0)
        memcpy(walk->at + walk->bytes, part, bytes);
    walk->bytes += bytes;
}

static void copy_in(save_walk *walk, void *part, size_t bytes)
{
    if (bytes > 0)
        memcpy(part, walk->at + walk->bytes, bytes);
    walk->bytes += bytes;
}

#define VISIT(walk, array, n) (walk)->visit((walk), (array), (size_t)(n) * sizeof *(array))

static void visit_task(const lithe_model *m, step_task *t, save_walk *walk)
{
    int n = m->nact;
    VISIT(walk, &t->inverse, 1);
    VISIT(walk, t->wanted, m->nrow);
    VISIT(walk, t->kept, m->nrow);
    VISIT(walk, t->target, m->nrow);
    VISIT(walk, t->price, 2 * n);
    VISIT(walk, &t->predicted, 1);
    VISIT(walk, &t->bend.started, 1);
    VISIT(walk, &t->bend.nrow, 1);
    VISIT(walk, t->bend.S, n * n);
    VISIT(walk, t->bend.J, m->nrow * n);
    VISIT(walk, t->bend.g, n);
    VISIT(walk, t->bend.effort, n);
    hierarchy_memory memory = hierarchy_remembered(t->work);
    VISIT(walk, memory.last, HIERARCHY_LAST);
    VISIT(walk, memory.guess, memory.nguess);
}

static void visit_motion(const lithe_model *m, step_motion *motion, save_walk *walk)
{
    size_t n = m->dynamics.scheme == LITHE_STATIC ? 0 : 3 * (size_t)m->nnode;
    VISIT(walk, &motion->clock, 1);
    VISIT(walk, &motion->started, 1);
    VISIT(walk, motion->velocity, n);
    VISIT(walk, motion->rate, n);
    VISIT(walk, motion->lagged, n);
    VISIT(walk, &motion->stride, 1);
    VISIT(walk, &motion->strides, 1);
}

static void visit_state(const lithe_model *m, lithe_state *s, save_walk *walk)
{
    VISIT(walk, s->now.x, 3 * (size_t)m->nnode);
    VISIT(walk, s->now.effort, m->nact);
    VISIT(walk, &s->load, 1);
    VISIT(walk, &s->touch.list.n, 1);
    VISIT(walk, s->touch.list.contact, m->touch.max);
    VISIT(walk, s->touch.list.entry, TOUCH_ENTRIES * m->touch.max);
    VISIT(walk, s->touch.kept, m->touch.max);
    VISIT(walk, s->touch.offset, m->touch.max);
    VISIT(walk, s->touch.age, m->touch.max);
    VISIT(walk, &s->touch.nkept, 1);
    VISIT(walk, s->now.press, touch_most(m));
    VISIT(walk, &s->touch.nrow, 1);
    VISIT(walk, &s->touch.nslider, 1);
    VISIT(walk, s->touch.slider, m->touch.max);
    VISIT(walk, s->touch.tangent, 6 * m->touch.max * m->touch.friction);
    VISIT(walk, s->touch.drag, 3 * m->touch.max);
    VISIT(walk, s->touch.debt, 3 * m->touch.max);
    VISIT(walk, s->touch.shape, m->touch.world.nshape);
    VISIT(walk, s->touch.shape_aim, m->touch.world.nshape);
    VISIT(walk, s->touch.off, m->touch.world.npair);
    VISIT(walk, s->command, m->nact);
    VISIT(walk, s->value, m->nact);
    visit_task(m, &s->task, walk);
    visit_motion(m, &s->motion, walk);
    for (int k = 0; k < m->nbody; k++)
        VISIT(walk, s->work[k].history, body_nhistory(&m->body[k]));
    VISIT(walk, &s->negative, 1);
    VISIT(walk, &s->held, 1);
    VISIT(walk, &s->last, 1);
}

// FNV-1a over what tells models apart: sizes and the rest shape.
static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ byte[i]) * 1099511628211u;
    return h;
}

static uint64_t fingerprint(const lithe_model *m)
{
    int size[] = {m->nbody,
                  m->nnode,
                  m->nelement,
                  m->ndof,
                  m->nact,
                  m->nrow,
                  m->row_adr[m->nrow],
                  m->touch.max,
                  m->touch.world.nshape,
                  m->touch.world.npair};
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        h = (h ^ (uint64_t)size[i]) * 1099511628211u;
    return hash(h, m->X, 3 * (size_t)m->nnode * sizeof *m->X);
}

static uint64_t checksum(const void *buffer, size_t bytes)
{
    return hash(14695981039346656037u, (const char *)buffer + sizeof(save_head),
                bytes - sizeof(save_head));
}

size_t lithe_state_size(const lithe_model *m, const lithe_state *s)
{
    save_walk walk = {count, NULL, sizeof(save_head)};
    visit_state(m, (lithe_state *)s, &walk); // only counted
    return walk.bytes;
}

void lithe_state_save(const lithe_model *m, const lithe_state *s, void *buffer)
{
    save_head head = {.bytes = lithe_state_size(m, s), .model = fingerprint(m)};
    save_walk walk = {copy_out, buffer, sizeof head};
    visit_state(m, (lithe_state *)s, &walk); // only read
    memcpy(head.magic, magic, sizeof magic);
    head.sum = checksum(buffer, walk.bytes);
    memcpy(buffer, &head, sizeof head);
}

static lithe_status check(const lithe_model *m, lithe_state *s, const void *buffer, size_t bytes)
{
    save_head head = {0};
    memcpy(&head, buffer, bytes < sizeof head ? bytes : sizeof head);
    if (bytes < sizeof head || memcmp(head.magic, magic, sizeof magic) != 0)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "these %zu bytes are not a saved state of this version of Lithe", bytes);
    if (head.model != fingerprint(m) || head.bytes != lithe_state_size(m, s))
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "the saved state belongs to another model; load it with the definition "
                          "that it was saved with");
    if (bytes < head.bytes)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "the saved state is cut short: it has %llu bytes, %zu are given",
                          (unsigned long long)head.bytes, bytes);
    if (head.sum != checksum(buffer, head.bytes))
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "the saved state is damaged: its checksum is "
                          "wrong");
    return LITHE_OK;
}

lithe_status lithe_state_load(const lithe_model *m, lithe_state *s, const void *buffer,
                              size_t bytes)
{
    LITHE_TRY(check(m, s, buffer, bytes));
    save_walk walk = {copy_in, (unsigned char *)buffer, sizeof(save_head)}; // only read
    visit_state(m, s, &walk);
    s->aim_load = s->load;
    s->motion.on = false;
    s->motion.time = s->motion.clock;
    s->report.error[0] = '\0';
    s->nhistory = 0;
    s->time = (lithe_phase_time){0};
    if (s->async)
        async_reset(m, s); // the next step factors anew
    touch_loaded(m, s);
    point_evaluate(m, s, &s->now);
    s->touch.alone = false;
    motion_recall(m, s);
    return LITHE_OK;
}
