// Forces on arms that rotate with nodes.
#ifndef BODY_HANG_H
#define BODY_HANG_H

#include "body/body.h"

// Looks up the blocks, once the pattern is finished.
void hang_finish(body *b);

// force += their moments at a share of full load; blocks (or NULL) gets their part of A.
void hang_load(const body *b, const body_loading *how, const double *x, double *force,
               double *blocks);

// Work that they do from rest to x, J.
double hang_work(const body *b, const body_loading *how, const double *x);

#endif
