#include "app/reduced.h"

#include "app/show.h"

#include <math.h>
#include <stdio.h>

void reduced_judge(const lithe_model *m, lithe_state *s)
{
    lithe_reduction_info info;
    double error;
    if (lithe_model_reduction(m, &info))
        lithe_estimate_reduction(m, s, &error);
}

void reduced_write(json *j, const lithe_model *m, const lithe_state *s)
{
    lithe_reduction_info info;
    if (!lithe_model_reduction(m, &info))
        return;
    lithe_reduction_patch patch = {0};
    lithe_model_patch(m, &patch);
    lithe_reduction_error last = lithe_last_reduction(s);
    json_begin_object(j, "reduction");
    json_integer(j, "modes", info.nmode);
    json_integer(j, "patch_modes", patch.nshape);
    json_integer(j, "elements", info.nelement);
    json_number(j, "error", info.error);
    json_number(j, "estimate", last.estimate);
    json_integer(j, "age", last.age);
    json_bool(j, "whole", last.whole);
    json_end_object(j);
}

void reduced_print(const lithe_model *m, const lithe_state *s)
{
    lithe_reduction_info info;
    lithe_reduction_patch patch;
    char made[SHOW_TEXT], now[SHOW_TEXT];
    if (!lithe_model_reduction(m, &info))
        return;
    lithe_reduction_error last = lithe_last_reduction(s);
    printf("  reduced    %d coordinates", info.nmode);
    if (lithe_model_patch(m, &patch))
        printf(", %d of them of a patch", patch.nshape);
    printf(", %d elements", info.nelement);
    if (info.ncheck > 0)
        printf("; error %s when it was made", show_value(QUANTITY_LENGTH, info.error, made));
    if (last.whole)
        printf("; beyond the tolerance, the WHOLE model went on");
    else if (!isnan(last.estimate))
        printf(", %s by estimate", show_value(QUANTITY_LENGTH, last.estimate, now));
    printf("\n");
}
