// Two cubes side by side, meshed in one of several kinds of cells; generate.py meshes it.
// kind: 0 tetrahedra, 1 wedges, 2 hexahedra
DefineConstant[ kind = 0 ];
Point(1) = {0, 0, 0};
Point(2) = {2, 0, 0};
Point(3) = {2, 1, 0};
Point(4) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 3;
Transfinite Curve {2, 4} = 2;
Transfinite Surface {1};
If (kind == 0)
    out() = Extrude {0, 0, 1} { Surface{1}; Layers{1}; };
ElseIf (kind == 1)
    out() = Extrude {0, 0, 1} { Surface{1}; Layers{1}; Recombine; };
Else
    Recombine Surface {1};
    out() = Extrude {0, 0, 1} { Surface{1}; Layers{1}; Recombine; };
EndIf
Mesh.SecondOrderIncomplete = 1;
Physical Volume("body", 1) = {out(1)};
Physical Surface("floor", 2) = {1};
