// Nearest points of triangles, with the feature they lie on.
#ifndef CONTACT_NEAREST_H
#define CONTACT_NEAREST_H

// Which part of a triangle holds the nearest point: a corner, an edge (i, i + 1), or the inside.
typedef enum nearest_feature {
    NEAREST_CORNER0,
    NEAREST_CORNER1,
    NEAREST_CORNER2,
    NEAREST_EDGE0,
    NEAREST_EDGE1,
    NEAREST_EDGE2,
    NEAREST_INSIDE,
} nearest_feature;

// weight: of the three corners at the point of the triangle that is nearest to p. Triangles without
// an area are served as segments.
nearest_feature nearest_on_triangle(const double p[3], const double *const corner[3],
                                    double weight[3]);

#endif
