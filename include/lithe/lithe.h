// Lithe: real-time finite elements for soft robots.
//
// A robot is described by plain definition structs (or by a scene file that is read into the same
// structs). lithe_compile turns a definition into a model that never changes; any number of states,
// one per thread, move over it.
//
//     definition --lithe_compile--> model --lithe_state_create--> state --lithe_step--> positions,
//     efforts, residuals
//
// Everything is SI: m, N, Pa, kg, s, rad. Arrays are row-major; points are three consecutive
// doubles. The library never prints and never exits: every function that can fail returns a
// lithe_status and leaves the text, with the location, the cause and the remedy, in the
// lithe_report or the state that it was given.
//
// Numbers of things (a body, an actuator, a row, …) count from 0 and are looked at: where there is
// no such thing a function that returns a status returns LITHE_INVALID and writes nothing, one that
// returns a pointer returns NULL, one that returns a count 0, a number -1, a measurement NAN.
//
// What outlives what. A definition and its strings and arrays live until lithe_compile returns; a
// scene as long as its definition is used. A model lives longer than its states, estimators and
// controllers. Names and arrays that a model hands out live as long as the model, at one address.
// Arrays that a state hands out (lithe_position, lithe_rotation, lithe_row_values,
// lithe_residual_history) stay at one address for the life of the state, and are written by
// lithe_step, lithe_begin, lithe_settle, lithe_state_reset, lithe_state_load and
// lithe_set_position; positions of a reduced model are brought up to date when lithe_position or
// lithe_rotation is called. Texts of a state or a report stand until its next use.
//
// Threads. A model never changes: any number of threads may use it at a time. A state is for one
// thread at a time; while nobody changes it, any number may read it, since reading writes nothing.
// Different states never meet. lithe_set_allocator is for before all else. The library starts the
// threads that lithe_state_create is told of and ends them in lithe_state_free; signals stay with
// the caller's threads. Compiling draws from the C library's random numbers: to have the same bits
// from run to run, compile one model at a time.
#ifndef LITHE_LITHE_H
#define LITHE_LITHE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LITHE_VERSION "0.1.0"

#if defined(__GNUC__)
#define LITHE_API __attribute__((visibility("default")))
#else
#define LITHE_API
#endif

// ## status

typedef enum lithe_status {
    LITHE_OK = 0,
    LITHE_NOT_CONVERGED, // numerics; the state holds the last good configuration and its residuals
    LITHE_INVALID,       // the input is wrong: a file, a definition, an argument
    LITHE_NO_MEMORY,     // the machine has no more memory
    LITHE_IO,            // the machine could not read or write
} lithe_status;

#define LITHE_TEXT_MAX 1024

// Where functions that have no state leave their words. Fill it with lithe_report_default().
typedef struct lithe_report {
    char error[LITHE_TEXT_MAX]; // last failure; "" if none
    void (*on_notice)(void *user,
                      const char *text); // told what was mended or may surprise; NULL: not told
    void *user;                          // handed to on_notice
    int nnotice;                         // how many notices there were
} lithe_report;

LITHE_API lithe_report lithe_report_default(void);
LITHE_API const char *lithe_version(void);
LITHE_API const char *lithe_status_name(lithe_status status);

// Replaces malloc and free for everything the library allocates itself (not for the libraries it
// uses). Call it before anything else; allocate must return memory aligned for any type, or NULL.
LITHE_API void lithe_set_allocator(void *(*allocate)(size_t bytes), void (*release)(void *memory));

// ## mesh

typedef struct lithe_mesh lithe_mesh;

// Reads a mesh of volumes, of a surface, or of both (.msh, .vtk, .vtu), or a surface (.stl, .obj);
// coordinates stay in the file's own unit.
LITHE_API lithe_status lithe_mesh_read(const char *path, lithe_mesh **mesh, lithe_report *report);

// A mesh from arrays, which are copied: x is nnode x 3, tet is ntet x 4 node numbers from 0.
LITHE_API lithe_status lithe_mesh_create(int nnode, const double *x, int ntet, const int *tet,
                                         lithe_mesh **mesh, lithe_report *report);

// A surface from arrays, for a shell: tri is ntri x 3 node numbers from 0.
LITHE_API lithe_status lithe_mesh_create_surface(int nnode, const double *x, int ntri,
                                                 const int *tri, lithe_mesh **mesh,
                                                 lithe_report *report);
LITHE_API void lithe_mesh_free(lithe_mesh *mesh);

// ## definitions
//
// Each struct comes from its default function; the caller then changes fields. It knows its own
// size, and only its last fields may be new in a later version (lithe_selection, lithe_point_def,
// lithe_prony_def, lithe_reading_def and lithe_unknown_def never change). Strings and arrays
// stay the caller's and must live until lithe_compile returns. `location` says where a thing was
// defined ("robot.yaml:12:5") and stands at the head of messages about it; NULL when it was defined
// in code.

// Energies per rest volume; docs/theory/laws.md has them with what they do under inversion. mu and
// lambda: Lame's constants at small strain.
typedef enum lithe_law {
    LITHE_COROTATIONAL,        // mu |S - I|^2 + lambda/2 tr^2(S - I), F = R S
    LITHE_ST_VENANT_KIRCHHOFF, // mu E : E + lambda/2 tr^2 E
    LITHE_NEO_HOOKEAN,         // mu/2 (I1 - 3) - mu ln J + lambda/2 ln^2 J
    LITHE_MOONEY_RIVLIN,       // c1 (I1 - 3) + c2 (I2 - 3), with parts in ln J
    LITHE_YEOH,                // c1 K + c2 K^2 + c3 K^3, K = I1 - 3 - 2 ln J, with lambda/2 ln^2 J
    LITHE_OGDEN,               // sum mu_p/alpha_p (l1^alpha_p + l2^alpha_p + l3^alpha_p - 3), same
    LITHE_ORTHOTROPIC,         // 1/2 E : D : E
    LITHE_GENT,                // -mu J_m/2 ln(1 - K / J_m), K as in Yeoh, with lambda/2 ln^2 J
} lithe_law;

enum { LITHE_COEFFICIENTS = 3, LITHE_PRONY = 8 };

// A term of a Prony series: the share of the stiffness under a sudden load that fades with a time.
typedef struct lithe_prony_def {
    double weight; // -
    double time;   // s
} lithe_prony_def;

typedef struct lithe_material_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_law law;
    double young;   // Pa, at small strain; 0: as the coefficients say. With both, the coefficients
                    // are scaled
    double poisson; // -, at small strain
    double density; // kg/m^3
    int ncoefficient;
    double coefficient[LITHE_COEFFICIENTS]; // neo-Hookean, Gent: c1 = mu/2; Mooney-Rivlin: c1, c2;
                                            // Yeoh: c1, c2, c3; Ogden: mu1, mu2, mu3 (Pa)
    int nexponent;
    double exponent[LITHE_COEFFICIENTS]; // Ogden: alpha1, alpha2, alpha3
    double
        moduli[3]; // orthotropic: Young's moduli along the fibre, across, and normal to both (Pa)
    double
        ratios[3]; // nu12, nu13, nu23: shrinks along the second number when pulled along the first
    double shears[3]; // G12, G13, G23 (Pa)
    double fibre[3];  // the first axis, in the placed rest shape
    double across[3]; // the second, made normal to the first; 0: any, if the law lets it be any
    int nprony;       // viscoelastic: all numbers above are those after a long time
    lithe_prony_def prony[LITHE_PRONY];
    double locking; // Gent: J_m, I1 - 3 where it is stretched out (-)
} lithe_material_def;

// Which part of a body: nodes (of a fix), boundary triangles all of whose nodes are inside (of a
// surface), or elements whose centroid is inside (of a region).
typedef enum lithe_selection_kind {
    LITHE_ALL,
    LITHE_BOX, // a: one corner, b: the opposite one, in axes that `rotate` takes from those of the
               // world, about its origin; the faces count as inside
    LITHE_SPHERE,  // a: centre, radius
    LITHE_PLANE,   // a: point, b: normal; the side that the normal points to, with the plane itself
    LITHE_GROUP,   // group: a name in the mesh file, or one of the body's surfaces
    LITHE_NEAREST, // a: the one node nearest to it (not for surfaces and regions)
    LITHE_ORIENTED_BOX, // a: centre, b: lengths of the edges, rotate: how they lie
    LITHE_ALL_OF,       // what all of its parts select
    LITHE_ANY_OF,       // what any of them does
    LITHE_NONE_OF,      // what none of them does
} lithe_selection_kind;

typedef struct lithe_selection {
    lithe_selection_kind kind;
    double a[3];
    double b[3];
    double radius;
    const char *group;
    double rotate[3]; // about the fixed x, then y, then z axis, rad
    int npart;        // selections that it is made of, none of them LITHE_NEAREST
    const struct lithe_selection *part;
} lithe_selection;

enum { LITHE_SELECTION_DEPTH = 8 }; // parts within parts, at most

enum { LITHE_X = 1, LITHE_Y = 2, LITHE_Z = 4, LITHE_XYZ = 7 };

// Nodes held along some axes, at a given displacement from rest.
typedef struct lithe_fix_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    lithe_selection where;
    int axes;               // LITHE_X | LITHE_Y | LITHE_Z
    double displacement[3]; // m
    int rotations;          // axes about which nodes that rotate are held too; LITHE_AS_AXES: about
                            // all if all axes are held, else about none
    double rotation[3];     // rotation vector from rest at which they are held, rad
    // How the displacement goes on from time 0, as the command of an actuator does.
    int nwaypoint;               // 0: it does not
    const double *waypoint;      // (nwaypoint x 3) m
    const double *waypoint_time; // (nwaypoint) s, from 0 on, never falling
    double amplitude[3];         // of the sine, m
    double period;               // s; 0: no sine
    double phase;                // of the sine at time 0, rad
} lithe_fix_def;

enum { LITHE_AS_AXES = -1 };

typedef struct lithe_region_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    lithe_selection where;
    const char *material;
} lithe_region_def;

typedef struct lithe_surface_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_selection where;
} lithe_surface_def;

// A name for one of the closed inner cavities of a body, or for a closed surface group of its mesh.
typedef enum lithe_cavity_pick {
    LITHE_CAVITY_NUMBER, // number: 1 is the largest at rest
    LITHE_CAVITY_INSIDE, // inside: a point inside it, at rest
    LITHE_CAVITY_GROUP,  // group: a closed surface group of the mesh
} lithe_cavity_pick;

typedef struct lithe_cavity_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_cavity_pick pick;
    int number;
    double inside[3]; // m
    const char *group;
} lithe_cavity_def;

// What a rod is across.
typedef enum lithe_section_kind {
    LITHE_ROUND,     // size: radius
    LITHE_TUBE,      // size: outer radius, inner radius
    LITHE_RECTANGLE, // size: along the section's axis, across it
} lithe_section_kind;

