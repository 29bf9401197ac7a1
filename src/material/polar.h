// F = R S with R a rotation (det R = +1, also for an inverted F) and S symmetric: R is the rotation
// nearest to F.
#ifndef MATERIAL_POLAR_H
#define MATERIAL_POLAR_H

// One matrix, by the dominant eigenvector of Davenport's 4x4 matrix: slow, and right for every F.
// Where several rotations are equally near (F rank-deficient or mirrored), one of them.
void polar_rotation(const double F[9], double R[9]);

#endif
