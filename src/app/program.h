// What the files of the program share: its exit statuses and its commands.
#ifndef APP_PROGRAM_H
#define APP_PROGRAM_H

enum {
    EXIT_DONE = 0,
    EXIT_NOT_CONVERGED = 1,
    EXIT_BAD_INPUT = 2,      // also bad usage
    EXIT_MACHINE_FAILED = 3, // memory, disk
    EXIT_INTERRUPTED = 130,
};

// Each takes what follows its name on the command line and returns the exit status.
int command_check(int argc, char **argv);
int command_run(int argc, char **argv);
int command_track(int argc, char **argv);
int command_calibrate(int argc, char **argv);
int command_reduce(int argc, char **argv);
int command_mesh(int argc, char **argv);
int command_materials(int argc, char **argv);
int command_view(int argc, char **argv);
int command_report(int argc, char **argv);
int command_landscape(int argc, char **argv);
int command_robust(int argc, char **argv);
int command_drive(int argc, char **argv);
int command_plant(int argc, char **argv);
int command_bench(int argc, char **argv);

#endif
