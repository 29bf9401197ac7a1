// Keeps the program on one core, so that what is measured is not its wandering between caches.
#ifndef APP_PIN_H
#define APP_PIN_H

#include <stdbool.h>

// To the core that it runs on now; gives its number, or -1 where that cannot be had.
int pin_to_core(void);

// Back to the cores that it had before.
void pin_release(void);

#endif