// A rod: beams in a row, whose nodes rotate.
typedef struct lithe_rod_def {
    size_t bytes;     // of this struct; from its default function
    const char *name; // also a group of its nodes, for selections
    const char *location;
    const char *material; // NULL: the body's
    int npoint;           // two or more
    const double *point;  // (npoint x 3) where it runs at rest, in the world, m
    bool smooth;          // in a smooth curve through its points; else in straight legs
    int elements;         // beams in it
    lithe_section_kind section;
    double size[2]; // m
    double taper;   // size at its end over size at its start
    double axis[3]; // a direction near the section's first axis; 0: any
    bool glued;     // nodes of it inside the body's mesh are glued to it
} lithe_rod_def;

// A thin wall of triangles whose corners rotate.
typedef struct lithe_shell_def {
    size_t bytes;     // of this struct; from its default function
    const char *name; // also a group of its triangles, for selections and surfaces
    const char *location;
    const char *material;   // NULL: the body's
    const char *mesh_file;  // its triangles, in the unit and the transform of the body's mesh
    const lithe_mesh *mesh; // the same, used as it is
    const char *group;      // without a mesh of its own: triangles of the body's mesh; NULL: all
    double thickness;       // m
    bool glued;             // nodes of its own mesh inside the body's mesh are glued to it
} lithe_shell_def;

// A spring between two points of a body, or from one to a point of the world.
typedef struct lithe_spring_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    double from[3];   // on the body, at rest, m
    double to[3];     // on the body, at rest, or in the world, m
    bool tied;        // `to` is a point of the world
    double stiffness; // N/m
    double rest;      // length at which it has no force, m; NAN: its length at rest
    bool slack;       // it pulls and does not push
} lithe_spring_def;

// A thread through a body: it has no nodes of its own and moves with the elements that it passes.
typedef struct lithe_thread_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    const char *material; // NULL: the body's
    int npoint;           // two or more
    const double *point;  // (npoint x 3) where it runs at rest, in straight legs, m
    bool closed;          // from the last point back to the first
    double radius;        // of its round section, m
    bool slack;           // it pulls and does not push
} lithe_thread_def;

// A part of a body that does not deform: its nodes follow one frame, exactly.
typedef struct lithe_rigid_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_selection where; // nodes; an element whose nodes are all among them is rigid
} lithe_rigid_def;

// The elements that a body's mesh becomes.
typedef enum lithe_element {
    LITHE_AS_MESHED,     // those that the mesh has
    LITHE_TET4,          // linear tetrahedra; other volumes are cut into them
    LITHE_TET10,         // quadratic tetrahedra; linear ones get nodes in the middle of their edges
    LITHE_HEX8,          // hexahedra of eight nodes
    LITHE_TET4_AVERAGED, // linear tetrahedra that share their changes of volume, so as not to lock
} lithe_element;

// A body that does not deform: all of it follows one frame. Primitives are centred at 0 before they
// are placed; cylinders and capsules stand along z.
typedef enum lithe_rigid_shape {
    LITHE_SOFT,           // it deforms
    LITHE_RIGID_MESH,     // the body's mesh: a volume, or a closed surface
    LITHE_RIGID_BOX,      // size: lengths of its edges
    LITHE_RIGID_SPHERE,   // size: radius
    LITHE_RIGID_CYLINDER, // size: radius, length
    LITHE_RIGID_CAPSULE,  // size: radius, length between the centres of its round ends
} lithe_rigid_shape;

// A body that is filled with hexahedra here, or with tetrahedra where its element is LITHE_TET10
// and in members. Centred at 0 before it is placed.
typedef enum lithe_solid {
    LITHE_SOLID_NONE,     // it is not
    LITHE_SOLID_BOX,      // size: lengths of its edges
    LITHE_SOLID_BALL,     // size: radius
    LITHE_SOLID_CYLINDER, // size: radius, length along z
} lithe_solid;

// Where a member of a body follows another one, exactly: some of its nodes, or points of it.
typedef enum lithe_attachment_kind {
    LITHE_ATTACH_NODES,   // where: nodes of the member
    LITHE_ATTACH_POINTS,  // points of the member, at rest
    LITHE_ATTACH_OVERLAP, // nodes of the member that lie in the other one at rest
} lithe_attachment_kind;

typedef struct lithe_attachment_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    const char *member; // one that deforms
    const char *to;     // another one, rigid or soft
    lithe_attachment_kind kind;
    lithe_selection where;
    int npoint;
    const double *point; // (npoint x 3) in the world, m
} lithe_attachment_def;

typedef struct lithe_body_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    const char *mesh_file;  // read when mesh is NULL; both NULL: a body of rods and shells alone
    const lithe_mesh *mesh; // used as it is
    double mesh_unit;       // metres in one unit of the mesh's coordinates
    double rotate[3];       // about the fixed x, then y, then z axis, rad
    double move[3];         // after rotating, m
    lithe_element element;
    const char *material;
    double mass; // kg, spread by volume; 0: from the density
    int nregion;
    const lithe_region_def *region; // a later one overrides an earlier one
    int nfix;
    const lithe_fix_def *fix;
    int nsurface;
    const lithe_surface_def *surface;
    int ncavity;
    const lithe_cavity_def *cavity;
    double velocity[3]; // dynamics: of its centre of mass at the start, m/s
    double spin[3];     // dynamics: about its centre of mass at the start, rad/s
    int nrod;
    const lithe_rod_def *rod;
    int nshell;
    const lithe_shell_def *shell;
    int nspring;
    const lithe_spring_def *spring;
    int nthread;
    const lithe_thread_def *thread;
    int nrigid;
    const lithe_rigid_def *rigid;
    // A dense space: the nodes, positions of the mesh in its order, move by mode q. 0: they are
    // free
    int nmode;
    const double *mode; // (nnode x 3 x nmode)
    // A rigid body. Its mass is `mass`, or that of its volume with the density of its material.
    // What is given of its inertia is in the axes of its mesh or primitive, before it is placed.
    lithe_rigid_shape shape;
    double size[3];
    double centre[3];   // of mass, m; not a number: that of its volume
    double inertia[3];  // about the centre of mass: xx, yy, zz, kg m^2; all 0: of its volume
    double products[3]; // … xy, xz, yz: entries of the tensor, -int(x y dm) …
    // Several meshes in one body, instead of a mesh: each a body of its own name with mesh_file or
    // mesh, mesh_unit, rotate, move (in the body, which is placed with them) and material, or rigid
    // with its shape, mass and inertia. The name of each is a group of its volumes, its mesh's
    // groups are called NAME.GROUP, and a rigid one is a rigid part of that name.
    int nmember;
    const struct lithe_body_def *member;
    int nattachment;
    const lithe_attachment_def *attachment;
    // A rigid body that is moved, see lithe_play: from rest straight to the first waypoint and on
    // to the next ones, whatever it takes.
    int nwaypoint;               // 0: it is not
    const double *waypoint_time; // (nwaypoint) s, from 0 on, never falling
    const double *waypoint;      // (nwaypoint x 6) angles about the fixed x, then y, then z axis
                                 // through its centre of mass (rad), and way of that (m), from rest
    bool own_fibres;   // fibres of its materials are directions in its mesh, before it is placed
    lithe_solid solid; // instead of a mesh; its size is `size`
    // About the edge of the cells that a solid is filled with, m; 0: for a thousand. Not 0 with a
    // mesh file: that is a closed surface, which is filled with a grid of such cells.
    double cell;
} lithe_body_def;

typedef enum lithe_load_kind {
    LITHE_POINT_FORCE, // value: N, at a material point
    LITHE_TRACTION,    // value: Pa per area at rest, of fixed direction, on a surface
    LITHE_PRESSURE,    // pressure: Pa, on a surface; follows its normal and pushes into the body
    LITHE_MOMENT,      // value: N m, about fixed axes, at a point of a rod or shell
} lithe_load_kind;

typedef struct lithe_load_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_load_kind kind;
    const char *body;
    double at[3];        // m, in the placed rest shape
    const char *surface; // one of the body's surfaces, or a surface group of its mesh
    double value[3];
    bool total; // traction: value is the whole force in N, spread evenly over the surface at rest
    double pressure;
    double from, until; // dynamics: acts from the one time on (s) and before the other
} lithe_load_def;

typedef enum lithe_actuator_kind {
    LITHE_CABLE,   // displacement: pull (m), effort: tension (N)
    LITHE_PISTON,  // displacement: stroke (m), effort: force (N); positive pushes its two points
                   // apart
    LITHE_CAVITY,  // displacement: volume change (m^3), effort: pressure (Pa)
    LITHE_LIQUID,  // a cavity full of liquid: the same, with the liquid's weight as a load
    LITHE_FORCE,   // displacement of a point or a surface (m), effort: force on it (N)
    LITHE_SLIDER,  // displacement: travel of held nodes (m); effort: the force that it takes (N)
    LITHE_MODULUS, // effort: Young's modulus of a region (Pa); no displacement
    LITHE_SERVO,   // displacement: angle about its axis (rad), effort: torque (N m)
    LITHE_SPRING,  // displacement: lengthening of its rest length (m), effort: force (N), which
                   // pushes its two points apart; compliance: one over its stiffness
    LITHE_MOTOR,   // displacement: angle of a joint (rad), effort: torque (N m)
    LITHE_LINEAR_MOTOR, // displacement: travel of a joint (m), effort: force (N)
    LITHE_REST_LENGTH,  // effort: pressure p (Pa), which makes rest lengths of springs and threads
                        // 1 + p / young of what they are; displacement: volume (m^3), on which it
                        // works
} lithe_actuator_kind;

// What an actuator is told: its effort, or the displacement on which that effort works.
typedef enum lithe_command_kind { LITHE_EFFORT, LITHE_DISPLACEMENT } lithe_command_kind;

typedef struct lithe_point_def {
    const char *body; // carries the point; NULL: of a line, it is one of the world
    double at[3];     // m, in the placed rest shape
} lithe_point_def;

