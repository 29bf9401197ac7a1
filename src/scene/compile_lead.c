// Fixes whose displacement goes on in time lead the coordinates that they hold: nodes, or where the
// nodes are of a rigid part, that.
#include "scene/compile.h"

#include <stdio.h>
#include <string.h>

bool compile_is_led(const lithe_fix_def *fix)
{
    return fix->nwaypoint > 0 || fix->period != 0;
}

int compile_nlead(const compiler *c)
{
    int n = 0;
    for (int k = 0; k < c->def->nbody; k++)
        for (int i = 0; i < c->def->body[k].nfix; i++)
            n += compile_is_led(&c->def->body[k].fix[i]);
    return n;
}

// The triple of q that a node's position is, or follows with its rigid part.
static int triple_of(const compile_body *part, const body *b, int node)
{
    int frame = part->owner ? part->owner[node] : -1;
    return frame >= 0 ? b->carry->frame[frame].triple[0] : body_triple(b, node);
}

// Coordinates of q that a fix leads along an axis, each once.
static int gather(const compile_body *part, const body *b, int fix, int axis, bool *taken,
                  int *coordinate)
{
    int n = 0;
    memset(taken, 0, (size_t)(b->nq / 3) * sizeof *taken);
    for (int i = 0; i < body_nposition(b); i++) {
        int triple = part->lead[3 * i + axis] == fix ? triple_of(part, b, i) : -1;
        if (triple < 0 || taken[triple])
            continue;
        taken[triple] = true;
        coordinate[n++] = (int)b->q_adr + 3 * triple + axis;
    }
    return n;
}

static lithe_status check_axes(const compiler *c, const lithe_fix_def *fix)
{
    for (int i = 0; i < 3; i++) {
        bool moves = fix->amplitude[i] != 0, finite = isfinite(fix->amplitude[i]);
        for (int w = 0; w < fix->nwaypoint; w++) {
            moves = moves || fix->waypoint[3 * w + i] != 0;
            finite = finite && isfinite(fix->waypoint[3 * w + i]);
        }
        if (!finite || (moves && !(fix->axes & (1 << i))))
            return compile_fail(c, fix->location,
                                "a fix is led along %c, which it leaves free, or to what is no "
                                "number",
                                "xyz"[i]);
    }
    return LITHE_OK;
}

static lithe_status compile_lead(compiler *c, int k, int i, model_lead *lead)
{
    const compile_body *part = &c->body[k];
    const lithe_fix_def *fix = &part->def->fix[i];
    body *b = &c->model->body[k];
    size_t most = 3 * (size_t)b->nnode;
    char what[LITHE_TEXT_MAX];
    bool *taken = arena_new(&c->scratch, b->nq / 3 + 1, bool);
    lead->coordinate = arena_new(&c->model->memory, most, int);
    lead->axis = arena_new(&c->model->memory, most, int);
    if (!taken || !lead->coordinate || !lead->axis)
        return compile_no_memory(c);
    LITHE_TRY(check_axes(c, fix));
    for (int axis = 0; axis < 3; axis++) {
        int n = gather(part, b, i, axis, taken, &lead->coordinate[lead->n]);
        for (int j = 0; j < n; j++)
            lead->axis[lead->n++] = axis;
    }
    memcpy(lead->first, fix->displacement, sizeof lead->first);
    b->moves = true;
    snprintf(what, sizeof what, "a fix of body '%.200s'", part->def->name);
    return compile_play(c,
                        &(play_source){what, fix->location, 3, fix->nwaypoint, fix->waypoint,
                                       fix->waypoint_time, fix->amplitude, fix->period, fix->phase},
                        &lead->play);
}

lithe_status compile_leads(compiler *c)
{
    lithe_model *m = c->model;
    m->lead = arena_new(&m->memory, m->nlead, model_lead);
    if (!m->lead)
        return compile_no_memory(c);
    for (int k = 0, n = 0; k < m->nbody; k++)
        for (int i = 0; i < c->body[k].def->nfix; i++)
            if (compile_is_led(&c->body[k].def->fix[i]))
                LITHE_TRY(compile_lead(c, k, i, &m->lead[n++]));
    return LITHE_OK;
}
