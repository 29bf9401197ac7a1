// Ctrl-C and SIGTERM asked for politely: the program ends between two steps and leaves nothing
// half-written.
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

// A second signal ends the program at once.
void interrupt_watch(void);
bool interrupt_seen(void);

#endif
