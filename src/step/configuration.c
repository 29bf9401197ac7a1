#include "step/configuration.h"

#include "base/fnv.h"
#include "step/async.h"
#include "step/newton.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct field_list {
    const char *name; // of the present group
    field_visit *visit;
    void *user;
} field_list;

static void add(const field_list *list, field_kind kind, void *value, size_t n)
{
    state_field field = {.name = list->name, .kind = kind, .value = value, .n = n};
    list->visit(list->user, &field);
}

// slot: where the pointer stands
static void own(const field_list *list, field_kind kind, void *slot, int n)
{
    state_field field = {.name = list->name, .kind = kind, .slot = slot, .n = (size_t)n};
    memcpy(&field.value, slot, sizeof field.value);
    list->visit(list->user, &field);
}

static void count(const field_list *list, int *value, size_t n, int least, int most)
{
    state_field field = {list->name, FIELD_COUNT, value, n, NULL, least, most};
    list->visit(list->user, &field);
}

static void list_task(const lithe_model *m, step_task *t, field_list *list)
{
    int n = m->nact;
    list->name = "its targets";
    add(list, FIELD_FLAG, &t->inverse, 1);
    own(list, FIELD_FLAG, &t->wanted, m->nrow);
    own(list, FIELD_FLAG, &t->kept, m->nrow);
    own(list, FIELD_NUMBER, &t->target, m->nrow);
    own(list, FIELD_ANY, &t->multiplier, 2 * n);
    add(list, FIELD_ANY, &t->predicted, 1);
    add(list, FIELD_FLAG, &t->secant.started, 1);
    count(list, &t->secant.nrow, 1, 0, m->nrow);
    own(list, FIELD_NUMBER, &t->secant.S, n * n);
    own(list, FIELD_NUMBER, &t->secant.J, m->nrow * n);
    own(list, FIELD_NUMBER, &t->secant.g, n);
    own(list, FIELD_NUMBER, &t->secant.effort, n);
}

static void list_motion(const lithe_model *m, step_motion *motion, field_list *list)
{
    int n = m->dynamics.scheme == LITHE_STATIC ? 0 : 3 * m->nnode;
    list->name = "its velocities";
    add(list, FIELD_NUMBER, &motion->clock, 1);
    add(list, FIELD_FLAG, &motion->started, 1);
    add(list, FIELD_FLAG, &motion->damped, 1);
    own(list, FIELD_NUMBER, &motion->velocity, n);
    own(list, FIELD_NUMBER, &motion->rate, n);
    own(list, FIELD_NUMBER, &motion->lagged, n);
    add(list, FIELD_LENGTH, &motion->stride, 1);
    add(list, FIELD_RECORD, &motion->strides, sizeof motion->strides);
}

static void list_contact(const lithe_model *m, step_contact *t, field_list *list)
{
    if (!m->contact.on)
        return;
    list->name = "its contacts";
    own(list, FIELD_FRAME, &t->next, m->contact.world.nshape);
    own(list, FIELD_FLAG, &t->off, m->contact.world.nmatch);
    own(list, FIELD_LENGTH, &t->friction, m->contact.world.nmatch);
    add(list, FIELD_FLAG, &t->rubs, 1);
    add(list, FIELD_FLAG, &t->based, 1);
    own(list, FIELD_NUMBER, &t->base_q, m->nq);
    own(list, FIELD_NUMBER, &t->base_effort, m->nact);
    add(list, FIELD_FLAG, &t->law, 1);
    add(list, FIELD_LENGTH, &t->nearer, 1);
    add(list, FIELD_LENGTH, &t->settled, 1);
    add(list, FIELD_FLAG, &t->fresh, 1);
    add(list, FIELD_NUMBER, &t->mu, 1);
}

