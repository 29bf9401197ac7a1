// Two geometric models of an arm of sections with three strings each, to compare with: where the
// tip is by the lengths of the strings alone, whatever the arm is made of and carries.
//
// A section's own axes: z along the section, strings at 0, 120 and 240 degrees from x towards y,
// all at one distance from the middle. A pose is that of a section's far end.
#ifndef CONTROL_ARC_H
#define CONTROL_ARC_H

typedef struct arc_pose {
    double R[9]; // row-major
    double p[3]; // m
} arc_pose;

extern const arc_pose arc_origin;

// Constant curvature [bieze2018, eq. 16 to 18], with phi mended: sqrt(3) (l3 - l2) over l2 + l3 - 2
// l1 and the quadrant by both signs; and d, which is the strings' distance from the middle. length:
// (3) m.
arc_pose arc_section(const double length[3], double d);

typedef enum arc_status { ARC_OK, ARC_NO_ANSWER } arc_status;

// A chain of so many joints between vertebrae, each a platform on three legs and a central one that
// slides along the lower vertebra's axis and bends [bieze2018, eq. 19]. span: how short and how
// long every joint was seen to be, by which it shares in a string's elongation (njoint x 2) m;
// NULL: all share alike. ARC_NO_ANSWER: no platform has legs of these lengths.
arc_status arc_vertebrae(int njoint, const double length[3], double d, const double *span,
                         arc_pose *end);

// Where an arm's tip is by its strings (3 a section), with the strings' distances d (one a
// section).
typedef arc_status arc_tip(const void *arm, const double *length, const double *d, double tip[3]);

enum { ARC_MOST_SECTIONS = 8 };

// The distances with which a model's tip is nearest, in the mean of squares, to where it was seen
// at some poses: d from a first guess on. length: (npose x 3 nsection), tip: (npose x 3) m.
arc_status arc_calibrate(arc_tip *model, const void *arm, int nsection, int npose,
                         const double *length, const double *tip, double *d);

// The pose of b, which is told in the axes of a.
arc_pose arc_then(const arc_pose *a, const arc_pose *b);

#endif
