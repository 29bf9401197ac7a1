#include "app/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t seen;

static void on_signal(int number)
{
    (void)number;
    seen = 1;
}

// Who started us may have asked that a signal be ignored (nohup, a job in the background).
static void watch(int number)
{
    struct sigaction old;
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void interrupt_watch(void)
{
    watch(SIGINT);
    watch(SIGTERM);
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