typedef struct lithe_actuator_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_actuator_kind kind;
    int npoint;                   // cable: one or more; piston: two
    const lithe_point_def *point; // in order, from the pulled end to the tied end
    bool has_pulled_from;  // cable: its pulled end is a point of the world, not the first point
    double pulled_from[3]; // m
    bool has_tied_to;      // cable: its far end is a point of the world, not the last point
    double tied_to[3];     // m
    double compliance;     // cable, piston: its own stretch (m/N)
    const char *body;      // cavity, liquid, force on a surface, slider, modulus, servo
    const char *part;    // servo: the body's rigid part that it rotates; NULL: the nodes of where.
                         // motors: the one of the definition's joints that they drive
    double through[3];   // servo: a point of its axis (m)
    const char *cavity;  // one of the body's named cavities; NULL: its only one
    double density;      // liquid (kg/m^3)
    double reference[3]; // liquid: where its pressure is told (m)
    const char *surface; // force: spread over this surface instead of at point[0]
    bool has_direction;  // force: along one direction; else three efforts, along x, y, z
    double direction[3]; // force, slider; servo: its axis; motors (has_direction): which of those
                         // that the joint leaves free
    lithe_selection where;        // slider, servo: nodes that it moves; modulus: elements
    double effort_limit[2];       // N, Pa or N m
    double displacement_limit[2]; // m, m^3 or rad
    double effort_rate;           // most change per second in the inverse; INFINITY: no limit
    double displacement_rate;     //
    lithe_command_kind command;
    double value[3]; // of the command; the inverse starts here
    bool given;      // the inverse leaves it at its command
    // How the command goes on from time 0, see lithe_play: from the value straight to the first
    // waypoint and on to the next ones (two at one time make a jump); or about the value as a sine.
    int nwaypoint;               // 0: it does not
    const double *waypoint;      // (nwaypoint x rows)
    const double *waypoint_time; // (nwaypoint) s, from 0 on, never falling
    double amplitude[3];         // of the sine
    double period;               // s; 0: no sine
    double phase;                // of the sine at time 0, rad
    // cavity, liquid, rest length: valve and chamber. Told a pressure, it nears that by this time
    // constant when the pressure rises and when it falls (s; 0: at once), and no faster than that
    // (Pa/s)
    double inflation_time, deflation_time;
    double inflation_rate, deflation_rate; // INFINITY: no limit
    // cable, piston, spring: points that are the mean of some nodes of their body, over which the
    // force is spread, instead of where `at` says (npoint); NULL, or NULL for one: none
    const lithe_selection *const *patch;
    // rest length: springs and threads of the body, by name, and the modulus; 0: its material's
    int ndistance;
    const char *const *distance;
    double young; // Pa
} lithe_actuator_def;

typedef enum lithe_effector_kind {
    LITHE_POINTS,      // positions of points (m)
    LITHE_BARYCENTRE,  // mean position of a body's nodes, or of some of them (m)
    LITHE_MASS_CENTRE, // centre of mass of a body (m)
    LITHE_ROTATION,    // rotation vector of a patch of nodes since rest (rad)
    LITHE_VOLUME,      // of a cavity (m^3)
    LITHE_LENGTH,      // of a line through points (m)
} lithe_effector_kind;

// What is measured and can be given a target. Positions are measured along some axes, or along one
// direction.
typedef struct lithe_effector_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_effector_kind kind;
    int npoint;                   // points, length
    const lithe_point_def *point; //
    const char *body;             // barycentre, mass centre, rotation, volume
    lithe_selection where;        // barycentre, rotation: which nodes
    const char *cavity;           // volume: NULL: the body's only one
    int axes;                     // LITHE_X | LITHE_Y | LITHE_Z
    bool has_direction;
    double direction[3];
    double weight;
    int priority;   // 1 is served first; a later one uses only what earlier ones leave free
    double load[3]; // N, hangs on each of its points
} lithe_effector_def;

typedef enum lithe_sensor_kind {
    LITHE_STRING,        // length of a string through guides (m)
    LITHE_POSITION,      // of a point (m)
    LITHE_SENSOR_VOLUME, // volume of a cavity (m^3)
    LITHE_SENSOR_EFFORT, // effort of an actuator: a pressure (Pa) or a force (N)
    LITHE_DISTANCE,      // distance between two points (m)
} lithe_sensor_kind;

typedef struct lithe_sensor_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_sensor_kind kind;
    int npoint;                   // string, position, distance
    const lithe_point_def *point; //
    const char *body;             // volume
    const char *cavity;           //
    const char *actuator;         // effort
} lithe_sensor_def;

// How the target of a goal moves. Positions and lengths are in m, volumes in m^3, rotations in rad.
typedef enum lithe_path_kind {
    LITHE_STAY,      // stays at point[0]
    LITHE_CIRCLE,    // at constant speed, right-handed about its normal, from the projection of +x
                     // (of +y if that vanishes) on its plane; for three rows
    LITHE_POLYGON,   // round its corners at constant speed, from the first; for three rows
    LITHE_WAYPOINTS, // from point to point, straight and at constant speed between their times
    LITHE_LINE,      // two waypoints
} lithe_path_kind;

// What one effector or sensor shall measure over time. Before its path begins it is at the path's
// start, after its end it stays there.
typedef struct lithe_goal_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    const char *effector; // one of the two is NULL
    const char *sensor;   //
    bool kept;            // exactly, before anything else
    lithe_path_kind path;
    int npoint;          // stay: 1; polygon: corners; waypoints; line: 2
    const double *point; // (npoint x rows of the effector or sensor)
    const double *time;  // waypoints, line: rising, from 0 or later (npoint) s
    double centre[3];    // circle (m)
    double normal[3];    //
    double radius;       //
    double period;       // circle, polygon: of one turn (s)
    double turns;        //
} lithe_goal_def;

typedef struct lithe_task_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    int ngoal; // 0: no task
    const lithe_goal_def *goal;
    double approach; // fastest way of a target to the start of its path (m/s); INFINITY: as fast as
                     // the mode allows
    int settle;      // steps that follow the end of all paths; -1: as many as the mode needs
} lithe_task_def;

// Rigid things that bodies come into contact with.
typedef enum lithe_obstacle_kind {
    LITHE_OBSTACLE_PLANE,    // solid behind it
    LITHE_OBSTACLE_SPHERE,   //
    LITHE_OBSTACLE_CAPSULE,  // round at both ends
    LITHE_OBSTACLE_CYLINDER, // flat at both ends
    LITHE_OBSTACLE_BOX,      //
    LITHE_OBSTACLE_PIPE,     // solid outside of its radius; endless along its axis
    LITHE_OBSTACLE_MESH,     // a surface of triangles, or the boundary of a volume mesh
    LITHE_OBSTACLE_CONE,     // its base at one end, its tip at the other
} lithe_obstacle_kind;

typedef struct lithe_obstacle_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_obstacle_kind kind;
    double at[3];     // plane: a point of it; sphere, box: centre; others: one end of the axis (m)
    double to[3];     // capsule, cylinder, pipe: the other end; cone: its tip (m)
    double normal[3]; // plane: out of the solid
    double radius;    // m
    double size[3];   // box: lengths of its edges (m)
    double rotate[3]; // box, mesh: about the fixed x, then y, then z axis (rad)
    const char *mesh_file;  // mesh: read when mesh is NULL
    const lithe_mesh *mesh; // used as it is
    double mesh_unit;       // metres in one unit of the mesh's coordinates
    double move[3];         // mesh: after rotating (m)
    bool hollow;            // mesh: solid is what lies outside of it
    // How it moves from time 0 on, see lithe_play: from where it is straight to the first waypoint,
    // and on to the next ones.
    int nwaypoint;               // 0: it stays
    const double *waypoint_time; // (nwaypoint) s, from 0 on, never falling
    const double *waypoint;      // (nwaypoint x 6) rotate (rad) and move (m) of lithe_move_obstacle
    double friction;             // Coulomb's coefficient; below 0: that of all contacts
    double restitution;          // of rigid bodies on it, 0 to 1; below 0: that of all contacts
    double friction_across; // … across the direction `along`, where friction is then that along it;
                            // below 0: the same in all directions
    double along[3]; // which the obstacle carries; when the scene begins
} lithe_obstacle_def;

// Two things that may come into contact: a body and an obstacle, another body, or the body itself.
typedef struct lithe_pair_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    const char *body;
    const char *surface;       // one of its surfaces or rods, or a group of its mesh; NULL: all
    const char *with;          // an obstacle or a body
    const char *with_surface;  // of that body; NULL: all
    double detection_distance; // m; 0: that of all contacts
    bool volume;               // is gone, and refused: surfaces are in contact without overlap
    double patch;              // of that
    bool off;                  // starts switched off, see lithe_switch_pair
    double friction; // Coulomb's coefficient; below 0: that of the obstacle, or of all contacts
    double
        restitution; // 0 to 1, both sides rigid; below 0: that of the obstacle, or of all contacts
    double friction_across; // … across the direction `along`, where friction is then that along it;
                            // below 0: the same in all directions
    double along[3]; // which the surface of `body` carries; at rest
} lithe_pair_def;

// Which contacts are looked for: every body with every obstacle and with every other body, and with
// itself where it is named; and pairs, which take the place of those between the same two.
enum { LITHE_CONTACTS_MAX = 10000 }; // the most that `max` may be

typedef struct lithe_contacts_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    int max;                   // that there is room for at the start; there may be more
    double detection_distance; // farthest gap of what the inverse looks at beside what there is (m)
                               // to see through contacts that begin; 0: a fiftieth of the robot
    double
        overlap; // deepest that a realtime step is content with (m); 0: a thousandth of the robot
    int nself;
    const char *const *self; // bodies with self contact
    int npair;
    const lithe_pair_def *pair;
    bool only_named;    // there is no contact but what self and pair name
    bool global;        // the inverse looks at all combinations of contacts
    double friction;    // Coulomb's coefficient where nothing else is said
    double restitution; // of rigid bodies where nothing else is said: the share of the speed
                        // towards each other with which they part again after a blow, 0 to 1
} lithe_contacts_def;

typedef enum lithe_mode {
    LITHE_CONVERGED,    // every step ends in an equilibrium, or says that it did not
    LITHE_REALTIME,     // every step does a fixed number of iterations
    LITHE_ASYNCHRONOUS, // the same with the last factor of A that was finished; the next one is
                        // made by a thread of its own
} lithe_mode;

// How the inverse chooses efforts when several reach the target.
typedef enum lithe_inverse_method {
    LITHE_HIERARCHY, // the target first; among equals the least 1/2 lambda' W lambda
    LITHE_EPSILON,   // one objective: the target's error plus epsilon times the efforts' work
    LITHE_SEIDEL,    // Gauss-Seidel over actuators
} lithe_inverse_method;

typedef struct lithe_step_def {
    size_t bytes; // of this struct; from its default function
    lithe_mode mode;
    double dt;      // s from step to step, for time series
    int steps;      // in how many steps `lithe run` brings the commands from rest to their values
    int iterations; // realtime, asynchronous: a step
    int max_iteration; // converged: Newton iterations in one load increment
    double tolerance;  // converged: relative force residual, and displacement commands relative to
                       // the robot's size
    double deadline;   // asynchronous: steps that take longer are counted (s); 0: dt
    int factor_age;    // asynchronous: 0: a thread makes factors; 1 or more: no thread, every step
                       // has the factor of the shape so many steps ago
    lithe_inverse_method method; // how the inverse finds efforts
    double epsilon;              // method LITHE_EPSILON: weight of the efforts' work
    double relaxation; // method LITHE_SEIDEL: share of each update that is taken, in (0, 1]
    bool creep;        // without dynamics: dt passes in every step, and materials with a Prony
                       // series relax and creep; false: as after a long time
} lithe_step_def;

// How time passes. In statics every step ends in an equilibrium of forces, and dt only counts.
typedef enum lithe_scheme {
    LITHE_STATIC, //
    LITHE_EULER,  // implicit Euler: first order, takes energy out of motion, the more the longer dt
    LITHE_ALPHA, // generalized-alpha: second order, damps by spectral_radius what dt cannot resolve
} lithe_scheme;

typedef enum lithe_mass {
    LITHE_LUMPED,     // in the nodes
    LITHE_CONSISTENT, // of solids: as their shape functions move; rods and shells stay lumped
} lithe_mass;

