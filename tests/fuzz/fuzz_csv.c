// Any text as a table of targets.
#include "scene/csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const name[] = {"tip.x_m", "tip.y_m"};
    static const char *const known[] = {"step", "string_m"};
    static const csv_columns columns = {.n = 2, .name = name, .nknown = 2, .known = known};
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    arena memory = {0};
    csv_table table;
    lithe_report report = lithe_report_default();
    lithe_status status = csv_parse("fuzz.csv", text, &columns, &memory, &table, &report);
    if ((status == LITHE_OK) != (report.error[0] == 0) || (status == LITHE_OK && table.nline < 1))
        abort();
    for (int i = 1; status == LITHE_OK && i < table.nline; i++)
        if (!(table.time[i] > table.time[i - 1]))
            abort();
    arena_free(&memory);
    free(text);
    return 0;
}
