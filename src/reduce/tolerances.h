// Where rounding decides in reduced models.
#ifndef REDUCE_TOLERANCES_H
#define REDUCE_TOLERANCES_H

// Of the square of a shape: what is left of it beside the shapes before it is rounding.
static const double BASIS_NOTHING = 1e-20;

// Of the residual that the whole model has at the reduced one's shape: with more left, stiff
// threads still hold back what effectors have to go.
static const double ERROR_BALANCED = 0.004;

// Of the way between two frames: nearer to one, a node is carried by it alone.
static const double BEAM_SNAP = 1e-9;

#endif
