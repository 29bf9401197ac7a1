// How far and how fast the numbers of orders went, at one end of a wire.
#ifndef APP_EXTENT_H
#define APP_EXTENT_H

#include "io/json.h"
#include "io/wire.h"

typedef struct extents {
    double period; // s
    long n;        // orders
    long last;     // number of the last one
    int nvalue;
    bool paused;
    struct {
        double lowest, highest, fastest; // as on the wire; a second
        double last;
    } of[WIRE_NUMBERS];
} extents;

void extents_note(extents *e, const wire_message *order);
// The machine goes elsewhere by itself: the next order is not told by the last one.
void extents_pause(extents *e);
void extents_write(const extents *e, json *j); // "orders": [{lowest, highest, fastest}, …]

#endif
