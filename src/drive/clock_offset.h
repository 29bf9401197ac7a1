// How far the machine's clock is from ours, from orders that it echoes: of all ways there and back
// in the last while the shortest tells most.
#ifndef DRIVE_CLOCK_OFFSET_H
#define DRIVE_CLOCK_OFFSET_H

enum { CLOCK_OFFSET_KEPT = 64 };

typedef struct clock_offset {
    int n, next;
    double trip[CLOCK_OFFSET_KEPT], offset[CLOCK_OFFSET_KEPT]; // s
} clock_offset;

// An order left at `sent`, was heard at `heard`, answered at `answered` (both by the machine's
// clock), and the answer came at `arrived`, s.
void clock_offset_add(clock_offset *c, double sent, double heard, double answered, double arrived);

// Machine's clock minus ours, and the shortest way there and back; NAN: not known.
double clock_offset_get(const clock_offset *c, double *trip);

#endif
