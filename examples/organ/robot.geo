// A wall over an organ: a slab that is held at two ends, and a dome below it. Lengths in mm.
//
//     gmsh -3 robot.geo -setnumber part 1 -o wall.msh        the slab
//     gmsh -3 robot.geo -setnumber part 2 -o organ.msh       the dome
SetFactory("OpenCASCADE");

DefineConstant[ part = {1, Name "Parameters/Part"} ];

If (part == 1)
    x = 120;
    y = 70;
    Point(1) = {-x / 2, -y / 2, 41};
    line[] = Extrude {x, 0, 0} { Point{1}; Layers{14}; };
    sheet[] = Extrude {0, y, 0} { Line{line[1]}; Layers{8}; Recombine; };
    block[] = Extrude {0, 0, 15} { Surface{sheet[1]}; Layers{2}; Recombine; };
    Physical Volume("tissue") = {block[1]};
Else
    Sphere(1) = {0, 0, 0, 40, 0, Pi / 2, 2 * Pi};
    Physical Volume("tissue") = {1};
    Mesh.MeshSizeMin = 8;
    Mesh.MeshSizeMax = 8;
EndIf
