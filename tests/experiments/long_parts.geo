// The soft parts of the long runs, in mm: a block, which is a cylinder about the origin; a ball; a gripper whose three fingers hang
// from a disc.
//
//     for part in block ball gripper; do gmsh -3 -setstring part $part long_parts.geo -o long_$part.msh; done
SetFactory("OpenCASCADE");

DefineConstant[ part = {"block", Choices{"block", "ball", "gripper"}, Name "Parameters/Part"} ];

Mesh.MeshSizeMax = 7;
If (StrCmp(part, "block") == 0)
    Cylinder(1) = {0, 0, -10, 0, 0, 20, 10};
ElseIf (StrCmp(part, "ball") == 0)
    Sphere(1) = {0, 0, 0, 10};
Else
    Cylinder(1) = {0, 0, 0, 0, 0, 6, 26};
    For k In {0:2}
        Box(2 + k) = {13, -5, -58, 10, 10, 60};
        Rotate {{0, 0, 1}, {0, 0, 0}, 2 * Pi * k / 3} { Volume{2 + k}; }
    EndFor
    BooleanUnion{ Volume{1}; Delete; }{ Volume{2:4}; Delete; }
EndIf
Mesh.MeshSizeMin = Mesh.MeshSizeMax;