typedef struct lithe_dynamics_def {
    size_t bytes; // of this struct; from its default function
    lithe_scheme scheme;
    lithe_mass mass;
    double spectral_radius;   // LITHE_ALPHA: what a step leaves of the fastest vibrations; 0 … 1.
                              // NAN: 0.8, and 0.5 where anything can come into contact
    double mass_damping;      // Rayleigh: damping matrix per mass (1/s)
    double stiffness_damping; // … and per stiffness (s)
    double local_error;       // adaptive: dt is cut into steps each of which is off by no more than
                              // this in any position (m); 0: steps of dt
    double shortest;          // … and none shorter than this (s); 0: dt / 65536
    bool from_equilibrium;    // `lithe run` and `lithe track` start settled under the loads and
                              // commands, see lithe_settle; false: at rest, undeformed
    double duration;          // of `lithe run` (s); 0: as long as commands go on, or 1 s
} lithe_dynamics_def;

// What the real robot measures, and how well: how an estimate of its shape weighs it.
typedef struct lithe_reading_def {
    const char *location;
    const char *name; // a sensor or an effector
    double noise;     // standard deviation of each of its numbers, in their unit
} lithe_reading_def;

// What is not known of an actuator before anything is measured.
typedef struct lithe_unknown_def {
    const char *location;
    const char *actuator; // a force that nobody commands, a modulus, a pressure
    double spread; // standard deviation about its command (N, Pa, m; of a modulus: share of it);
                   // INFINITY: nothing is known
} lithe_unknown_def;

// How the shape is found from measurements. Unknown are the efforts of all actuators that are
// commanded by their effort and not `given`, and of those that are named here.
typedef struct lithe_estimate_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    int nreading; // 0: nothing is estimated
    const lithe_reading_def *reading;
    int nunknown;
    const lithe_unknown_def *unknown;
    double outlier; // standard deviations from which on a reading is not believed; INFINITY: all
                    // are
    double memory;  // steps for which an unknown stays as far from its command as it was; 0: every
                    // estimate stands by itself; INFINITY: for good
} lithe_estimate_def;

// A closed loop over the sensors; see lithe_control.
typedef struct lithe_controller_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    double kp, ki; // per step; kp 0: none
} lithe_controller_def;

// Which region of the surface of a reduced robot gives way in contact.
typedef enum lithe_patch_kind {
    LITHE_NO_PATCH,
    LITHE_PATCH_SELECTED, // what is selected
    LITHE_PATCH_CONTACT,  // what was in contact in the samples that lithe_reduce takes
} lithe_patch_kind;

// A reduced model in place of the whole one; see lithe/reduce.h.
typedef struct lithe_reduction lithe_reduction;
typedef struct lithe_reduction_def {
    size_t bytes; // of this struct; from its default function
    const char *location;
    const char *file;             // NULL: none, unless given
    const lithe_reduction *given; // instead of a file; lives until lithe_compile returns
    double tolerance;             // largest error at effectors, m; 0: not said
    // For whoever makes the file; 0: as lithe_reduce_def says
    int nsample;
    int seed;
    // For whoever uses it: the error is estimated every so many steps (0: only when asked), and
    // beyond the tolerance the whole model goes on
    int every;
    bool beyond_full;
    // A beam space: frames along a centre line carry the nodes
    bool beam;
    int nframe; // 0: as many as line has points; without one, as many as lithe_reduce finds the
                // tolerance to ask for where shapes are learned, else 12
    int nline;  // 0: the line is found from the mesh
    const double *line; // (nline x 3) m
    int nshape; // numbers by which the section at a frame may deform; their shapes are learned by
                // lithe_reduce. 0: sections are rigid, and no file is needed
    int nswell; // instead: numbers by which it swells and shrinks, without a file. 1: evenly; 3:
                // more on one side than on the other too, as bending wants it
    // By modes: shapes besides, by which forces on a region of the surface move the robot
    lithe_patch_kind patch;
    int npatch_shape;                   // how many at most; 0: as many as it takes
    const lithe_selection *patch_where; // LITHE_PATCH_SELECTED: its nodes
} lithe_reduction_def;

// What a joint leaves free. axis: of rotation, of travel, or normal to a plane.
typedef enum lithe_joint_kind {
    LITHE_JOINT_FIXED,       // nothing
    LITHE_JOINT_HINGE,       // rotation about the axis
    LITHE_JOINT_BALL,        // all rotation
    LITHE_JOINT_PRISMATIC,   // travel along the axis
    LITHE_JOINT_CYLINDRICAL, // both
    LITHE_JOINT_PLANAR,      // travel across the axis, and rotation about it
    LITHE_JOINT_UNIVERSAL,   // rotation about the axis in the one body, about cross in the other
} lithe_joint_kind;

// What a joint does about motion that it leaves free: an angle (rad, N m) or a travel (m, N), of
// its body seen from the other side, from rest.
typedef struct lithe_axis_def {
    double limit[2];  // where it stops; infinite: nowhere
    double stiffness; // of a spring, N/m or N m/rad
    double rest;      // … which pulls there
    double damping;   // N s/m or N m s/rad
    double friction;  // most force or moment by which it sticks, and with which it slips
} lithe_axis_def;

// A joint between two rigid bodies, rigid parts of bodies, or the world. A ball may join any
// points.
typedef struct lithe_joint_def {
    size_t bytes; // of this struct; from its default function
    const char *name;
    const char *location;
    lithe_joint_kind kind;
    const char *body, *part; // part: a rigid part of it; NULL: all of it is rigid, or a point of it
    const char *with, *with_part; // with NULL: the world
    double at[3];                 // where it is at rest, m
    double axis[3];               // at rest
    double cross[3];              // universal: carried by the other side, normal to axis at rest
    lithe_axis_def angle;         // about the axis
    lithe_axis_def cross_angle;   // universal: about cross
    lithe_axis_def travel;        // along the axis; planar: along any two directions across it
    const char *mimic;            // another joint, as which it moves, both with one free axis
    double ratio;                 // … its angle or travel over that one's
} lithe_joint_def;

typedef struct lithe_def {
    size_t bytes;      // of this struct; from its default function
    double gravity[3]; // m/s^2
    lithe_step_def step;
    lithe_dynamics_def dynamics;
    int nmaterial;
    const lithe_material_def *material;
    int nbody;
    const lithe_body_def *body;
    int nload;
    const lithe_load_def *load;
    int nactuator;
    const lithe_actuator_def *actuator;
    int neffector;
    const lithe_effector_def *effector;
    int nsensor;
    const lithe_sensor_def *sensor;
    lithe_task_def task;
    int nobstacle;
    const lithe_obstacle_def *obstacle;
    lithe_contacts_def contacts;
    lithe_estimate_def estimate;
    lithe_controller_def controller;
    lithe_reduction_def reduction;
    int njoint;
    const lithe_joint_def *joint;
} lithe_def;

// What a definition says when its author says nothing, of the size that the author's header knows:
// a newer library reads an older program's definitions, with the defaults of what they do not know.
typedef enum lithe_def_kind {
    LITHE_DEF,
    LITHE_DEF_MATERIAL,
    LITHE_DEF_FIX,
    LITHE_DEF_REGION,
    LITHE_DEF_SURFACE,
    LITHE_DEF_CAVITY,
    LITHE_DEF_ROD,
    LITHE_DEF_SHELL,
    LITHE_DEF_SPRING,
    LITHE_DEF_THREAD,
    LITHE_DEF_RIGID,
    LITHE_DEF_BODY,
    LITHE_DEF_LOAD,
    LITHE_DEF_ACTUATOR,
    LITHE_DEF_EFFECTOR,
    LITHE_DEF_SENSOR,
    LITHE_DEF_GOAL,
    LITHE_DEF_TASK,
    LITHE_DEF_OBSTACLE,
    LITHE_DEF_PAIR,
    LITHE_DEF_CONTACTS,
    LITHE_DEF_STEP,
    LITHE_DEF_DYNAMICS,
    LITHE_DEF_ESTIMATE,
    LITHE_DEF_CONTROLLER,
    LITHE_DEF_CALIBRATE,
    LITHE_DEF_REDUCTION,
    LITHE_DEF_REDUCE,
    LITHE_DEF_JOINT,
    LITHE_DEF_ATTACHMENT,
} lithe_def_kind;

// kind: of an actuator, effector, sensor, obstacle or path, else 0. Writes `size` bytes.
LITHE_API void lithe_default(lithe_def_kind what, int kind, void *out, size_t size);

#define LITHE_DEFAULT(type, what)                                                                  \
    static inline type type##_default(void)                                                        \
    {                                                                                              \
        type d;                                                                                    \
        lithe_default(what, 0, &d, sizeof d);                                                      \
        return d;                                                                                  \
    }
#define LITHE_DEFAULT_OF(type, what, kind_type)                                                    \
    static inline type type##_default(kind_type kind)                                              \
    {                                                                                              \
        type d;                                                                                    \
        lithe_default(what, (int)kind, &d, sizeof d);                                              \
        return d;                                                                                  \
    }

LITHE_DEFAULT(lithe_material_def, LITHE_DEF_MATERIAL)
LITHE_DEFAULT(lithe_fix_def, LITHE_DEF_FIX)
LITHE_DEFAULT(lithe_region_def, LITHE_DEF_REGION)
LITHE_DEFAULT(lithe_surface_def, LITHE_DEF_SURFACE)
LITHE_DEFAULT(lithe_cavity_def, LITHE_DEF_CAVITY)
LITHE_DEFAULT(lithe_rod_def, LITHE_DEF_ROD)
LITHE_DEFAULT(lithe_shell_def, LITHE_DEF_SHELL)
LITHE_DEFAULT(lithe_spring_def, LITHE_DEF_SPRING)
LITHE_DEFAULT(lithe_thread_def, LITHE_DEF_THREAD)
LITHE_DEFAULT(lithe_rigid_def, LITHE_DEF_RIGID)
LITHE_DEFAULT(lithe_attachment_def, LITHE_DEF_ATTACHMENT)
LITHE_DEFAULT(lithe_body_def, LITHE_DEF_BODY)
LITHE_DEFAULT(lithe_load_def, LITHE_DEF_LOAD)
LITHE_DEFAULT_OF(lithe_actuator_def, LITHE_DEF_ACTUATOR, lithe_actuator_kind)
LITHE_DEFAULT_OF(lithe_effector_def, LITHE_DEF_EFFECTOR, lithe_effector_kind)
LITHE_DEFAULT_OF(lithe_sensor_def, LITHE_DEF_SENSOR, lithe_sensor_kind)
LITHE_DEFAULT_OF(lithe_goal_def, LITHE_DEF_GOAL, lithe_path_kind)
LITHE_DEFAULT(lithe_task_def, LITHE_DEF_TASK)
LITHE_DEFAULT_OF(lithe_obstacle_def, LITHE_DEF_OBSTACLE, lithe_obstacle_kind)
LITHE_DEFAULT(lithe_pair_def, LITHE_DEF_PAIR)
LITHE_DEFAULT(lithe_contacts_def, LITHE_DEF_CONTACTS)
LITHE_DEFAULT(lithe_step_def, LITHE_DEF_STEP)
LITHE_DEFAULT(lithe_dynamics_def, LITHE_DEF_DYNAMICS)
LITHE_DEFAULT(lithe_estimate_def, LITHE_DEF_ESTIMATE)
LITHE_DEFAULT(lithe_controller_def, LITHE_DEF_CONTROLLER)
LITHE_DEFAULT(lithe_reduction_def, LITHE_DEF_REDUCTION)
LITHE_DEFAULT(lithe_joint_def, LITHE_DEF_JOINT)

