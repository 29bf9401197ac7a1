// Which of our orders the machine is known to have heard, from what it echoes, and when each left.
#ifndef DRIVE_ECHOES_H
#define DRIVE_ECHOES_H

#include <stdbool.h>

enum { ECHOES_KEPT = 256 }; // orders that may still be echoed with a use

typedef struct echoes {
    long norder;              // that have left
    long first;               // that counts: earlier ones were for another machine, or are given up
    long heard;               // the last of them that was echoed; -1: none
    double unheard;           // when the first order after that was made, s; NAN: there is none
    double made[ECHOES_KEPT]; // when the cycle of each began, which is recorded, s
    double sent[ECHOES_KEPT]; // when each left, s
} echoes;

void echoes_forget(echoes *e); // what was told before is not waited for any more; numbers go on

void echoes_order(echoes *e, double now);
void echoes_sent(echoes *e, double now); // the last order, just now

// The machine tells the number of the last order that it heard. NAN: it is none of ours, or so old
// that nobody knows when it left; otherwise that.
double echoes_hear(echoes *e, long number);

// For how long the machine has not heard anything of us, s; 0 of one that never echoes.
double echoes_silence(const echoes *e, double now);

#endif
