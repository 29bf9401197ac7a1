#include "app/robustness.h"

#include "app/interrupt.h"
#include "app/program.h"
#include "app/say.h"
#include "base/status.h"
#include "io/file.h"
#include "io/json.h"
#include "io/number.h"
#include "io/outdir.h"
#include "io/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const command_line LINE = {
    .name = "robust",
    .usage = "SCENE [--plant SCENE] [--against PATH=VALUE] [options]",
    .about =
        "Says how wrong the Jacobian may be in the scene's closed loop over its sensors (section\n"
        "controller): the largest gamma with |I - J J_hat^+| <= gamma for which the loop is\n"
        "stable, with a certificate that is checked. With --gamma and --settle it finds gains\n"
        "instead. With --plant or --against, another scene, or this one with other values, stands\n"
        "for the robot, and the error is measured at poses all over the actuators' limits.\n"
        "--out gets the numbers, a map of gains and a map of the workspace.\n"
        "\n"
        "Ends with 0, 1 when the loop is not stable, or its bound below the measured error, 2 on\n"
        "bad input, 3 when memory or disk failed, 130 when interrupted.\n",
    .options = OPTION_OUT | OPTION_SET | OPTION_THREADS | OPTION_JSON | OPTION_QUIET |
               OPTION_PLANT | OPTION_AGAINST | OPTION_POSES | OPTION_GAMMA | OPTION_SETTLE,
};

static lithe_status choose_gains(robust *r)
{
    session *s = &r->session;
    const lithe_controller_def *c = &lithe_scene_def(s->scene)->controller;
    r->gains = (lithe_gains){c->kp, c->ki};
    if (s->options.settle)
        return lithe_find_gains(s->options.gamma > 0 ? s->options.gamma : 0.9, s->options.settle,
                                &r->gains, &s->report);
    if (c->kp > 0)
        return LITHE_OK;
    return LITHE_FAIL(&s->report, LITHE_INVALID,
                      "%s: the scene has no controller; add controller: {kp: 0.14, ki: 0.0003}, or "
                      "let gains be found with --gamma 0.9 --settle 100",
                      s->options.scene);
}

// The certificate is for the gamma that was asked for, or a little less than the largest.
static lithe_status judge(robust *r)
{
    session *s = &r->session;
    r->largest = lithe_largest_gamma(r->gains, NULL);
    r->gamma = s->options.gamma > 0 && !s->options.settle ? s->options.gamma : 0.999 * r->largest;
    if (r->gains.ki == 0 && r->largest > 0)
        return LITHE_OK;
    LITHE_TRY(lithe_certify(r->gains, r->gamma, &r->certificate, &s->report));
    r->check = lithe_check_certificate(r->gains, r->gamma, &r->certificate);
    return LITHE_OK;
}

static lithe_status open_plant(robust *r)
{
    session *s = &r->session;
    const options *o = &s->options;
    int n = 0;
    const char **set = arena_new(&s->memory, o->nset + o->nagainst + 1, const char *);
    if (!set)
        return report_no_memory(&s->report, "the plant");
    for (int i = 0; i < o->nset && !o->plant; i++)
        set[n++] = o->set[i];
    for (int i = 0; i < o->nagainst; i++)
        set[n++] = o->against[i];
    LITHE_TRY(
        lithe_scene_read(o->plant ? o->plant : o->scene, n, set, &r->plant_scene, &s->report));
    return lithe_compile(lithe_scene_def(r->plant_scene), &r->plant, &s->report);
}

static void write_json(FILE *file, const robust *r)
{
    json j = {.out = file};
    json_begin_object(&j, NULL);
    json_string(&j, "scene", r->session.options.scene);
    json_string(&j, "version", LITHE_VERSION);
    json_number(&j, "kp", r->gains.kp);
    json_number(&j, "ki", r->gains.ki);
    json_number(&j, "largest_gamma", r->largest);
    json_integer(&j, "settling_steps", lithe_settling_steps(r->gains, LITHE_SETTLED));
    if (r->gains.ki > 0) {
        json_begin_object(&j, "certificate");
        json_number(&j, "gamma", r->gamma);
        json_numbers(&j, "P", 4, r->certificate.P);
        json_number(&j, "alpha", r->certificate.alpha);
        json_number(&j, "P_least", r->check.P_least);
        json_number(&j, "Q_largest", r->check.Q_largest);
        json_bool(&j, "holds", r->check.holds);
        json_end_object(&j);
    }
    if (r->measured) {
        json_begin_object(&j, "measured");
        json_integer(&j, "poses", r->npose);
        json_integer(&j, "not_reached", r->nfailed);
        json_number(&j, "gamma", r->npose ? r->pose[r->worst].inversion.gamma : NAN);
        json_integer(&j, "rank", r->npose ? r->pose[r->worst].inversion.rank : 0);
        json_end_object(&j);
    }
    json_end_object(&j);
    fputc('\n', file);
}

// A line for every pose: what actuators are told, where the first effector is, gamma.
static void write_poses(FILE *file, const robust *r)
{
    const lithe_model *m = r->session.model;
    char text[NUMBER_TEXT];
    fputs("pose", file);
    for (int a = 0; a < lithe_nactuator(m); a++)
        for (int i = 0; i < lithe_actuator_rows(m, a); i++)
            fprintf(file, ",%s%.*s", lithe_actuator_name(m, a),
                    lithe_actuator_rows(m, a) > 1 ? 2 : 0,
                    i == 0   ? ".x"
                    : i == 1 ? ".y"
                             : ".z");
    fputs(",x_m,y_m,z_m,gamma,rank,apart\n", file);
    for (int k = 0; k < r->npose; k++) {
        const robust_pose *p = &r->pose[k];
        fprintf(file, "%d", k + 1);
        for (int i = 0; i < lithe_ndriven(m); i++)
            fprintf(file, ",%s", number_text(p->told[i], text));
        for (int i = 0; i < ROBUST_SHOWN; i++)
            fprintf(file, ",%s", number_text(p->position[i], text));
        fprintf(file, ",%s,%d", number_text(p->inversion.gamma, text), p->inversion.rank);
        fprintf(file, ",%s\n", number_text(p->inversion.apart, text));
    }
}

