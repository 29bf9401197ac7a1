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
// lithe_status and leaves the text, with the place, the cause and the remedy, in the lithe_report
// or the state that it was given.
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

// Reads a volume mesh (.msh, .vtk, .vtu) or a surface (.stl); coordinates stay in the file's own
// unit.
LITHE_API lithe_status lithe_mesh_read(const char *path, lithe_mesh **mesh, lithe_report *report);

// A mesh from arrays, which are copied: x is nnode x 3, tet is ntet x 4 node numbers from 0.
LITHE_API lithe_status lithe_mesh_create(int nnode, const double *x, int ntet, const int *tet,
                                         lithe_mesh **mesh, lithe_report *report);
LITHE_API void lithe_mesh_free(lithe_mesh *mesh);

// ## definitions
//
// Each struct comes from its default function; the caller then changes fields. Strings and arrays
// stay the caller's and must live until lithe_compile returns. `place` says where a thing was
// defined ("robot.yaml:12:5") and stands at the head of messages about it; NULL when it was defined
// in code.

typedef enum lithe_law {
    LITHE_COROTATIONAL, // mu |S - I|^2 + lambda/2 tr^2(S - I), F = R S
} lithe_law;

typedef struct lithe_material_def {
    const char *name;
    const char *place;
    lithe_law law;
    double young;   // Pa
    double poisson; // -
    double density; // kg/m^3
} lithe_material_def;

// Which part of a body: nodes (of a fix), boundary triangles all of whose nodes are inside (of a
// surface), or elements whose centroid is inside (of a region).
typedef enum lithe_selection_kind {
    LITHE_ALL,
    LITHE_BOX,     // a: one corner, b: the opposite one; the faces count as inside
    LITHE_SPHERE,  // a: centre, radius
    LITHE_PLANE,   // a: point, b: normal; the side that the normal points to, with the plane itself
    LITHE_GROUP,   // group: a name in the mesh file, or one of the body's surfaces
    LITHE_NEAREST, // a: the one node nearest to it (not for surfaces and regions)
} lithe_selection_kind;

typedef struct lithe_selection {
    lithe_selection_kind kind;
    double a[3];
    double b[3];
    double radius;
    const char *group;
} lithe_selection;

enum { LITHE_X = 1, LITHE_Y = 2, LITHE_Z = 4, LITHE_XYZ = 7 };

// Nodes held along some axes, at a given displacement from rest.
typedef struct lithe_fix_def {
    const char *place;
    lithe_selection where;
    int axes;               // LITHE_X | LITHE_Y | LITHE_Z
    double displacement[3]; // m
} lithe_fix_def;

typedef struct lithe_region_def {
    const char *place;
    lithe_selection where;
    const char *material;
} lithe_region_def;

typedef struct lithe_surface_def {
    const char *name;
    const char *place;
    lithe_selection where;
} lithe_surface_def;

// A name for one of the closed inner cavities of a body, or for a closed surface group of its mesh.
typedef enum lithe_cavity_pick {
    LITHE_CAVITY_NUMBER, // number: 1 is the largest at rest
    LITHE_CAVITY_INSIDE, // inside: a point inside it, at rest
    LITHE_CAVITY_GROUP,  // group: a closed surface group of the mesh
} lithe_cavity_pick;

typedef struct lithe_cavity_def {
    const char *name;
    const char *place;
    lithe_cavity_pick pick;
    int number;
    double inside[3]; // m
    const char *group;
} lithe_cavity_def;

typedef struct lithe_body_def {
    const char *name;
    const char *place;
    const char *mesh_file;  // read when mesh is NULL
    const lithe_mesh *mesh; // used as it is
    double mesh_unit;       // metres in one unit of the mesh's coordinates
    double rotate[3];       // about the fixed x, then y, then z axis, rad
    double move[3];         // after rotating, m
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
} lithe_body_def;

typedef enum lithe_load_kind {
    LITHE_POINT_FORCE, // value: N, at a material point
    LITHE_TRACTION,    // value: Pa per area at rest, of fixed direction, on a surface
    LITHE_PRESSURE,    // pressure: Pa, on a surface; follows its normal and pushes into the body
} lithe_load_kind;

typedef struct lithe_load_def {
    const char *name;
    const char *place;
    lithe_load_kind kind;
    const char *body;
    double at[3];        // m, in the placed rest shape
    const char *surface; // one of the body's surfaces, or a surface group of its mesh
    double value[3];
    bool total; // traction: value is the whole force in N, spread evenly over the surface at rest
    double pressure;
} lithe_load_def;

typedef enum lithe_actuator_kind {
    LITHE_CABLE,  // displacement: pull (m), effort: tension (N)
    LITHE_PISTON, // displacement: stroke (m), effort: force (N); positive pushes its two points
                  // apart
    LITHE_CAVITY, // displacement: volume change (m^3), effort: pressure (Pa)
} lithe_actuator_kind;

// What an actuator is told: its effort, or the displacement on which that effort works.
typedef enum lithe_command_kind { LITHE_EFFORT, LITHE_DISPLACEMENT } lithe_command_kind;

typedef struct lithe_point_def {
    const char *body; // carries the point
    double at[3];     // m, in the placed rest shape
} lithe_point_def;

