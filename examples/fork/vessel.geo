// A vessel that forks: a trunk along z and two branches, as the surface of the space inside. Lengths in mm.
//
//     gmsh -2 vessel.geo -o vessel.stl                  the surface beside this file
//     gmsh -2 vessel.geo -setnumber size 1.5 -o …       a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {3, Name "Parameters/Element size"} ];

radius = 5;
trunk = 130;      // from below the catheter's base to the fork
branch = 90;
angle = 30 * Pi / 180;

Cylinder(1) = {0, 0, -20, 0, 0, trunk, radius};
Sphere(2) = {0, 0, trunk - 20, radius};
Cylinder(3) = {0, 0, trunk - 20, branch * Sin(angle), 0, branch * Cos(angle), radius};
Cylinder(4) = {0, 0, trunk - 20, -branch * Sin(angle), 0, branch * Cos(angle), radius};
BooleanUnion(5) = { Volume{1}; Delete; }{ Volume{2 : 4}; Delete; };

Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.MeshSizeFromCurvature = 18;
Mesh.Binary = 1;
