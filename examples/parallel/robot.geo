// A soft parallel robot: four silicone legs, bent at the knee, join a foot on the floor to a platform on top.
//
// Two crossed rings. Each is a band between two rhombi with round knees, drawn in the plane of the ring and extruded
// across; where the rings cross they form the foot and the platform. Lengths in mm, z up, foot at z = 0.
//
//     gmsh -3 robot.geo                         the mesh beside this file
//     gmsh -3 robot.geo -setnumber size 6.5     a finer one
SetFactory("OpenCASCADE");

DefineConstant[ size = {12, Name "Parameters/Element size"} ];   // at foot and platform

reach = 90;       // outer face of the knees, from the axis
height = 130;     // top of the platform
floor = 30;       // top of the foot
ceiling = 102;    // underside of the platform
knee = 50;        // height of the knees
thick = 10;       // of a leg at its knee, in the plane of its ring
width = 30;       // of a leg, across its ring; foot and platform are squares of this side
bend = 8;         // radius of the knee's inner face; the outer one is concentric

// Every face of a leg is tangent to the knee's circle on its side: `lower` and `upper` are the slopes of the faces
// below and above the knee, outside [0] and inside [1].
xc = reach - bend - thick;
radius[] = {bend + thick, bend};
bottom[] = {0, floor};
peak[] = {height, ceiling};
For k In {0 : 1}
    run = xc - width / 2;
    rise = knee - bottom[k];
    lower[k] = Atan2(rise, run) - Asin(radius[k] / Hypot(rise, run));
    rise = peak[k] - knee;
    upper[k] = Atan2(rise, run) - Asin(radius[k] / Hypot(rise, run));
EndFor

// One half of the outlines, side = 1 or -1: for each face four points and three curves, from the bottom up.
Macro Half
    Point(n) = {side * xc, -width / 2, knee};
    For k In {0 : 1}
        m = n + 4 * k;
        Point(m + 1) = {side * width / 2, -width / 2, bottom[k]};
        Point(m + 2) = {side * (xc + radius[k] * Sin(lower[k])), -width / 2, knee - radius[k] * Cos(lower[k])};
        Point(m + 3) = {side * (xc + radius[k] * Sin(upper[k])), -width / 2, knee + radius[k] * Cos(upper[k])};
        Point(m + 4) = {side * width / 2, -width / 2, peak[k]};
        Line(m + 1) = {m + 1, m + 2};
        Circle(m + 2) = {m + 2, n, m + 3};
        Line(m + 3) = {m + 3, m + 4};
    EndFor
Return

n = 10;
side = 1;
Call Half;
n = 20;
side = -1;
Call Half;
For k In {0 : 1}
    m = 4 * k;
    Line(31 + m) = {11 + m, 21 + m};
    Line(32 + m) = {14 + m, 24 + m};
    Curve Loop(1 + k) = {11 + m, 12 + m, 13 + m, 32 + m, -(23 + m), -(22 + m), -(21 + m), -(31 + m)};
EndFor
Plane Surface(1) = {1, 2};
ring[] = Extrude {0, width, 0} { Surface{1}; };
cross[] = Rotate {{0, 0, 1}, {0, 0, 0}, Pi / 2} { Duplicata { Volume{ring[1]}; } };
robot[] = BooleanUnion { Volume{ring[1]}; Delete; } { Volume{cross[0]}; Delete; };

eps = 1e-3;
base[] = Surface In BoundingBox {-width, -width, -eps, width, width, eps};
top[] = Surface In BoundingBox {-width, -width, height - eps, width, width, height + eps};
skin[] = Boundary { Volume{robot[]}; };
skin[] -= {base[], top[]};
Physical Volume("silicone") = {robot[]};
Physical Surface("base") = {base[]};
Physical Surface("top") = {top[]};
Physical Surface("skin") = {skin[]};

// Finer at the knees, which bend most, with a node where each cable is tied: in the middle of the knee.
MeshSize{ PointsOf{ Volume{robot[]}; } } = size;
For k In {0 : 3}
    c = Cos(k * Pi / 2);
    s = Sin(k * Pi / 2);
    hinge[] = Point In BoundingBox {
        xc * c - 25, xc * s - 25, knee - 25, xc * c + 25, xc * s + 25, knee + 25
    };
    MeshSize{ hinge[] } = 0.6 * size;
    anchor = newp;
    Point(anchor) = {(reach - thick / 2) * c, (reach - thick / 2) * s, knee, 0.6 * size};
    Point{anchor} In Volume{robot[0]};
EndFor

Mesh.Algorithm = 5;              // Delaunay on the surfaces
Mesh.Algorithm3D = 1;            // and inside
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
Mesh.SaveAll = 0;
