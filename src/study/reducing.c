// A reduction of a robot: samples, shapes, elements, and a check by samples that were not seen;
// again with more of all of it until the tolerance holds.
#include "study/reducing.h"

#include "base/defaults.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "base/status.h"
#include "reduce/beam_line.h"
#include "scene/adopt.h"
#include "study/tolerances.h"

#include <math.h>
#include <string.h>

bool reduce_told(reducing *r, int done, int total)
{
    return !r->how.progress || r->how.progress(r->how.user, r->doing, done, total);
}

static lithe_status number_samples(reducing *r, int first, int n, reduce_samples *out)
{
    out->n = n;
    out->number = arena_new(&r->memory, n, int);
    out->error = arena_new(&r->memory, n, double);
    for (int i = 0; out->number && i < n; i++)
        out->number[i] = first + i;
    return out->number && out->error ? LITHE_OK : report_no_memory(r->report, "samples");
}

// What was found depends on the robot, on its contacts and on where samples are.
static uint64_t journal_key(const reducing *r)
{
    uint64_t hash[REDUCTION_PARTS], key = FNV_START;
    reduction_hash(r->whole, hash);
    for (int i = 0; i < REDUCTION_PARTS; i++)
        key = fnv_add_word(key, hash[i]);
    key = fnv_add_word(key, reduction_contact_hash(r->whole));
    key = fnv_add_word(key, r->how.seed);
    key = fnv_add_word(key, r->truth != r->whole ? (uint64_t)r->truth->nq : 0);
    key = fnv_add_word(key, r->wanted.patch == LITHE_PATCH_CONTACT);
    for (int i = 0; i < r->whole->nact; i++) {
        double number[3] = {r->range[i].kind, r->range[i].low, r->range[i].high};
        uint64_t bits[3];
        memcpy(bits, number, sizeof bits);
        for (int k = 0; k < 3; k++)
            key = fnv_add_word(key, bits[k]);
    }
    return key;
}

// Sections that are rigid, or swell as they may, are what was asked for, so the whole robot is no
// measure.
static bool is_given(const reducing *r)
{
    return r->wanted.beam && r->wanted.nshape == 0;
}

static lithe_status find_truth(reducing *r)
{
    lithe_def def = *r->def;
    r->truth = r->whole;
    if (!is_given(r))
        return LITHE_OK;
    def.reduction.beam = true;
    def.reduction.nframe = r->wanted.nframe;
    def.reduction.nline = r->wanted.nline;
    def.reduction.line = r->wanted.line;
    def.reduction.nswell = r->wanted.nswell;
    r->truth = NULL;
    return lithe_compile(&def, &r->truth, r->report);
}

static lithe_status check_patch(const reducing *r)
{
    if (r->wanted.patch == LITHE_NO_PATCH || (r->whole->contact.on && !r->wanted.beam))
        return LITHE_OK;
    return LITHE_FAIL(r->report, LITHE_INVALID,
                      r->wanted.beam
                          ? "a patch is of a robot that moves by modes: take patch or beam"
                          : "there is a patch, and nothing that it could touch: add obstacles or "
                            "self contact");
}

static lithe_status open(reducing *r)
{
    LITHE_TRY(lithe_compile(r->def, &r->whole, r->report));
    LITHE_TRY(reduction_check_model(r->whole, r->report));
    LITHE_TRY(check_patch(r));
    LITHE_TRY(find_truth(r));
    LITHE_TRY(reduce_plan(r));
    if (!(r->how.tolerance > 0))
        r->how.tolerance = REDUCE_TOLERANCE * r->whole->size;
    if (r->how.nsample <= 0)
        r->how.nsample = r->whole->nact < 10 ? 20 + 10 * r->whole->nact : 120;
    if (r->how.ncheck <= 0)
        r->how.ncheck = r->how.nsample / 2;
    if (r->how.threads > 1 && !(r->threads = pool_create(r->how.threads)))
        return LITHE_FAIL(r->report, LITHE_NO_MEMORY, "%d threads could not be started",
                          r->how.threads);
    LITHE_TRY(reduce_states_create(r->truth, pool_size(r->threads), &r->states, r->report));
    if (r->how.journal)
        LITHE_TRY(
            samples_journal_open(r->how.journal, journal_key(r), r->width, &r->journal, r->report));
    LITHE_TRY(number_samples(r, 0, r->ncorner + r->how.nsample, &r->train));
    return number_samples(r, REDUCE_CHECKS, r->how.ncheck, &r->check);
}

static void close_all(reducing *r)
{
    samples_journal_close(r->journal);
    reduce_states_free(&r->states);
    pool_free(r->threads);
    if (r->truth != r->whole)
        lithe_model_free(r->truth);
    lithe_model_free(r->whole);
    arena_free(&r->memory);
}

