// Any text as a robot of rigid links that a scene names: its bodies and joints are those of the
// scene then.
#define _GNU_SOURCE // for files in memory
#include "scene/scene.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[128];
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    int file = memfd_create("robot.urdf", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    int n = snprintf(text, sizeof text, "urdf: {file: /proc/self/fd/%d, base: %s}", file,
                     size % 2 ? "free" : "fixed");
    lithe_status status =
        lithe_scene_read_text(text, (size_t)n, "fuzz.yaml", 0, NULL, &scene, &report);
    if ((status == LITHE_OK) != (scene != NULL) || (status == LITHE_OK) != (report.error[0] == 0))
        abort();
    lithe_scene_free(scene);
    close(file);
    return 0;
}
