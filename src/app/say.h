// What the program says on standard error: errors, notices, and one line that comes and goes.
#ifndef APP_SAY_H
#define APP_SAY_H

#include "lithe/lithe.h"

// No notices and no passing lines from now on; errors are always said.
void say_quiet(void);

__attribute__((format(printf, 1, 2))) void say_error(const char *format, ...);
__attribute__((format(printf, 1, 2))) void say_notice(const char *format, ...);

// Whether a word would go out at once: nobody has stopped the terminal, or left a pipe full.
bool say_is_heard(void);

// A line that the next word on standard error replaces; "" only removes it. Said on a terminal
// alone.
void say_passing(const char *line);
bool say_on_terminal(void); // and not quiet

// A line that stays, where there is no terminal and it is not quiet.
void say_line(const char *line);

// Says the report's error and gives the exit status that goes with the status.
int say_failure(lithe_status status, const lithe_report *report);

// Everything printed must have arrived: EXIT_MACHINE_FAILED, said, when standard output failed.
int say_flush_output(int exit_status);

#endif
