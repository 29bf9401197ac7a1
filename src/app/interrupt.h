// Ctrl-C, a closed terminal, SIGTERM, and the end of the allowed time: the program ends and leaves
// nothing half-written.
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include "lithe/lithe.h"

// From here on such a signal removes what is not finished and ends the program.
void interrupt_prepare(void);

// From here on the first one is only noted, for whoever looks between two iterations; a second one
// ends the program as above.
void interrupt_watch(void);
bool interrupt_seen(void);

// While it is on, a second one and others change nothing: a machine is on its way to its safe
// state, and who sends two wants it there.
void interrupt_hold(bool on);

// Steps of this state end when one was seen.
void interrupt_ends(lithe_state *state);

#endif
