#include "app/interrupt.h"
#include "app/live.h"
#include "app/playback.h"
#include "app/program.h"
#include "app/say.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const command_line LINE = {
    .name = "view",
    .usage = "SCENE|RECORDING [options]",
    .about =
        "Shows the robot in a browser while it is computed: prints the address of a page and\n"
        "serves it until interrupted. In the page a target can be dragged and actuators can be\n"
        "told what to do. Steps are realtime ones unless --set step.mode=converged says\n"
        "otherwise. A recording is replayed.\n"
        "\n"
        "Only this machine can reach the page, unless --address names another address to listen\n"
        "at; whoever reaches that may watch and drive the robot.\n"
        "\n"
        "Ends with 0 when interrupted, 2 on bad input, 3 when memory or the network failed.\n",
    .options = OPTION_THREADS | OPTION_SET | OPTION_QUIET | OPTION_PORT | OPTION_ADDRESS,
    .preset = "step.mode=realtime",
    .takes_recording = true,
};

static server_setup setup_of(const session *s)
{
    return (server_setup){.address = s->options.address ? s->options.address : "127.0.0.1",
                          .port = s->options.port};
}

static void say_address(const server *served)
{
    printf("%s\n", server_address(served));
    fflush(stdout);
    say_notice("open this address in a browser; Ctrl-C ends the view");
}

static void *answer(void *user, uint32_t frame, int fields, size_t *bytes)
{
    return playback_frame(user, (int)frame, fields, bytes);
}

// The address is told before the numbers of all steps are read, which are many.
static lithe_status tell_recording(server *served, playback *p)
{
    size_t n = 0;
    void *head = playback_head(p, replay_nline(p->session->from), &n);
    lithe_status status = head ? server_set_head(served, head, n) : LITHE_NO_MEMORY;
    free(head);
    LITHE_TRY(status);
    say_address(served);
    void *series = playback_series(p, 1, &n);
    status = series ? server_set_series(served, series, n) : LITHE_NO_MEMORY;
    free(series);
    return status;
}

static int show_recording(session *s)
{
    server *served = NULL;
    playback p;
    server_setup setup = setup_of(s);
    setup.answer = answer;
    setup.user = &p;
    lithe_status status = playback_open(&p, s);
    if (status == LITHE_OK)
        status = server_start(&setup, &served, &s->report);
    if (status == LITHE_OK)
        status = tell_recording(served, &p);
    while (status == LITHE_OK && !interrupt_seen())
        usleep(20000);
    server_stop(served);
    playback_close(&p);
    if (status != LITHE_OK && !s->report.error[0])
        report_no_memory(&s->report, "the recording");
    return status == LITHE_OK ? EXIT_DONE : say_failure(status, &s->report);
}

static int show_live(session *s)
{
    server *served = NULL;
    live l = {0};
    server_setup setup = setup_of(s);
    lithe_status status = server_start(&setup, &served, &s->report);
    if (status == LITHE_OK)
        status = live_open(&l, s, served);
    if (status == LITHE_OK) {
        say_address(served);
        status = live_run(&l);
    }
    server_stop(served);
    live_close(&l);
    return status == LITHE_OK ? EXIT_DONE : say_failure(status, &s->report);
}

int command_view(int argc, char **argv)
{
    session s;
    int exit_status;
    interrupt_watch();
    if (session_open(&s, &LINE, argc, argv, &exit_status))
        exit_status = s.from ? show_recording(&s) : show_live(&s);
    session_close(&s);
    return exit_status;
}
