// From definitions to a model: what the parts of lithe_compile share.
#ifndef SCENE_COMPILE_H
#define SCENE_COMPILE_H

#include "material/fit.h"
#include "mesh/skeleton.h"
#include "mesh/surface.h"
#include "step/model.h"

// A rigid body's own nodes, behind those of its mesh: at its centre of mass, and around it.
enum { RIGID_POINTS = SURFACE_POINTS, RIGID_NODES = 1 + RIGID_POINTS };
typedef struct compile_rigid {
    int centre;        // the first of these
    double arm[3];     // how far from it the others are along each axis, m
    double volume;     // m^3
    double inertia[9]; // of mass 1, about the world's axes at rest, m^2
} compile_rigid;

typedef struct compile_member compile_member; // see compile_member.c

// A node follows a point of a frame, among other things.
typedef struct compile_hang_on {
    int node, frame;
    double weight, at[3]; // the point at rest, m
} compile_hang_on;

// What is needed of a body only while compiling.
typedef struct compile_body {
    const lithe_body_def *def;
    lithe_mesh *owned; // read here, freed at the end; NULL when the caller gave the mesh
    mesh_skeleton skeleton;
    const lithe_mesh *mesh;   // the skeleton's tetrahedra, with the nodes of rods and shells behind
    lithe_mesh **shell_owned; // read here, freed at the end (def->nshell)
    const lithe_mesh **shell_mesh; // NULL: a shell of the body's own mesh (def->nshell)
    struct slender *slender;       // rods and shells; NULL: none
    struct joints *joints;         // springs, threads and glue; NULL: none
    int nposition, nrotation;      // nodes that are positions, and that are rotations
    int *rotation;                 // as in the body (nposition)
    double *X;                     // placed rest positions (nposition + nrotation x 3)
    mesh_boundary boundary;
    struct average *average;    // patches of tetrahedra; NULL: none
    const law_material *law;    // its materials, fibres as they lie in it (def->nmaterial)
    int *material;              // of the cells of the mesh (ncell)
    int *element;               // the body's element that a cell of the mesh becomes (ncell)
    const law_material **stuff; // of the body's elements (nelement)
    unsigned char *held;        // (nposition + nrotation)
    double *hold;               // (nposition + nrotation x 3)
    int *lead; // fix that leads a held coordinate in time, -1: none (nposition + nrotation x 3)
    sparse_builder *builder;
    int nframe; // rigid parts and what servos rotate; their rotations are the last nodes
    carry_frame *frame;
    int *owner; // frame that carries a node, -1: none (nposition + nrotation); NULL: there are none
    bool *still;            // elements that cannot deform (nelement)
    compile_rigid *rigid;   // NULL: it deforms
    lithe_mesh *padded;     // its mesh with nodes of its own; freed at the end
    int material_id;        // of its density; -1: none
    compile_member *member; // several meshes in one (def->nmember); NULL: it has one mesh, or none
    bool *tied;             // nodes that follow other nodes; NULL: none (nposition + nrotation)
    int ntie;               // which these are, each with a weight, and
    carry_tie *tie;         //
    int nhang;              // what they follow of frames
    compile_hang_on *hang;  //
} compile_body;

typedef struct compiler {
    const lithe_def *def;
    lithe_model *model;
    lithe_report *report;
    arena scratch;
    law_material *material; // (def->nmaterial)
    compile_body *body;
} compiler;

// A failure at a definition's source location: "robot.yaml:12:5: …".
__attribute__((format(printf, 3, 4))) lithe_status
compile_fail(const compiler *c, const char *location, const char *format, ...);
lithe_status compile_no_memory(const compiler *c);

// Bytes that the meshes read so far will need in the end, about, and the part of them that is sure.
double compile_need(const compiler *c, double *sure);

// Index of the body of that name; fails with the nearest name.
lithe_status compile_find_body(const compiler *c, const char *location, const char *name,
                               int *body_id);

// The triangles (nodes of the body, normals out of the material) of a surface by name: one of the
// definition's, or a triangle group of the mesh. tri is in the scratch arena.
lithe_status compile_find_surface(compiler *c, int body_id, const char *location, const char *name,
                                  int *ntri, int **tri);

// The same as triangles of the boundary, and as faces of elements.
lithe_status compile_pick_surface(compiler *c, int body_id, const char *location, const char *name,
                                  int *n, int **pick);
bool compile_has_surface(const compile_body *part, const char *name);
lithe_status compile_find_faces(compiler *c, int body_id, const char *location, const char *name,
                                face_set *out);

