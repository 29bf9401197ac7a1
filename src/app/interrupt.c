#include "app/interrupt.h"

#include "io/unfinished.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t watched, seen, held;

static void on_signal(int number)
{
    int error = errno;
    if (watched && (!seen || held)) {
        seen = 1;
        return;
    }
    unfinished_remove_all();
    signal(number, SIG_DFL);
    raise(number); // whoever started us sees what ended it
    errno = error;
}

// Who started us may have asked that a signal be ignored (nohup, a job in the background).
static void catch_signal(int number)
{
    struct sigaction old;
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void interrupt_prepare(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        catch_signal(ends[i]);
}

void interrupt_watch(void)
{
    watched = 1;
}

void interrupt_hold(bool on)
{
    held = on;
}

bool interrupt_seen(void)
{
    return seen != 0;
}

static bool stop(void *unused)
{
    (void)unused;
    return seen != 0;
}

void interrupt_ends(lithe_state *state)
{
    lithe_watch(state, stop, NULL);
}
