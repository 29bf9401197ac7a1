// A soft tentacle that tapers, with notches on its lower side, which a cable through all of it closes.
//
// The side view is drawn in the plane y = -width / 2 and extruded across. Lengths in mm; the tentacle lies along +x with its base at
// x = 0 and bends towards -z.
//
//     gmsh -3 tentacle.geo      the mesh beside this file
SetFactory("OpenCASCADE");

length = 120;
base = 20;        // height at its base
tip = 8;          // and at its tip
width = 10;
nnotch = 8;
first = 14;       // middle of the first notch
pitch = 13;       // from notch to notch
mouth = 4;        // width of a notch at the bottom
slot = 2;         // and at the hinge
size = 5;

p = newp;
Point(p) = {0, -width / 2, 0};
For k In {0 : nnotch - 1}
    x = first + k * pitch;
    depth = 0.65 * (base + (tip - base) * x / length);
    Point(p + 4 * k + 1) = {x - mouth / 2, -width / 2, 0};
    Point(p + 4 * k + 2) = {x - slot / 2, -width / 2, depth};
    Point(p + 4 * k + 3) = {x + slot / 2, -width / 2, depth};
    Point(p + 4 * k + 4) = {x + mouth / 2, -width / 2, 0};
EndFor
e = p + 4 * nnotch + 1;
Point(e) = {length, -width / 2, 0};
Point(e + 1) = {length, -width / 2, tip};
Point(e + 2) = {0, -width / 2, base};
For k In {p : e + 1}
    Line(k) = {k, k + 1};
EndFor
Line(e + 2) = {e + 2, p};
Curve Loop(1) = {p : e + 2};
Plane Surface(1) = {1};
Extrude {0, width, 0} { Surface{1}; }
Physical Volume("silicone") = {1};

MeshSize{ PointsOf{ Volume{1}; } } = size;
Mesh.Algorithm = 5;              // Delaunay on the surfaces
Mesh.Algorithm3D = 1;            // and inside
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
Mesh.SaveAll = 0;
