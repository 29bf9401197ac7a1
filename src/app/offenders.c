// The doubtful elements and nodes of a scene as a VTK XML file, in text: there are few of them.
#include "app/mesh_check.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/draft.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VTK_VERTEX = 1, VTK_TRIANGLE = 5, VTK_TETRA = 10, VTK_HEXAHEDRON = 12, VTK_TET10 = 24 };

// One doubtful cell.
typedef struct offender {
    int body;
    int type; // VTK's
    int index;
    int problem;
    double quality; // of an element, else 1
} offender;

typedef struct offenders {
    int n;
    offender *cell;
    const scene_care *care;
} offenders;

static int width(int type)
{
    switch (type) {
    case VTK_TETRA: return 4;
    case VTK_TET10: return 10;
    case VTK_HEXAHEDRON: return 8;
    case VTK_TRIANGLE: return 3;
    default: return 1;
    }
}

static void add(offenders *o, offender cell)
{
    if (cell.problem && o->cell)
        o->cell[o->n] = cell;
    o->n += cell.problem != 0;
}

static void collect(offenders *o)
{
    o->n = 0;
    for (int i = 0; i < o->care->nbody; i++) {
        const lithe_mesh_check *c = o->care->body[i].check;
        for (int e = 0; e < c->ncell; e++)
            add(o, (offender){i, c->cell[e], e, c->cell_problem[e], c->quality[e]});
        for (int t = 0; t < c->ntri; t++)
            add(o, (offender){i, VTK_TRIANGLE, t, c->tri_problem[t], 1});
        for (int n = 0; n < c->nnode; n++)
            add(o, (offender){i, VTK_VERTEX, n, c->node_problem[n], 1});
    }
}

static int cell_node(const offenders *o, const offender *cell, int k)
{
    const lithe_mesh_check *c = o->care->body[cell->body].check;
    if (cell->type == VTK_VERTEX)
        return cell->index;
    if (cell->type == VTK_TRIANGLE)
        return c->tri[3 * (size_t)cell->index + k];
    return c->cell_node[c->cell_start[cell->index] + k];
}

// Every cell brings its own points: the file stays simple, and cells can be taken apart.
static void write_points(FILE *file, const offenders *o)
{
    fputs("<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n",
          file);
    for (int i = 0; i < o->n; i++)
        for (int k = 0; k < width(o->cell[i].type); k++) {
            const double *x =
                o->care->body[o->cell[i].body].check->x + 3 * (size_t)cell_node(o, &o->cell[i], k);
            fprintf(file, "%.9g %.9g %.9g\n", x[0], x[1], x[2]);
        }
    fputs("</DataArray>\n</Points>\n<PointData>\n"
          "<DataArray type=\"Int32\" Name=\"node\" format=\"ascii\">\n",
          file);
    for (int i = 0; i < o->n; i++)
        for (int k = 0; k < width(o->cell[i].type); k++)
            fprintf(file, "%d\n", cell_node(o, &o->cell[i], k));
    fputs("</DataArray>\n</PointData>\n", file);
}

static void write_cells(FILE *file, const offenders *o, int npoint)
{
    int end = 0;
    fputs("<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n", file);
    for (int i = 0; i < npoint; i++)
        fprintf(file, "%d\n", i);
    fputs("</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n", file);
    for (int i = 0; i < o->n; i++)
        fprintf(file, "%d\n", end += width(o->cell[i].type));
    fputs("</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n", file);
    for (int i = 0; i < o->n; i++)
        fprintf(file, "%d\n", o->cell[i].type);
    fputs("</DataArray>\n</Cells>\n", file);
}

static void write_fields(FILE *file, const offenders *o)
{
    fputs("<CellData Scalars=\"problem\">\n"
          "<DataArray type=\"Float64\" Name=\"quality\" format=\"ascii\">\n",
          file);
    for (int i = 0; i < o->n; i++)
        fprintf(file, "%.6g\n", o->cell[i].quality);
    static const char *const names[] = {"problem", "number", "body"};
    for (int field = 0; field < 3; field++) {
        fprintf(file, "</DataArray>\n<DataArray type=\"Int32\" Name=\"%s\" format=\"ascii\">\n",
                names[field]);
        for (int i = 0; i < o->n; i++) {
            const int value[3] = {o->cell[i].problem, o->cell[i].index, o->cell[i].body};
            fprintf(file, "%d\n", value[field]);
        }
    }
    fputs("</DataArray>\n</CellData>\n", file);
}

static void write_grid(FILE *file, const offenders *o)
{
    int npoint = 0;
    for (int i = 0; i < o->n; i++)
        npoint += width(o->cell[i].type);
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\">\n"
            "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n",
            npoint, o->n);
    write_points(file, o);
    write_cells(file, o, npoint);
    write_fields(file, o);
    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", file);
}

lithe_status care_write_offenders(const scene_care *care, const char *path, lithe_report *report)
{
    offenders o = {.care = care};
    arena memory = {0};
    collect(&o); // counts first
    o.cell = arena_new(&memory, o.n, offender);
    lithe_status status = LITHE_NO_MEMORY;
    if (o.cell) {
        draft d;
        collect(&o);
        status = draft_open(&d, path, report);
        if (status == LITHE_OK) {
            write_grid(d.file, &o);
            status = draft_commit(&d, report);
        }
    } else {
        report_no_memory(report, path);
    }
    arena_free(&memory);
    return status;
}