// The faces that triangles of the boundary make up. flipped: with normals into the material; first:
// added to every node.
lithe_status compile_faces(compiler *c, const compile_body *part, int n, const int *pick,
                           bool flipped, int first, face_set *out);
void compile_flip_triangle(const int tri[3], bool flipped, int first, int out[3]);

// Nodes or elements of the body that a selection means; none is an error.
lithe_status compile_find_nodes(compiler *c, int body_id, const char *location,
                                const lithe_selection *where, int *n, int **node);
lithe_status compile_find_elements(compiler *c, int body_id, const char *location,
                                   const lithe_selection *where, int *n, int **element);

// A material point, carried by the body's nodes. what: for messages, "actuator 'north'".
lithe_status compile_embed(compiler *c, int body_id, const char *location, const char *what,
                           const double at[3], row_point *out);

// A force of fixed direction on a point, as a load.
lithe_status compile_hang(compiler *c, const row_point *point, const double force[3],
                          body_span span);

// Index of the material of that name; fails with the nearest name.
lithe_status compile_find_material(const compiler *c, const char *location, const char *name,
                                   int *id);

// The laws of all materials; and those of a body, with fibres that rotate with it where it says so.
lithe_status compile_materials(compiler *c);
lithe_status compile_fibres(compiler *c, compile_body *part);

// Where a point of a body's mesh file is in the world.
void compile_transform(const lithe_body_def *def, const double at[3], double out[3]);

// Frames: which nodes they carry, before elements are numbered; what holds them, once fixes are
// known; the node that is a frame's rotation; can an element of these nodes deform?
lithe_status compile_frames(compiler *c, int body_id);
lithe_status compile_carried(compiler *c, int body_id);
int compile_frame_node(const compile_body *part, int frame);
bool compile_is_still(const compile_body *part, int n, const int *node);
// Any point, on an arm that the frame rotates.
void compile_ride_frame(const compiler *c, int body_id, int frame, const double at[3],
                        row_point *out);

// Rigid bodies: their mesh with nodes of their own; the skin of what is placed; where their own
// nodes are; facets; mass and inertia. The weights of their points that make up a point of the
// body.
bool compile_is_rigid(const compile_body *part);
lithe_status compile_rigid_mesh(compiler *c, compile_body *part);
lithe_status compile_rigid_skin(compiler *c, compile_body *part);
lithe_status compile_rigid_locate(compiler *c, compile_body *part);
lithe_status compile_rigid_family(compiler *c, const compile_body *part, element_family *family,
                                  int *n);
lithe_status compile_rigid_mass(compiler *c, const compile_body *part, body *b);
int compile_rigid_nround(const compile_body *part); // nodes at the centres of what is round
// What the scene says of two things that meet.
typedef struct compile_law {
    double friction, restitution, detection_distance;
    double across;   // friction across `along`; below 0: the same
    double along[3]; //
    int obstacle;    // which carries that; -1: the body
    const char *location;
} compile_law;
lithe_status compile_pair_law(compiler *c, const lithe_pair_def *d, int o, int k, int other,
                              compile_law *out); // o, other: -1 if it is none
lithe_status compile_ease(compiler *c, const compile_law *told, const contact_surface *surface,
                          contact_law *law);

lithe_status compile_ride(compiler *c, int body_id, contact_surface *surface); // … of its vertices
lithe_status compile_rigid_round(compiler *c, int body_id, contact_surface *out,
                                 check_source *solid);
double compile_rigid_stiffness(const compiler *c, int body_id); // as contacts meet it, N/m
lithe_status compile_rigid_couple(const compile_body *part, const body *b, sparse_builder *builder);
void compile_rigid_weights(const compile_body *part, const double at[3],
                           double weight[RIGID_POINTS]);

// Bodies of several meshes: the one mesh that they make, with their rigid ones as rigid parts; the
// materials of its cells; which elements have no mass of their own, and the mass of rigid members.
lithe_status compile_unite(compiler *c, compile_body *part);
lithe_status compile_member_materials(compiler *c, const compile_body *part, int *material);
lithe_status compile_member_density(compiler *c, const compile_body *part, double *density);
lithe_status compile_member_mass(compiler *c, const compile_body *part, body *b);
void compile_members_free(compile_body *part);

