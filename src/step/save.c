// A state as bytes: its configuration, and what the last step said. All
// that follows from those is computed again, so a state that was saved and loaded steps on with the
// same bits.
#include "step/async.h"
#include "step/configuration.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct save_head {
    char magic[8];
    uint64_t bytes; // of everything, this head included
    uint64_t model; // fingerprint of what the state moves over
    uint64_t sum;   // of all bytes after the head
} save_head;

static const char magic[8] = "lithe 5", family[6] = "lithe ";

// Goes over the fields of a configuration.
typedef struct save_walk {
    unsigned char *at; // in the caller's buffer; NULL: only counting
    size_t bytes;      // so far
    const char *fault; // what is wrong with what was loaded; NULL: nothing
} save_walk;

static void count(void *user, const state_field *field)
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
    save_walk walk = {.bytes = sizeof(save_head)};
    configuration_each(m, (lithe_state *)s, count, &walk); // only counted
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
    return LITHE_OK;
}