static void describe(reducing *r, lithe_reduction *out)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < r->check.n; i++)
        if (reduce_converged(reduce_found(r, &r->check, i))) {
            sum += r->check.error[i];
            n++;
        }
    for (int i = 0; i < r->probe.n && r->probed; i++)
        if (r->probe.error[i] > 0) {
            sum += r->probe.error[i];
            n++;
        }
    double seen = fmax(reduce_worst(&r->check), reduce_worst(&r->train));
    double worst = fmax(seen, r->probed ? reduce_worst(&r->probe) : 0);
    out->nnode = r->whole->nnode;
    out->nwhole = r->whole->nelement;
    reduction_hash(r->whole, out->hash);
    out->info = (lithe_reduction_info){.nnode = out->nnode,
                                       .nelement_whole = out->nwhole,
                                       .nmode = reduction_ncoordinate(out),
                                       .nelement = out->nelement,
                                       .nsample = out->info.nsample,
                                       .ncheck = n,
                                       .seed = r->how.seed,
                                       .tolerance = r->how.tolerance,
                                       .error = worst,
                                       .error_mean = n > 0 ? sum / n : 0};
}

// Where it was sampled, for those who use it elsewhere.
static lithe_status keep_range(reducing *r, lithe_reduction *out)
{
    out->nrange = r->whole->nact;
    out->range = arena_new(&out->memory, out->nrange, reduction_range);
    if (!out->range)
        return report_no_memory(r->report, "the reduction");
    memcpy(out->range, r->range, (size_t)out->nrange * sizeof *out->range);
    return LITHE_OK;
}

static lithe_status make_shapes(reducing *r, lithe_reduction *out)
{
    LITHE_TRY(reduce_shapes(r, out));
    return r->wanted.patch != LITHE_NO_PATCH ? reduce_patch(r, out) : LITHE_OK;
}

// Samples to probe by are others in every round.
static lithe_status make(reducing *r, lithe_reduction *out)
{
    enum { PROBES = 4 }; // for every sample that checks: they cost a fifth of one
    r->doing = "samples";
    LITHE_TRY(reduce_sample(r, &r->train));
    r->doing = "samples to check by";
    LITHE_TRY(reduce_sample(r, &r->check));
    LITHE_TRY(number_samples(r, REDUCE_PROBES + r->nprobed, PROBES * r->check.n, &r->probe));
    r->probed = false;
    r->doing = "shapes";
    if (out->nframe == 0)
        LITHE_TRY(make_shapes(r, out));
    else if (!is_given(r))
        LITHE_TRY(reduce_sections(r, out));
    else
        for (int i = 0; i < r->train.n; i++)
            out->info.nsample += reduce_converged(reduce_found(r, &r->train, i));
    LITHE_TRY(out->nframe > 0 ? reduce_beam_elements(r, out) : reduce_elements(r, out));
    describe(r, out);
    r->doing = "check";
    LITHE_TRY(reduce_check(r, out));
    r->nprobed += r->probed ? r->probe.n : 0;
    describe(r, out);
    return keep_range(r, out);
}

static bool is_learned(const reducing *r)
{
    return reduce_worst(&r->train) <= r->how.tolerance;
}

static bool is_checked(const reducing *r)
{
    return reduce_worst(&r->check) <= REDUCE_SHOWN * r->how.tolerance;
}

static bool missed_check(const reducing *r, int i)
{
    return r->check.error[i] > REDUCE_SHOWN * r->how.tolerance;
}

static bool missed_probe(const reducing *r, int i)
{
    return r->probed && r->probe.error[i] > REDUCE_SHOWN * r->how.tolerance;
}

enum { FEW_FRAMES = 6 };

// Frames whose number nobody has said, if their sections are learned: few to begin with.
static bool finds_frames(const lithe_reduction_def *d)
{
    return d->beam && d->nshape > 0 && d->nframe <= 0 && d->nline <= 0;
}

// More frames, as long as each carries enough nodes.
static void add_frames(reducing *r)
{
    enum { THIRD = 3 };
    arena scratch = {0};
    lithe_reduction_def more = r->wanted;
    lithe_reduction *made = NULL;
    lithe_report unsaid = lithe_report_default();
    beam_map *map;
    more.nframe += (more.nframe + THIRD - 1) / THIRD;
    if (reduction_of_beam(&more, r->whole, &made, &unsaid) == LITHE_OK &&
        beam_lay(&r->whole->body[0], made, &scratch, &map, &unsaid) == LITHE_OK)
        r->wanted.nframe = more.nframe;
    lithe_reduction_free(made);
    arena_free(&scratch);
}

