// A soft beam along x, held at both ends, for ball.yaml. Lengths in mm.
//
//     gmsh -3 ball.geo       the mesh beside this file: hexahedra
SetFactory("OpenCASCADE");

DefineConstant[ size = {5, Name "Parameters/Element size"} ];

length = 100;
width = 30;
tall = 20;
Point(1) = {-length / 2, -width / 2, 0};
across[] = Extrude {0, width, 0} { Point{1}; Layers{width / size}; };
section[] = Extrude {0, 0, tall} { Line{across[1]}; Layers{tall / size}; Recombine; };
beam[] = Extrude {length, 0, 0} { Surface{section[1]}; Layers{length / size}; Recombine; };
Physical Volume("silicone") = {beam[1]};
