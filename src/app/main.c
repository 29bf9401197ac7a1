#include "app/interrupt.h"
#include "app/program.h"
#include "app/say.h"
#include "base/quote.h"
#include "base/spelling.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name;
    const char *usage;
    const char *about;
    int (*run)(int argc, char **argv);
} command;

static const command COMMANDS[] = {
    {"check", "SCENE", "validate a scene and say what is in it", command_check},
    {"run", "SCENE [NAME.QUANTITY=VALUE ...]", "move a robot by given efforts or displacements",
     command_run},
    {"track", "SCENE", "find the actuation that does the scene's task", command_track},
    {"view", "SCENE|RECORDING", "show a robot in a browser, and drive it there", command_view},
    {"report", "RECORDING", "make one HTML page of a recorded run", command_report},
    {"calibrate", "SCENE --data FILE --find PATH",
     "find values of the scene from observed positions", command_calibrate},
    {"reduce", "SCENE", "make the scene's reduced model, which runs many times faster",
     command_reduce},
    {"mesh", "FILE.geo|.step|.stl|.obj", "fill a geometry with elements, by Gmsh", command_mesh},
    {"landscape", "SCENE", "draw the cost over the efforts of one or two actuators",
     command_landscape},
    {"robust", "SCENE [--against PATH=VALUE]", "say how wrong the Jacobian of a closed loop may be",
     command_robust},
    {"drive", "SCENE", "drive a machine along the scene's task, in closed loop", command_drive},
    {"plant", "SCENE", "play the machine that 'lithe drive' drives", command_plant},
    {"materials", "", "list the silicones that a scene may name", command_materials},
    {"bench", "SCENE [NAME.QUANTITY=VALUE ...]", "time every phase of the step", command_bench},
};
enum { NCOMMAND = sizeof COMMANDS / sizeof *COMMANDS };

static void print_usage(FILE *file)
{
    fputs("Lithe " LITHE_VERSION ": real-time finite elements for soft robots\n\nusage:\n", file);
    for (int i = 0; i < NCOMMAND; i++)
        fprintf(file, "  lithe %-9s %-33s %s\n", COMMANDS[i].name, COMMANDS[i].usage,
                COMMANDS[i].about);
    fputs("  lithe COMMAND --help                              the options of a command\n"
          "  lithe --version\n",
          file);
}

static int say_unknown(const char *name)
{
    nearest meant = nearest_start(name);
    for (int i = 0; i < NCOMMAND; i++)
        nearest_offer(&meant, COMMANDS[i].name);
    const char *found = nearest_found(&meant);
    if (found)
        say_error("there is no command '%s'; did you mean 'lithe %s'?", QUOTE(name), found);
    else
        say_error("there is no command '%s'; 'lithe --help' lists them", QUOTE(name));
    return EXIT_BAD_INPUT;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return say_flush_output(EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("lithe %s\n", lithe_version());
        return say_flush_output(EXIT_DONE);
    }
    for (int i = 0; i < NCOMMAND; i++)
        if (strcmp(argv[1], COMMANDS[i].name) == 0)
            return COMMANDS[i].run(argc - 2, argv + 2);
    return say_unknown(argv[1]);
}

// Started without one of the three standard streams, the next file opened would take its place and
// receive what is meant for it. Reading only, so that writing there still fails.
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
            return;
}

int main(int argc, char **argv)
{
    // A closed pipe and a full quota are failures of a write, reported as such.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    interrupt_prepare();
    hold_standard_streams();
    return dispatch(argc, argv);
}
