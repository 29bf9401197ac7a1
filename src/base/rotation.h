// Rotations as rotation vectors: axis times angle, in rad. A node that rotates stores the vector of
// its rotation from rest; it is advanced by spins, which are rotation vectors in the world frame.
#ifndef BASE_ROTATION_H
#define BASE_ROTATION_H

// Unit quaternion (scalar first) of a rotation vector, and back. The way back gives an angle of at
// most pi.
void rotation_to_quaternion(const double theta[3], double q[4]);
void rotation_from_quaternion(const double q[4], double theta[3]);

// Rotation matrix of a rotation vector, and back.
void rotation_matrix(const double theta[3], double R[9]);
void rotation_of_matrix(const double R[9], double theta[3]);

// out = log(exp(share * spin) exp(theta)): where a share of a spin takes theta. out may be theta.
void rotation_advance(const double theta[3], double share, const double spin[3], double out[3]);

// spin = log(exp(to) exp(from)^-1): what takes from to to.
void rotation_between(const double from[3], const double to[3], double spin[3]);

#endif