static lithe_status write_picture(robust *r, outdir *folder, const char *name,
                                  void (*draw)(canvas *, const robust *))
{
    session *s = &r->session;
    const char *path = outdir_file(folder, name);
    FILE *file;
    canvas c;
    if (!path)
        return report_no_memory(&s->report, "the results' file names");
    LITHE_TRY(file_create(path, &file, &s->report));
    lithe_status status =
        canvas_create(&c, file, false, ROBUST_WIDTH, ROBUST_HEIGHT, &s->memory, &s->report);
    if (status == LITHE_OK) {
        draw(&c, r);
        status = canvas_finish(&c, &s->memory, &s->report);
    }
    lithe_status end = file_finish(file, path, &s->report);
    return status == LITHE_OK ? end : status;
}

static lithe_status write_text(robust *r, outdir *folder, const char *name,
                               void (*write)(FILE *, const robust *))
{
    const char *path = outdir_file(folder, name);
    FILE *file;
    if (!path)
        return report_no_memory(&r->session.report, "the results' file names");
    LITHE_TRY(file_create(path, &file, &r->session.report));
    write(file, r);
    return file_finish(file, path, &r->session.report);
}

static lithe_status save(robust *r)
{
    session *s = &r->session;
    outdir folder;
    if (!s->options.out)
        return LITHE_OK;
    LITHE_TRY(outdir_open(s->options.out, &folder, &s->report));
    lithe_status status = write_picture(r, &folder, OUTDIR_GAINS, robust_draw_gains);
    if (status == LITHE_OK && r->npose > 0)
        status = write_picture(r, &folder, OUTDIR_WORKSPACE, robust_draw_workspace);
    if (status == LITHE_OK && r->measured)
        status = write_text(r, &folder, OUTDIR_POSES, write_poses);
    if (status == LITHE_OK)
        status = write_text(r, &folder, OUTDIR_SUMMARY, write_json);
    if (status == LITHE_OK)
        return outdir_commit(&folder, &s->report);
    outdir_discard(&folder);
    return status;
}

static void print(const robust *r)
{
    int steps = lithe_settling_steps(r->gains, LITHE_SETTLED);
    const lithe_certificate *c = &r->certificate;
    printf("gains          kp %.6g, ki %.6g a step\n", r->gains.kp, r->gains.ki);
    printf("settles        to %g %% in %d steps, with an exact Jacobian\n", 100 * LITHE_SETTLED,
           steps);
    printf("largest gamma  %.6f: stable for every |I - J J_hat^+| below\n", r->largest);
    if (r->gains.ki > 0)
        printf("certificate    gamma %.6f: P = [%.6g %.6g; %.6g %.6g], alpha %.6g\n"
               "checked        eigenvalues of P from %.3g, of Q up to %.3g\n",
               r->gamma, c->P[0], c->P[1], c->P[2], c->P[3], c->alpha, r->check.P_least,
               r->check.Q_largest);
    if (!r->measured)
        return;
    printf("measured       gamma %.6f at most, at %d poses (rank %d)",
           r->npose ? r->pose[r->worst].inversion.gamma : NAN, r->npose,
           r->npose ? r->pose[r->worst].inversion.rank : 0);
    printf(r->nfailed ? "; %d were not reached\n" : "\n", r->nfailed);
}

static bool is_enough(const robust *r)
{
    if (!r->measured)
        return true;
    if (r->npose == 0) {
        say_error("no pose was reached, so nothing was measured; see 'lithe run'");
        return false;
    }
    if (r->pose[r->worst].inversion.gamma < r->largest)
        return true;
    say_error("the measured error %.4f is not below the bound %.4f: the loop may be unstable "
              "there; make the model better, or lower ki",
              r->pose[r->worst].inversion.gamma, r->largest);
    return false;
}

static int find(robust *r)
{
    session *s = &r->session;
    r->measured = s->options.plant || s->options.nagainst > 0;
    lithe_status status = choose_gains(r);
    if (status == LITHE_OK)
        status = judge(r);
    if (status == LITHE_OK && r->measured)
        status = open_plant(r);
    if (status == LITHE_OK && r->measured)
        status = robust_measure(r);
    if (interrupt_seen())
        return EXIT_INTERRUPTED;
    if (status == LITHE_OK)
        status = save(r);
    if (status != LITHE_OK)
        return say_failure(status, &s->report);
    if (s->options.json)
        write_json(stdout, r);
    else if (!s->options.quiet)
        print(r);
    return say_flush_output(is_enough(r) ? EXIT_DONE : EXIT_NOT_CONVERGED);
}

int command_robust(int argc, char **argv)
{
    static robust r;
    int exit_status;
    interrupt_watch();
    if (session_open(&r.session, &LINE, argc, argv, &exit_status))
        exit_status = find(&r);
    lithe_state_free(r.state);
    lithe_state_free(r.plant_state);
    lithe_model_free(r.plant);
    lithe_scene_free(r.plant_scene);
    session_close(&r.session);
    return exit_status;
}
