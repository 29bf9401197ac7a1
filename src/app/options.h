// The command line of one command: SCENE, options, and for some commands NAME.QUANTITY=VALUE.
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>

enum option_id {
    OPTION_OUT = 1,
    OPTION_STEPS = 2,
    OPTION_THREADS = 4,
    OPTION_SET = 8,
    OPTION_JSON = 16,
    OPTION_QUIET = 32,
    OPTION_JACOBIAN = 64,
    OPTION_HELP = 128,
};

// What a command accepts, and what its --help says.
typedef struct command_line {
    const char *name;
    const char *usage; // "SCENE [NAME.QUANTITY=VALUE ...]"
    const char *about; // a paragraph or two, each line ended
    int options;       // option_id, or-ed; --help always is
    bool takes_commands;
} command_line;

typedef struct options {
    const char *scene;
    const char *out; // NULL: none
    int steps;       // 0: not given
    int threads;
    bool json, quiet, jacobian;
    int nset;
    const char **set;
    int ncommand;
    const char **command;
} options;

// True: go on. False: end with *exit_status (help was printed, or an error said). Strings stay
// argv's.
bool options_parse(const command_line *line, int argc, char **argv, options *o, int *exit_status);
void options_free(options *o);

#endif
