#include "scene/scene.h"

#include "base/memory.h"
#include "base/quote.h"
#include "base/status.h"
#include "scene/reader.h"
#include "scene/renamed.h"
#include "scene/set.h"
#include "scene/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static lithe_status read_into(lithe_scene *scene, const char *text, size_t bytes, const char *path,
                              int nset, const char *const *set, const scene_files *packed,
                              lithe_report *report)
{
    char *copy = arena_alloc(&scene->arena, bytes + 1, 1);
    scene->files = arena_new(&scene->arena, 1, scene_files);
    reader r = {.arena = &scene->arena,
                .report = report,
                .path = arena_strdup(&scene->arena, path),
                .files = scene->files,
                .packed = packed};
    if (!r.path || !copy || !scene->files)
        return report_no_memory(report, "the scene");
    memcpy(copy, text, bytes);
    scene->text = copy;
    scene->bytes = bytes;
    tree_node *root = NULL;
    LITHE_TRY(yaml_read(text, bytes, (tree_mark){r.path, 1, 1}, r.arena, &root, report));
    for (int i = 0; i < nset; i++)
        LITHE_TRY(set_apply(root, set[i], r.arena, report));
    LITHE_TRY(renamed_apply(root, report));
    r.root = root;
    LITHE_TRY(read_scene(&r, &scene->def));
    LITHE_TRY(read_drive(&r, &scene->def, &scene->drive));
    scene->units = r.units;
    scene->root = root;
    return LITHE_OK;
}

lithe_status scene_read_packed(const char *text, size_t bytes, const char *path, int nset,
                               const char *const *set, const scene_files *packed,
                               lithe_scene **scene, lithe_report *report)
{
    *scene = NULL;
    lithe_scene *made = memory_alloc(sizeof *made);
    if (!made)
        return report_no_memory(report, "the scene");
    *made = (lithe_scene){0};
    lithe_status status = read_into(made, text, bytes, path, nset, set, packed, report);
    if (status == LITHE_OK)
        *scene = made;
    else
        lithe_scene_free(made);
    return status;
}

lithe_status lithe_scene_read_text(const char *text, size_t bytes, const char *path, int nset,
                                   const char *const *set, lithe_scene **scene,
                                   lithe_report *report)
{
    return scene_read_packed(text, bytes, path, nset, set, NULL, scene, report);
}

// A file that cannot be opened is the user's to mend; the machine is to blame for the rest.
static lithe_status fail_file(const char *path, const char *verb, int error, lithe_report *report)
{
    bool user = error == ENOENT || error == ENOTDIR || error == EACCES || error == EISDIR ||
                error == ENAMETOOLONG;
    return LITHE_FAIL(report, user ? LITHE_INVALID : LITHE_IO, "%s: cannot %s the scene: %s%s",
                      path, verb, strerror(error), user ? "; check the path" : "; check the disk");
}

// Opens nothing that would wait for somebody to write.
static lithe_status open_file(const char *path, FILE **file, lithe_report *report)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return fail_file(path, "open", errno, report);
    if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        close(fd);
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: this is a pipe or a device; save the scene to a file first", path);
    }
    *file = fdopen(fd, "rb");
    if (*file)
        return LITHE_OK;
    int error = errno;
    close(fd);
    return fail_file(path, "open", error, report);
}

// One byte more than is allowed is room enough to see that a file is too large.
static lithe_status load(const char *path, char *buffer, size_t *bytes, lithe_report *report)
{
    FILE *file = NULL;
    LITHE_TRY(open_file(path, &file, report));
    errno = 0;
    *bytes = fread(buffer, 1, YAML_BYTES_MAX + 1, file);
    int error = ferror(file) ? errno : 0;
    fclose(file);
    return error ? fail_file(path, "read", error, report) : LITHE_OK;
}

lithe_status lithe_scene_read(const char *path, int nset, const char *const *set,
                              lithe_scene **scene, lithe_report *report)
{
    *scene = NULL;
    char *buffer = memory_alloc(YAML_BYTES_MAX + 1);
    if (!buffer)
        return report_no_memory(report, "reading the scene");
    size_t bytes = 0;
    lithe_status status = load(path, buffer, &bytes, report);
    if (status == LITHE_OK)
        status = lithe_scene_read_text(buffer, bytes, path, nset, set, scene, report);
    memory_free(buffer);
    return status;
}

const lithe_def *lithe_scene_def(const lithe_scene *scene)
{
    return &scene->def;
}

const lithe_drive_def *lithe_scene_drive(const lithe_scene *scene)
{
    return &scene->drive;
}

void lithe_scene_free(lithe_scene *scene)
{
    if (!scene)
        return;
    arena_free(&scene->arena);
    memory_free(scene);
}
