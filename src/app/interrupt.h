// Ctrl-C and SIGTERM asked for politely: the program ends between two iterations and leaves nothing
// half-written.
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include "lithe/lithe.h"

// A second signal ends the program at once.
void interrupt_watch(void);
bool interrupt_seen(void);

// Steps of this state end when one was seen.
void interrupt_ends(lithe_state *state);

#endif
