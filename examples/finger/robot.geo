// A soft finger: a bar of square section with notches on its lower side, which a cable through the blocks closes.
//
// The side view is drawn in the plane y = -width / 2 and extruded across. Lengths in mm; the finger lies along +x with
// its base at x = 0 and bends towards -z.
//
//     gmsh -3 robot.geo                         the mesh beside this file
//     gmsh -3 robot.geo -setnumber size 2.5     a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {5, Name "Parameters/Element size"} ];

length = 100;
height = 15;
width = 15;
nnotch = 4;
first = 22;       // middle of the first notch
pitch = 20;       // from notch to notch
depth = 8;        // of a notch; what is left above it is the hinge
mouth = 8;        // its width at the bottom
slot = 4;         // and at the hinge
round = 10;       // radius of the finger tip's upper edge

// The outline: along the bottom with its notches, up over the tip, back along the top.
p = newp;
Point(p) = {0, -width / 2, 0};
For k In {0 : nnotch - 1}
    x = first + k * pitch;
    Point(p + 4 * k + 1) = {x - mouth / 2, -width / 2, 0};
    Point(p + 4 * k + 2) = {x - slot / 2, -width / 2, depth};
    Point(p + 4 * k + 3) = {x + slot / 2, -width / 2, depth};
    Point(p + 4 * k + 4) = {x + mouth / 2, -width / 2, 0};
EndFor
e = p + 4 * nnotch + 1;
Point(e) = {length, -width / 2, 0};
Point(e + 1) = {length, -width / 2, height - round};
Point(e + 2) = {length - round, -width / 2, height};
Point(e + 3) = {0, -width / 2, height};
Point(e + 4) = {length - round, -width / 2, height - round};
For k In {p : e}
    Line(k) = {k, k + 1};
EndFor
Circle(e + 1) = {e + 1, e + 4, e + 2};
Line(e + 2) = {e + 2, e + 3};
Line(e + 3) = {e + 3, p};
Curve Loop(1) = {p : e + 3};
Plane Surface(1) = {1};
Extrude {0, width, 0} { Surface{1}; }

eps = 1e-3;
base[] = Surface In BoundingBox {-eps, -width, -eps, eps, width, height + eps};
skin[] = Boundary { Volume{1}; };
skin[] -= {base[]};
Physical Volume("silicone") = {1};
Physical Surface("base") = {base[]};
Physical Surface("skin") = {skin[]};

// Finer at the hinges, which bend most.
MeshSize{ PointsOf{ Volume{1}; } } = size;
For k In {0 : nnotch - 1}
    x = first + k * pitch;
    hinge[] = Point In BoundingBox {x - mouth, -width, depth - eps, x + mouth, width, depth + eps};
    MeshSize{ hinge[] } = size / 2;
EndFor
Mesh.Algorithm = 5;              // Delaunay on the surfaces
Mesh.Algorithm3D = 1;            // and inside
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
Mesh.SaveAll = 0;
