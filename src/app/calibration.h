// How a calibration ended: as text, as JSON, and as the files of a results folder.
#ifndef APP_CALIBRATION_H
#define APP_CALIBRATION_H

#include "app/observe.h"
#include "app/unknown.h"
#include "control/calibrate.h"

typedef struct calibration {
    session *session;
    const observations *data;
    const unknown *unknown;            // (nunknown)
    const calibrate_unknown *searched; // (nunknown)
    int nunknown;
    calibrate_result result;
} calibration;

// The JSON text, to be freed with free(); NULL when there is no memory.
char *calibration_json(const calibration *c);

void calibration_print(const calibration *c);

// Why a combination cannot be told: "'a' and 'b' cannot be told apart: ...".
enum { CALIBRATION_TEXT = 1200 };
const char *calibration_blind_text(const calibration *c, const calibrate_blind *blind,
                                   char text[CALIBRATION_TEXT]);

// Writes the results folder; summary: the JSON text.
lithe_status calibration_save(const calibration *c, const char *summary);

#endif
