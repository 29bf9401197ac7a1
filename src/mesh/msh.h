// What the readers of the Gmsh formats 2.2 and 4.1 share.
#ifndef MESH_MSH_H
#define MESH_MSH_H

#include "mesh/build.h"
#include "mesh/scan.h"

enum { MSH_MAX_NODE = 64 }; // nodes of one element

// Something that the file numbers by a tag, kept sorted by it.
typedef struct msh_tag {
    int64_t tag;
    int index;
} msh_tag;

// The physical groups of one geometric entity.
typedef struct msh_entity {
    int64_t key; // msh_key(dim, tag)
    int first;   // of its groups, in entity_group
    int ngroup;
} msh_entity;

typedef struct msh {
    scan in;
    build out;
    int version;         // 2 or 4
    scan_type size_type; // what a binary 4.1 file counts and numbers with
    list name;           // msh_name, sorted by key
    list entity;         // msh_entity, sorted by key (4.1)
    list entity_group;   // int, group ids of the builder
    list node;           // msh_tag
    int64_t last_key;    // 2.2: the physical group of the last element,
    int last_group;      // and its id; -1: none yet
    bool has_nodes;
    bool has_elements;
} msh;

static inline int64_t msh_key(int dim, int64_t tag)
{
    return tag * 4 + dim;
}

// For qsort and bsearch: of msh_tag and all else that starts with its key.
int msh_compare_key(const void *left, const void *right);

// The name of a physical group, NULL if it has none.
const char *msh_group_name(const msh *f, int dim, int64_t tag);

// What Gmsh's element type means; NULL if Lithe does not know it.
const build_shape *msh_shape(int64_t type);
lithe_status msh_fail_type(const msh *f, int64_t type);

// Sorts the node tags and refuses a tag given twice.
lithe_status msh_sort_nodes(msh *f);

// The node with the tag; `element` is for the message.
lithe_status msh_find_node(const msh *f, int64_t tag, int64_t element, int *node);

// Node tags and positions, in the order of the file.
lithe_status msh_add_node_tag(msh *f, int64_t tag, int index);

// The sections that differ.
lithe_status msh2_nodes(msh *f);
lithe_status msh2_elements(msh *f);
lithe_status msh4_entities(msh *f);
lithe_status msh4_nodes(msh *f);
lithe_status msh4_elements(msh *f);

#endif
