// Where rounding decides in studies.
#ifndef STUDY_TOLERANCES_H
#define STUDY_TOLERANCES_H

// Relative force residual of equilibria whose differences are taken, which must not drown in their
// own error; and of the robot's size, the error of a row that it leaves.
static const double STUDY_FORCE = 1e-10, STUDY_ROW_NOISE = 1e-10;

// Of the load: a line of a table that carries less is on the way.
static const double STUDY_WHOLE_LOAD = 1e-9;

// Of a number, or of 1: a change that every number that is not a whole one can take.
static const double STUDY_SMALL_CHANGE = 1e-3;

// Of the largest eigenvalue of the samples' Gram matrix: smaller ones are rounding.
static const double REDUCE_LEAST = 1e-14;

// Of the robot's size: the error that is allowed where nothing is said.
static const double REDUCE_TOLERANCE = 1e-3;

// Of what forces on a patch move, root mean square: what its shapes may leave out to begin with.
// With twice as much, forces of contacts that no sample has were off by 6 % in place of 1 %.
static const double REDUCE_PATCH = 1e-3;

// Of its compliance: how much a row that holds its displacement gives way, since rows may depend on
// each other.
static const double REDUCE_GIVES = 1e-6;

#endif
