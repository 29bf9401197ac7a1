// A tripod of silicone: three legs join a platform on top to three arms below, each turned by a servo.
//
// A leg is a strip that runs outward from the platform and down at its knee to the end of its arm, which lies below,
// pointing inward to the servo's axis. Arms and platform are rigid parts in the scene. Lengths in mm, z up, the servos'
// axes at z = 5, the leg along +x first, the others at 120 and 240 degrees.
//
//     gmsh -3 robot.geo                        the mesh beside this file
//     gmsh -3 robot.geo -setnumber size 4      a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {9, Name "Parameters/Element size"} ];

reach = 70;      // outer face of the legs, from the axis
thick = 7;       // of the strips
width = 16;      // of strips and arms, across
arm = 26;        // of an arm's servo from the axis
depth = 10;      // height of an arm
top = 75;        // upper face of the platform
plate = 18;      // radius of the platform

Cylinder(1) = {0, 0, top - thick, 0, 0, thick, plate};
parts[] = {1};
For k In {0 : 2}
    turn = k * 2 * Pi / 3;
    n = 10 + 10 * k;
    Box(n) = {0, -width / 2, top - thick, reach, width, thick};               // outward
    Box(n + 1) = {reach - thick, -width / 2, 0, thick, width, top};           // down
    Box(n + 2) = {arm, -width / 2, 0, reach - arm, width, depth};             // the arm
    Rotate{ {0, 0, 1}, {0, 0, 0}, turn } { Volume{n, n + 1, n + 2}; }
    parts[] += {n, n + 1, n + 2};
EndFor
rest[] = parts[];
robot[] = BooleanUnion{ Volume{1}; Delete; }{ Volume{rest[{1 : #rest[] - 1}]}; Delete; };
// the arms' and the platform's edges stay edges of elements
For k In {0 : 2}
    turn = k * 2 * Pi / 3;
    Box(100 + k) = {arm, -width / 2, 0, reach - arm, width, depth};
    Rotate{ {0, 0, 1}, {0, 0, 0}, turn } { Volume{100 + k}; }
EndFor
Cylinder(103) = {0, 0, top - thick, 0, 0, thick, plate};
pieces[] = BooleanFragments{ Volume{robot[]}; Delete; }{ Volume{100 : 103}; Delete; };

slack = 0.01;
platform[] = Volume In BoundingBox {-plate - slack, -plate - slack, top - thick - slack, plate + slack, plate + slack, top + slack};
Physical Volume("platform") = platform[];
soft[] = pieces[];
soft[] -= platform[];
For k In {0 : 2}
    // no other piece lies in the box around an arm
    angle = k * 2 * Pi / 3;
    x = (arm + reach) / 2 * Cos(angle);
    y = (arm + reach) / 2 * Sin(angle);
    far = (reach - arm) / 2 + width / 2;
    piece[] = Volume In BoundingBox {x - far, y - far, -slack, x + far, y + far, depth + slack};
    Physical Volume(Sprintf("arm-%g", k + 1)) = piece[];
    soft[] -= piece[];
EndFor
Physical Volume("legs") = soft[];
Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.Algorithm3D = 10;
