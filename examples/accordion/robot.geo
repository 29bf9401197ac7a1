// A soft accordion: a bellows with one closed air chamber, between two plates.
//
// The section of the wall is a zigzag of constant thickness, the plates close it below and above; the whole section
// turns about the z axis. Lengths in mm, z up, base at z = 0.
//
//     gmsh -3 robot.geo                         the mesh beside this file
//     gmsh -3 robot.geo -setnumber size 2.5     a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {4.35, Name "Parameters/Element size"} ];

height = 50;
plate = 5;        // thickness of the end plates
nfold = 4;        // folds between them
root = 12;        // radius of the wall's middle where a fold is narrowest
crest = 20;       // and where it is widest
wall = 2.5;       // thickness, across the wall

// Both faces of the wall have their corners at the same heights, `skew` outside and inside its middle.
half = (height - 2 * plate) / (2 * nfold);
skew = wall / 2 / Sin(Atan2(half, crest - root));

// The section, from the axis outwards and back: outer corners 1 to 2 nfold + 1, then the inner ones.
n = 2 * nfold + 1;
For k In {0 : n - 1}
    middle = (k % 2 == 0) ? crest : root;
    Point(1 + k) = {middle + skew, 0, plate + k * half};
    Point(101 + k) = {middle - skew, 0, plate + k * half};
EndFor
For k In {1 : n - 1}
    Line(k) = {k, k + 1};
    Line(100 + k) = {100 + k, 101 + k};
EndFor
Point(201) = {0, 0, 0};
Point(202) = {crest + skew, 0, 0};
Point(203) = {crest + skew, 0, height};
Point(204) = {0, 0, height};
Point(205) = {0, 0, height - plate};
Point(206) = {0, 0, plate};
Line(201) = {201, 202};
Line(202) = {202, 1};
Line(203) = {n, 203};
Line(204) = {203, 204};
Line(205) = {204, 205};
Line(206) = {205, 100 + n};
Line(207) = {101, 206};
Line(208) = {206, 201};
Curve Loop(1) = {201, 202, 1 : n - 1, 203, 204, 205, 206, -(100 + n - 1) : -101, 207, 208};
Plane Surface(1) = {1};
Extrude {{0, 0, 1}, {0, 0, 0}, 2 * Pi} { Surface{1}; }

eps = 1e-3;
far = 2 * crest;
base[] = Surface In BoundingBox {-far, -far, -eps, far, far, eps};
top[] = Surface In BoundingBox {-far, -far, height - eps, far, far, height + eps};
chamber[] = Surface In BoundingBox {-crest, -crest, 0, crest, crest, height};
skin[] = Boundary { Volume{:}; };
skin[] -= {base[], top[], chamber[]};
Physical Volume("silicone") = {Volume{:}};
Physical Surface("base") = {base[]};
Physical Surface("top") = {top[]};
Physical Surface("chamber") = {chamber[]};
Physical Surface("skin") = {skin[]};

Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.Algorithm = 6;              // frontal Delaunay on the surfaces
Mesh.Algorithm3D = 1;            // Delaunay inside
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
Mesh.SaveAll = 0;