// Samples that were missed are learned from now on, and others check in their place.
static lithe_status learn(reducing *r, int *next)
{
    const double stricter = 0.65;
    reduce_samples train = {0}, check = {0};
    int missed = 0, at = r->train.n;
    for (int i = 0; i < r->check.n; i++)
        missed += missed_check(r, i);
    for (int i = 0; i < r->probe.n; i++)
        missed += missed_probe(r, i);
    LITHE_TRY(number_samples(r, 0, r->train.n + missed, &train));
    LITHE_TRY(number_samples(r, 0, r->check.n, &check));
    memcpy(train.number, r->train.number, (size_t)r->train.n * sizeof *train.number);
    for (int i = 0; i < r->check.n; i++) {
        check.number[i] = missed_check(r, i) ? REDUCE_CHECKS + (*next)++ : r->check.number[i];
        if (missed_check(r, i))
            train.number[at++] = r->check.number[i];
    }
    for (int i = 0; i < r->probe.n; i++)
        if (missed_probe(r, i))
            train.number[at++] = r->probe.number[i];
    r->train = train;
    r->check = check;
    // a few that were missed may need no more than be learned
    r->waits = r->probed && is_checked(r) && is_learned(r) && !r->waits;
    r->mode_share *= r->waits ? 1 : stricter;
    r->element_share *= r->waits ? 1 : stricter;
    r->patch_share *= r->waits ? 1 : stricter;
    if (r->finds_frames && !r->waits)
        add_frames(r);
    return LITHE_OK;
}

static lithe_status new_reduction(const reducing *r, lithe_reduction **out, lithe_report *report)
{
    if (r->wanted.beam) {
        LITHE_TRY(reduction_of_beam(&r->wanted, r->whole, out, report));
        if (!is_given(r))
            (*out)->nshape = r->wanted.nshape;
        return LITHE_OK;
    }
    *out = memory_alloc(sizeof **out);
    if (!*out)
        return report_no_memory(report, "the reduction");
    memset(*out, 0, sizeof **out);
    return LITHE_OK;
}

static bool is_met(const reducing *r)
{
    return is_checked(r) && is_learned(r) &&
           (!r->probed || reduce_worst(&r->probe) <= REDUCE_SHOWN * r->how.tolerance);
}

// Rounds until the tolerance holds; *best: the best so far, by samples that check.
static lithe_status go(reducing *r, lithe_reduction **best)
{
    int next = r->check.n;
    double least = INFINITY;
    for (int round = 0;; round++) {
        lithe_reduction *made = NULL;
        LITHE_TRY(new_reduction(r, &made, r->report));
        lithe_status status = make(r, made);
        bool met = status == LITHE_OK && is_met(r);
        bool better = status == LITHE_OK && (met || !*best || made->info.error < least);
        least = better ? made->info.error : least;
        lithe_reduction_free(better ? *best : made);
        *best = better ? made : *best;
        LITHE_TRY(status);
        if (met)
            return LITHE_OK;
        if (round >= r->how.round)
            break;
        LITHE_TRY(learn(r, &next));
    }
    if ((*best)->info.error <= r->how.tolerance)
        return LITHE_OK;
    if (isinf((*best)->info.error))
        return LITHE_FAIL(r->report, LITHE_NOT_CONVERGED,
                          "after %d rounds the reduced robot finds no equilibrium at some of its "
                          "samples, where the whole one has one: allow a smaller error, more "
                          "samples or more rounds, or narrow the actuators' limits",
                          r->how.round + 1);
    return LITHE_FAIL(r->report, LITHE_NOT_CONVERGED,
                      "the largest error at an effector is %.3g mm after %d rounds, and %.3g mm "
                      "were asked for: allow more, more samples or more rounds, or narrow the "
                      "actuators' limits",
                      1e3 * (*best)->info.error, r->how.round + 1, 1e3 * r->how.tolerance);
}

lithe_status lithe_reduce(const lithe_def *def, const lithe_reduce_def *how, lithe_reduction **out,
                          lithe_report *report)
{
    *out = NULL;
    // loose to begin with: what is asked for is the smallest model that holds
    reducing r = {
        .report = report, .mode_share = 0.3, .element_share = 0.7, .patch_share = REDUCE_PATCH};
    lithe_def own;
    LITHE_TRY(def_take(LITHE_DEF_REDUCE, how, &r.how, report));
    lithe_status status = def_adopt(def, &r.memory, &own, report);
    if (status == LITHE_OK) {
        own.step.mode = LITHE_CONVERGED;
        own.dynamics.scheme = LITHE_STATIC;
        r.wanted = own.reduction;
        r.finds_frames = finds_frames(&r.wanted);
        if (r.finds_frames)
            r.wanted.nframe = FEW_FRAMES;
        own.reduction = lithe_reduction_def_default();
        own.reduction.location = r.wanted.location;
        own.reduction.patch = r.wanted.patch;
        own.reduction.patch_where = r.wanted.patch_where;
        r.def = &own;
        status = open(&r);
    }
    if (status == LITHE_OK)
        status = go(&r, out);
    close_all(&r);
    return status;
}
