// The pieces of reading a scene: from the tree, by the table of keys, into definitions.
#ifndef SCENE_READER_H
#define SCENE_READER_H

#include "lithe/drive.h"
#include "scene/keys.h"
#include "scene/scene.h"
#include "scene/tree.h"

typedef struct reader {
    arena *arena;
    lithe_report *report;
    const char *path; // of the scene file
    const tree_node *root;
    const lithe_def *def; // what is read so far
    quantity_units units;
    scene_files *files;        // what is named is noted here
    const scene_files *packed; // NULL: files are where their names say
} reader;

// The functions below that take a map, a block and a key read the value of that key as the table
// says, and leave *value alone when the key is absent.

// Checks that the node is a map that holds what its block requires and nothing it does not allow.
lithe_status read_map(const reader *r, const tree_node *node, keys_block block);
// Checks that the node is a map whose keys are names.
lithe_status read_named(const reader *r, const tree_node *node);

lithe_status read_quantity(const reader *r, const tree_node *map, keys_block block, const char *key,
                           double *value);
lithe_status read_positive(const reader *r, const tree_node *map, keys_block block, const char *key,
                           double *value);
lithe_status read_triple(const reader *r, const tree_node *map, keys_block block, const char *key,
                         double value[3]);
// A triple that is a direction: not zero. *given: whether it is there.
lithe_status read_direction(const reader *r, const tree_node *map, keys_block block, bool *given,
                            double value[3]);
lithe_status read_range(const reader *r, const tree_node *map, keys_block block, const char *key,
                        double value[2]);
lithe_status read_corners(const reader *r, const tree_node *map, const char *key, double a[3],
                          double b[3]);
lithe_status read_count(const reader *r, const tree_node *map, const char *key, int *value);
lithe_status read_count_to(const reader *r, const tree_node *map, const char *key, int most,
                           int *value);
lithe_status read_bool(const reader *r, const tree_node *map, const char *key, bool *value);
lithe_status read_text(const reader *r, const tree_node *map, const char *key, const char **value);
// A file, relative to the scene's folder unless absolute; the key must be there.
lithe_status read_file_name(const reader *r, const tree_node *map, const char *key,
                            const char **value);
// One of the given words; *value is its index.
lithe_status read_word(const reader *r, const tree_node *map, const char *key, int nword,
                       const char *const *word, int *value);

lithe_status read_word_node(const reader *r, const tree_node *node, const char *key, int nword,
                            const char *const *word, int *value);
lithe_status read_unit(const reader *r, const tree_node *map, keys_block block, const char *key,
                       unit *value, bool *given);

// A name that must be a key of `among` (NULL: nothing there); what: "material", for messages.
lithe_status read_reference(const reader *r, const tree_node *map, const char *key,
                            const tree_node *among, const char *what, const char **value);
lithe_status read_material_name(const reader *r, const tree_node *map, const char **value);
lithe_status read_body_name(const reader *r, const tree_node *map, const char **value);
// A body, and one of its cavities if one is named.
lithe_status read_cavity_name(const reader *r, const tree_node *map, const char **body,
                              const char **cavity);
lithe_status read_axes(const reader *r, const tree_node *map, int *axes);

// The one selection among the keys of a map that read_map has checked; none: all.
lithe_status read_selection(const reader *r, const tree_node *map, lithe_selection *where);
// One node is neither a triangle nor an element; what: "a region".
lithe_status read_no_nearest(const reader *r, const tree_node *map, const char *what);

// One value of a dimension.
lithe_status read_quantity_node(const reader *r, const tree_node *node,
                                quantity_dimension dimension, bool infinite, double *value);

// Three values of one dimension, from a list.
lithe_status read_triple_node(const reader *r, const tree_node *node, quantity_dimension dimension,
                              bool infinite, double value[3]);
// Points of a line, and the patches that some of them are.
typedef struct point_list {
    bool patches; // there may be some
    int n;
    lithe_point_def *point;
    const lithe_selection **patch;
} point_list;

// A point: [x, y, z] on `body` (NULL: it must name its own), or {body, at}, {world}, or a patch of
// a body (NULL: refused).
lithe_status read_carried(const reader *r, const tree_node *node, const char *body,
                          lithe_point_def *point, const lithe_selection **patch);
// A list of those under a key, with room for more; on the body that the map names.
lithe_status read_carrieds(const reader *r, const tree_node *map, const char *key, int extra,
                           point_list *out);
// Points `from` and `to`.
lithe_status read_ends(const reader *r, const tree_node *node, point_list *out);

// Where the thing stands, for its definition.
lithe_status read_location(const reader *r, const tree_node *node, const char **location);

// Zeroed memory that lives as long as the scene; NULL, reported, when there is none.
void *read_alloc(const reader *r, int count, size_t size);

// What is measured, under its key: a point; a line through two points or more; a cavity.
lithe_status read_one_point(const reader *r, const tree_node *node, int *n,
                            const lithe_point_def **point);
