// A lump with two ears and four closed cavities: two in its body, one in the front of each ear.
//
// About 17 high, 14 wide and 10 deep, in whatever unit the scene gives it; z up, it stands on z = 0.
//
//     gmsh -3 lump.geo
SetFactory("OpenCASCADE");

DefineConstant[ size = {1.1, Name "Parameters/Element size"} ];

// An ellipsoid about (x, y, z) with half axes (a, b, c), turned about y.
Macro Egg
    egg = newv;
    Sphere(egg) = {0, 0, 0, 1};
    Dilate {{0, 0, 0}, {a, b, c}} { Volume{egg}; }
    Rotate {{0, 1, 0}, {0, 0, 0}, turn} { Volume{egg}; }
    Translate {x, y, z} { Volume{egg}; }
Return

y = 0;
turn = 0;
x = 0; z = 4; a = 7; b = 5; c = 5.5;
Call Egg;
trunk = egg;
x = -4; z = 12; a = 2.7; b = 2.6; c = 5.5; turn = -0.2;
Call Egg;
left = egg;
x = 4; turn = 0.2;
Call Egg;
right = egg;
x = -3.2; z = 4.2; a = 2.2; b = 3; c = 2.8; turn = 0;
Call Egg;
air[] = {egg};
x = 3.2;
Call Egg;
air[] += egg;
x = -4; y = -0.5; z = 12.4; a = 1.6; b = 1.3; c = 1.1; turn = -0.2;
Call Egg;
air[] += egg;
x = 4; turn = 0.2;
Call Egg;
air[] += egg;
below = newv;
Box(below) = {-20, -20, -20, 40, 40, 20};

// The ears end where they meet the body, so that each part is a volume of its own.
ears[] = BooleanDifference { Volume{left, right}; Delete; } { Volume{trunk}; };
torso[] = BooleanDifference { Volume{trunk}; Delete; } { Volume{below}; Delete; };
hollow[] = BooleanDifference { Volume{torso[], ears[]}; Delete; } { Volume{air[]}; Delete; };
parts[] = BooleanFragments { Volume{hollow[0]}; Delete; } { Volume{hollow[1], hollow[2]}; Delete; };

eps = 1e-3;
base[] = Surface In BoundingBox {-20, -20, -eps, 20, 20, eps};
Physical Volume("body") = {parts[0]};
Physical Volume("left-ear") = {parts[1]};
Physical Volume("right-ear") = {parts[2]};
Physical Surface("base") = {base[]};

Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.Algorithm = 6;              // frontal Delaunay on the surfaces
Mesh.Algorithm3D = 1;            // Delaunay inside
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
Mesh.SaveAll = 0;
