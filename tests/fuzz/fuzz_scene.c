// Any text as a scene, with its last line as an override and as a command.
#include "scene/actuator_quantity.h"
#include "scene/scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Where the line after "#!" begins; NULL if there is none.
static const char *find_extra(const char *text)
{
    const char *mark = strstr(text, "\n#!");
    return mark ? mark + 3 : NULL;
}

static void try_command(const lithe_scene *scene, const char *command)
{
    lithe_report report = lithe_report_default();
    int actuator;
    lithe_command_kind kind;
    double value[3];
    lithe_status status = lithe_scene_command(scene, command, &actuator, &kind, value, &report);
    if ((status == LITHE_OK) != (report.error[0] == 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    const char *extra = find_extra(text);
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    lithe_status status =
        lithe_scene_read_text(text, size, "fuzz.yaml", extra != NULL, &extra, &scene, &report);
    if ((status == LITHE_OK) != (scene != NULL) || (status == LITHE_OK) != (report.error[0] == 0))
        abort();
    lithe_scene_free(scene);
    scene = NULL;
    if (extra && lithe_scene_read_text(text, size, "fuzz.yaml", 0, NULL, &scene, NULL) == LITHE_OK)
        try_command(scene, extra);
    lithe_scene_free(scene);
    free(text);
    return 0;
}
