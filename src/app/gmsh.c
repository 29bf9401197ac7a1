#include "app/gmsh.h"

#include "app/interrupt.h"
#include "base/clock.h"
#include "base/status.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SCRIPT  "lithe.geo"
#define SURFACE "surface.stl"
#define LOG     "log.txt"

enum { NOT_STARTED = 127, POLL_MS = 20, MAX_LINE = 400 };

// The message that a failing Gmsh leaves behind.
typedef struct gmsh_log {
    char error[MAX_LINE]; // the first line that says Error; "" if there is none
} gmsh_log;

static FILE *open_in(const gmsh_job *job, const char *name, const char *mode)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", job->folder, name);
    return fopen(path, mode);
}

// A surface becomes sides bounded by its sharp edges, with a parametrization each, and then the
// boundary of one volume. The script finds the surface under a name that needs no quoting.
#define FILL                                                                                       \
    "Merge \"" SURFACE "\";\n"                                                                     \
    "ClassifySurfaces{%g * Pi / 180, 1, 1, Pi};\n"                                                 \
    "CreateGeometry;\n"                                                                            \
    "Surface Loop(1) = Surface{:};\n"                                                              \
    "Volume(1) = {1};\n"                                                                           \
    "Mesh.MeshSizeExtendFromBoundary = 0;\n"                                                       \
    "Mesh.MeshSizeMin = %.17g;\n"

// What counts as sharp, in degrees. Gmsh cannot parametrize some sides, such as rings; with fewer
// edges it cuts them itself, at the cost of rounding them.
static const double sharp[] = {40, 100};
enum { NSHARP = sizeof sharp / sizeof *sharp };

// A size given here outdoes what a geometry says, because it is read after it.
static lithe_status write_script(const gmsh_job *job, int attempt, lithe_report *report)
{
    FILE *file = open_in(job, SCRIPT, "w");
    if (!file)
        return LITHE_FAIL(report, LITHE_IO, "'%s' cannot be written: %s; %s", job->folder,
                          strerror(errno), file_remedy(errno));
    if (job->surface)
        fprintf(file, FILL, sharp[attempt], job->size);
    if (job->size > 0)
        fprintf(file, "Mesh.MeshSizeMax = %.17g;\n", job->size);
    return file_finish(file, job->folder, report);
}

static lithe_status prepare(const gmsh_job *job, int attempt, lithe_report *report)
{
    char link_path[4200];
    snprintf(link_path, sizeof link_path, "%s/" SURFACE, job->folder);
    if (job->surface && attempt == 0 && symlink(job->input, link_path) != 0)
        return LITHE_FAIL(report, LITHE_IO, "'%s' cannot be written: %s; %s", link_path,
                          strerror(errno), file_remedy(errno));
    return write_script(job, attempt, report);
}

// In the child: never returns.
static void become_gmsh(const gmsh_job *job)
{
    const char *word[16] = {"gmsh", "-3",      "-nt",   "1",  "-v",
                            "3",    "-format", "msh41", "-o", GMSH_RESULT};
    int n = 10;
    if (!job->surface)
        word[n++] = job->input;
    word[n++] = SCRIPT;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it must not outlive us
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    int out = chdir(job->folder) == 0 ? open(LOG, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    int in = open("/dev/null", O_RDONLY);
    if (out >= 0 && in >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2)
        execvp(word[0], (char *const *)word);
    _exit(NOT_STARTED);
}

static void end_group(pid_t pid)
{
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL); // in case it has not made its group yet
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

// True when it has ended by itself; false when it was ended.
static bool wait_for(pid_t pid, double seconds, int *status)
{
    double start = clock_now();
    for (;;) {
        pid_t ended = waitpid(pid, status, WNOHANG);
        if (ended == pid)
            return true;
        if (interrupt_seen() || clock_now() - start > seconds || (ended < 0 && errno != EINTR)) {
            end_group(pid);
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000L}, NULL);
    }
}

static gmsh_log read_log(const gmsh_job *job)
{
    gmsh_log log = {""};
    char line[MAX_LINE];
    FILE *file = open_in(job, LOG, "r");
    while (file && !log.error[0] && fgets(line, sizeof line, file)) {
        const char *colon = strncmp(line, "Error", 5) == 0 ? strchr(line, ':') : NULL;
        if (colon)
            snprintf(log.error, sizeof log.error, "%s", colon + 1 + strspn(colon + 1, " "));
    }
    log.error[strcspn(log.error, "\r\n")] = 0;
    if (file)
        fclose(file);
    return log;
}

static bool has_result(const gmsh_job *job)
{
    FILE *file = open_in(job, GMSH_RESULT, "r");
    if (file)
        fclose(file);
    return file != NULL;
}

static gmsh_end fail_ended(const gmsh_job *job, lithe_report *report)
{
    if (interrupt_seen())
        return GMSH_INTERRUPTED;
    LITHE_FAIL(report, LITHE_INVALID,
               "%s: Gmsh did not finish within %g s and was ended; take larger elements (--size) "
               "or allow more time (--time-limit)",
               job->name, job->time_limit);
    return GMSH_FAILED;
}

static gmsh_end judge(const gmsh_job *job, int status, lithe_report *report)
{
    gmsh_log log = read_log(job);
    if (WIFSIGNALED(status)) {
        LITHE_FAIL(report, LITHE_IO,
                   "%s: Gmsh was ended by signal %d (%s); if memory ran out, take larger elements "
                   "(--size), else look at the geometry in Gmsh",
                   job->name, WTERMSIG(status), strsignal(WTERMSIG(status)));
        return GMSH_NO_MACHINE;
    }
    if (WEXITSTATUS(status) == NOT_STARTED) {
        LITHE_FAIL(report, LITHE_IO,
                   "gmsh cannot be started: it is not installed, or not in PATH; install it "
                   "(Debian: apt install gmsh; others: gmsh.info)");
        return GMSH_NO_MACHINE;
    }
    if (WEXITSTATUS(status) == 0 && !log.error[0] && has_result(job))
        return GMSH_DONE;
    LITHE_FAIL(report, LITHE_INVALID,
               "%s: Gmsh could not mesh it: %s; open the file in Gmsh, mend the geometry, and try "
               "again",
               job->name, log.error[0] ? log.error : "it wrote no mesh");
    return GMSH_FAILED;
}

static gmsh_end run_once(const gmsh_job *job, int attempt, double seconds, lithe_report *report)
{
    int status = 0;
    if (prepare(job, attempt, report) != LITHE_OK)
        return GMSH_NO_MACHINE;
    pid_t pid = fork();
    if (pid == 0)
        become_gmsh(job);
    if (pid < 0) {
        LITHE_FAIL(report, LITHE_IO, "gmsh cannot be started: %s; close other programs",
                   strerror(errno));
        return GMSH_NO_MACHINE;
    }
    return wait_for(pid, seconds, &status) ? judge(job, status, report) : fail_ended(job, report);
}

gmsh_end gmsh_run(const gmsh_job *job, lithe_report *report)
{
    double start = clock_now();
    gmsh_end end = run_once(job, 0, job->time_limit, report);
    for (int attempt = 1; attempt < NSHARP && job->surface && end == GMSH_FAILED; attempt++) {
        double left = job->time_limit - (clock_now() - start);
        if (left <= 0)
            break;
        end = run_once(job, attempt, left, report);
    }
    return end;
}

void gmsh_clean(const gmsh_job *job)
{
    static const char *const names[] = {GMSH_RESULT, GMSH_COPY, LOG, SCRIPT, SURFACE};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", job->folder, names[i]);
        unlink(path);
    }
    rmdir(job->folder);
}