// Fields that the list allocates, and those that stand in the state itself.
static void list_own(const lithe_model *m, lithe_state *s, field_list *list)
{
    list->name = "its positions";
    own(list, FIELD_NUMBER, &s->now.q, m->nq);
    list->name = "its efforts";
    own(list, FIELD_NUMBER, &s->now.effort, m->nact);
    list->name = "its loads";
    add(list, FIELD_NUMBER, &s->load, 1);
    own(list, FIELD_NUMBER, &s->setting, m->nsetting);
    own(list, FIELD_NUMBER, &s->setting_wanted, m->nsetting);
    list->name = "its commands";
    own(list, FIELD_COMMAND, &s->command, m->nact);
    own(list, FIELD_NUMBER, &s->value, m->nact);
    own(list, FIELD_NUMBER, &s->axes.angle, m->njoint > 0 ? m->nact : 0);
    list->name = "its limits";
    own(list, FIELD_LIMIT, &s->limit, m->nact);
    own(list, FIELD_LENGTH, &s->weight, m->neffector);
    add(list, FIELD_LENGTH, &s->tolerance, 1);
    list_contact(m, &s->contact, list);
    list_task(m, &s->task, list);
    list_motion(m, &s->motion, list);
    list->name = "its stability";
    count(list, &s->tangent.found.negative, 1, 0, INT_MAX);
    count(list, &s->tangent.found.held, 1, 0, INT_MAX);
    list->name = "its residuals";
    add(list, FIELD_RECORD, &s->last, sizeof s->last);
}

// As many notes as there is room for from the start: a state's size never changes.
static void list_notes(const lithe_model *m, contact_memory *known, const field_list *list)
{
    int room = m->contact.room;
    if (known->n > room) // a state that is only read is not written
        known->n = room;
    count(list, &known->n, 1, 0, room);
    state_field field = {.name = list->name,
                         .kind = FIELD_NOTE,
                         .value = known->note,
                         .n = (size_t)room,
                         .most = known->n};
    list->visit(list->user, &field);
}

// Fields whose memory is others' business.
static void list_others(const lithe_model *m, lithe_state *s, field_list *list)
{
    hierarchy_memory memory = hierarchy_remembered(s->task.work);
    list->name = "its targets";
    count(list, memory.last, HIERARCHY_LAST, -1, INT_MAX);
    count(list, memory.guess, (size_t)memory.nguess, -1, 1);
    if (s->whole) {
        list->name = "its positions";
        add(list, FIELD_FLAG, &s->whole->full, 1);
        count(list, &s->whole->count, 1, 0, INT_MAX);
        if (m->reduction->beyond_full) // where the whole model goes on, it is what is
            configuration_each(m->reduction->whole, s->whole->state, list->visit, list->user);
    }
    list->name = "its relaxing stresses";
    for (int k = 0; k < m->nbody; k++)
        add(list, FIELD_NUMBER, s->tangent.work[k].history, body_nhistory(&m->body[k]));
    list->name = "its contacts";
    if (m->contact.on) {
        add(list, FIELD_FRAME, s->now.contact->frame, (size_t)m->contact.world.nshape);
        list_notes(m, &s->contact.known, list);
        list_notes(m, &s->contact.stick, list);
    }
}

void configuration_each(const lithe_model *m, lithe_state *s, field_visit *visit, void *user)
{
    field_list list = {.visit = visit, .user = user};
    list_own(m, s, &list);
    list_others(m, s, &list);
}

size_t field_bytes(const state_field *field)
{
    static const size_t size[] = {
        [FIELD_NUMBER] = sizeof(double),
        [FIELD_LENGTH] = sizeof(double),
        [FIELD_ANY] = sizeof(double),
        [FIELD_FLAG] = sizeof(bool),
        [FIELD_COUNT] = sizeof(int),
        [FIELD_COMMAND] = sizeof(lithe_command_kind),
        [FIELD_LIMIT] = sizeof(row_limit),
        [FIELD_FRAME] = sizeof(contact_frame),
        [FIELD_NOTE] = sizeof(struct contact_note),
        [FIELD_RECORD] = 1,
    };
    return field->n * size[field->kind];
}

