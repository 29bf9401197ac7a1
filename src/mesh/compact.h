// An order in which what is near in space is near in number.
#ifndef MESH_COMPACT_H
#define MESH_COMPACT_H

// Orders n points by halving the longest side of their box again and again, into multiples of
// `grain` points, and of four times that where there are many: order[i] is the point that comes
// i-th. The same for the same points.
void compact_order(int n, const double (*point)[3], int grain, int *order);

#endif
