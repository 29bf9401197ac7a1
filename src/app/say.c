#include "app/say.h"

#include "app/program.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_MAX = 2 * LITHE_TEXT_MAX };

static bool quiet;
static bool passing; // a line that must go before the next word

void say_quiet(void)
{
    quiet = true;
}

bool say_is_heard(void)
{
    struct pollfd p = {STDERR_FILENO, POLLOUT, 0};
    return poll(&p, 1, 0) > 0 && (p.revents & POLLOUT);
}

bool say_on_terminal(void)
{
    return !quiet && isatty(STDERR_FILENO);
}

// [no-color.org]: any value but the empty one
static bool in_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && !(no_colour && *no_colour);
}

static void clear_passing(void)
{
    if (passing)
        fputs("\r\033[K", stderr);
    passing = false;
}

void say_passing(const char *line)
{
    if (!say_on_terminal())
        return;
    clear_passing();
    fputs(line, stderr);
    fflush(stderr);
    passing = *line != '\0';
}

void say_line(const char *line)
{
    if (!quiet && !isatty(STDERR_FILENO))
        fprintf(stderr, "%s\n", line);
}

// File names may hold anything; a message stays on its line and does not steer the terminal.
static void say(const char *kind, const char *colour, char *text)
{
    clear_passing();
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = '?';
    if (in_colour())
        fprintf(stderr, "lithe: \033[%sm%s:\033[0m %s\n", colour, kind, text);
    else
        fprintf(stderr, "lithe: %s: %s\n", kind, text);
}

void say_error(const char *format, ...)
{
    char text[MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("error", "1;31", text);
}

void say_notice(const char *format, ...)
{
    char text[MESSAGE_MAX];
    if (quiet)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("notice", "1;33", text);
}

static int exit_status_of(lithe_status status)
{
    switch (status) {
    case LITHE_OK: return EXIT_DONE;
    case LITHE_NOT_CONVERGED: return EXIT_NOT_CONVERGED;
    case LITHE_INVALID: return EXIT_BAD_INPUT;
    case LITHE_NO_MEMORY:
    case LITHE_IO: break;
    }
    return EXIT_MACHINE_FAILED;
}

int say_failure(lithe_status status, const lithe_report *report)
{
    say_error("%s", report->error[0] ? report->error : lithe_status_name(status));
    return exit_status_of(status);
}

int say_flush_output(int exit_status)
{
    bool failed = ferror(stdout);
    errno = 0;
    if (fflush(stdout) == 0 && !failed)
        return exit_status;
    say_error("standard output could not be written: %s", strerror(errno ? errno : EIO));
    return EXIT_MACHINE_FAILED;
}
