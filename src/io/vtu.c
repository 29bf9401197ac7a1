// Frames as VTK XML unstructured grids. Arrays are inline base64: a byte count (UInt64) and the
// data, encoded as one run. That keeps the file valid XML, which appended raw data does not.
#include "base/memory.h"
#include "base/status.h"
#include "io/encode64.h"
#include "io/file.h"

#include <stdint.h>

static void write_array(FILE *file, const char *type, const char *name, int ncomponent,
                        const void *data, size_t nbyte)
{
    fprintf(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">",
            type, name, ncomponent);
    base64_writer encoder = {.file = file};
    uint64_t count = nbyte;
    base64_write(&encoder, &count, sizeof count);
    base64_write(&encoder, data, nbyte);
    base64_end(&encoder);
    fputs("</DataArray>\n", file);
}

static void write_doubles(FILE *file, const char *name, int ncomponent, const double *value, int n)
{
    write_array(file, "Float64", name, ncomponent, value,
                (size_t)n * (size_t)ncomponent * sizeof *value);
}

static void write_ints(FILE *file, const char *name, const int *value, size_t n)
{
    _Static_assert(sizeof(int) == 4, "written as Int32");
    write_array(file, "Int32", name, 1, value, n * sizeof *value);
}

static void write_points(FILE *file, const lithe_model *m, const lithe_state *s, double *scratch)
{
    int nnode = lithe_nnode(m);
    const double *x = lithe_position(s);
    const double *rest = lithe_rest(m);
    for (size_t i = 0; i < (size_t)nnode * 3; i++)
        scratch[i] = x[i] - rest[i];
    fputs("<Points>\n", file);
    write_doubles(file, "Points", 3, x, nnode);
    fputs("</Points>\n<PointData Vectors=\"displacement\">\n", file);
    write_doubles(file, "displacement", 3, scratch, nnode);
    if (lithe_rotation(s))
        write_doubles(file, "rotation", 3, lithe_rotation(s), nnode);
    if (lithe_npair(m) > 0) {
        lithe_contact_forces(m, s, scratch);
        write_doubles(file, "contact_force", 3, scratch, nnode);
    }
    fputs("</PointData>\n", file);
}

static void write_cells(FILE *file, const lithe_model *m)
{
    size_t n = (size_t)lithe_nelement(m);
    const int *adr = lithe_element_start(m);
    fputs("<Cells>\n", file);
    write_ints(file, "connectivity", lithe_element_node(m), (size_t)adr[n]);
    write_ints(file, "offsets", adr + 1, n); // VTK gives where each ends
    write_array(file, "UInt8", "types", 1, lithe_element_cell(m), n);
    fputs("</Cells>\n", file);
}

// scratch: two doubles an element
static void write_cell_data(FILE *file, const lithe_model *m, const lithe_state *s, double *scratch)
{
    int n = lithe_nelement(m);
    double *energy = scratch;
    double *von_mises = scratch + n;
    lithe_element_fields(m, s, energy, von_mises);
    fputs("<CellData Scalars=\"von_mises\">\n", file);
    write_doubles(file, "strain_energy_density", 1, energy, n);
    write_doubles(file, "von_mises", 1, von_mises, n);
    write_ints(file, "material", lithe_element_material(m), (size_t)n);
    write_ints(file, "body", lithe_element_body(m), (size_t)n);
    fputs("</CellData>\n", file);
}

static void write_grid(FILE *file, const lithe_model *m, const lithe_state *s, double *scratch)
{
    const char *order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "LittleEndian" : "BigEndian";
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
            "byte_order=\"%s\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
            "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n",
            order, lithe_nnode(m), lithe_nelement(m));
    write_points(file, m, s, scratch);
    write_cells(file, m);
    write_cell_data(file, m, s, scratch);
    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", file);
}

lithe_status lithe_write_vtu(const lithe_model *model, const lithe_state *state, const char *path,
                             lithe_report *report)
{
    size_t npoint = (size_t)lithe_nnode(model) * 3;
    size_t ncell = (size_t)lithe_nelement(model) * 2;
    double *scratch = memory_alloc((npoint > ncell ? npoint : ncell) * sizeof *scratch);
    if (!scratch)
        return report_no_memory(report, "writing a frame");
    FILE *file;
    lithe_status status = file_create(path, &file, report);
    if (status == LITHE_OK) {
        write_grid(file, model, state, scratch);
        status = file_finish(file, path, report);
    }
    memory_free(scratch);
    return status;
}
