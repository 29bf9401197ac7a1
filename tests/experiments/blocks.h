// Meshes of mapped blocks, so that elements of several kinds can be compared on one geometry: each
// block is a grid of cells, which are written as hexahedra or as six tetrahedra each.
#ifndef EXPERIMENTS_BLOCKS_H
#define EXPERIMENTS_BLOCKS_H

#include <stdbool.h>

typedef enum blocks_kind { BLOCKS_HEX8, BLOCKS_TET4, BLOCKS_TET10 } blocks_kind;

// Where the point u in [0, 1]^3 of a block is. Blocks that meet must agree on their nodes, and,
// for tetrahedra, on the directions of u.
typedef void (*blocks_map)(const void *shape, const double u[3], double at[3]);

typedef struct blocks blocks;

blocks *blocks_create(blocks_kind kind); // NULL: no memory
void blocks_free(blocks *b);

// cells: along each direction. collapsed: all points with u[0] = 0 lie on one line, and cells there
// lose the tetrahedra that have no volume (not for hexahedra).
void blocks_add(blocks *b, const int cells[3], bool collapsed, blocks_map map, const void *shape);

// As a VTK file; false: it could not be written, or there was no room for a node.
bool blocks_write(const blocks *b, const char *path);

#endif