static bool are_finite(const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

static bool are_lengths(const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i]) || value[i] < 0)
            return false;
    return true;
}

// A bool that is neither may not even be read.
static bool are_flags(const unsigned char *byte, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (byte[i] > 1)
            return false;
    return true;
}

static bool are_within(const int *value, size_t n, int least, int most)
{
    for (size_t i = 0; i < n; i++)
        if (value[i] < least || value[i] > most)
            return false;
    return true;
}

static bool are_commands(const lithe_command_kind *kind, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (kind[i] != LITHE_EFFORT && kind[i] != LITHE_DISPLACEMENT)
            return false;
    return true;
}

static bool are_limits(const row_limit *limit, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!row_limit_is_sound(&limit[i]))
            return false;
    return true;
}

static bool are_frames(const contact_frame *frame, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!are_finite(frame[i].R, 9) || !are_finite(frame[i].at, 3))
            return false;
    return true;
}

static bool are_notes(const struct contact_note *note, int n)
{
    for (int i = 0; i < n; i++)
        if (!are_finite(note[i].number, 4) || (i > 0 && note[i].id < note[i - 1].id))
            return false;
    return true;
}

bool field_is_sound(const state_field *field)
{
    switch (field->kind) {
    case FIELD_NUMBER: return are_finite(field->value, field->n);
    case FIELD_LENGTH: return are_lengths(field->value, field->n);
    case FIELD_FLAG: return are_flags(field->value, field->n);
    case FIELD_COUNT: return are_within(field->value, field->n, field->least, field->most);
    case FIELD_COMMAND: return are_commands(field->value, field->n);
    case FIELD_LIMIT: return are_limits(field->value, field->n);
    case FIELD_FRAME: return are_frames(field->value, field->n);
    case FIELD_NOTE: return are_notes(field->value, field->most);
    case FIELD_ANY:
    case FIELD_RECORD: break;
    }
    return true;
}

typedef struct field_maker {
    arena *memory;
    bool failed;
} field_maker;

static void allocate(void *user, const state_field *field)
{
    field_maker *maker = user;
    if (!field->slot)
        return;
    void *made = arena_alloc(maker->memory, field_bytes(field), 1);
    memcpy(field->slot, &made, sizeof made);
    maker->failed = maker->failed || !made;
}

bool configuration_create(const lithe_model *m, lithe_state *s)
{
    field_maker maker = {.memory = &s->memory};
    field_list list = {.visit = allocate, .user = &maker};
    list_own(m, s, &list);
    return !maker.failed;
}

static void clear(void *user, const state_field *field)
{
    (void)user;
    if (field_bytes(field) > 0)
        memset(field->value, 0, field_bytes(field));
}

void configuration_clear(const lithe_model *m, lithe_state *s)
{
    configuration_each(m, s, clear, NULL);
}

// A state as bytes: its configuration, and what the last step said. All that follows from those is
// computed again, so a state that was saved and loaded steps on with the same bits.
typedef struct save_head {
    char magic[8];
    uint64_t bytes; // of everything, this head included
    uint64_t model; // fingerprint of what the state moves over
    uint64_t sum;   // of all bytes after the head
} save_head;

static const char magic[8] = "lithe 6", family[6] = "lithe ";

// Goes over the fields of a configuration.
typedef struct save_walk {
    unsigned char *at; // in the caller's buffer; NULL: only counting
    size_t bytes;      // so far
    const char *fault; // what is wrong with what was loaded; NULL: nothing
} save_walk;

static void count_bytes(void *user, const state_field *field)
{
    save_walk *walk = user;
    walk->bytes += field_bytes(field);
}

static void copy_out(void *user, const state_field *field)
{
    save_walk *walk = user;
    size_t bytes = field_bytes(field);
    if (bytes > 0)
        memcpy(walk->at + walk->bytes, field->value, bytes);
    walk->bytes += bytes;
}