static inline lithe_def lithe_def_default(void)
{
    lithe_def d;
    lithe_default(LITHE_DEF, 0, &d, sizeof d);
    d.step = lithe_step_def_default();
    d.dynamics = lithe_dynamics_def_default();
    d.task = lithe_task_def_default();
    d.contacts = lithe_contacts_def_default();
    d.estimate = lithe_estimate_def_default();
    d.controller = lithe_controller_def_default();
    d.reduction = lithe_reduction_def_default();
    return d;
}

// Silicones that others have measured, with the name by which scenes know them ("ecoflex-00-30");
// source: where the numbers are from. docs/materials.md says what they are good for.
LITHE_API int lithe_nsilicone(void);
LITHE_API const lithe_material_def *lithe_silicone(int silicone);
LITHE_API const char *lithe_silicone_source(int silicone);
LITHE_API int lithe_find_silicone(const char *name); // -1: none

// ## scene

typedef struct lithe_scene lithe_scene;

// Reads a scene file into definitions; mesh files in it are relative to it. Each of the nset
// overrides is "path=value" with the keys of the file ("materials.silicone.young=200 kPa").
LITHE_API lithe_status lithe_scene_read(const char *path, int nset, const char *const *set,
                                        lithe_scene **scene, lithe_report *report);

// The same from a text in memory, as if it had been read from `path`: messages name it, and mesh
// files are relative to it. The text is copied.
LITHE_API lithe_status lithe_scene_read_text(const char *text, size_t bytes, const char *path,
                                             int nset, const char *const *set, lithe_scene **scene,
                                             lithe_report *report);
LITHE_API const lithe_def *lithe_scene_def(const lithe_scene *scene);

// "north.pull=10 mm" or "push.force=[0, 0, -1 N]" into an actuator of the scene, a kind and SI
// values within its limits; bare numbers mean what the scene's units say.
LITHE_API lithe_status lithe_scene_command(const lithe_scene *scene, const char *text,
                                           int *actuator, lithe_command_kind *kind, double value[3],
                                           lithe_report *report);
LITHE_API void lithe_scene_free(lithe_scene *scene);

// ## model

typedef struct lithe_model lithe_model;

LITHE_API lithe_status lithe_compile(const lithe_def *def, lithe_model **model,
                                     lithe_report *report);
LITHE_API void lithe_model_free(lithe_model *model);

LITHE_API int lithe_nbody(const lithe_model *model);
LITHE_API int lithe_nnode(const lithe_model *model);    // of all bodies, one after the other
LITHE_API int lithe_nelement(const lithe_model *model); // of all bodies
LITHE_API int lithe_ndof(const lithe_model *model);     // free degrees of freedom
LITHE_API int lithe_nactuator(const lithe_model *model);
LITHE_API int lithe_neffector(const lithe_model *model);
LITHE_API int lithe_nsensor(const lithe_model *model);
LITHE_API const char *lithe_body_name(const lithe_model *model, int body);
LITHE_API const char *lithe_actuator_name(const lithe_model *model, int actuator);
LITHE_API const char *lithe_effector_name(const lithe_model *model, int effector);
LITHE_API const char *lithe_sensor_name(const lithe_model *model, int sensor);
LITHE_API int lithe_find_actuator(const lithe_model *model, const char *name); // -1: none
LITHE_API int lithe_find_effector(const lithe_model *model, const char *name); // -1: none
LITHE_API int lithe_find_sensor(const lithe_model *model, const char *name);   // -1: none
LITHE_API lithe_actuator_kind lithe_actuator_type(const lithe_model *model, int actuator);
LITHE_API lithe_effector_kind lithe_effector_type(const lithe_model *model, int effector);
LITHE_API lithe_sensor_kind lithe_sensor_type(const lithe_model *model, int sensor);
LITHE_API int lithe_actuator_rows(const lithe_model *model,
                                  int actuator); // numbers it has: 1, or 3
LITHE_API int lithe_effector_rows(const lithe_model *model, int effector);
LITHE_API int lithe_sensor_rows(const lithe_model *model, int sensor);
LITHE_API const double *lithe_rest(const lithe_model *model); // placed rest positions (nnode x 3) m

// How steps are done (dt, the mode, in how many steps a run goes to its commands) and how time
// passes, as compiled: what the definition left open is filled in.
LITHE_API const lithe_step_def *lithe_model_step(const lithe_model *model);
LITHE_API const lithe_dynamics_def *lithe_model_dynamics(const lithe_model *model);

// Bodies. Nodes and elements of all bodies stand one after the other.
typedef struct lithe_body_info {
    const char *name;
    int first_node, nnode;       // of its nodes among those of all bodies; how many
    int first_element, nelement; // the same of its elements
    int ndof;                    // free degrees of freedom
    double volume;               // of the material at rest, m^3
    double mass;                 // kg
    double lower[3], upper[3];   // box around the placed rest shape, m
    double worst_quality;        // of its elements; 1: regular tetrahedron, 0: flat
    double median_quality;
    int ncavity;
    const double *cavity_volume; // (ncavity) at rest, m^3, largest first
} lithe_body_info;

LITHE_API int lithe_find_body(const lithe_model *model, const char *name); // -1: none
LITHE_API bool lithe_body_is_rigid(const lithe_model *model, int body);    // all of it
LITHE_API lithe_status lithe_body_get(const lithe_model *model, int body, lithe_body_info *out);

LITHE_API int lithe_nmaterial(const lithe_model *model);
LITHE_API const char *lithe_material_name(const lithe_model *model, int material);
LITHE_API int lithe_find_material(const lithe_model *model, const char *name); // -1: none
LITHE_API double lithe_material_young(const lithe_model *model,
                                      int material); // Pa at small strain; NAN: it has several

// Elements of all bodies: those of a solid law by law and neighbours together, whatever their order
// in the mesh file; then rods, shells, springs and threads. Element e has the nodes node[start[e]]
// … node[start[e + 1] - 1].
LITHE_API const int *lithe_element_start(const lithe_model *model); // (nelement + 1)
LITHE_API const int *lithe_element_node(const lithe_model *model);
LITHE_API const unsigned char *lithe_element_cell(const lithe_model *model); // as VTK numbers cells
LITHE_API const int *lithe_element_material(const lithe_model *model);       // (nelement)
LITHE_API const int *lithe_element_body(const lithe_model *model);           // (nelement)

// Surfaces as triangles: for every body its whole boundary, named "", and those that its definition
// names. A body of rods alone has none.
typedef struct lithe_surface_info {
    const char *name;
    int body;
    int ntri;
    const int *tri; // (ntri x 3) nodes among those of all bodies; normals out of the material
} lithe_surface_info;

LITHE_API int lithe_nsurface(const lithe_model *model);
LITHE_API int lithe_find_surface(const lithe_model *model, int body,
                                 const char *name); // -1: none
LITHE_API lithe_status lithe_surface_get(const lithe_model *model, int surface,
                                         lithe_surface_info *out);

// What rows measure and actuators are told.
typedef enum lithe_dimension {
    LITHE_DIMENSION_NUMBER,
    LITHE_DIMENSION_LENGTH,
    LITHE_DIMENSION_FORCE,
    LITHE_DIMENSION_PRESSURE,
    LITHE_DIMENSION_MASS,
    LITHE_DIMENSION_TIME,
    LITHE_DIMENSION_ANGLE,
    LITHE_DIMENSION_VOLUME,
    LITHE_DIMENSION_DENSITY,
    LITHE_DIMENSION_ACCELERATION,
    LITHE_DIMENSION_VELOCITY,
    LITHE_DIMENSION_FORCE_RATE,
    LITHE_DIMENSION_PRESSURE_RATE,
    LITHE_DIMENSION_VOLUME_RATE,
    LITHE_DIMENSION_COMPLIANCE,
    LITHE_DIMENSION_FREQUENCY,
    LITHE_DIMENSION_SPIN,
    LITHE_DIMENSION_STIFFNESS,
    LITHE_DIMENSION_MOMENT,
    LITHE_DIMENSION_INERTIA,
    LITHE_DIMENSION_ROTARY_STIFFNESS,
    LITHE_DIMENSION_DAMPING,
    LITHE_DIMENSION_ROTARY_DAMPING,
} lithe_dimension;

LITHE_API const char *lithe_dimension_unit(lithe_dimension dimension); // "m", "Pa", …; "" if none

// A cable's displacement is its "pull", a length; a slider's effort is only measured, not told.
typedef struct lithe_quantity {
    const char *name; // NULL: there is no such quantity
    lithe_dimension dimension;
    bool read_only;
} lithe_quantity;

// "cable", as a scene says it; NULL: there is no such kind.
LITHE_API const char *lithe_actuator_kind_name(lithe_actuator_kind kind);
LITHE_API const char *lithe_sensor_kind_name(lithe_sensor_kind kind);
LITHE_API const char *lithe_obstacle_kind_name(lithe_obstacle_kind kind);

LITHE_API const lithe_quantity *lithe_actuator_quantity(lithe_actuator_kind type,
                                                        lithe_command_kind kind);

// The numbers of an effector or a sensor: points one after the other, each along some axes.
typedef struct lithe_measure {
    const char *name;
    lithe_dimension dimension;
    int npoint;     // positions: points that are measured, else 1
    int ncomponent; // numbers of each
    int axes;       // LITHE_X | LITHE_Y | LITHE_Z that they lie along; 0: one number without
} lithe_measure;

LITHE_API const lithe_measure *lithe_effector_measure(const lithe_model *model, int effector);
LITHE_API const lithe_measure *lithe_sensor_measure(const lithe_model *model, int sensor);

// What the definition gives an actuator: where it begins (one number for each row), the ranges that
// it stays in, the most that it changes in a second (INFINITY: no limit), and whether the inverse
// leaves it at its command.
LITHE_API lithe_command_kind lithe_actuator_command(const lithe_model *model, int actuator,
                                                    double *value);
LITHE_API lithe_status lithe_actuator_limits(const lithe_model *model, int actuator,
                                             double effort[2], double displacement[2]);
LITHE_API lithe_status lithe_actuator_rates(const lithe_model *model, int actuator, double *effort,
                                            double *displacement);
LITHE_API bool lithe_actuator_given(const lithe_model *model, int actuator);
// Whether feedback may change it: it is not given, and no modulus.
LITHE_API bool lithe_actuator_is_free(const lithe_model *model, int actuator);

