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
    OPTION_DATA = 128,
    OPTION_FIND = 256,
    OPTION_OFFENDERS = 512,
    OPTION_FILE = 1024, // --out of a command that writes one file
    OPTION_SIZE = 2048,
    OPTION_MESH_UNIT = 4096,
    OPTION_TIME_LIMIT = 8192,
    OPTION_HELP = 16384,
    OPTION_PORT = 32768,
    OPTION_ADDRESS = 65536,
    OPTION_RECORD = 131072,
    OPTION_FROM = 262144,
    OPTION_REPORT = 524288, // --out of a command that writes a page
    OPTION_FRAMES = 1048576,
    OPTION_SNAPSHOT = 2097152,
    OPTION_PICTURE = 4194304, // --out of a command that draws
    OPTION_CAMERA = 8388608,
    OPTION_PLANT = 16777216,
    OPTION_AGAINST = 33554432,
    OPTION_POSES = 67108864,
    OPTION_GAMMA = 134217728,
    OPTION_SETTLE = 268435456,
    OPTION_REPLAY = 536870912,
    OPTION_VIEW = 1073741824,
};

// What a command accepts, and what its --help says.
typedef struct command_line {
    const char *name;
    const char *usage;  // "SCENE [NAME.QUANTITY=VALUE ...]"
    const char *about;  // a paragraph or two, each line ended
    const char *preset; // an override that stands before those of the user; NULL: none
    const char *input;  // what the first word names; NULL: a scene file
    int options;        // option_id, or-ed; --help always is
    bool takes_commands;
    bool takes_recording; // the first word may name one instead
    bool says_notices;    // about the scene, in full; others count them
} command_line;

typedef struct options {
    const char *scene;
    const char *out; // NULL: none; as are the next
    const char *offenders, *size, *mesh_unit, *time_limit;
    const char *address;
    const char *snapshot, *record, *from; // from: instead of a scene
    double camera[2];                     // of the snapshot: azimuth and elevation, deg
    char *from_path;                      // behind from
    int from_step;                        // -1: the last
    int steps;                            // 0: not given
    int port;                             // 0: any
    int frames;                           // 0: not given
    int threads;
    bool json, quiet, jacobian, view;
    const char *data; // NULL: none
    int nfind;
    const char **find;
    int nset;
    const char **set;
    const char *plant; // NULL: none
    bool replay;       // from names what is to be run again
    int nagainst;
    const char **against;
    int poses, settle; // 0: not given
    double gamma;      //
    int ncommand;
    const char **command;
} options;

// Is this a file of that kind, by its name?
bool options_ends_with(const char *path, const char *ending);

// True: go on. False: end with *exit_status (help was printed, or an error said). Strings stay
// argv's.
bool options_parse(const command_line *line, int argc, char **argv, options *o, int *exit_status);
void options_free(options *o);

#endif
