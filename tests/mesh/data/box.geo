// A box with a box-shaped void inside; generate.py meshes it.
SetFactory("OpenCASCADE");
Mesh.MeshSizeMin = 2;
Mesh.MeshSizeMax = 2;
Box(1) = {0, 0, 0, 2, 2, 2};
Box(2) = {0.5, 0.5, 0.5, 1, 1, 1};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
inner() = Surface In BoundingBox{0.4, 0.4, 0.4, 1.6, 1.6, 1.6};
all() = Boundary{ Volume{3}; };
floor() = Surface In BoundingBox{-0.1, -0.1, -0.1, 2.1, 2.1, 0.1};
Physical Volume("body", 1) = {3};
Physical Surface("skin", 2) = {all()};
Physical Surface("inner void", 3) = {inner()};
Physical Surface("floor", 4) = {floor()};
edges() = Curve In BoundingBox{-0.1, -0.1, -0.1, 2.1, 0.1, 0.1};
corners() = Point In BoundingBox{-0.1, -0.1, -0.1, 0.1, 0.1, 0.1};
Physical Curve("front edge", 5) = {edges()};
Physical Point(12) = {corners()};
