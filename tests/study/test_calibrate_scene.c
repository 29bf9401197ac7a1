// Calibration through the public header: a modulus comes back from poses that were computed with
// it, and what cannot be done is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lithe/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCENE LITHE_ROOT "/examples/catheter/robot.yaml"
static const char *const CONVERGED[] = {"step.mode=converged"};
static const char *const TRUTH[] = {"step.mode=converged", "materials.polymer.young=47 MPa"};
static const double TENSION[] = {0.5, 1, 1.5, 2};

// A table of poses of the catheter whose modulus is 47 MPa.
static void write_table(const char *path)
{
    lithe_report report = lithe_report_default();
    lithe_scene *scene;
    lithe_model *model;
    lithe_state *state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(lithe_scene_read(SCENE, 2, TRUTH, &scene, &report), LITHE_OK);
    assert_int_equal(lithe_compile(lithe_scene_def(scene), &model, &report), LITHE_OK);
    assert_int_equal(lithe_state_create(model, 1, &state, &report), LITHE_OK);
    fprintf(file, "first.tension_N,tip.x_mm,tip.z_m\n");
    for (size_t k = 0; k < sizeof TENSION / sizeof *TENSION; k++) {
        double tip[3];
        assert_int_equal(lithe_command(model, state, 0, LITHE_EFFORT, &TENSION[k]), LITHE_OK);
        assert_int_equal(lithe_step(model, state), LITHE_OK);
        lithe_effector_value(model, state, lithe_find_effector(model, "tip"), tip);
        fprintf(file, "%.17g,%.17g,%.17g\n", TENSION[k], 1e3 * tip[0], tip[2]);
    }
    fclose(file);
    lithe_state_free(state);
    lithe_model_free(model);
    lithe_scene_free(scene);
}

typedef struct fixture {
    char path[64];
    int noted, last;
    bool stop;
    lithe_calibrate_def def;
    lithe_report report;
} fixture;

static void note(void *user, int done, int expected)
{
    fixture *f = user;
    assert_true(done == f->last + 1 && expected >= done);
    f->last = done;
    f->noted++;
}

static bool stop(void *user)
{
    const fixture *f = user;
    return f->stop;
}

static void begin(fixture *f)
{
    static const char *const find[] = {"materials.polymer.young"};
    memset(f, 0, sizeof *f);
    f->report = lithe_report_default();
    strcpy(f->path, "/tmp/lithe-calibrate-XXXXXX");
    int file = mkstemp(f->path);
    assert_true(file >= 0);
    close(file);
    write_table(f->path);
    f->def = lithe_calibrate_def_default();
    f->def.scene = SCENE;
    f->def.nset = 1;
    f->def.set = CONVERGED;
    f->def.data = f->path;
    f->def.nfind = 1;
    f->def.find = find;
    f->def.progress = note;
    f->def.stop = stop;
    f->def.user = f;
}

static void a_modulus_comes_back(void **unused)
{
    (void)unused;
    fixture f;
    lithe_calibration *c;
    begin(&f);
    f.def.threads = 2;
    assert_int_equal(lithe_calibrate(&f.def, &c, &f.report), LITHE_OK);
    assert_true(c->converged && c->nparameter == 1 && c->nblind == 0);
    const lithe_parameter *young = &c->parameter[0];
    assert_string_equal(young->path, "materials.polymer.young");
    assert_string_equal(young->unit, "MPa");
    assert_true(young->start == 60 && young->logarithmic && !young->open);
    assert_true(fabs(young->value - 47) < 1e-5);
    assert_true(young->si == 1e6 && young->low <= young->value && young->high >= young->value);
    assert_int_equal(c->data->nline, 4);
    assert_int_equal(c->data->ndatum, 8);
    assert_int_equal(c->data->ngroup, 1);
    for (int i = 0; i < c->data->ndatum; i++)
        assert_true(fabs(c->residual[i]) < 1e-8);
    assert_true(f.noted > 2);
    lithe_calibration_free(c);
    unlink(f.path);
}

static void tables_are_read(void **unused)
{
    (void)unused;
    fixture f;
    lithe_scene *scene;
    lithe_observations *o;
    begin(&f);
    assert_int_equal(lithe_scene_read(SCENE, 0, NULL, &scene, &f.report), LITHE_OK);
    assert_int_equal(lithe_observations_read(scene, f.path, false, &o, &f.report), LITHE_OK);
    assert_int_equal(o->ncolumn, 3);
    assert_true(o->column[0].kind == LITHE_COLUMN_COMMAND && o->column[0].command == LITHE_EFFORT);
    assert_true(o->column[1].kind == LITHE_COLUMN_EFFECTOR && o->column[1].row == 0);
    assert_true(o->column[1].si == 1e-3 && o->column[2].si == 1 && o->column[2].row == 2);
    assert_true(lithe_column_is_measured(&o->column[2]) && !lithe_column_is_measured(o->column));
    for (int k = 0; k < 4; k++)
        assert_true(o->value[3 * k] == TENSION[k] && o->number[k] == k + 2);
    lithe_observations_free(o);
    lithe_observations_free(NULL);
    assert_int_equal(lithe_observations_read(scene, "nowhere.csv", false, &o, &f.report),
                     LITHE_INVALID);
    assert_null(o);
    assert_non_null(strstr(f.report.error, "nowhere.csv"));
    lithe_scene_free(scene);
    unlink(f.path);
}

static void what_cannot_be_found_is_told(void **unused)
{
    (void)unused;
    static const char *const nothing[] = {"materials.polymer.colour"};
    fixture f;
    lithe_calibration *c;
    begin(&f);
    f.def.find = nothing;
    assert_int_equal(lithe_calibrate(&f.def, &c, &f.report), LITHE_INVALID);
    assert_non_null(strstr(f.report.error, "materials.polymer.colour"));
    assert_null(c);
    lithe_calibrate_def bare = lithe_calibrate_def_default();
    assert_int_equal(lithe_calibrate(&bare, &c, &f.report), LITHE_INVALID);
    unlink(f.path);
}

static void it_can_be_stopped(void **unused)
{
    (void)unused;
    fixture f;
    lithe_calibration *c;
    begin(&f);
    f.stop = true;
    assert_int_equal(lithe_calibrate(&f.def, &c, &f.report), LITHE_NOT_CONVERGED);
    assert_null(c);
    unlink(f.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_modulus_comes_back),
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(what_cannot_be_found_is_told),
        cmocka_unit_test(it_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