// Of factoring all bodies once; and what a model keeps in memory.
LITHE_API double lithe_factor_flops(const lithe_model *model);
LITHE_API size_t lithe_model_bytes(const lithe_model *model);

// ## state

typedef struct lithe_state lithe_state;

// Statics: at rest, with no load applied yet; the first step applies the loads and commands.
// Dynamics: the undeformed shape at time 0, moving as the bodies' definitions say; loads act from
// time 0 on. threads: 1 or more.
LITHE_API lithe_status lithe_state_create(const lithe_model *model, int threads,
                                          lithe_state **state, lithe_report *report);
LITHE_API void lithe_state_reset(const lithe_model *model, lithe_state *state);
LITHE_API void lithe_state_free(lithe_state *state);
LITHE_API size_t lithe_state_bytes(const lithe_state *state); // that it keeps in memory

// A state as bytes in the caller's memory: positions, efforts, loads, commands, targets, and what
// the last step said. Loaded into any state of the same model, it steps on with the same bits (in
// the asynchronous mode: with a factor of that shape). The bytes are for the same version of Lithe
// on the same kind of machine. LITHE_INVALID if they are not: of another model, damaged, or with
// numbers that no state of this model has; these last ones leave the state as after
// lithe_state_reset, the others as it was.
LITHE_API size_t lithe_state_size(const lithe_model *model, const lithe_state *state);
LITHE_API void lithe_state_save(const lithe_model *model, const lithe_state *state, void *buffer);
LITHE_API lithe_status lithe_state_load(const lithe_model *model, lithe_state *state,
                                        const void *buffer, size_t bytes);

// What an actuator shall do from the next step on; value: one number for each of its rows. A value
// outside the actuator's limits is LITHE_INVALID.
LITHE_API lithe_status lithe_command(const lithe_model *model, lithe_state *state, int actuator,
                                     lithe_command_kind kind, const double *value);

// A share (0 to 1) of the way from one value to another (from NULL: 0), kept within the actuator's
// limits on the way: a cable that must be pulled 5 to 20 mm begins at 5. A modulus has no way to go
// and is told the whole at once.
LITHE_API lithe_status lithe_command_share(const lithe_model *model, lithe_state *state,
                                           int actuator, lithe_command_kind kind,
                                           const double *from, const double *value, double share);

// All actuators at once, value: (ndriven) as lithe_row_of_actuator numbers them; kind: of each
// actuator, NULL: what each is told at present. Where one value is refused, none is taken.
LITHE_API lithe_status lithe_command_all(const lithe_model *model, lithe_state *state,
                                         const lithe_command_kind *kind, const double *value);

// What an actuator is told at present.
LITHE_API lithe_command_kind lithe_told(const lithe_model *model, const lithe_state *state,
                                        int actuator, double *value);

// ### What may change while it runs
//
// From the next step on; saved with the state, and as the definition has it again after
// lithe_state_reset. A value that is refused (LITHE_INVALID) changes nothing. What has a value to
// come from (loads, gravity, moduli) is led there in the course of the next step, in as many
// increments as it takes.

// The ranges of an actuator's effort and displacement; either may be NULL: it stays. A range that
// leaves out what the actuator is told is refused: command it first. One that the inverse finds
// comes back into a new range as fast as its rates allow.
LITHE_API lithe_status lithe_set_limits(const lithe_model *model, lithe_state *state, int actuator,
                                        const double effort[2], const double displacement[2]);
LITHE_API lithe_status lithe_limits(const lithe_model *model, const lithe_state *state,
                                    int actuator, double effort[2], double displacement[2]);

// The most that the inverse changes them in a second; INFINITY: no limit.
LITHE_API lithe_status lithe_set_rates(const lithe_model *model, lithe_state *state, int actuator,
                                       double effort, double displacement);

// How much an effector counts among those of its priority; 0: not at all.
LITHE_API lithe_status lithe_set_weight(const lithe_model *model, lithe_state *state, int effector,
                                        double weight);
LITHE_API double lithe_weight(const lithe_model *model, const lithe_state *state, int effector);

// Of converged steps, see lithe_step_def; above 0 and below 1.
LITHE_API lithe_status lithe_set_tolerance(const lithe_model *model, lithe_state *state,
                                           double tolerance);
LITHE_API double lithe_tolerance(const lithe_state *state);

LITHE_API lithe_status lithe_set_gravity(const lithe_model *model, lithe_state *state,
                                         const double gravity[3]); // m/s^2
LITHE_API void lithe_gravity(const lithe_model *model, const lithe_state *state, double gravity[3]);

// Gravity of one body's own, m/s^2, besides that of all: a force by its mass, spread as that is. 0
// until it is told.
LITHE_API lithe_status lithe_set_body_gravity(const lithe_model *model, lithe_state *state,
                                              int body, const double gravity[3]);

// A factor on all moduli of a material, 1e-6 to 1e6: 1 as defined. A modulus that an actuator
// changes is multiplied by it.
LITHE_API lithe_status lithe_scale_material(const lithe_model *model, lithe_state *state,
                                            int material, double factor);
LITHE_API double lithe_material_scale(const lithe_model *model, const lithe_state *state,
                                      int material);

// Puts all nodes somewhere (nnode x 3), the rotations of nodes that rotate too (nnode x 3; NULL:
// they stay): a shape that was measured or computed elsewhere, to go on from. Nodes that are held
// go back to their supports in the next step. Efforts stay; what was known of contacts is
// forgotten. Nodes that follow frames or modes go to the nearest shape that these allow, in the
// measure of the mass, of which there must be some; what is held of those stays.
LITHE_API lithe_status lithe_set_position(const lithe_model *model, lithe_state *state,
                                          const double *position, const double *rotation);

// Dynamics: gives all nodes a velocity (nnode x 3) m/s, those that rotate a spin too (nnode x 3)
// rad/s; NULL: none. Nodes that are held have none, and rigid parts get the motion nearest to it.
LITHE_API lithe_status lithe_set_velocity(const lithe_model *model, lithe_state *state,
                                          const double *velocity, const double *spin);

// Loads of the definition, by name. Each has a value (lithe_load_def: N, Pa or N m along x, y and
// z; of a pressure one number, Pa) and a factor on it, -1e6 to 1e6: 1 as defined, 0 takes it away.
// lithe_load_value gives what was set last and how many numbers that is, 3 or 1; 0: no such load.
LITHE_API int lithe_nload(const lithe_model *model);
LITHE_API const char *lithe_load_name(const lithe_model *model, int load);
LITHE_API int lithe_find_load(const lithe_model *model, const char *name); // -1: none
LITHE_API lithe_status lithe_scale_load(const lithe_model *model, lithe_state *state, int load,
                                        double factor);
LITHE_API double lithe_load_scale(const lithe_model *model, const lithe_state *state, int load);
LITHE_API lithe_status lithe_set_load(const lithe_model *model, lithe_state *state, int load,
                                      const double *value);
LITHE_API int lithe_load_value(const lithe_model *model, const lithe_state *state, int load,
                               double *value);

// Tells every actuator whose command goes on in time what it shall do at that time (in the inverse
// only those that are `given`), and moves the obstacles that have waypoints. duration: when the
// last waypoint is reached, or a sine has gone round once; 0 where nothing goes on in time.
LITHE_API lithe_status lithe_play(const lithe_model *model, lithe_state *state, double time);
LITHE_API double lithe_play_duration(const lithe_model *model); // s

// The inverse: from the next step on, actuators (but those that are `given`) are found such that
// effectors and sensors with a target measure it. target: one number for each of its rows. kept:
// exactly, before anything else.
LITHE_API lithe_status lithe_target_effector(const lithe_model *model, lithe_state *state,
                                             int effector, const double *target, bool kept);
LITHE_API lithe_status lithe_target_sensor(const lithe_model *model, lithe_state *state, int sensor,
                                           const double *target, bool kept);
LITHE_API void lithe_forget_targets(const lithe_model *model, lithe_state *state); // forward again

// All targets at once, as lithe_task_targets writes them (nrow): NAN where nothing is asked for.
// kept: (nrow), NULL: nothing is kept. Rows of actuators are not looked at. With nothing asked for
// steps are forward again.
LITHE_API lithe_status lithe_target_all(const lithe_model *model, lithe_state *state,
                                        const double *target, const bool *kept);
LITHE_API void lithe_targets(const lithe_model *model, const lithe_state *state,
                             double *target); // (nrow) NAN where nothing is asked for

// The model's task: its goals' targets over time. start holds what every row measured when the task
// began, which is where targets start from; they approach the start of their paths together, in
// whole steps. Time counts from the beginning of the approach.
LITHE_API int lithe_ngoal(const lithe_model *model);
LITHE_API void lithe_task_start(const lithe_model *model, const lithe_state *state,
                                double *start); // (nrow)
LITHE_API double lithe_task_approach(const lithe_model *model,
                                     const double *start);      // s until paths begin
LITHE_API double lithe_task_duration(const lithe_model *model); // s from there to the end of all

// Whole steps of the approach, and of all: approach, paths, and the steps that settle at the end.
// LITHE_INVALID: they are too many.
LITHE_API lithe_status lithe_task_steps(const lithe_model *model, const double *start,
                                        int *approach, int *all, lithe_report *report);

typedef struct lithe_goal {
    int effector, sensor; // one of the two is -1
    int row, nrow;        // the first of its rows, and how many
    int priority;         // 1 is served first; a kept goal and a sensor have 1
    bool kept;
    double tolerance; // an error up to this counts as reached, m, rad or m^3
} lithe_goal;

LITHE_API lithe_status lithe_goal_get(const lithe_model *model, int goal, lithe_goal *out);
LITHE_API const char *lithe_goal_name(const lithe_model *model,
                                      int goal); // of its effector or sensor; NULL: there is none

// How far a goal's rows are from their targets (nrow of the model; NULL: those that the state has):
// root of the sum of squares. NAN: nothing is asked of it.
LITHE_API double lithe_goal_error(const lithe_model *model, const lithe_state *state, int goal,
                                  const double *target);

// The error that limits cost (see lithe_limit_multiplier), m: of all goals of the first priority
// there is, each in units of its own scale, times the robot's size; and up to which it counts as
// none.
LITHE_API int lithe_first_priority(const lithe_model *model);
LITHE_API double lithe_first_error(const lithe_model *model, const lithe_state *state,
                                   const double *target);
LITHE_API double lithe_length_tolerance(const lithe_model *model);

// target: what each row shall measure at that time (nrow); NAN where nothing is asked for.
LITHE_API void lithe_task_targets(const lithe_model *model, const double *start, double time,
                                  double *target);

// Gives the effectors and sensors of all goals their targets at that time.
LITHE_API lithe_status lithe_task_apply(const lithe_model *model, lithe_state *state,
                                        const double *start, double time);

// One step. Not converging leaves the last equilibrium on the way, its residuals, and the reason in
// lithe_state_error.
LITHE_API lithe_status lithe_step(const lithe_model *model, lithe_state *state);

// Asked between iterations; true ends the step there, LITHE_NOT_CONVERGED, with the state where the
// last increment left it. NULL: nobody is asked.
LITHE_API void lithe_watch(lithe_state *state, bool (*stop)(void *user), void *user);