lithe_status read_triples(const reader *r, const tree_node *map, const char *key, int *n,
                          const double **out); // two or more, of no body
lithe_status read_line_points(const reader *r, const tree_node *node, int *n,
                              const lithe_point_def **point);
lithe_status read_volume_of(const reader *r, const tree_node *node, const char **body,
                            const char **cavity);

// The parts of a scene.
lithe_status read_scene(reader *r, lithe_def *def);
lithe_status read_material(const reader *r, const tree_node *node, lithe_material_def *m);
// What is like others gets their keys.
lithe_status read_likes(const reader *r);
lithe_status read_body(const reader *r, const tree_node *node, lithe_body_def *body);
// Rods, shells, springs and threads of a body.
lithe_status read_slender(const reader *r, const tree_node *map, lithe_body_def *body);
// Members of a body, and where they are attached to each other.
lithe_status read_members(const reader *r, const tree_node *map, lithe_body_def *body);
lithe_status read_rigid_body(const reader *r, const tree_node *map, lithe_body_def *body);
lithe_status read_transform(const reader *r, const tree_node *map, lithe_body_def *body);
lithe_status read_true(const reader *r, const tree_node *node, const char *expected);
// Adds what a URDF file holds to bodies and joints, before these are read.
lithe_status read_urdf(const reader *r);
// What has been read in the frame of a body, as its keys `frame` say, becomes that of the world.
lithe_status read_body_frame(const reader *r, const tree_node *node, lithe_body_def *body);
lithe_status read_joint_frame(const reader *r, const tree_node *node, lithe_joint_def *joint);
lithe_status read_load_frame(const reader *r, const tree_node *node, lithe_load_def *load);
lithe_status read_actuator_frame(const reader *r, const tree_node *node, bool on_joint,
                                 lithe_actuator_def *actuator);
lithe_status read_effector_frame(const reader *r, const tree_node *node,
                                 lithe_effector_def *effector);
lithe_status read_solid(const reader *r, const tree_node *map, keys_block block,
                        lithe_body_def *body);
lithe_status read_one_mesh(const reader *r, const tree_node *map, bool *found);
lithe_status read_pair_frame(const reader *r, const tree_node *node, lithe_pair_def *pair);
lithe_status read_sensor_frame(const reader *r, const tree_node *node, lithe_sensor_def *sensor);
lithe_status read_joint(const reader *r, const tree_node *node, lithe_joint_def *joint);
lithe_status read_load(const reader *r, const tree_node *node, lithe_load_def *load);
lithe_status read_actuator(const reader *r, const tree_node *node, lithe_actuator_def *actuator);
lithe_status read_fix_play(const reader *r, const tree_node *map, lithe_fix_def *fix);
lithe_status read_play(const reader *r, const tree_node *map, lithe_actuator_def *actuator);
lithe_status read_effector(const reader *r, const tree_node *node, lithe_effector_def *effector);
lithe_status read_sensor(const reader *r, const tree_node *node, const lithe_def *def,
                         lithe_sensor_def *sensor);
// Metres in a unit of the coordinates of the mesh that the key `file` names.
lithe_status read_mesh_unit(const reader *r, const tree_node *map, keys_block block,
                            const char *file, double *mesh_unit);
// The waypoints of a path (n), each with a time and 6 numbers, rotate and move.
lithe_status read_waypath(const reader *r, const tree_node *map, int *n, const double **times,
                          const double **ways);
lithe_status read_obstacle(const reader *r, const tree_node *node, lithe_obstacle_def *obstacle);
lithe_status read_contacts(const reader *r, lithe_contacts_def *contacts);
lithe_status read_task(const reader *r, lithe_def *def);
// Estimate and controller, once actuators, effectors and sensors are read.
lithe_status read_loop(const reader *r, lithe_def *def);
// Wire, plant and feedback, once all of that is read.
lithe_status read_drive(const reader *r, const lithe_def *def, lithe_drive_def *drive);
lithe_status read_plant(const reader *r, const lithe_def *def, lithe_drive_def *drive);
lithe_status read_feedback(const reader *r, lithe_feedback_def *feedback);

// What a channel of the wire is about.
typedef struct channel_subject {
    quantity_dimension dimension;
    const lithe_actuator_def *actuator; // NULL: an effector or a sensor
} channel_subject;

// kind: of an actuator, which of its quantities. The node's key is the name.
lithe_status read_subject(const reader *r, const tree_node *node, const lithe_def *def, bool out,
                          lithe_command_kind kind, channel_subject *subject);
// One value of a dimension, or its change in a second; must not be negative.
lithe_status read_own(const reader *r, const tree_node *map, const char *key,
                      quantity_dimension dimension, double *value);
lithe_status read_own_rate(const reader *r, const tree_node *map, const char *key,
                           quantity_dimension dimension, double *value);
lithe_status read_not_negative(const reader *r, const tree_node *map, keys_block block,
                               const char *key, double *value);

#endif
