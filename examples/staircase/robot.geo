// A soft beam with eight recesses that wind around it like a spiral staircase; a piston acts across each.
//
// A square column less eight boxes. Lengths in mm, z up, base at z = 0.
//
//     gmsh -3 robot.geo                         the mesh beside this file
//     gmsh -3 robot.geo -setnumber size 5       a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {9.5, Name "Parameters/Element size"} ];

side = 40;        // of the square section
height = 210;
nrecess = 8;
first = 17.5;     // middle of the lowest recess
pitch = 25;       // from one to the next, a quarter turn further
open = 10;        // height of a recess
depth = 18;       // of a recess

Box(1) = {-side / 2, -side / 2, 0, side, side, height};
For k In {0 : nrecess - 1}
    Box(2 + k) = {side / 2 - depth, -side, first + k * pitch - open / 2, 2 * depth, 2 * side, open};
    Rotate {{0, 0, 1}, {0, 0, 0}, k * Pi / 2} { Volume{2 + k}; }
EndFor
robot[] = BooleanDifference { Volume{1}; Delete; } { Volume{2 : nrecess + 1}; Delete; };

eps = 1e-3;
base[] = Surface In BoundingBox {-side, -side, -eps, side, side, eps};
top[] = Surface In BoundingBox {-side, -side, height - eps, side, side, height + eps};
skin[] = Boundary { Volume{robot[]}; };
skin[] -= {base[], top[]};
Physical Volume("silicone") = {robot[]};
Physical Surface("base") = {base[]};
Physical Surface("top") = {top[]};
Physical Surface("skin") = {skin[]};

Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.Algorithm = 5;              // Delaunay on the surfaces
Mesh.Algorithm3D = 1;            // and inside
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
Mesh.SaveAll = 0;
