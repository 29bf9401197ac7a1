// Beams as definitions ask for them.
#include "base/memory.h"
#include "base/status.h"
#include "reduce/beam_line.h"

#include <string.h>

lithe_status reduction_check_beam(const lithe_reduction *r, const lithe_reduction_def *d,
                                  lithe_report *report)
{
    int nshape = d->nshape + d->nswell;
    if (!d->beam ||
        (r->nframe > 0 && r->nshape == nshape && (d->nframe <= 0 || r->nframe == d->nframe)))
        return LITHE_OK;
    return LITHE_FAIL(report, LITHE_INVALID,
                      "the reduction is another one than beam asks for: it has %d frames with %d "
                      "shapes each; make a new one by lithe reduce",
                      r->nframe, r->nshape);
}

static lithe_status lay_frames(const lithe_reduction_def *d, const body *b, lithe_reduction *r,
                               lithe_report *report)
{
    enum { FRAMES = 12 };
    r->nframe = d->nframe > 0 ? d->nframe : d->nline > 0 ? d->nline : FRAMES;
    if (r->nframe < 2 || r->nframe > BEAM_FRAMES_MAX)
        return LITHE_FAIL(report, LITHE_INVALID, "a beam has 2 to %d frames, and %d are asked for",
                          BEAM_FRAMES_MAX, r->nframe);
    if (d->nline == 1 || d->nshape < 0 || d->nshape > BEAM_SHAPES_MAX)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "a centre line has at least 2 points, and a section at most %d shapes",
                          BEAM_SHAPES_MAX);
    if (d->nswell != 0 && ((d->nswell != 1 && d->nswell != 3) || d->nshape > 0))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "sections swell by 1 or 3 numbers, or deform by shapes that are learned, "
                          "not both");
    r->frame = arena_new(&r->memory, 3 * (size_t)r->nframe, double);
    if (!r->frame)
        return report_no_memory(report, "frames");
    return d->nline > 0 ? beam_frames_on(d->nline, d->line, r->nframe, r->frame, report)
                        : beam_frames_in(b, r->nframe, r->frame, report);
}

lithe_status reduction_of_beam(const lithe_reduction_def *d, const lithe_model *whole,
                               lithe_reduction **out, lithe_report *report)
{
    *out = NULL;
    LITHE_TRY(reduction_check_model(whole, report));
    lithe_reduction *r = memory_alloc(sizeof *r);
    if (!r)
        return report_no_memory(report, "frames");
    memset(r, 0, sizeof *r);
    r->nnode = whole->nnode;
    r->nwhole = r->nelement = whole->nelement;
    r->info = (lithe_reduction_info){
        .nnode = r->nnode, .nelement_whole = r->nwhole, .nelement = r->nelement};
    reduction_hash(whole, r->hash);
    lithe_status status = lay_frames(d, &whole->body[0], r, report);
    if (status == LITHE_OK && d->nswell > 0)
        status = beam_swell(&whole->body[0], d->nswell, r, report);
    r->info.nmode = reduction_ncoordinate(r);
    if (status == LITHE_OK)
        *out = r;
    else
        lithe_reduction_free(r);
    return status;
}
