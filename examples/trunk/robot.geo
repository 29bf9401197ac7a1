// A soft trunk: a tapered round bar, cut by grooves into discs, that hangs down from its base.
//
// The section is drawn in the xz plane and turned about the z axis. Lengths in mm; base at z = 0, tip at z = -length.
//
//     gmsh -3 robot.geo                         the mesh beside this file
//     gmsh -3 robot.geo -setnumber size 4       a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {6, Name "Parameters/Element size at the base"} ];

length = 195;
thick = 14;       // radius at the base
thin = 8;         // radius at the tip
ndisc = 10;
groove = 6;       // width of a groove at its mouth; its walls are conical
slot = 3;         // and at its bottom
core = 0.6;       // radius left in a groove, of the radius there

// A groove is centred on every multiple of the pitch. Corners of the outline from the base to the tip.
pitch = length / ndisc;
taper = (thick - thin) / length;
Point(1) = {0, 0, 0};
Point(2) = {thick, 0, 0};
n = 2;
For k In {1 : ndisc - 1}
    d = k * pitch;
    Point(n + 1) = {thick - taper * (d - groove / 2), 0, -d + groove / 2};
    Point(n + 2) = {core * (thick - taper * (d - slot / 2)), 0, -d + slot / 2};
    Point(n + 3) = {core * (thick - taper * (d + slot / 2)), 0, -d - slot / 2};
    Point(n + 4) = {thick - taper * (d + groove / 2), 0, -d - groove / 2};
    n += 4;
EndFor
Point(n + 1) = {thin, 0, -length};
Point(n + 2) = {0, 0, -length};
For k In {1 : n + 1}
    Line(k) = {k, k + 1};
EndFor
Line(n + 2) = {n + 2, 1};
Curve Loop(1) = {1 : n + 2};
Plane Surface(1) = {1};
Extrude {{0, 0, 1}, {0, 0, 0}, 2 * Pi} { Surface{1}; }

eps = 1e-3;
base[] = Surface In BoundingBox {-2 * thick, -2 * thick, -eps, 2 * thick, 2 * thick, eps};
tip[] = Surface In BoundingBox {-thick, -thick, -length - eps, thick, thick, -length + eps};
skin[] = Boundary { Volume{1}; };
skin[] -= {base[], tip[]};
Physical Volume("silicone") = {1};
Physical Surface("base") = {base[]};
Physical Surface("tip") = {tip[]};
Physical Surface("skin") = {skin[]};

// Elements shrink with the radius.
Field[1] = MathEval;
Field[1].F = Sprintf("%g * (1 + %g * z)", size, taper / thick);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm = 6;              // frontal Delaunay on the surfaces
Mesh.Algorithm3D = 1;            // Delaunay inside
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
Mesh.SaveAll = 0;
