#include "io/outdir.h"

#include "io/file.h"
#include "io/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static char root[PATH_ROOM];

static int enter(void **unused)
{
    (void)unused;
    folder_enter(root);
    return 0;
}

static int leave(void **unused)
{
    (void)unused;
    folder_limit_files(RLIM_INFINITY);
    folder_leave(root);
    return 0;
}

static void write_into(outdir *out, const char *name, const char *text)
{
    folder_write(outdir_file(out, name), text);
}

static void commit_results(const char *name, const char *series)
{
    lithe_report report = lithe_report_default();
    outdir out;
    assert_int_equal(outdir_open(name, &out, &report), LITHE_OK);
    write_into(&out, OUTDIR_SUMMARY, "{\"scene\": \"a.yaml\"}");
    write_into(&out, OUTDIR_SERIES, series);
    write_into(&out, "frame_00000.vtu", "");
    assert_int_equal(outdir_commit(&out, &report), LITHE_OK);
}

static void results_are_invisible_until_committed(void **unused)
{
    (void)unused;
    lithe_report report = lithe_report_default();
    outdir out;
    assert_int_equal(outdir_open("out", &out, &report), LITHE_OK);
    write_into(&out, OUTDIR_SUMMARY, "{\"scene\": 1}");
    assert_int_equal(folder_count("out"), -1);
    assert_int_equal(outdir_commit(&out, &report), LITHE_OK);
    assert_int_equal(folder_count("out"), 1);
    assert_int_equal(folder_count("."), 1);
}

static void discarded_results_leave_nothing_even_of_parents(void **unused)
{
    (void)unused;
    lithe_report report = lithe_report_default();
    outdir out;
    assert_int_equal(mkdir("old", 0777), 0);
    assert_int_equal(outdir_open("old/new/newer/out/", &out, &report), LITHE_OK);
    write_into(&out, OUTDIR_SERIES, "time");
    assert_int_equal(folder_count("old/new/newer"), 1);
    outdir_discard(&out);
    assert_int_equal(folder_count("old"), 0);
}

static void older_results_are_replaced_whole(void **unused)
{
    (void)unused;
    commit_results("out", "first");
    folder_write("out/frame_00001.vtu", "");
    commit_results("out", "second");
    char text[16] = "";
    FILE *file = fopen("out/" OUTDIR_SERIES, "rb");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "second");
    assert_int_equal(folder_count("out"), 3);
    assert_int_equal(folder_count("."), 1);
}

static void results_follow_a_link_to_their_folder(void **unused)
{
    (void)unused;
    assert_int_equal(mkdir("far", 0777), 0);
    assert_int_equal(symlink("far", "out"), 0);
    commit_results("out", "first");
    assert_int_equal(folder_count("far"), 3);
    assert_int_equal(folder_count("."), 2);
}

static void expect_refused(const char *name, const char *word)
{
    lithe_report report = lithe_report_default();
    outdir out;
    assert_int_equal(outdir_open(name, &out, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, word));
}

static void what_others_wrote_is_refused(void **unused)
{
    (void)unused;
    folder_write("file", "");
    expect_refused("file", "is a file");
    expect_refused("file/out", "file/out");
    assert_int_equal(mkdir("foreign", 0777), 0);
    folder_write("foreign/" OUTDIR_SUMMARY, "{\"total\": 3}");
    expect_refused("foreign", OUTDIR_SUMMARY);
    commit_results("mixed", "");
    folder_write("mixed/notes.txt", "mine");
    expect_refused("mixed", "notes.txt");
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    expect_refused("dangling", "nowhere");
    assert_int_equal(folder_count("."), 4);
}

static void names_that_cannot_be_replaced_are_refused(void **unused)
{
    (void)unused;
    const char *const bad[] = {"", "/", ".", "..", "a/..", "./", "a/./"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(bad[i], "folder of its own");
    assert_int_equal(outdir_check("a", NULL), LITHE_OK);
    assert_int_equal(outdir_check("..a", NULL), LITHE_OK);
    assert_int_equal(outdir_check("...", NULL), LITHE_OK);
}

static void what_appears_meanwhile_is_kept(void **unused)
{
    (void)unused;
    lithe_report report = lithe_report_default();
    outdir out;
    commit_results("out", "first");
    assert_int_equal(outdir_open("out", &out, &report), LITHE_OK);
    write_into(&out, OUTDIR_SUMMARY, "{\"scene\": 2}");
    folder_write("out/notes.txt", "mine");
    assert_int_equal(outdir_commit(&out, &report), LITHE_OK);
    assert_int_equal(report.nnotice, 1);
    assert_int_equal(folder_count("out"), 1);
    assert_int_equal(folder_count("."), 2);
}

static void a_commit_that_fails_leaves_the_other_thing_alone(void **unused)
{
    (void)unused;
    lithe_report report = lithe_report_default();
    outdir out;
    assert_int_equal(outdir_open("out", &out, &report), LITHE_OK);
    write_into(&out, OUTDIR_SUMMARY, "{\"scene\": 2}");
    folder_write("out", "a file of that name");
    assert_int_equal(outdir_commit(&out, &report), LITHE_IO);
    assert_non_null(strstr(report.error, "'out'"));
    assert_int_equal(folder_count("."), 1);
}

static void a_file_on_a_full_disk_is_reported_and_removed(void **unused)
{
    (void)unused;
    lithe_report report = lithe_report_default();
    FILE *file;
    folder_limit_files(1000);
    assert_int_equal(file_create("big", &file, &report), LITHE_OK);
    for (int i = 0; i < 100000; i++)
        fputs("0123456789", file);
    assert_int_equal(file_finish(file, "big", &report), LITHE_IO);
    assert_non_null(strstr(report.error, "'big'"));
    assert_int_equal(folder_count("."), 0);
}

static void a_file_in_a_missing_folder_is_reported(void **unused)
{
    (void)unused;
    lithe_report report = lithe_report_default();
    FILE *file;
    assert_int_equal(file_create("missing/a", &file, &report), LITHE_IO);
    assert_non_null(strstr(report.error, "'missing/a' cannot be written: No such file"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(results_are_invisible_until_committed),
        TEST(discarded_results_leave_nothing_even_of_parents),
        TEST(older_results_are_replaced_whole),
        TEST(results_follow_a_link_to_their_folder),
        TEST(what_others_wrote_is_refused),
        TEST(names_that_cannot_be_replaced_are_refused),
        TEST(what_appears_meanwhile_is_kept),
        TEST(a_commit_that_fails_leaves_the_other_thing_alone),
        TEST(a_file_on_a_full_disk_is_reported_and_removed),
        TEST(a_file_in_a_missing_folder_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
