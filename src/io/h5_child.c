#include "io/h5_child.h"

#include "base/memory.h"
#include "base/status.h"
#include "io/h5_read.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME_BYTES = 128, CPU_SECONDS = 20 }; // for one answer

typedef enum verb { OPENED, SIZE, LINES, NOTE, COUNT } verb;

typedef struct request {
    verb verb;
    h5_kind kind;
    char name[NAME_BYTES], note[NAME_BYTES];
    uint64_t first, n, room;
} request;

typedef struct reply {
    uint64_t well, lines, width;
    uint64_t bytes; // that follow
} reply;

struct h5_child {
    pid_t pid;
    int ask, hear;
    uint64_t most; // bytes of an answer
    bool died;
    pthread_mutex_t lock;
};

// All n bytes, however many calls it takes. One of `from` and `to` is given.
static bool transfer(int fd, const char *from, char *to, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t done = from ? write(fd, from + at, n - at) : read(fd, to + at, n - at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += (size_t)done;
    }
    return true;
}

static bool write_all(int fd, const void *data, size_t n)
{
    return transfer(fd, data, NULL, n);
}

static bool read_all(int fd, void *data, size_t n)
{
    return transfer(fd, NULL, data, n);
}

// ## in the child

static reply answer(const h5_source *s, const request *q, void *out)
{
    reply a = {.bytes = q->room};
    switch (q->verb) {
    case OPENED: a.well = s->file >= 0; break;
    case SIZE: a.well = h5_source_size(s, q->name, q->kind, &a.lines, &a.width); break;
    case LINES: a.well = h5_source_lines(s, q->name, q->kind, q->first, q->n, out, q->room); break;
    case NOTE: a.well = h5_source_note(s, q->name, q->note, q->kind, out, &a.bytes); break;
    case COUNT: a.well = h5_source_count(s, q->name, &a.lines); break;
    }
    if (!a.well)
        a.bytes = 0;
    return a;
}

// The processor's time, not the clock's: disks may be slow.
static void allow_time(void)
{
    struct itimerval time = {.it_value = {.tv_sec = CPU_SECONDS}};
    setitimer(ITIMER_PROF, &time, NULL);
}

static void serve(const h5_source *s, int hear, int speak)
{
    request q;
    while (read_all(hear, &q, sizeof q)) {
        allow_time();
        void *out = q.room > 0 ? malloc(q.room) : NULL;
        if (q.room > 0 && !out)
            return;
        reply a = answer(s, &q, out);
        if (!write_all(speak, &a, sizeof a) || !write_all(speak, out, a.bytes))
            return;
        free(out);
    }
}

