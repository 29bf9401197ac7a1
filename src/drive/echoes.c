#include "drive/echoes.h"

#include <math.h>

void echoes_forget(echoes *e)
{
    e->heard = -1;
    e->unheard = NAN;
    e->first = e->norder;
}

void echoes_order(echoes *e, double now)
{
    long k = e->norder++ % ECHOES_KEPT;
    e->made[k] = e->sent[k] = now;
    if (isnan(e->unheard))
        e->unheard = now;
}

void echoes_sent(echoes *e, double now)
{
    if (e->norder > 0)
        e->sent[(e->norder - 1) % ECHOES_KEPT] = now;
}

double echoes_hear(echoes *e, long number)
{
    if (number < 0 || number >= e->norder || number < e->norder - ECHOES_KEPT)
        return NAN;
    if (number > e->heard) {
        e->heard = number;
        long next = number + 1 > e->first ? number + 1 : e->first;
        e->unheard = next < e->norder ? e->made[next % ECHOES_KEPT] : NAN;
    }
    return e->sent[number % ECHOES_KEPT];
}

double echoes_silence(const echoes *e, double now)
{
    return e->heard >= 0 && isfinite(e->unheard) ? now - e->unheard : 0;
}
