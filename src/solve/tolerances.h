// Where rounding decides in solvers. Problems are scaled: all numbers are relative.
#ifndef SOLVE_TOLERANCES_H
#define SOLVE_TOLERANCES_H

// Share of a gradient that must lie outside the span of those before it: with less, their
// combination has no five digits left.
static const double SOLVE_DEPENDENT = 1e-10;
// The same of a diagonal entry, which is a square of lengths that were scaled to 1.
static const double PRINCIPAL_DEPENDENT = 1e-11;

// Of the largest term of W lambda + q: what is rounding at a bound.
static const double BOX_PIVOT_NOISE = 1e-13;

// Of all residuals: what counts as solved. A digit or two above what scaled problems are solved to.
static const double QP_TOLERANCE = 1e-9;

// Of the largest entry: smallest pivot for which Q itself is factored; else it gets a proximal
// term.
static const double QP_DEFINITE = 1e-6;

// Proximal terms, over the largest entry of Q, in the order in which they are tried; 0: none. Too
// small a one leaves Q + epsilon I indefinite by rounding, too large a one makes for many
// iterations.
enum { QP_NPROXIMAL = 4 };
static const double QP_PROXIMAL[QP_NPROXIMAL] = {0, 1e-6, 1e-4, 1e-8};

// Of what pulls on it: multipliers and slopes that are rounding.
static const double QP_NO_PULL = 1e-11;

// Of x beyond every limit, and of the x that c and the limits make of themselves: sizes of x that
// roundings are measured with where x runs away, and where it is small.
static const double QP_FAR = 1e6, QP_LITTLE = 1e-3;

// Of Q times that size: the least that gradients are measured against, where all terms vanish.
static const double QP_LEAST_PULL = 1e-5;

// Of Q over the proximal term, and at least: curvatures on a face that are rounding.
static const double QP_FLAT = 1e-13, QP_LEAST_FLAT = 1e-9;

// Of a limit's scale, or of the multipliers: so much each may be passed by, for a choice among
// those that are met at once [harris1973].
static const double QP_RELAXED = 1e-13;

// Of the step: a limit that it goes along, and does not meet.
static const double QP_ALONG = 1e-11;

// Violations that are looked for first; where rounding makes that go round in circles, ten times
// as much, up to the tolerance of the answer.
static const double QP_CLOSE_LOOK = 1e-12;

// Relative to the largest: entries of a dependency that are rounding; and those that a conflict
// does not need to be told of.
static const double QP_NEGLIGIBLE = 1e-9, QP_UNTOLD = 1e-11;

// Of the scale of a limit: a contradiction by less is rounding.
static const double QP_CONFLICT = 1e-10;

// A row's size whose square neither underflows nor overflows, and a scale whose inverse is one too.
static const double QP_SQUARE_LEAST = 1e-200, QP_SQUARE_MOST = 1e200;
static const double QP_SCALE_LEAST = 0x1p-1000, QP_SCALE_MOST = 0x1p1000;

// Of the largest q: complementarity that is looked for first, then ten times as much, and where
// looking ends; and dependent rows that are off by rounding only.
static const double BOX_CLOSE_LOOK = 1e-12, BOX_LAST_LOOK = 1e-8, BOX_NOISE = 1e-9;

// Weight of exertion in a mixed problem, over the largest entries of both [coevoet2019].
static const double HIERARCHY_MIX = 1e-3;

// Of the largest entry of J'J: what holds x where a level's own rows hardly do.
static const double HIERARCHY_DAMPED = 1e-6;

// Of its extent: a change of x after which levels are not gone through again.
static const double HIERARCHY_STILL = 1e-10;

// Of a limit, over the size of its unknown: the least extent that violations are measured with.
static const double HIERARCHY_LEAST_EXTENT = 1e-6;

// Over the extent: a contact with neither force nor gap; one whose force and gap are both above
// breaks the law.
static const double QPCC_KINK = 1e-8, QPCC_BROKEN = 1e-7;

// Of the terms that make them: multipliers that are rounding.
static const double QPCC_NO_MULTIPLIER = 1e-8;

// Of a cost: what two ways to one optimum differ by, both solved to QP_TOLERANCE.
static const double QPCC_SAME_COST = 1e-9;

// Of squared errors, of exertion, and where limits give way: costs that are rounding.
static const double QPCC_TASK_NOISE = 1e-16, QPCC_EXERTION_NOISE = 1e-14, QPCC_GIVE_NOISE = 1e-20;

// Of what a limit may give: a way that is none; and by how much more it is widened, so that its
// own rounding does not contradict it.
static const double QPCC_GIVES = 1e-9;

// Of its terms: a condition with a smaller gradient does not depend on x, and is met if it is not
// below the second, over the extent.
static const double QPCC_NO_GRADIENT = 1e-10, QPCC_CONSTANT_MET = 1e-9;

// Over the extent: what a condition may lack at the present point, which obeys it but for rounding,
// and what it is given there. Contacts that are nearly the same would contradict each other by
// less.
static const double QPCC_ROUNDING = 1e-10, QPCC_ROOM = 1e-13;

// Of a column's square: what is left of it beside the others in the set is rounding, of a matrix in
// single precision. Of the sum of squares: less than this is no progress. Of a change of weights: a
// weight that ends at 0.
static const double NNLS_DEPENDENT = 1e-10, NNLS_STUCK = 1e-12, NNLS_ENDS = 1e-14;

// Of a row's own compliance: what rows that are kept give way by, so that some which say the same
// twice do not contradict each other.
static const double ELIMINATE_GIVE = 1e-11;

// Of the fastest rate after a blow: what the last sweep over its impulses may still change.
static const double SOLVE_IMPACT = 1e-12;

#endif
