#include "step/configuration.h"

#include <limits.h>
#include <math.h>
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
