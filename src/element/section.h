// Cross-sections of beams: what they do against stretch, shear, twist and bending.
#ifndef ELEMENT_SECTION_H
#define ELEMENT_SECTION_H

typedef enum section_kind {
    SECTION_CIRCLE,    // size[0]: radius
    SECTION_TUBE,      // size[0]: outer radius, size[1]: inner radius
    SECTION_RECTANGLE, // size[0]: along the section's first axis, size[1]: along its second
} section_kind;

typedef struct section {
    section_kind kind;
    double size[2]; // m
} section;

// Axis 1 is the beam's own, 2 and 3 are the section's first and second.
typedef struct section_constants {
    double area;       // m^2
    double inertia[2]; // second moments of area about axes 2 and 3, m^4
    double torsion;    // torsion constant, m^4
    double shear[2];   // areas that carry shear along axes 2 and 3, m^2
    double reach[2];   // how far it reaches along axes 2 and 3 from its middle, m
} section_constants;

// Shear factors of [cowper1966]; torsion of a rectangle by its series.
section_constants section_measure(const section *s, double poisson);

// The section at share t of the way from a to b, which are of one kind.
section section_between(const section *a, const section *b, double t);

#endif
