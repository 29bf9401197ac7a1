// A beam of square section along x, held at x = 0. Lengths in mm.
//
//     gmsh -3 robot.geo                         the mesh beside this file: hexahedra
//     gmsh -3 robot.geo -setnumber size 5       a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {10, Name "Parameters/Element size"} ];

length = 200;
width = 20;
Point(1) = {0, -width / 2, -width / 2};
across[] = Extrude {0, width, 0} { Point{1}; Layers{width / size}; };
section[] = Extrude {0, 0, width} { Line{across[1]}; Layers{width / size}; Recombine; };
beam[] = Extrude {length, 0, 0} { Surface{section[1]}; Layers{length / size}; Recombine; };
Physical Volume("silicone") = {beam[1]};
