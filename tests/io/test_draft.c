#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/draft.h"
#include "io/file.h"
#include "io/outdir.h"
#include "io/unfinished.h"

#include "folder.h"

static void expect_text(const char *path, const char *text)
{
    char found[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(found, 1, sizeof found - 1, file) > 0);
    fclose(file);
    assert_string_equal(found, text);
}

static void a_draft_takes_its_name_when_it_is_whole(void **unused)
{
    (void)unused;
    char folder[PATH_ROOM];
    draft d;
    folder_enter(folder);
    assert_int_equal(draft_open(&d, "a.txt", NULL), LITHE_OK);
    fputs("new", d.file);
    assert_int_equal(access("a.txt", F_OK), -1);
    assert_int_equal(draft_commit(&d, NULL), LITHE_OK);
    expect_text("a.txt", "new");
    assert_int_equal(draft_open(&d, "a.txt", NULL), LITHE_OK);
    fputs("newer", d.file);
    draft_discard(&d);
    expect_text("a.txt", "new");
    assert_int_equal(folder_count("."), 1);
    folder_leave(folder);
}

static void plant(const char *target, int number)
{
    char name[64];
    snprintf(name, sizeof name, "%s.partial-%ld-%d", target, (long)getpid(), number);
    assert_int_equal(symlink("victim", name), 0);
}

static void links_that_lie_in_wait_are_not_followed(void **unused)
{
    (void)unused;
    char folder[PATH_ROOM];
    draft d;
    folder_enter(folder);
    folder_write("victim", "precious");
    for (int i = 0; i < 3; i++)
        plant("a.txt", i);
    assert_int_equal(draft_open(&d, "a.txt", NULL), LITHE_OK);
    fputs("new", d.file);
    assert_int_equal(draft_commit(&d, NULL), LITHE_OK);
    expect_text("victim", "precious");
    expect_text("a.txt", "new");
    assert_int_equal(folder_count("."), 5);
    folder_leave(folder);
}

static void a_link_to_a_file_stays_one(void **unused)
{
    (void)unused;
    char folder[PATH_ROOM];
    draft d;
    struct stat info;
    folder_enter(folder);
    assert_int_equal(mkdir("there", 0777), 0);
    folder_write("there/a.txt", "old");
    assert_int_equal(symlink("there/a.txt", "a.txt"), 0);
    assert_int_equal(draft_open(&d, "a.txt", NULL), LITHE_OK);
    fputs("new", d.file);
    assert_int_equal(folder_count("there"), 2); // in the folder of the target
    assert_int_equal(draft_commit(&d, NULL), LITHE_OK);
    assert_int_equal(lstat("a.txt", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    expect_text("there/a.txt", "new");
    folder_leave(folder);
}

static void a_device_is_written_to_as_it_is(void **unused)
{
    (void)unused;
    draft d;
    assert_int_equal(draft_open(&d, "/dev/null", NULL), LITHE_OK);
    fputs("new", d.file);
    assert_int_equal(draft_commit(&d, NULL), LITHE_OK);
    assert_int_equal(draft_open(&d, "/dev/full", NULL), LITHE_OK);
    fputs("new", d.file);
    assert_int_equal(draft_commit(&d, NULL), LITHE_IO);
}

static void what_is_unfinished_can_be_removed_at_once(void **unused)
{
    (void)unused;
    char folder[PATH_ROOM];
    draft d, done;
    outdir out;
    folder_enter(folder);
    assert_int_equal(draft_open(&done, "done.txt", NULL), LITHE_OK);
    fputs("done", done.file);
    assert_int_equal(draft_commit(&done, NULL), LITHE_OK);
    assert_int_equal(draft_open(&d, "a.txt", NULL), LITHE_OK);
    assert_int_equal(outdir_open("out", &out, NULL), LITHE_OK);
    for (int i = 0; i < 500; i++) {
        char name[32];
        snprintf(name, sizeof name, OUTDIR_FRAME, i);
        folder_write(outdir_file(&out, name), "x");
    }
    assert_int_equal(folder_count("."), 3);
    unfinished_remove_all();
    assert_int_equal(folder_count("."), 1);
    draft_discard(&d);
    outdir_discard(&out);
    unfinished_remove_all();
    expect_text("done.txt", "done");
    folder_leave(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draft_takes_its_name_when_it_is_whole),
        cmocka_unit_test(links_that_lie_in_wait_are_not_followed),
        cmocka_unit_test(a_link_to_a_file_stays_one),
        cmocka_unit_test(a_device_is_written_to_as_it_is),
        cmocka_unit_test(what_is_unfinished_can_be_removed_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
