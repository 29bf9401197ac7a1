#include "app/landscape.h"

#include "app/interrupt.h"
#include "app/orders.h"
#include "app/program.h"
#include "app/say.h"
#include "base/status.h"
#include "io/draft.h"

#include <string.h>

static const command_line LINE = {
    .name = "landscape",
    .usage = "SCENE [--out FILE.svg | FILE.png] [options]",
    .about =
        "Draws what the scene's task costs over the efforts of one or two actuators, with the\n"
        "robot under its starting commands and contacts as they are near there: a colour for\n"
        "every set of contacts that press, darker where the target is nearer, local minima as\n"
        "circles (the least one red), and the way that the inverse takes, white, to its cross.\n"
        "\n"
        "Ends with 0, 1 when the robot finds no rest or nothing is near enough to touch, 2 on\n"
        "bad input, 3 when memory or disk failed.\n",
    .options = OPTION_PICTURE | OPTION_SET | OPTION_THREADS | OPTION_QUIET,
};

typedef struct drawing_board {
    session session;
    lithe_landscape *landscape;
    lithe_state *state;
} drawing_board;

static lithe_status check(const session *s, lithe_report *report)
{
    if (lithe_ngoal(s->model) == 0)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: the scene has no task; add task: {hold: {effector: NAME, at: [x, y, "
                          "z]}}",
                          s->options.scene);
    if (lithe_ndriven(s->model) > 2 || lithe_ndriven(s->model) < 1)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: the scene has %d efforts to find, and a landscape is drawn over one "
                          "or two; remove actuators",
                          s->options.scene, lithe_ndriven(s->model));
    return LITHE_OK;
}

// The first problem with contacts that a step towards the end of the task meets.
static lithe_status look(drawing_board *b)
{
    session *s = &b->session;
    order *all;
    double *start = arena_new(&s->memory, lithe_nrow(s->model), double);
    if (!start)
        return report_no_memory(&s->report, "the task");
    LITHE_TRY(orders_read(s, &all));
    LITHE_TRY(lithe_state_create(s->model, s->options.threads, &b->state, &s->report));
    interrupt_ends(b->state);
    LITHE_TRY(orders_settle(s, b->state, all));
    lithe_task_start(s->model, b->state, start);
    double time = lithe_task_approach(s->model, start) + lithe_task_duration(s->model);
    lithe_status status = lithe_task_apply(s->model, b->state, start, time);
    if (status == LITHE_OK)
        status = lithe_landscape_create(s->model, b->state, LANDSCAPE_POINTS, &b->landscape);
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(b->state));
    return LITHE_OK;
}

static lithe_status write(drawing_board *b, const char *path)
{
    session *s = &b->session;
    draft d;
    canvas c;
    landscape_axis axis[2];
    for (int i = 0, a = 0; i < b->landscape->n; i++) {
        while (lithe_row_of_actuator(s->model, a) + lithe_actuator_rows(s->model, a) <= i)
            a++;
        bool pressure =
            lithe_actuator_quantity(lithe_actuator_type(s->model, a), LITHE_EFFORT)->dimension ==
            LITHE_DIMENSION_PRESSURE;
        axis[i] = (landscape_axis){.name = lithe_actuator_name(s->model, a),
                                   .unit = pressure ? "kPa" : "N",
                                   .scale = pressure ? 1e3 : 1};
    }
    LITHE_TRY(draft_open(&d, path, &s->report));
    lithe_status status = canvas_create(&c, d.file, options_ends_with(path, ".png"),
                                        LANDSCAPE_WIDTH, LANDSCAPE_HEIGHT, &s->memory, &s->report);
    if (status == LITHE_OK) {
        landscape_draw(&c, b->landscape, axis);
        status = canvas_finish(&c, &s->memory, &s->report);
    }
    if (status == LITHE_OK)
        return draft_commit(&d, &s->report);
    draft_discard(&d);
    return status;
}

static int draw(drawing_board *b)
{
    session *s = &b->session;
    const char *path = s->options.out ? s->options.out : "landscape.svg";
    lithe_status status = check(s, &s->report);
    if (status == LITHE_OK)
        status = look(b);
    if (status == LITHE_OK)
        status = write(b, path);
    if (status != LITHE_OK)
        return say_failure(status, &s->report);
    if (!s->options.quiet)
        printf("%s: %d sets of contacts, %d local minima; the way ends in a %s\n", path,
               b->landscape->npiece, b->landscape->nminimum,
               b->landscape->solved ? b->landscape->proof : "failure");
    return say_flush_output(EXIT_DONE);
}

int command_landscape(int argc, char **argv)
{
    static drawing_board b;
    int exit_status;
    interrupt_watch();
    if (session_open(&b.session, &LINE, argc, argv, &exit_status))
        exit_status = draw(&b);
    lithe_landscape_free(b.landscape);
    lithe_state_free(b.state);
    session_close(&b.session);
    return exit_status;
}