typedef struct lithe_actuator_def {
    const char *name;
    const char *place;
    lithe_actuator_kind kind;
    int npoint;                   // cable: one or more; piston: two
    const lithe_point_def *point; // in order, from the pulled end to the tied end
    bool
        has_pulled_from; // cable: its pulled end is a point of the world instead of the first point
    double pulled_from[3];  // m
    bool has_tied_to;       // cable: its far end is a point of the world instead of the last point
    double tied_to[3];      // m
    const char *body;       // cavity
    const char *cavity;     // one of the body's named cavities; NULL: its only one
    double effort_limit[2]; // N or Pa
    double displacement_limit[2]; // m or m^3
    lithe_command_kind command;
    double value; // of the command
} lithe_actuator_def;

typedef struct lithe_effector_def {
    const char *name;
    const char *place;
    lithe_point_def point;
} lithe_effector_def;

typedef enum lithe_mode {
    LITHE_CONVERGED, // every step ends in an equilibrium, or says that it did not
    LITHE_REALTIME,  // every step does a fixed number of iterations
} lithe_mode;

typedef struct lithe_step_def {
    lithe_mode mode;
    double dt;      // s from step to step, for time series
    int steps;      // in how many steps `lithe run` brings the commands from rest to their values
    int iterations; // realtime: a step
    int max_iteration; // converged: Newton iterations in one load increment
    double tolerance;  // converged: relative force residual, and displacement commands relative to
                       // the robot's size
} lithe_step_def;

typedef struct lithe_def {
    double gravity[3]; // m/s^2
    lithe_step_def step;
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
} lithe_def;

LITHE_API lithe_def lithe_def_default(void);
LITHE_API lithe_material_def lithe_material_def_default(void);
LITHE_API lithe_body_def lithe_body_def_default(void);
LITHE_API lithe_fix_def lithe_fix_def_default(void);
LITHE_API lithe_region_def lithe_region_def_default(void);
LITHE_API lithe_surface_def lithe_surface_def_default(void);
LITHE_API lithe_cavity_def lithe_cavity_def_default(void);
LITHE_API lithe_load_def lithe_load_def_default(void);
LITHE_API lithe_actuator_def lithe_actuator_def_default(lithe_actuator_kind kind);
LITHE_API lithe_effector_def lithe_effector_def_default(void);

// ## scene

typedef struct lithe_scene lithe_scene;

// Reads a scene file into definitions; mesh files in it are relative to it. Each of the nset
// overrides is "path=value" with the keys of the file ("materials.silicone.young=200 kPa").
LITHE_API lithe_status lithe_scene_read(const char *path, int nset, const char *const *set,
                                        lithe_scene **scene, lithe_report *report);
LITHE_API const lithe_def *lithe_scene_def(const lithe_scene *scene);
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
LITHE_API const char *lithe_body_name(const lithe_model *model, int body);
LITHE_API const char *lithe_actuator_name(const lithe_model *model, int actuator);
LITHE_API const char *lithe_effector_name(const lithe_model *model, int effector);
LITHE_API int lithe_find_actuator(const lithe_model *model, const char *name); // -1: none
LITHE_API int lithe_find_effector(const lithe_model *model, const char *name); // -1: none
LITHE_API lithe_actuator_kind lithe_actuator_type(const lithe_model *model, int actuator);
LITHE_API const double *lithe_rest(const lithe_model *model); // placed rest positions (nnode x 3) m

// ## state

typedef struct lithe_state lithe_state;

// At rest, with no load applied yet; the first step applies the loads and commands. threads: 1 or
// more.
LITHE_API lithe_status lithe_state_create(const lithe_model *model, int threads,
                                          lithe_state **state, lithe_report *report);
LITHE_API void lithe_state_reset(const lithe_model *model, lithe_state *state);
LITHE_API void lithe_state_free(lithe_state *state);

// What an actuator shall do from the next step on. A value outside the actuator's limits is
// LITHE_INVALID.
LITHE_API lithe_status lithe_command(const lithe_model *model, lithe_state *state, int actuator,
                                     lithe_command_kind kind, double value);

// One step. Not converging leaves the last equilibrium on the way, its residuals, and the reason in
// lithe_state_error.
LITHE_API lithe_status lithe_step(const lithe_model *model, lithe_state *state);

LITHE_API const char *lithe_state_error(const lithe_state *state);
LITHE_API const double *lithe_position(const lithe_state *state); // (nnode x 3) m
LITHE_API void lithe_effector_position(const lithe_model *model, const lithe_state *state,
                                       int effector, double position[3]);
LITHE_API double lithe_effort(const lithe_state *state, int actuator);       // N or Pa
LITHE_API double lithe_displacement(const lithe_state *state, int actuator); // m or m^3

// The state of the answer, after a step.
typedef struct lithe_residual {
    double force;  // |f_int - f_ext - G' lambda| over free dofs / the largest of the three norms
    double task;   // largest displacement command missed, relative to the robot's size
    double load;   // share of loads and commands that this configuration carries; 1: all
    int iteration; // Newton iterations of the step
    int increment; // load increments of the step
    int negative;  // negative pivots of the last tangent: above 0 the equilibrium is unstable
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

// Writes the deformed robot as a VTK XML file: displacement, strain energy density, von Mises
// stress, material, body.
LITHE_API lithe_status lithe_write_vtu(const lithe_model *model, const lithe_state *state,
                                       const char *path, lithe_report *report);

#ifdef __cplusplus
}
#endif

#endif