// Where members follow each other: nodes that frames of rigid ones carry, once those are there, and
// nodes that follow nodes. The frame of a rigid member has its origin at its centre of mass.
lithe_status compile_attach(compiler *c, int body_id);
// A member by name, -1: none; its nodes, and the cells whose nodes they are; its frame, -1: soft;
// the node at its centre of mass.
int compile_find_member(const compile_body *part, const char *name);
lithe_status compile_member_nodes(compiler *c, const compile_body *part, int member, bool **in);
lithe_status compile_member_mesh(compiler *c, const compile_body *part, int member, mesh *out);
int compile_member_frame(const compile_body *part, int member);
int compile_member_centre(const compile_body *part, int member);

// Adds what holding one axis at p takes from the rigid motions (t, omega) about `centre`: a unit of
// t_axis + (omega x p).
void compile_add_hold(double gram[36], int axis, const double p[3], const double centre[3],
                      double size);

// Adds the nodes of rods and shells to a body whose own mesh is placed.
lithe_status slender_collect(compiler *c, compile_body *part);

// Their elements, after those of the mesh: how many, each one's material and corners (returned: how
// many those are), their families.
int slender_nelement(const compile_body *part);
int slender_material(const compile_body *part, int e);
int slender_cell(const compile_body *part, int e, const int **node);
lithe_status slender_families(compiler *c, const compile_body *part, element_family *family,
                              int *n);

// Springs, threads and glue: the same, after those of rods and shells.
lithe_status joints_collect(compiler *c, compile_body *part);
int joints_nelement(const compile_body *part);
int joints_material(const compile_body *part, int e);
bool joints_follow_material(const compile_body *part, int e); // threads do, springs do not
lithe_status joints_families(compiler *c, const compile_body *part, element_family *family, int *n);

// Patches of tetrahedra that share their changes of volume: the same, after those. Also a cell in
// each, and what a material is to tetrahedra and patches.
lithe_status average_collect(compiler *c, compile_body *part);
int average_nelement(const compile_body *part);
int average_material(const compile_body *part, int e);
int average_cell(const compile_body *part, int e);
const law_material *average_stuff(const compile_body *part, int material, bool patch);
lithe_status average_families(compiler *c, const compile_body *part, element_family *family,
                              int *n);

// Glue joins two parts of a body: how many times, and a node of each.
int joints_nglue(const compile_body *part);
void joints_pair(const compile_body *part, int glue, int pair[2]);

// The node that is glued and its rotation, and the nodes that it is glued to; returns how many.
int joints_hosts(const compile_body *part, int glue, int glued[2], const int **host);

// The point of a rod or shell nearest to a point, as carried by it, and how far off it is from its
// surface (m); INFINITY: there are none.
double slender_embed(const compile_body *part, const double at[3], row_point *out);

// Elements of a body: the cells of its mesh (compile_cells), families of them, one for every law,
// and what follows from them.
lithe_status compile_cells(compiler *c, compile_body *part);
lithe_status compile_families(compiler *c, const compile_body *part, int *nfamily,
                              element_family family[LAW_KINDS]);
void compile_carry(const compile_body *part, const mesh_point *embedded, const double at[3],
                   row_point *out); // nodes of the body and weights of a point in the mesh
lithe_status compile_quality(compiler *c, const compile_body *part, body *b);
lithe_status compile_mass(compiler *c, const compile_body *part, body *b);

lithe_status compile_bodies(compiler *c);     // meshes, transforms, materials, what is held
lithe_status compile_holds(compiler *c);      // every part of a body must be held
lithe_status compile_motion(compiler *c);     // dynamics: masses, velocities at the start
void compile_spectral_radius(lithe_model *m); // … what the scheme takes unless told
lithe_status compile_loads(compiler *c);      // gravity, forces, tractions, pressures
lithe_status compile_surfaces(compiler *c);   // that outsiders see
lithe_status compile_rows(compiler *c);       // actuators, effectors
lithe_status compile_contacts(compiler *c);   // obstacles and what may come into contact
lithe_status compile_idle(compiler *c);       // nodes that nothing of it needs
// The model, reduced if the definition wants that.
lithe_status compile_reduction(compiler *c, lithe_model **model);
lithe_status compile_check_apart(compiler *c);       // … what is thick is not in itself at rest
lithe_status compile_check(compiler *c);             // definitions alone, before any file is read
lithe_status compile_check_kinds(const compiler *c); // … their enumerators, before all else
// What is filled with cells here is soft and has no mesh. what: a body or a member
lithe_status compile_check_filled(const compiler *c, const lithe_body_def *d, const char *what);

