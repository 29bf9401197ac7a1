// A state as bytes: what it is (the first group of its fields) and what the last step said. All
// that follows from those is computed again, so a state that was saved and loaded steps on with the
// same bits.
#include "step/async.h"
#include "step/state.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct save_head {
    char magic[8];
    uint64_t bytes; // of everything, this head included
    uint64_t model; // fingerprint of what the state moves over
    uint64_t sum;   // of all bytes after the head
} save_head;

static const char magic[8] = "lithe 3";

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

static void visit_memory(const lithe_model *m, contact_memory *known, save_walk *walk)
{
    int room = m->contact.room;
    known->n = known->n < room ? known->n : room;
    VISIT(walk, &known->n, 1);
    VISIT(walk, known->note, room);
}

static void visit_contact(const lithe_model *m, lithe_state *s, save_walk *walk)
{
    step_contact *t = &s->contact;
    VISIT(walk, s->now.contact->frame, m->contact.world.nshape);
    VISIT(walk, t->next, m->contact.world.nshape);
    VISIT(walk, t->off, m->contact.world.nmatch);
    VISIT(walk, &t->based, 1);
    VISIT(walk, t->base_q, m->nq);
    VISIT(walk, t->base_effort, m->nact);
    VISIT(walk, &t->law, 1);
    VISIT(walk, &t->fresh, 1);
    VISIT(walk, &t->mu, 1);
    visit_memory(m, &t->known, walk);
    visit_memory(m, &t->stick, walk);
}

static void visit_state(const lithe_model *m, lithe_state *s, save_walk *walk)
{
    VISIT(walk, s->now.q, m->nq);
    VISIT(walk, s->now.effort, m->nact);
    VISIT(walk, &s->load, 1);
    if (m->contact.on)
        visit_contact(m, s, walk);
    VISIT(walk, s->command, m->nact);
    VISIT(walk, s->value, m->nact);
    visit_task(m, &s->task, walk);
    visit_motion(m, &s->motion, walk);
    for (int k = 0; k < m->nbody; k++)
        VISIT(walk, s->tangent.work[k].history, body_nhistory(&m->body[k]));
    VISIT(walk, &s->tangent.found.negative, 1);
    VISIT(walk, &s->tangent.found.held, 1);
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
                  m->contact.room,
                  m->contact.world.nshape,
                  m->contact.world.nmatch};
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

// ## what was copied in, looked at before it is used: the sum says that bytes are those that were
// written, not that we wrote them

static bool are_finite(const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

static bool are_within(const int *value, size_t n, int low, int high)
{
    for (size_t i = 0; i < n; i++)
        if (value[i] < low || value[i] > high)
            return false;
    return true;
}

// A bool that is neither may not even be read.
static bool are_bools(const bool *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char byte;
        memcpy(&byte, &value[i], 1);
        if (byte > 1)
            return false;
    }
    return true;
}

static bool is_memory(const lithe_model *m, const contact_memory *known)
{
    if (!are_within(&known->n, 1, 0, m->contact.room))
        return false;
    for (int i = 0; i < known->n; i++)
        if (!are_finite(known->note[i].number, 4) ||
            (i > 0 && known->note[i].id < known->note[i - 1].id))
            return false;
    return true;
}

static bool are_frames(const contact_frame *frame, int n)
{
    for (int i = 0; i < n; i++)
        if (!are_finite(frame[i].R, 9) || !are_finite(frame[i].at, 3))
            return false;
    return true;
}

static bool are_contacts(const lithe_model *m, const lithe_state *s)
{
    const step_contact *t = &s->contact;
    int nshape = m->contact.world.nshape;
    return !m->contact.on ||
           (are_frames(s->now.contact->frame, nshape) && are_frames(t->next, nshape) &&
            are_bools(t->off, (size_t)m->contact.world.nmatch) && are_bools(&t->based, 1) &&
            are_bools(&t->law, 1) && are_bools(&t->fresh, 1) && are_finite(&t->mu, 1) &&
            are_finite(t->base_q, (size_t)m->nq) && are_finite(t->base_effort, (size_t)m->nact) &&
            is_memory(m, &t->known) && is_memory(m, &t->stick));
}

static bool is_task(const lithe_model *m, const step_task *t)
{
    size_t n = (size_t)m->nact, rows = (size_t)m->nrow;
    hierarchy_memory memory = hierarchy_remembered(t->work);
    return are_bools(&t->inverse, 1) && are_bools(t->wanted, rows) && are_bools(t->kept, rows) &&
           are_finite(t->target, rows) && are_bools(&t->bend.started, 1) &&
           are_within(&t->bend.nrow, 1, 0, m->nrow) && are_finite(t->bend.S, n * n) &&
           are_finite(t->bend.g, n) && are_finite(t->bend.effort, n) &&
           are_within(memory.guess, memory.nguess, -1, 1);
}

static bool is_motion(const lithe_model *m, const step_motion *motion)
{
    size_t n = m->dynamics.scheme == LITHE_STATIC ? 0 : 3 * (size_t)m->nnode;
    return are_finite(&motion->clock, 1) && are_bools(&motion->started, 1) &&
           are_finite(motion->velocity, n) && are_finite(motion->rate, n) &&
           are_finite(motion->lagged, n) && are_finite(&motion->stride, 1) && motion->stride >= 0;
}

// What is wrong with what was loaded; NULL: nothing.
static const char *find_fault(const lithe_model *m, const lithe_state *s)
{
    if (!are_finite(s->now.q, (size_t)m->nq))
        return "its positions";
    if (!are_finite(s->now.effort, (size_t)m->nact) || !are_finite(&s->load, 1))
        return "its efforts";
    for (int i = 0; i < m->nact; i++)
        if ((s->command[i] != LITHE_EFFORT && s->command[i] != LITHE_DISPLACEMENT) ||
            !isfinite(s->value[i]))
            return "its commands";
    if (!is_task(m, &s->task))
        return "its targets";
    if (!is_motion(m, &s->motion))
        return "its velocities";
    if (!are_contacts(m, s))
        return "its contacts";
    for (int k = 0; k < m->nbody; k++)
        if (!are_finite(s->tangent.work[k].history, body_nhistory(&m->body[k])))
            return "its relaxing stresses";
    return NULL;
}

lithe_status lithe_state_load(const lithe_model *m, lithe_state *s, const void *buffer,
                              size_t bytes)
{
    LITHE_TRY(check(m, s, buffer, bytes));
    save_walk walk = {copy_in, (unsigned char *)buffer, sizeof(save_head)}; // only read
    visit_state(m, s, &walk);
    const char *fault = find_fault(m, s);
    if (fault) {
        lithe_state_reset(m, s);
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "the saved state cannot be one of this robot: %s have numbers that none "
                          "has; the state is at rest now",
                          fault);
    }
    step_place(m, &s->now);
    s->aim_load = s->load;
    s->motion.on = false;
    s->motion.time = s->motion.clock;
    s->report.error[0] = '\0';
    s->nhistory = 0;
    s->time = (lithe_phase_time){0};
    if (s->async)
        async_reset(m, s); // the next step factors anew
    point_evaluate(m, s, &s->now);
    motion_recall(m, s);
    truth_measure(m, s);
    if (s->motion.started)
        energy_begin(m, s);
    return LITHE_OK;
}
