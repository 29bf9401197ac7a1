// A soft arm of two sections, each of three parallel bellows with a closed air chamber, between three plates.
//
// A bellows is a zigzag profile that turns about its own axis. The crests of the three bellows of a section grow into each
// other, so that they bend as one. Lengths in mm, the arm along +x, base at x = 0.
//
//     gmsh -3 robot.geo                         the mesh beside this file
//     gmsh -3 robot.geo -setnumber size 7       a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {14, Name "Parameters/Element size"} ];

section = 103;      // length
plate = 6;          // thickness of the end plates; the middle one is twice as thick
nfold = 3;          // of a bellows
wall = 3.5;         // thickness, across the wall
wide[] = {50, 40};         // radius of the plates: the arm is 100 and 80 mm wide
out[] = {24.8, 19.8};       // a bellows' axis, from the arm's
crest[] = {23.7, 18.7};     // outer radius of a bellows where it is widest
root[] = {14.7, 10.7};      // and where it is narrowest

// A solid that turns about the axis x through (out, 0): `far` and `near` are its radii at crests and roots.
Macro Bellows
    p = newp;
    For k In {0 : 2 * nfold}
        Point(p + k) = {start + k * half, out[s] + ((k % 2 == 0) ? far : near), 0};
    EndFor
    last = p + 2 * nfold;
    Point(last + 1) = {start + 2 * nfold * half, out[s], 0};
    Point(last + 2) = {start, out[s], 0};
    l = newc;
    For k In {0 : 2 * nfold + 1}
        Line(l + k) = {p + k, p + k + 1};
    EndFor
    Line(l + 2 * nfold + 2) = {last + 2, p};
    f = newreg;
    Curve Loop(f) = {l : l + 2 * nfold + 2};
    Plane Surface(f) = {f};
    solid[] = Extrude {{1, 0, 0}, {0, out[s], 0}, 2 * Pi} { Surface{f}; };
    Recursive Delete { Surface{f}; }
Return

shell[] = {};
air[] = {};
half = (section - 2 * plate) / (2 * nfold);
For s In {0 : 1}
    start = plate + s * section;
    skew = wall / Sin(Atan2(half, crest[s] - root[s]));     // across the wall, along a radius
    For turn In {0 : 2}
        far = crest[s];
        near = root[s];
        Call Bellows;
        Rotate {{1, 0, 0}, {0, 0, 0}, turn * 2 * Pi / 3} { Volume{solid[1]}; }
        shell[] += solid[1];
        far = crest[s] - skew;
        near = root[s] - skew;
        Call Bellows;
        Rotate {{1, 0, 0}, {0, 0, 0}, turn * 2 * Pi / 3} { Volume{solid[1]}; }
        air[] += solid[1];
    EndFor
EndFor
v = newv;
Cylinder(v) = {0, 0, 0, plate, 0, 0, wide[0]};
Cylinder(v + 1) = {section - plate, 0, 0, 2 * plate, 0, 0, wide[0]};
Cylinder(v + 2) = {2 * section - plate, 0, 0, plate, 0, 0, wide[1]};
whole[] = BooleanUnion { Volume{v}; Delete; } { Volume{v + 1, v + 2, shell[]}; Delete; };
robot[] = BooleanDifference { Volume{whole[]}; Delete; } { Volume{air[]}; Delete; };

eps = 1e-3;
base[] = Surface In BoundingBox {-eps, -60, -60, eps, 60, 60};
tip[] = Surface In BoundingBox {2 * section - eps, -60, -60, 2 * section + eps, 60, 60};
skin[] = Boundary { Volume{robot[]}; };
skin[] -= {base[], tip[]};
Physical Volume("rubber") = {robot[]};
Physical Surface("base") = {base[]};
Physical Surface("tip") = {tip[]};
Physical Surface("skin") = {skin[]};

Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.Algorithm = 5;              // Delaunay on the surfaces
Mesh.Algorithm3D = 1;            // and inside
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
Mesh.SaveAll = 0;
