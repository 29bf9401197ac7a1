// Quantiles and tails of the distributions that judge a fit.
#ifndef CONTROL_QUANTILE_H
#define CONTROL_QUANTILE_H

// The t with P(T <= t) = p for Student's distribution; dof above 0, INFINITY: the normal one.
// p in (0, 1).
double quantile_student(double p, double dof);

// P(X > x) for the chi-square distribution.
double quantile_chi_square_tail(double x, double dof);

#endif
