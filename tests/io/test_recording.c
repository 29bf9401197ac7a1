// Whoever goes by the clock can see when a recording would have to wait for the disk.
#define _GNU_SOURCE // for the next definition of a symbol
#include "io/recording.h"

#include "folder.h"

#include <dlfcn.h>
#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

static atomic_bool stuck; // the disk
static atomic_int waiting;

static void nap(void)
{
    struct timespec t = {.tv_nsec = 1000000};
    nanosleep(&t, NULL);
}

// In place of the library's own.
herr_t H5Dwrite(hid_t table, hid_t type, hid_t memory, hid_t file, hid_t how, const void *lines)
{
    typedef herr_t write(hid_t, hid_t, hid_t, hid_t, hid_t, const void *);
    write *real = __extension__(write *) dlsym(RTLD_NEXT, "H5Dwrite");
    waiting++;
    while (stuck)
        nap();
    waiting--;
    return real(table, type, memory, file, how, lines);
}

static void a_disk_that_is_stuck_is_seen_before_it_is_waited_for(void **state)
{
    (void)state;
    enum { MOST = 1000 };
    char folder[PATH_ROOM];
    folder_enter(folder);
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    lithe_model *model = NULL;
    lithe_state *s = NULL;
    recording *r = NULL;
    assert_int_equal(
        lithe_scene_read(LITHE_ROOT "/examples/finger/robot.yaml", 0, NULL, &scene, &report),
        LITHE_OK);
    assert_int_equal(lithe_compile(lithe_scene_def(scene), &model, &report), LITHE_OK);
    assert_int_equal(lithe_state_create(model, 1, &s, &report), LITHE_OK);
    recording_setup setup = {.path = "run.h5",
                             .command = "drive",
                             .scene = scene,
                             .model = model,
                             .checkpoint = MOST,
                             .nstep = MOST};
    assert_int_equal(recording_open(&setup, s, &r, &report), LITHE_OK);
    stuck = true;
    int k = 1;
    for (; k < MOST && !recording_waits(r, k); k++) {
        recording_step step = {.step = k, .state = s};
        assert_int_equal(recording_add(r, &step, &report), LITHE_OK);
        while (waiting == 0 && k > 64) // the writer takes its time
            nap();
    }
    assert_in_range(k, 65, 2 * 64); // one block is being written, the other is full but for this
    stuck = false;
    while (recording_waits(r, k))
        nap();
    assert_int_equal(recording_commit(r, NULL, s, &report), LITHE_OK);
    lithe_state_free(s);
    lithe_model_free(model);
    lithe_scene_free(scene);
    folder_leave(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk_that_is_stuck_is_seen_before_it_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
