// Valve and chamber: what is told a pressure nears it as a first-order system,
//
//     dp/dt = (told - p) / time, no faster than rate,
//
// with numbers of its own when the pressure rises and when it falls. docs/theory/valves.md
#ifndef ROW_VALVE_H
#define ROW_VALVE_H

#include <stdbool.h>

typedef struct row_valve {
    double time[2]; // s, when it falls and when it rises; 0: at once
    double rate[2]; // Pa/s, at most; infinite: no limit
} row_valve;

// Does it lag at all?
bool valve_lags(const row_valve *v);

// The pressure some time after it was `from`, told the same all the while; exact.
double valve_after(const row_valve *v, double from, double told, double time);

#endif
