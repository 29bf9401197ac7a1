// What a state is; all else follows from it. One list of fields says what that is, and states are
// allocated, saved, loaded, looked at and reset by it.
#ifndef STEP_CONFIGURATION_H
#define STEP_CONFIGURATION_H

#include "step/state.h"

typedef enum field_kind {
    FIELD_NUMBER,  // finite double
    FIELD_LENGTH,  // … that is not negative
    FIELD_ANY,     // double
    FIELD_FLAG,    // bool
    FIELD_COUNT,   // int within a range
    FIELD_COMMAND, // lithe_command_kind
    FIELD_LIMIT,   // row_limit
    FIELD_FRAME,   // contact_frame
    FIELD_NOTE,    // struct contact_note, by ascending id
    FIELD_RECORD,  // bytes
} field_kind;

typedef struct state_field {
    const char *name; // of the group that it belongs to, for messages
    field_kind kind;
    void *value;
    size_t n;
    void *slot;      // where the pointer to it stands, of fields that are allocated by this list
    int least, most; // of counts; of notes: how many there are
} state_field;

typedef void field_visit(void *user, const state_field *field);

// Every field, in the order of a saved state.
void configuration_each(const lithe_model *m, lithe_state *s, field_visit *visit, void *user);

size_t field_bytes(const state_field *field);
bool field_is_sound(const state_field *field); // the bytes can be those of one

// Memory of the fields that have a slot; false: there is none. And all fields zero.
bool configuration_create(const lithe_model *m, lithe_state *s);
void configuration_clear(const lithe_model *m, lithe_state *s);

// Loads, gravity and moduli as the model has them.
void settings_reset(const lithe_model *m, lithe_state *s);

#endif
