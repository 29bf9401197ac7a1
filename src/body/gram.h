// Sums of outer products of arms, which tell about which axes points can be seen to rotate.
#ifndef BODY_GRAM_H
#define BODY_GRAM_H

// Inverse of a symmetric positive semi-definite 3x3 matrix; 0 along what is nothing in it, as the
// rotation of nodes in a line about it.
void gram_invert(const double G[9], double out[9]);

#endif
