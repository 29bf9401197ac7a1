// Groups of a few neighbouring tetrahedra, every tetrahedron in one of them.
#ifndef MESH_CLUSTER_H
#define MESH_CLUSTER_H

#include "mesh/mesh.h"

enum {
    CLUSTER_SIZE = 6,  // tetrahedra that most clusters have
    CLUSTER_LEAST = 3, // smaller ones join their neighbours
    CLUSTER_MOST = 13,
};

typedef struct mesh_cluster {
    int n;
    int tet[CLUSTER_MOST];
} mesh_cluster;

// Clusters of tetrahedra with the same label (ntet), with as few nodes as can be had, in an order
// that depends on the mesh alone. LITHE_NO_MEMORY is the only failure.
lithe_status cluster_tets(const mesh *m, const int *label, arena *memory, int *ncluster,
                          mesh_cluster **cluster);

#endif
