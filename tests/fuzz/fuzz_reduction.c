// Files of reductions.
#include "reduce/reduction.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lithe_reduction *r;
    lithe_report report = lithe_report_default();
    if (reduction_parse(data, size, "fuzz.h5", &r, &report) == LITHE_OK)
        lithe_reduction_free(r);
    return 0;
}
