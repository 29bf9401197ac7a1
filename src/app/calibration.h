// How a calibration ended: as text, as JSON, and as the files of a results folder.
#ifndef APP_CALIBRATION_H
#define APP_CALIBRATION_H

#include "app/session.h"
#include "lithe/calibrate.h"

typedef struct calibration {
    session *session;
    const lithe_calibration *found;
} calibration;

// The JSON text, to be freed with free(); NULL when there is no memory.
char *calibration_json(const calibration *c);

void calibration_print(const calibration *c);

// Why a combination cannot be told: "'a' and 'b' cannot be told apart: ...".
enum { CALIBRATION_TEXT = 1200 };
const char *calibration_blind_text(const calibration *c, const lithe_blind *blind,
                                   char text[CALIBRATION_TEXT]);

// Writes the results folder; summary: the JSON text.
lithe_status calibration_save(const calibration *c, const char *summary);

#endif
