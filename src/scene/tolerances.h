// Where rounding decides about scenes, and lengths that follow from a robot's size.
#ifndef SCENE_TOLERANCES_H
#define SCENE_TOLERANCES_H

// m: points that are closer are in the same place; no robot has parts of a nanometre.
static const double SCENE_SAME_POINT = 1e-9;

// Of the body's size: nodes of slender parts that are closer are one, drawn with seven digits.
static const double SCENE_WELDED = 1e-7;

// Cosine by which an axis must be farther from a rod than another to be taken for it: what differs
// by rounding is the same.
static const double SCENE_FARTHER_AXIS = 1e-9;

// Of a body's size: a point that is farther outside is told of.
static const double SCENE_OUTSIDE = 1e-9;

// Barycentric weight: a point that lacks no more of a node is that node.
static const double SCENE_ON_NODE = 1e-9;

// In an element's own coordinates: a point's position there is found.
static const double SCENE_LOCATED = 1e-11;

// Of the largest: moments of points below which they lie in a line; eigenvalues of what holds a
// body, or a part, below which it moves freely; squared lengths, of 1, of what is held of a
// rotation.
static const double SCENE_MOMENT = 1e-8, SCENE_HELD = 1e-8, SCENE_RANK = 1e-9,
                    SCENE_HELD_ROTATION = 1e-12;

// Of what a body's inertia lets it move by in a step, or its weight at rest: what a joint gives way
// by. And the cosine between axes that are normal to each other.
static const double SCENE_JOINT = 1e-9, SCENE_JOINT_AT_REST = 1e-10, SCENE_NORMAL = 1e-6;

// Of a body's weight: a force that is none, where joints alone hold it at rest.
static const double SCENE_GRIP_NOISE = 1e-13;

// Of the sum of the principal moments of inertia: one that is none; and by which share one may be
// above the sum of the others, which is rounding.
static const double SCENE_INERTIA = 1e-9;

// Of the robot's size: an overlap at rest that is drawn, and not meant.
static const double SCENE_APART = 5e-3;

// Of the robot's size: where the barrier of contacts begins. What a realtime step leaves open is
// less; a converged one is polished, and is surer with more, and in motion what bounces needs it.
static const double SCENE_REACH = 1e-3, SCENE_REACH_REALTIME = 5e-4;

// Of the robot's size: how near things are that the inverse looks at, unless the scene says
// another.
static const double SCENE_DETECTION_DISTANCE = 0.02;

// Of the robot's size: the gap at which converged contacts hold, far below CONTACT_TOLERANCE and
// some 1e7 roundings; and the overlap that realtime steps may leave unless the scene says another.
static const double SCENE_HELD_AT = 5e-9, SCENE_OVERLAP = 1e-3;

// Of the ends of a range: limits that are as wide but for how they were computed are the same.
static const double RANGE_ROUNDING = 1e-9;

#endif
