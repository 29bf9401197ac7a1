// A soft tower: four hollow sections on top of each other, with a slit between one and the next that closes where they swell.
//
// Each section is a block with a closed chamber. It hangs together with the next one along one side, a quarter turn on from
// one slit to the next. The faces of slit k are the surfaces lower-k and upper-k. Lengths in mm, z up, base at z = 0.
//
//     gmsh -3 robot.geo                         the mesh beside this file
//     gmsh -3 robot.geo -setnumber size 3       a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {6.5, Name "Parameters/Element size"} ];

side = 40;        // of a section
tall = 20;        // its height
slit = 1;         // between sections
wall = 5;         // of a chamber, above and below
around = 8;       // … and at its sides
join = 12;        // width of what joins two sections; much less and they would lie on their rims by their weight

For k In {0 : 3}
    z = k * (tall + slit);
    Box(100 + k) = {-side / 2, -side / 2, z, side, side, tall};
    Box(200 + k) = {-side / 2 + around, -side / 2 + around, z + wall, side - 2 * around, side - 2 * around, tall - 2 * wall};
EndFor
For k In {0 : 2}
    z = k * (tall + slit) + tall;
    x = (k == 0) ? side / 2 - join : -side / 2;
    y = (k == 1) ? side / 2 - join : -side / 2;
    Box(300 + k) = {x, y, z, (k == 1) ? side : join, (k == 1) ? join : side, slit};
EndFor
BooleanUnion(400) = { Volume{100}; Delete; }{ Volume{101 : 103, 300 : 302}; Delete; };
BooleanDifference(500) = { Volume{400}; Delete; }{ Volume{200 : 203}; Delete; };

eps = 1e-3;
far = side;
high = 4 * tall + 3 * slit;
base[] = Surface In BoundingBox {-far, -far, -eps, far, far, eps};
Physical Volume("silicone") = {500};
Physical Surface("base") = {base[]};
skin[] = Boundary { Volume{500}; };
skin[] -= {base[]};
Physical Surface("skin") = {skin[]};
For k In {0 : 2}
    z = k * (tall + slit) + tall;
    lower[] = Surface In BoundingBox {-far, -far, z - eps, far, far, z + eps};
    upper[] = Surface In BoundingBox {-far, -far, z + slit - eps, far, far, z + slit + eps};
    Physical Surface(Sprintf("lower-%g", k + 1)) = {lower[]};
    Physical Surface(Sprintf("upper-%g", k + 1)) = {upper[]};
EndFor

Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.Algorithm3D = 1;