// An obstacle's shape, transform, name and path; the skin of one that is a mesh.
lithe_status compile_obstacle(compiler *c, int obstacle, contact_shape *shape);
lithe_status compile_obstacle_mesh(compiler *c, int o, contact_surface *out, check_source *solid);

// A surface as the check of overlaps sees it, of its own memory; node: the number of vertex 0.
lithe_status compile_solid(compiler *c, const check_source *from, check_source *out);

// Read a mesh file, and make or read the mesh of a body that has none yet; a failure names the
// definition's source location too.
lithe_status compile_read_mesh(const compiler *c, const char *location, const char *file,
                               lithe_mesh **out);
lithe_status compile_make_mesh(const compiler *c, const lithe_body_def *d, lithe_mesh **out);

// The wall of a body's cavity by name; NULL: its only one. who: for messages.
lithe_status compile_shell(compiler *c, const char *location, const char *who,
                           const char *body_name, const char *cavity_name, row_shell *shell);

// A vector of length 1; none is an error.
lithe_status compile_direction(const compiler *c, const char *location, const char *name,
                               const double v[3], double out[3]);

// The directions along which a group measures: one, or the chosen axes.
lithe_status compile_directions(const compiler *c, const char *location, const char *name,
                                bool has_direction, const double direction[3], int axes,
                                double out[3][3], int *n);

// Nodes with weights that add up to 1: of a point, by area of a surface, equally or by mass of a
// selection.
lithe_status compile_cloud_of_point(const compiler *c, const row_point *point, row_cloud *cloud);
lithe_status compile_cloud_of_surface(compiler *c, const char *location, const char *body_name,
                                      const char *surface, row_cloud *cloud);
lithe_status compile_cloud_of_patch(compiler *c, const char *location, const char *body_name,
                                    const lithe_selection *where, row_cloud *cloud);
lithe_status compile_cloud_of_nodes(compiler *c, const char *location, const char *body_name,
                                    const lithe_selection *where, bool by_mass, row_cloud *cloud);

// How a definition says that something goes on in time; and as the model has it.
typedef struct play_source {
    const char *what; // "actuator 'pull'", for messages
    const char *location;
    int n; // numbers
    int nwaypoint;
    const double *waypoint, *time;
    const double *amplitude;
    double period, phase;
} play_source;
lithe_status compile_play(compiler *c, const play_source *d, model_play *p);

// Fixes whose displacement goes on in time: how many there are; and what they lead, once bodies
// have their coordinates.
bool compile_is_led(const lithe_fix_def *fix);
int compile_nlead(const compiler *c);
lithe_status compile_leads(compiler *c);

// Waypoints as a definition has them; and as the model does.
typedef struct path_source {
    const char *name, *location;
    int n;
    const double *time, *way;
} path_source;
lithe_status compile_path(compiler *c, const path_source *from, contact_path *path);

// Rows of joints, which are driven to stay 0.
lithe_status compile_joints(compiler *c);
lithe_status compile_motor(compiler *c, const lithe_actuator_def *d, model_group *group);

// Rows, one after the other: the next one of a group, to be filled; and done with. relative: it
// measures from rest.
row *compile_next_row(compiler *c, model_group *group);
lithe_status compile_finish_row(compiler *c, row *r, bool relative);

// One row for each direction, all measuring the same cloud.
lithe_status compile_means(compiler *c, model_group *group, const row_cloud *cloud, int n,
                           double direction[3][3], bool relative);

// Nodes or elements of a row's region, kept.
lithe_status compile_members(compiler *c, int n, const int *member, row_region *region);

// Two neighbouring points in the same position give a segment no direction.
lithe_status compile_check_segments(const compiler *c, const char *location, const char *name,
                                    const row *r);

// Points of lines, of bodies or of the world; what: "actuator 'pull'", for messages.
void compile_world_point(const double at[3], row_point *out);
lithe_status compile_line_point(compiler *c, const char *location, const char *what,
                                const lithe_point_def *def, row_point *out);
lithe_status compile_points(compiler *c, const char *location, const char *what, int n,
                            const lithe_point_def *def, row_point **out);

// Rows of what effectors and sensors measure: the length of a line, the volume of a cavity, where
// points are.
lithe_status compile_length(compiler *c, const char *location, const char *name, const char *what,
                            int npoint, const lithe_point_def *point, model_group *group);
lithe_status compile_volume(compiler *c, const char *location, const char *name,
                            const char *body_name, const char *cavity, model_group *group);
lithe_status compile_positions(compiler *c, const lithe_effector_def *d, const char *what,
                               model_group *group);

#endif