// Dynamics: brings the robot to the static equilibrium under its commands and the loads that act
// before time 0, and leaves velocities and time as they are. In statics it is lithe_step.
LITHE_API lithe_status lithe_settle(const lithe_model *model, lithe_state *state);

// Where `lithe run` and `lithe track` begin: at rest under the commands that the state has been
// told. One step in the mode converged, a ramp and as many as it takes in the others; in dynamics
// lithe_settle if the model starts from_equilibrium, else nothing.
LITHE_API lithe_status lithe_begin(const lithe_model *model, lithe_state *state);

LITHE_API const char *lithe_state_error(const lithe_state *state);
LITHE_API const double *lithe_position(const lithe_state *state); // (nnode x 3) m

// Rotation vectors from rest of the nodes of rods and shells (nnode x 3) rad, 0 for others; NULL
// where no node rotates.
LITHE_API const double *lithe_rotation(const lithe_state *state);

// Dynamics; in statics the time counts steps of dt and the others are 0.
LITHE_API double lithe_time(const lithe_state *state); // s
LITHE_API void lithe_velocity(const lithe_model *model, const lithe_state *state,
                              double *velocity); // (nnode x 3) m/s

typedef struct lithe_energy {
    double kinetic;    // J
    double elastic;    // of all bodies, J
    double potential;  // of weight and of other loads of fixed direction that act now; 0 at rest, J
    double linear[3];  // momentum, kg m/s
    double angular[3]; // momentum about the origin of the world, kg m^2/s
    double work;       // that loads, actuators, supports and obstacles have done since it began, J
    // Most by which kinetic and elastic energy, and what contacts store, rose beyond that, J; 0
    // where it is not watched: at rest, asynchronous, with prony or moduli that change
    double grown;
    double grown_time;  // … and when, s
    double grown_share; // of the most energy there was, as far as it is sure. A few hundredths may
                        // be the error of the work; above a half a converged step ends with
                        // LITHE_NOT_CONVERGED
} lithe_energy;

// How adaptive steps cut the time, since it began. Zero where steps are not adaptive.
typedef struct lithe_stride {
    long taken, refused;
    double shortest, longest; // s
    double error;             // largest estimate of what one step was off by, m
} lithe_stride;

LITHE_API lithe_stride lithe_last_stride(const lithe_state *state);

// A joint as it is now: what it does to its `body`, in the world's axes, and how far it has given
// way.
typedef struct lithe_joint_info {
    const char *name;
    double force[3];  // N
    double moment[3]; // about where it is, N m
    double gap;       // m
    bool at_limit;    // it leans on a stop
    // What it leaves free, of its body seen from the other side, from rest: about the axis and, of
    // a universal joint, about cross (rad); along the axis (m). NAN: it has no such, or two.
    double angle, cross_angle, travel;
} lithe_joint_info;

typedef struct lithe_apart {
    double gap;     // m; 0: no joint has given way
    double allowed; // m: what a step of this mode is content with
    int joint;      // that has given way most; -1: none
} lithe_apart;

// How far joints have given way in the last step, measured on points and directions alone: where
// they and what actuators are told cannot both be, they do. A converged step that leaves more than
// is allowed ends with LITHE_NOT_CONVERGED; a realtime step may.
LITHE_API lithe_apart lithe_last_apart(const lithe_model *model, const lithe_state *state);

// What a joint may leave free, once.
typedef enum lithe_joint_axis {
    LITHE_JOINT_ANGLE,
    LITHE_JOINT_CROSS_ANGLE,
    LITHE_JOINT_TRAVEL,
} lithe_joint_axis;

LITHE_API bool lithe_joint_leaves(const lithe_model *model, int joint, lithe_joint_axis axis);

LITHE_API int lithe_njoint(const lithe_model *model);
LITHE_API const char *lithe_joint_name(const lithe_model *model, int joint); // NULL: there is none
LITHE_API lithe_status lithe_joint_get(const lithe_model *model, const lithe_state *state,
                                       int joint, lithe_joint_info *out);

LITHE_API lithe_energy lithe_last_energy(const lithe_model *model, const lithe_state *state);

// One number for each row of an actuator (N or Pa; m or m^3), effector or sensor.
LITHE_API lithe_status lithe_effort(const lithe_model *model, const lithe_state *state,
                                    int actuator, double *effort);
LITHE_API lithe_status lithe_displacement(const lithe_model *model, const lithe_state *state,
                                          int actuator, double *displacement);
LITHE_API void lithe_efforts(const lithe_model *model, const lithe_state *state,
                             double *effort); // all at once, joints too (ndriven)
LITHE_API lithe_status lithe_effector_value(const lithe_model *model, const lithe_state *state,
                                            int effector, double *value);
LITHE_API lithe_status lithe_sensor_value(const lithe_model *model, const lithe_state *state,
                                          int sensor, double *value);

// What an actuator's limits cost after an inverse step: the derivative of half the squared error of
// the first priority (m^2) by the active effort or displacement limit, so negative at an upper
// limit that holds the target back; 0 where none is active. By the logarithm for a modulus.
LITHE_API lithe_status lithe_limit_multiplier(const lithe_model *model, const lithe_state *state,
                                              int actuator, double *effort, double *displacement);

// The condensed model at the present shape. Rows of an actuator, effector or sensor stand together,
// actuators first, then joints, then effectors, then sensors; their numbers are lithe_row_*.
LITHE_API int lithe_nrow(const lithe_model *model);
LITHE_API int lithe_ndriven(const lithe_model *model); // rows of actuators and of joints
LITHE_API int lithe_row_of_actuator(const lithe_model *model, int actuator);
LITHE_API int lithe_row_of_effector(const lithe_model *model, int effector);
LITHE_API int lithe_row_of_sensor(const lithe_model *model, int sensor);

// What a row is called in tables, with its unit: "north.pull_m" or, by its effort,
// "north.tension_N"; "tip.x_m". Writes text and returns it; "": there is no such row.
enum { LITHE_ROW_NAME = 128 };
LITHE_API const char *lithe_row_name(const lithe_model *model, int row, lithe_command_kind kind,
                                     char text[LITHE_ROW_NAME]);

// W (nrow x ndriven): how much every row moves per unit effort of every driven row.
LITHE_API lithe_status lithe_compliance(const lithe_model *model, lithe_state *state, double *W);

// J (nrow - ndriven x ndriven) = W_ea W_aa^-1: how effectors and sensors move per unit displacement
// of the actuators. Both know what is in contact: a wall that the robot lies on rotates its
// directions.
LITHE_API lithe_status lithe_jacobian(const lithe_model *model, lithe_state *state, double *J);

// S (nrow x ndriven): how every row moves with what each actuator is told at present, its effort or
// its displacement; in the row of an actuator that is told its displacement, how its effort does. 0
// in the column of one that is slack or at its limit. By the logarithm of a modulus.
LITHE_API lithe_status lithe_sensitivity(const lithe_model *model, lithe_state *state, double *S);

// What every row measured at the end of the last step (nrow): actuators their displacement.
LITHE_API const double *lithe_row_values(const lithe_state *state);

// Where rows are, for whoever draws them: points of the line that one measures (a cable, a piston,
// a string; 0: it measures none); the middle of the nodes whose mean or rotation it measures, and
// the direction along which it measures their mean (false: it does not).
LITHE_API int lithe_row_npoint(const lithe_model *model, int row);
LITHE_API lithe_status lithe_row_point(const lithe_model *model, const lithe_state *state, int row,
                                       int point, double out[3]);
LITHE_API bool lithe_row_centre(const lithe_model *model, const lithe_state *state, int row,
                                double out[3]);
LITHE_API bool lithe_row_direction(const lithe_model *model, int row, double out[3]);

// Puts the nodes of a state somewhere (nnode x 3) only to be looked at, drawn or written: what
// follows from positions alone can be asked for, forces cannot. A step needs lithe_state_reset or
// lithe_state_load before it.
LITHE_API void lithe_show_position(const lithe_model *model, lithe_state *state,
                                   const double *position);

// Strain energy per rest volume (J/m^3) and von Mises stress (Pa) of every element (nelement);
// either may be NULL. And what all contacts do to every node (nnode x 3) N.
LITHE_API void lithe_element_fields(const lithe_model *model, const lithe_state *state,
                                    double *energy_density, double *von_mises);
LITHE_API void lithe_contact_forces(const lithe_model *model, const lithe_state *state,
                                    double *force);

// ## contacts

LITHE_API int lithe_nobstacle(const lithe_model *model);
LITHE_API const char *lithe_obstacle_name(const lithe_model *model, int obstacle);
LITHE_API int lithe_find_obstacle(const lithe_model *model, const char *name); // -1: none

// Moves an obstacle from where the scene has it: rotated about the fixed x, then y, then z axis
// through its own origin (a plane's point, the middle of a shape, the origin of a mesh), then moved
// (rad, m). It goes there in the course of the next step.
LITHE_API lithe_status lithe_move_obstacle(const lithe_model *model, lithe_state *state,
                                           int obstacle, const double rotate[3],
                                           const double move[3]);

// How an obstacle stands now from where the scene has it: how far it is moved (m), then rotated
// about its own origin (axis times angle, rad). And where its waypoints have it at a time, as
// lithe_move_obstacle is told (false: it has none; both are 0).
enum { LITHE_MOTION = 6 };
LITHE_API lithe_status lithe_obstacle_motion(const lithe_model *model, const lithe_state *state,
                                             int obstacle, double motion[LITHE_MOTION]);
LITHE_API bool lithe_obstacle_path(const lithe_model *model, int obstacle, double time,
                                   double rotate[3], double move[3]);

// Pairs that may come into contact. They can be switched off and on between steps.
LITHE_API int lithe_npair(const lithe_model *model);
LITHE_API const char *lithe_pair_name(const lithe_model *model, int pair,
                                      int side); // 0: a body, 1: a body or an obstacle
LITHE_API int lithe_find_pair(const lithe_model *model, const char *first,
                              const char *second); // in either order; -1: none
LITHE_API lithe_status lithe_switch_pair(const lithe_model *model, lithe_state *state, int pair,
                                         bool on);

// Coulomb's coefficient of a pair from the next step on, 0 to 10; saved with the state. Where it
// differs by direction, that along it.
LITHE_API lithe_status lithe_set_friction(const lithe_model *model, lithe_state *state, int pair,
                                          double coefficient);
LITHE_API double lithe_friction(const lithe_model *model, const lithe_state *state, int pair);

typedef struct lithe_contact {
    unsigned long long id; // the same from step to step as long as the same features meet
    int pair;
    const char *first;  // body
    const char *second; // body or obstacle
    double gap;         // m, negative: overlap
    double force;       // N, on the first along the normal, and on the second against it
    double normal[3];   // of length 1, from the second to the first
    double at[3];       // m
    double friction[3]; // N, along the surface: on the first, and on the second against it
} lithe_contact;

// What the contacts of a pair do to its first side together, N; the second side gets the opposite.
LITHE_API void lithe_pair_force(const lithe_model *model, const lithe_state *state, int pair,
                                double force[3]);