static void copy_in(void *user, const state_field *field)
{
    save_walk *walk = user;
    size_t bytes = field_bytes(field);
    if (bytes > 0)
        memcpy(field->value, walk->at + walk->bytes, bytes);
    walk->bytes += bytes;
}

// What was copied in is looked at before it is used: the sum says that bytes are those that were
// written, not that we wrote them.
static void look_at(void *user, const state_field *field)
{
    save_walk *walk = user;
    if (!walk->fault && !field_is_sound(field))
        walk->fault = field->name;
}

// What tells models apart: sizes and the rest shape.
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
    uint64_t h = FNV_START;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        h = fnv_add_word(h, (uint64_t)size[i]);
    return fnv_add(h, m->X, 3 * (size_t)m->nnode * sizeof *m->X);
}

static uint64_t checksum(const void *buffer, size_t bytes)
{
    return fnv_add(FNV_START, (const char *)buffer + sizeof(save_head), bytes - sizeof(save_head));
}

size_t lithe_state_size(const lithe_model *m, const lithe_state *s)
{
    save_walk walk = {.bytes = sizeof(save_head)};
    configuration_each(m, (lithe_state *)s, count_bytes, &walk); // only counted
    return walk.bytes;
}

void lithe_state_save(const lithe_model *m, const lithe_state *s, void *buffer)
{
    save_head head = {.bytes = lithe_state_size(m, s), .model = fingerprint(m)};
    save_walk walk = {.at = buffer, .bytes = sizeof head};
    configuration_each(m, (lithe_state *)s, copy_out, &walk); // only read
    memcpy(head.magic, magic, sizeof magic);
    head.sum = checksum(buffer, walk.bytes);
    memcpy(buffer, &head, sizeof head);
}

static lithe_status check(const lithe_model *m, lithe_state *s, const void *buffer, size_t bytes)
{
    save_head head = {0};
    memcpy(&head, buffer, bytes < sizeof head ? bytes : sizeof head);
    bool ours = bytes >= sizeof head && memcmp(head.magic, family, sizeof family) == 0;
    if (ours && memcmp(head.magic, magic, sizeof magic) != 0)
        return LITHE_FAIL(
            &s->report, LITHE_INVALID,
            "the state was saved by another version of Lithe, in format %c; this one "
            "reads format %c: save it anew, or load it with the version that saved it",
            head.magic[sizeof family], magic[sizeof family]);
    if (!ours)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "these %zu bytes are not a saved state of Lithe", bytes);
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

void state_refresh(const lithe_model *m, lithe_state *s)
{
    s->report.error[0] = '\0';
    s->nhistory = 0;
    s->time = (lithe_phase_time){0};
    if (s->async)
        async_reset(m, s); // the next step factors anew
    step_aim_joints(m, s);
    point_evaluate(m, s, &s->now);
    motion_recall(m, s);
    truth_measure(m, s);
    if (s->motion.started)
        energy_begin(m, s);
    state_publish(s);
}

lithe_status lithe_state_load(const lithe_model *m, lithe_state *s, const void *buffer,
                              size_t bytes)
{
    LITHE_TRY(check(m, s, buffer, bytes));
    save_walk walk = {.at = (unsigned char *)buffer, .bytes = sizeof(save_head)}; // only read
    configuration_each(m, s, copy_in, &walk);
    configuration_each(m, s, look_at, &walk);
    if (walk.fault) {
        lithe_state_reset(m, s);
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "the saved state cannot be one of this robot: %s have numbers that none "
                          "has; the state is at rest now",
                          walk.fault);
    }
    step_positions(m, &s->now);
    s->aim_load = s->load;
    s->motion.on = false;
    s->motion.time = s->motion.clock;
    state_refresh(m, s);
    if (s->whole && s->whole->full)
        state_recall_whole(m, s);
    return LITHE_OK;
}
