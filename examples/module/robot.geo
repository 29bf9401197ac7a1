// A fibre-reinforced pneumatic module [chaillou2023, fig. 2]: six chambers round a lumen with three slots, two neighbouring
// chambers a pair. The section is meshed in the plane and drawn up along z in layers, so that elements are small across
// the walls and long along the module. Lengths in mm, z up, base at z = 0.
//
//     gmsh -3 robot.geo                          one module
//     gmsh -3 robot.geo -setnumber modules 2     two in a row
SetFactory("OpenCASCADE");

DefineConstant[
    modules = {1, Name "Parameters/Modules"}
    layer = {4.25, Name "Parameters/Height of a layer"}
    size = {1, Name "Parameters/Size of elements across the walls, over the chosen one"}
];

outside = 11.5 / 2;
lumen = 4.5 / 2;
slot = 1.5 / 2;        // on the rim of the lumen, between two pairs
chamber = 1.5 / 2;
thread = 2.5 / 2;      // where threads run round a chamber
circle = 8.0 / 2;      // on which the chambers' axes stand
height = 55;           // of a module
cap = 2;               // that closes chambers at both ends: our choice

Disk(1) = {0, 0, 0, outside};
Disk(2) = {0, 0, 0, lumen};
For k In {0 : 2}
    Disk(3 + k) = {lumen * Cos(k * 2 * Pi / 3), lumen * Sin(k * 2 * Pi / 3), 0, slot};
EndFor
BooleanDifference(100) = { Surface{1}; Delete; }{ Surface{2 : 5}; Delete; };
For k In {0 : 5}
    angle = (k + 0.5) * Pi / 3;
    Disk(10 + k) = {circle * Cos(angle), circle * Sin(angle), 0, thread};
    Disk(20 + k) = {circle * Cos(angle), circle * Sin(angle), 0, chamber};
EndFor
BooleanFragments{ Surface{100}; Delete; }{ Surface{10 : 15, 20 : 25}; Delete; }

// Elements are as small as the wall outside a chamber asks for, and grow inwards.
For k In {0 : 5}
    angle = (k + 0.5) * Pi / 3;
    Point(10000 + k) = {(outside - 0.5) * Cos(angle), (outside - 0.5) * Sin(angle), 0};
EndFor
Field[1] = Distance;
Field[1].PointsList = {10000 : 10005};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = 0.42 * size;
Field[2].SizeMax = 1.3 * size;
Field[2].DistMin = 0.55;
Field[2].DistMax = 2.2;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 9;

section[] = Surface{:};
volumes[] = {};
For m In {0 : modules - 1}
    For piece In {0 : 2}
        tall = (piece == 1) ? height - 2 * cap : cap;
        n = (piece == 1) ? Round(tall / layer) : 1;
        from[] = section[];
        section[] = {};
        For s In {0 : #from[] - 1}
            made[] = Extrude {0, 0, tall} { Surface{from[s]}; Layers{n}; };
            section[] += {made[0]};
            box[] = BoundingBox Volume{made[1]};
            hollow = (piece == 1) && (box[3] - box[0] < 1.9 * chamber + 0.2);
            If (!hollow)
                volumes[] += {made[1]};
            EndIf
        EndFor
    EndFor
EndFor
Coherence;

eps = 1e-2;
far = 2 * outside;
Physical Volume("silicone") = {volumes[]};
Physical Surface("base") = {Surface In BoundingBox {-far, -far, -eps, far, far, eps}};
top = modules * height;
Physical Surface("tip") = {Surface In BoundingBox {-far, -far, top - eps, far, far, top + eps}};
For m In {0 : modules - 1}
    For p In {0 : 2}
        pair[] = {};
        For k In {2 * p : 2 * p + 1}
            angle = (k + 0.5) * Pi / 3;
            x = circle * Cos(angle);
            y = circle * Sin(angle);
            pair[] += Surface In BoundingBox {x - chamber - eps, y - chamber - eps, m * height + cap - eps,
                                              x + chamber + eps, y + chamber + eps, (m + 1) * height - cap + eps};
        EndFor
        Physical Surface(Sprintf("pair%g", 3 * m + p + 1)) = {pair[]};
    EndFor
EndFor

Mesh.Algorithm = 6;
Mesh.SaveAll = 0;
Mesh.Optimize = 0;