LITHE_API double lithe_penetration(const lithe_state *state); // deepest overlap of all pairs, m

typedef struct lithe_overlap {
    double depth;   // deepest, m; 0: nothing overlaps by more than rounding
    double allowed; // m: what a step of this mode is content with
    int pair;       // that overlaps deepest; -1: none
    double at[3];   // where, m
    int passes;     // that a realtime step took beyond its iterations, to get below `allowed`
} lithe_overlap;

// How deep the last step left things in each other, measured on the whole of all surfaces by a
// check that does not know what contacts were found. A converged step that leaves more than is
// allowed ends with LITHE_NOT_CONVERGED; a realtime step may.
LITHE_API lithe_overlap lithe_last_overlap(const lithe_model *model, const lithe_state *state);

// Everything that is near enough to push at the last step's end, a thousandth of the robot's size
// or less; where Signorini's law holds, most of it does not push.
LITHE_API int lithe_ncontact(const lithe_state *state);
LITHE_API lithe_status lithe_contact_get(const lithe_model *model, const lithe_state *state,
                                         int contact, lithe_contact *out);

// What the inverse proves of the efforts that it found with contacts.
typedef struct lithe_contact_search {
    const char *proof; // in the last linear problem: "global minimum", "local minimum, strongly
                       // stationary", …; NULL: nothing was near, or no inverse
    double open; // with contacts.global: part of the cost that efforts not tried could still save,
                 // from 0 (proved) to 1; NAN otherwise
} lithe_contact_search;

LITHE_API lithe_contact_search lithe_last_contact_search(const lithe_state *state);

typedef struct lithe_residual {
    double force;  // |f_int - f_ext - G' lambda| over free dofs / the largest of the three norms
    double task;   // forward: largest displacement command missed, relative to the robot's size;
                   // inverse: how far the optimum is still off, relative to it
    double load;   // share of loads and commands that this configuration carries; 1: all
    int iteration; // Newton iterations of the step
    int increment; // load increments of the step
    int negative;  // modes along which the equilibrium is certainly unstable
    int inverted;  // elements that are inside out: no real material is. LITHE_ASYNCHRONOUS: that
                   // were when the factor was begun, a few steps ago
    double floor;  // a converged step that ended above the tolerance for rounding leaves no better:
                   // the relative force residual that it was content with; 0: below the tolerance
} lithe_residual;

LITHE_API lithe_residual lithe_last_residual(const lithe_state *state);

// Relative force residual of every iteration of the last step (the newest ones if there were very
// many).
LITHE_API int lithe_residual_history(const lithe_state *state, const double **force);

// Wall-clock seconds that the last step spent in each phase of the pipeline.
typedef struct lithe_phase_time {
    double assemble, factor, free, rows, condense, solve, correct;
} lithe_phase_time;

LITHE_API lithe_phase_time lithe_last_phase_time(const lithe_state *state);

// How the asynchronous mode keeps up; counts and times are since rest. Zero in other modes.
typedef struct lithe_async {
    long steps;
    long missed;           // steps that took longer than the deadline
    long refused;          // moves that would have left more force out of balance than they took
    long factors;          // that were made
    int age;               // of the last step's factor: steps since the shape it is of
    int oldest;            // the largest age
    double seconds;        // that the last step took
    double longest;        // that any step took
    double jitter;         // standard deviation of the steps' times, s
    double factor_seconds; // that the last factor took, assembly included
    double share;          // of a Newton step that the next one takes; 1 unless factors are too old
} lithe_async;

LITHE_API lithe_async lithe_last_async(const lithe_state *state);

// In a model with a factor_age: the age of the factors from the next step on, at most that. With
// the ages that a run had, it is repeated to the bit.
LITHE_API lithe_status lithe_replay_age(const lithe_model *model, lithe_state *state, int age);

// Writes the deformed robot as a VTK XML file: displacement, strain energy density, von Mises
// stress, material, body.
LITHE_API lithe_status lithe_write_vtu(const lithe_model *model, const lithe_state *state,
                                       const char *path, lithe_report *report);

// ## estimate
//
// The shape of the whole robot from what it measures. Unknown are the efforts of actuators that are
// commanded by their effort and not `given`, and of those that the definition names: a force that
// nobody knows, a modulus. The shape is read from the estimator's state.

typedef struct lithe_estimator lithe_estimator;

// The model must outlive it; the definition need not, but for its strings.
LITHE_API lithe_status lithe_estimator_create(const lithe_model *model,
                                              const lithe_estimate_def *def, int threads,
                                              lithe_estimator **estimator, lithe_report *report);
LITHE_API void lithe_estimator_free(lithe_estimator *estimator);
LITHE_API lithe_state *lithe_estimator_state(lithe_estimator *estimator);

// What an actuator is told, as for lithe_command. One that is known is there; one that is not is
// there to within its spread, and is sought from as far away as it was last found. Before the first
// call: as the model has it.
LITHE_API lithe_status lithe_estimator_tell(lithe_estimator *estimator, int actuator,
                                            lithe_command_kind kind, const double *value);

// Numbers that are read: those of all readings, in their order; and whose each is.
LITHE_API int lithe_estimator_nnumber(const lithe_estimator *estimator);
LITHE_API const char *lithe_estimator_name(const lithe_estimator *estimator, int number);

typedef struct lithe_fit {
    bool converged; // not asked for in the modes realtime and asynchronous
    int iteration;
    int nused;     // numbers that were believed
    int noutlier;  // numbers that were not
    int nunknown;  //
    int rank;      // combinations of unknowns that readings and spreads tell; the others stay
    double cost;   // sum of squares over noise and spread
    double chance; // of a sum at least as large, if model and noise are right; NAN: nothing is left
                   // to judge by
} lithe_fit;

// The shape that fits the readings best (NAN: not measured), from the last one on. In the modes
// realtime and asynchronous as many iterations as a step has. LITHE_NOT_CONVERGED: none was found;
// the state has the reason. fit may be NULL.
LITHE_API lithe_status lithe_estimate(lithe_estimator *estimator, const double *reading,
                                      lithe_fit *fit);

// Whether the last estimate made use of a number; and how far the model is off there, in standard
// deviations of that difference (0 where the fit follows the number whatever it is).
LITHE_API bool lithe_estimator_believed(const lithe_estimator *estimator, int number);
LITHE_API double lithe_estimator_off(const lithe_estimator *estimator, int number);

// Covariance of the numbers of an effector, or of an actuator's efforts, in the last estimate (n x
// n): what the readings' noise makes of it. INFINITY on the diagonal where readings do not tell.
LITHE_API lithe_status lithe_covariance_effector(lithe_estimator *estimator, int effector,
                                                 double *covariance);
LITHE_API lithe_status lithe_covariance_actuator(lithe_estimator *estimator, int actuator,
                                                 double *covariance);

// ## closed loop
//
// A robot whose sensors shall read what they are told is driven by v = -kp e - ki h, with e what
// they read too much and h the sum of those errors, and efforts from the model's Jacobian J_hat.
// How wrong that Jacobian may be: docs/robustness.md.

typedef struct lithe_gains {
    double kp, ki; // per step; the sum of errors is taken step by step
} lithe_gains;

typedef struct lithe_controller lithe_controller;

// Over all sensors but effort sensors, or over all effectors where there are no sensors; with
// actuators that are not `given`. The model must outlive it.
LITHE_API lithe_status lithe_controller_create(const lithe_model *model, lithe_gains gains,
                                               lithe_controller **controller, lithe_report *report);
LITHE_API void lithe_controller_free(lithe_controller *controller);
LITHE_API void lithe_controller_reset(lithe_controller *controller); // told as in the definition
LITHE_API int lithe_controller_nnumber(const lithe_controller *controller);
LITHE_API const double *lithe_controller_sum(const lithe_controller *controller); // h (nnumber)

// One step: what all actuators shall be told next (ndriven), efforts or displacements as in the
// shape's state, so that what is read comes nearer to what is wanted (both nnumber). shape: where
// the robot is thought to be, such as an estimator's state. Within all limits, also on rates; what
// limits leave undone is not summed up.
LITHE_API lithe_status lithe_control(lithe_controller *controller, lithe_state *shape,
                                     const double *reading, const double *wanted, double *told);

// The loop is stable for every J with |I - J J_hat^+| below this, also for one that changes, and
// above it there is one for which it is not. 0: it is unstable even with J_hat = J. frequency: of
// the oscillation that is excited most easily, rad a step; may be NULL.
LITHE_API double lithe_largest_gamma(lithe_gains gains, double *frequency);

// A proof for one gamma: x'Px, x = (e, h), falls in every step, whatever the error of the Jacobian
// up to gamma [bieze2018, eq. 52].
typedef struct lithe_certificate {
    double P[4]; // (2 x 2)
    double alpha;
} lithe_certificate;

typedef struct lithe_certificate_check {
    bool holds;
    double P_least;   // least eigenvalue of P, must be above 0
    double Q_largest; // largest eigenvalue of Q, must be below 0
} lithe_certificate_check;

LITHE_API lithe_status lithe_certify(lithe_gains gains, double gamma,
                                     lithe_certificate *certificate, lithe_report *report);
LITHE_API lithe_certificate_check lithe_check_certificate(lithe_gains gains, double gamma,
                                                          const lithe_certificate *certificate);

#define LITHE_SETTLED 0.02

// Steps after which a change of what is wanted stays within this share of it, J_hat = J; -1: it
// does not settle.
LITHE_API int lithe_settling_steps(lithe_gains gains, double band);

// The gentlest kp that settles to LITHE_SETTLED within so many steps, with the largest ki that
// allows gamma: up to kp^2/4, or half of that, a quarter, … if more would not settle in time.
LITHE_API lithe_status lithe_find_gains(double gamma, int steps, lithe_gains *gains,
                                        lithe_report *report);

// |I - J J_hat^+|, the largest singular value, among what J_hat can move; J, J_hat: (nrow x
// ncolumn). rank: of J_hat, how many combinations of rows it can move; may be NULL.
LITHE_API lithe_status lithe_inversion_error(int nrow, int ncolumn, const double *J,
                                             const double *J_hat, double *gamma, int *rank,
                                             lithe_report *report);

typedef struct lithe_inversion {
    double gamma; // |I - J J_hat^+|
    int rank;     // combinations of readings that the model can move
    double apart; // largest difference that is left between a reading of the robot's and the
                  // model's, in its unit
} lithe_inversion;

// The error of the model's Jacobian J_hat against that of another model that stands for the robot,
// where that one is now: of all sensors but effort sensors (of effectors, where there are no
// sensors), by what the actuators that are not `given` are told. The model's state is brought to
// where its sensors read what the robot's do, by the inverse; without sensors, to the same
// commands. Both models have the same actuators, effectors and sensors.
LITHE_API lithe_status lithe_measure_inversion(const lithe_model *model, lithe_state *state,
                                               const lithe_model *robot, lithe_state *robot_state,
                                               lithe_inversion *found);

#ifdef __cplusplus
}
#endif

#endif