// Signals of the terminal are for the parent, whose end is this process's end.
static void leave_signals(void)
{
    static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGPROF, SIGXCPU};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        signal(ours[i], SIG_IGN);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        signal(deadly[i], SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static _Noreturn void be_child(const char *path, uint64_t file_bytes, int hear, int speak)
{
    h5_source source = {.file = -1};
    int silent = open("/dev/null", O_RDWR);
    leave_signals();
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (silent >= 0 && dup2(silent, 0) == 0 && dup2(silent, 1) == 1 && dup2(silent, 2) == 2) {
        allow_time();
        if (!h5_source_open(&source, path, file_bytes))
            source.file = -1;
        serve(&source, hear, speak);
    }
    _exit(0);
}

// ## in the parent

// Pipes that no program started later inherits.
static bool make_pipes(int to[2], int from[2])
{
    if (pipe(to) != 0)
        return false;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(to[i], F_SETFD, FD_CLOEXEC);
        fcntl(from[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

static bool start(h5_child *c, const char *path, uint64_t file_bytes)
{
    int to[2], from[2];
    if (!make_pipes(to, from))
        return false;
    c->pid = fork();
    if (c->pid == 0) {
        close(to[1]);
        close(from[0]);
        be_child(path, file_bytes, to[0], from[1]);
    }
    int error = errno;
    close(to[0]);
    close(from[1]);
    c->ask = to[1];
    c->hear = from[0];
    errno = error;
    return c->pid > 0;
}

// One question and its answer; out has room for q->room bytes.
static bool ask(h5_child *c, const request *q, reply *a, void *out)
{
    pthread_mutex_lock(&c->lock);
    c->died = c->died || !write_all(c->ask, q, sizeof *q) || !read_all(c->hear, a, sizeof *a) ||
              a->bytes > q->room || !read_all(c->hear, out, a->bytes);
    bool well = !c->died && a->well;
    pthread_mutex_unlock(&c->lock);
    return well;
}

static request question(verb what, h5_kind kind, const char *name, const char *note)
{
    request q = {.verb = what, .kind = kind};
    strncpy(q.name, name, sizeof q.name - 1);
    strncpy(q.note, note, sizeof q.note - 1);
    return q;
}

lithe_status h5_child_start(const char *path, h5_child **out, lithe_report *report)
{
    struct stat info;
    reply a;
    request q = question(OPENED, H5_KIND_BYTE, "", "");
    h5_child *c = *out = memory_alloc(sizeof *c);
    if (!c)
        return report_no_memory(report, "the recording");
    *c = (h5_child){.ask = -1, .hear = -1};
    pthread_mutex_init(&c->lock, NULL);
    bool regular = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    c->most = regular ? h5_most_bytes((uint64_t)info.st_size) : 0;
    lithe_status status = LITHE_OK;
    if (regular && !start(c, path, (uint64_t)info.st_size))
        status = LITHE_FAIL(report, LITHE_NO_MEMORY,
                            "the process that reads recordings could not be started: %s; close "
                            "other programs and run again",
                            strerror(errno));
    else if (!regular || !ask(c, &q, &a, NULL))
        status = LITHE_FAIL(report, LITHE_INVALID,
                            "%s: cannot be read as a recording; check the path", path);
    if (status == LITHE_OK)
        return LITHE_OK;
    h5_child_end(c);
    *out = NULL;
    return status;
}

void h5_child_end(h5_child *c)
{
    if (!c)
        return;
    if (c->ask >= 0)
        close(c->ask);
    if (c->hear >= 0)
        close(c->hear);
    if (c->pid > 0) {
        kill(c->pid, SIGKILL); // it has nothing to lose
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    pthread_mutex_destroy(&c->lock);
    memory_free(c);
}

bool h5_child_died(const h5_child *c)
{
    return c->died;
}

uint64_t h5_child_most(const h5_child *c)
{
    return c->most;
}

bool h5_child_size(h5_child *c, const char *name, h5_kind kind, uint64_t *lines, uint64_t *width)
{
    reply a;
    request q = question(SIZE, kind, name, "");
    bool well = ask(c, &q, &a, NULL);
    *lines = well ? a.lines : 0;
    *width = well ? a.width : 0;
    return well && (a.width == 0 || a.lines <= c->most / a.width / h5_kind_bytes(kind));
}

bool h5_child_lines(h5_child *c, const char *name, h5_kind kind, uint64_t first, uint64_t n,
                    uint64_t width, void *out)
{
    reply a;
    request q = question(LINES, kind, name, "");
    q.first = first;
    q.n = n;
    q.room = n * width * h5_kind_bytes(kind);
    return ask(c, &q, &a, out) && a.bytes == q.room;
}

bool h5_child_count(h5_child *c, const char *group, uint64_t *n)
{
    reply a;
    request q = question(COUNT, H5_KIND_BYTE, group, "");
    bool well = ask(c, &q, &a, NULL);
    *n = well ? a.lines : 0;
    return well;
}

void *h5_child_all(h5_child *c, const char *name, h5_kind kind, uint64_t *lines, uint64_t *bytes)
{
    uint64_t width;
    *bytes = 0;
    if (!h5_child_size(c, name, kind, lines, &width))
        return NULL;
    *bytes = *lines * width * h5_kind_bytes(kind);
    char *all = malloc(*bytes + 1);
    if (all && !h5_child_lines(c, name, kind, 0, *lines, width, all)) {
        free(all);
        return NULL;
    }
    if (all)
        all[*bytes] = '\0';
    return all;
}

bool h5_child_noted_number(h5_child *c, const char *object, const char *name, int *value)
{
    reply a;
    request q = question(NOTE, H5_KIND_INT, object, name);
    q.room = sizeof *value;
    return ask(c, &q, &a, value) && a.bytes == sizeof *value;
}

char *h5_child_noted_text(h5_child *c, const char *object, const char *name)
{
    enum { NOTE_ROOM = 65536 };
    reply a;
    request q = question(NOTE, H5_KIND_TEXT, object, name);
    q.room = NOTE_ROOM;
    char *text = malloc(NOTE_ROOM + 1);
    if (text && !ask(c, &q, &a, text)) {
        free(text);
        return NULL;
    }
    if (text)
        text[a.bytes] = '\0';
    return text;
}
