#include "mesh/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static sample samples[NSAMPLE + 3];

// Reads from a block of exactly the right size, so that a sanitizer sees a read past its end.
static lithe_status read_exact(const sample *s, size_t size, mesh *m, lithe_report *report)
{
    char *data = malloc(size ? size : 1);
    memcpy(data, s->file.data, size);
    mesh_source source = {s->name, data, size};
    lithe_status status = s->read(&source, m, report);
    free(data);
    return status;
}

static void files_cut_short_anywhere_never_give_another_mesh(void **unused)
{
    (void)unused;
    for (int i = 0; i < NSAMPLE + 3; i++)
        for (size_t size = 0; size < samples[i].file.size; size++) {
            mesh m = {0};
            lithe_report report = lithe_report_default();
            bool surface = samples[i].read == read_stl || samples[i].read == read_obj;
            lithe_status status = read_exact(&samples[i], size, &m, &report);
            if (status == LITHE_OK) {
                assert_int_equal(m.nnode, surface ? 3 : NNODE);
                assert_int_equal(m.ntet, surface ? 0 : NTET);
                assert_int_equal(m.ntri, 1);
            } else {
                assert_int_equal(status, LITHE_INVALID);
                assert_true(strncmp(report.error, samples[i].name, strlen(samples[i].name)) == 0);
            }
            arena_free(&m.memory);
        }
}

static void damaged_bytes_never_crash_a_reader(void **unused)
{
    (void)unused;
    static const unsigned char damage[] = {0x00, 0xff, 0x80, '9', '-', '$'};
    for (int i = 0; i < NSAMPLE + 3; i++)
        for (size_t at = 0; at < samples[i].file.size; at++) {
            mesh m = {0};
            char kept = samples[i].file.data[at];
            samples[i].file.data[at] = (char)damage[(at + (size_t)i) % sizeof damage];
            read_exact(&samples[i], samples[i].file.size, &m, NULL);
            samples[i].file.data[at] = kept;
            arena_free(&m.memory);
        }
}

typedef struct refused {
    sample_reader read;
    const char *text;
    const char *message; // a part of it
} refused;

#define MSH    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define MSH2   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES4 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
#define VTK    "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define POINTS "POINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n"
#define VTU    "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>"

#define ZLIB(base64)                                                                               \
    "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\">\n"                   \
    "<UnstructuredGrid><Piece NumberOfPoints=\"1\" NumberOfCells=\"1\"><Points><DataArray "        \
    "type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">" base64                          \
    "</DataArray></Points></Piece></UnstructuredGrid></VTKFile>"

static const refused wrong[] = {
    {read_msh, "solid", "f:1: not a Gmsh file: it does not start with $MeshFormat"},
    {read_msh, "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n",
     "f:2: MSH format 4.0 is not read; save as format 4.1"},
    {read_msh, MSH "$Nodes\n1 10000000 1 10000000\n3 1 0 10000000\n1\n",
     "10000000 nodes announced, but the 18 bytes that follow hold at most"},
    {read_msh, MSH "$Entities\n0 0 99999999 0\n$EndEntities\n", "99999999 entities announced"},
    {read_msh, MSH2 "$Nodes\n10000000\n1 0 0 0\n", "10000000 nodes announced"},
    {read_msh, MSH NODES4 "$Elements\n1 1 1 1\n3 1 4 1\n9 1 2 3 5\n$EndElements\n",
     "f:19: element 9 uses node 5, which $Nodes does not hold"},
    {read_msh,
     MSH NODES4 "$Elements\n1 1 1 1\n3 1 29 1\n9 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4"
                "\n$EndElements\n",
     "f: holds 1 cubic tetrahedra of 20 nodes, which Lithe does not read; mesh it again with"},
    {read_msh, MSH NODES4 "$Elements\n0 0 0 0\n$EndElements\n",
     "f: holds 4 nodes but no tetrahedra"},
    {read_msh, MSH NODES4 "$Elements\n1 2 1 2\n3 1 4 2\n1 1 2 3 4\n2 4 3 2 1\n$EndElements\n",
     "f: tetrahedra 0 and 1 (the first is 0) have the same nodes"},
    {read_msh, MSH NODES4 "$Elements\n1 2 1 2\n3 1 4 2\n1 1 2 3 4\n2 1 2 3 3\n$EndElements\n",
     "f: tetrahedron 1 (the first is 0; nodes 0 1 2 2) has no volume, and 1 of 2 are like it"},
    {read_msh, MSH "$Nodes\n1 2 1 2\n3 1 0 2\n1\n1\n0 0 0\n1 0 0\n$EndNodes\n",
     "node 1 is given twice"},
    {read_msh, MSH "$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 zero 0\n$EndNodes\n",
     "f:8: 'zero' is not a number, expected the position of a node"},
    {read_msh, MSH "$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n$Nodes\n",
     "a second section $Nodes"},
    {read_msh, MSH "$Elements\n", "$Elements comes before $Nodes"},
    {read_msh, MSH "$PhysicalNames\n1\n3 1 body\n$EndPhysicalNames\n", "in double quotes"},
    {read_msh, MSH NODES4, "the file has no section $Elements"},
    {read_msh, MSH "$Periodic\n0\n", "the file ends inside the section $Periodic"},
    {read_vtk, "# vtk\n", "not a VTK file"},
    {read_vtk, "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n",
     "a dataset of kind 'STRUCTURED_POINTS' is not read"},
    {read_vtk, VTK "POINTS 10000000 float\n0 0 0\n", "10000000 points announced, but the 7 bytes"},
    {read_vtk, VTK POINTS "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n",
     "cell 0 (the first is 0) uses point 4, but the points are 0 to 3"},
    {read_vtk, VTK POINTS "CELLS 1 5\n4 0 1 2 -1\nCELL_TYPES 1\n10\n", "uses point -1"},
    {read_vtk, VTK POINTS "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n12\n",
     "has 4 points, but its type says hexahedra of 8"},
    {read_vtk, VTK POINTS "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n99\n", "has VTK type 99"},
    {read_vtk, VTK POINTS "CELLS 1 5\n9 0 1 2 3\nCELL_TYPES 1\n10\n", "goes past the 5 numbers"},
    {read_vtk, VTK POINTS "CELLS 2 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n",
     "f:9: 'CELL_TYPES' is not a whole number"},
    {read_vtk, VTK POINTS, "the file ends before its CELL_TYPES"},
    {read_vtk, VTK POINTS "CELLS 0 0\nCELL_TYPES 0\nCELL_DATA 0\nSCALARS a int\n",
     "f: holds 4 nodes but no tetrahedra"},
    {read_vtk,
     VTK "POINTS 4 float\n0 0 0 1 0 0 0 nan 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES "
         "1\n10\n",
     "f: node 2 (the first is 0) is at (0, nan, 0), which is no place"},
    {read_vtk,
     VTK "POINTS 4 float\n0 0 0 1 0 0 0 1e999 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\n"
         "CELL_TYPES 1\n10\n",
     "f: node 2 (the first is 0) is at (0, inf, 0)"},
    {read_vtu, "<VTKFile type=\"PolyData\"/>", "f:1: a VTK file of type 'PolyData' is not read"},
    {read_vtu, "<html/>", "f:1: not a VTK file"},
    {read_vtu, "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"c\">]>\n" VTU,
     "f:2: a document type declaration (<!DOCTYPE) has no place in a VTK file"},
    {read_vtu,
     VTU "<Piece NumberOfPoints=\"10000000\" NumberOfCells=\"1\"><Points><DataArray "
         "type=\"Float64\" NumberOfComponents=\"3\">0 0 0</DataArray></Points></Piece>"
         "</UnstructuredGrid></VTKFile>",
     "10000000 points announced"},
    {read_vtu,
     VTU "<Piece NumberOfPoints=\"1\" NumberOfCells=\"1\"><Points><DataArray "
         "type=\"Float64\" NumberOfComponents=\"3\">0 0 0 0</DataArray></Points></Piece>"
         "</UnstructuredGrid></VTKFile>",
     "array '' holds more numbers"},
    {read_vtu,
     VTU "<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"/>\n<Piece "
         "NumberOfPoints=\"0\" NumberOfCells=\"0\"/></UnstructuredGrid></VTKFile>",
     "f:2: a second Piece; join the pieces"},
    {read_vtu, VTU "</UnstructuredGrid></VTKFile>", "f: the file lacks its points"},
    {read_vtu,
     VTU "<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"><Points><DataArray "
         "type=\"Float64\" NumberOfComponents=\"3\"/></Points><Cells><DataArray "
         "type=\"Int32\" Name=\"connectivity\"/><DataArray type=\"Int32\" "
         "Name=\"offsets\"/><DataArray type=\"UInt8\" Name=\"types\"/></Cells></Piece>"
         "</UnstructuredGrid></VTKFile>",
     "f: holds 0 nodes but no tetrahedra"},
    {read_vtu, "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\"/>",
     "f:1: arrays compressed by 'vtkLZ4DataCompressor' are not read; save the file with ZLib"},
    {read_vtu, ZLIB("AAAA"), "f:2: array '' holds fewer bytes than it announces"},
    // one block of 2^30 bytes in 8 compressed ones
    {read_vtu, ZLIB("AQAAAAAAAEAAAAAACAAAAHicYwAAAAAA"),
     "f:2: array '' would unfold to 1024 MiB, far more than a mesh in a file of this size"},
    // 24 bytes announced, one zero compressed
    {read_vtu, ZLIB("AQAAABgAAAAAAAAACQAAAHicYwAAAAEAAQ=="),
     "f:2: a compressed block of array '' is damaged"},
    // 24 bytes announced, no zlib stream
    {read_vtu, ZLIB("AQAAABgAAAAAAAAACQAAAHh4eHh4eHh4eA=="),
     "f:2: a compressed block of array '' is damaged"},
    {read_vtu, ZLIB("/////wAAAEAAAAAACAAAAA=="), "holds fewer bytes than it announces"},
    {read_stl, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop",
     "f:6: 'endloop' where 'vertex' was expected"},
    {read_stl, "solid a\nendsolid a\n", "f: holds 0 nodes but no tetrahedra"},
    {read_stl, "solid a\nfacet normal 0 0 1 outer loop vertex 0 0 inf", "which is no place"},
    {read_stl, "hello", "'hello' where 'solid' was expected; this is no STL file"},
    {read_obj, "v 0 0\n", "f:1: a vertex is written 'v X Y Z'"},
    {read_obj, "# a\nv 0 0 zero\n", "f:2: 'zero' is not a number, expected a coordinate"},
    {read_obj, "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "f:3: '3' is no vertex that stands before this face"},
    {read_obj, "v 0 0 0\nv 1 0 0\nf 1 2 -3\n", "f:3: '-3' is no vertex"},
    {read_obj, "v 0 0 0\nv 1 0 0\nf 1 2\n", "f:3: a face needs at least three vertices"},
    {read_obj, "v 0 0 inf\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "f: node 0 (the first is 0) is at"},
    {read_obj, "v 0 0 0\ncurv 0 1\n", "f:2: 'curv' begins no line of an OBJ surface"},
    {read_obj, "v 0 0 0\n", "f: holds 1 nodes but no tetrahedra"},
};

// Shells and obstacles are made of them, whatever wrote the file.
static void surfaces_are_read_from_files_that_may_have_volumes(void **unused)
{
    (void)unused;
    static const struct {
        sample_reader read;
        const char *text;
        int ntri;
    } surface[] = {
        {read_msh, MSH NODES4 "$Elements\n1 2 1 2\n2 1 2 2\n1 1 2 3\n2 1 2 4\n$EndElements\n", 2},
        {read_vtk, VTK POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\n", 1},
        {read_vtk,
         "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n" POINTS
         "POLYGONS 1 4\n3 0 1 2\n",
         1},
        {read_vtu,
         VTU "<Piece NumberOfPoints=\"3\" NumberOfCells=\"1\"><Points><DataArray type=\"Float64\" "
             "NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0</DataArray></Points><Cells><DataArray "
             "type=\"Int32\" Name=\"connectivity\">0 1 2</DataArray><DataArray type=\"Int32\" "
             "Name=\"offsets\">3</DataArray><DataArray type=\"UInt8\" Name=\"types\">5</DataArray>"
             "</Cells></Piece></UnstructuredGrid></VTKFile>",
         1},
    };
    for (size_t i = 0; i < sizeof surface / sizeof *surface; i++) {
        mesh m = {0};
        lithe_report report = lithe_report_default();
        mesh_source source = {"f", surface[i].text, strlen(surface[i].text)};
        assert_int_equal(surface[i].read(&source, &m, &report), LITHE_OK);
        assert_int_equal(m.ntet, 0);
        assert_int_equal(m.ntri, surface[i].ntri);
        arena_free(&m.memory);
    }
}

static void wrong_files_are_refused_with_location_cause_and_remedy(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mesh m = {0};
        lithe_report report = lithe_report_default();
        mesh_source source = {"f", wrong[i].text, strlen(wrong[i].text)};
        assert_int_equal(wrong[i].read(&source, &m, &report), LITHE_INVALID);
        if (!strstr(report.error, wrong[i].message))
            fail_msg("expected '%s', got '%s'", wrong[i].message, report.error);
        arena_free(&m.memory);
    }
}

static size_t asked_bytes;

static void *counting_alloc(size_t bytes)
{
    asked_bytes += bytes;
    return malloc(bytes);
}

static void headers_that_lie_cost_no_memory(void **unused)
{
    (void)unused;
    lithe_set_allocator(counting_alloc, free);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mesh m = {0};
        mesh_source source = {"f", wrong[i].text, strlen(wrong[i].text)};
        asked_bytes = 0;
        wrong[i].read(&source, &m, NULL);
        assert_in_range(asked_bytes, 0, 300000);
        arena_free(&m.memory);
    }
    lithe_set_allocator(NULL, NULL);
}

static void assert_refused(const char *path, const char *message)
{
    lithe_mesh *m;
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_mesh_read(path, &m, &report), LITHE_INVALID);
    assert_null(m);
    if (!strstr(report.error, message))
        fail_msg("expected '%s', got '%s'", message, report.error);
}

static void what_is_no_readable_file_is_refused_without_waiting(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/lithe_refuse_XXXXXX";
    char path[100];
    assert_non_null(mkdtemp(folder));
    assert_refused(folder, "is a folder; name a mesh file in it");
    snprintf(path, sizeof path, "%s/no.msh", folder);
    assert_refused(path, "no.msh: cannot be opened: No such file or directory");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused(path, "is no regular file");
    unlink(path);
    FILE *file = fopen(path, "w");
    fclose(file);
    assert_refused(path, "is empty");
    unlink(path);
    assert_refused("/dev/zero", "is no regular file");
    snprintf(path, sizeof path, "%s/part.step", folder);
    file = fopen(path, "w");
    fputs("ISO-10303-21;", file);
    fclose(file);
    assert_refused(path, "is of no format that Lithe reads (.msh, .vtk, .vtu, and .stl or .obj");
    unlink(path);
    rmdir(folder);
}

static void content_counts_more_than_the_name(void **unused)
{
    (void)unused;
    char path[] = "/tmp/lithe_refuse_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, samples[0].file.data, samples[0].file.size),
                     (ssize_t)samples[0].file.size);
    close(file);
    lithe_mesh *m;
    assert_int_equal(lithe_mesh_read(path, &m, NULL), LITHE_OK);
    assert_int_equal(m->ntet, NTET);
    lithe_mesh_free(m);
    unlink(path);
}

static void wrong_arrays_are_refused(void **unused)
{
    (void)unused;
    lithe_mesh *m;
    lithe_report report = lithe_report_default();
    const int tet[4] = {0, 1, 2, 5};
    assert_int_equal(lithe_mesh_create(5, sample_x[0], 1, tet, &m, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, "tetrahedron 0 (the first is 0) uses node 5"));
    assert_int_equal(lithe_mesh_create(0, sample_x[0], 1, tet, &m, &report), LITHE_INVALID);
    assert_int_equal(lithe_mesh_create(5, NULL, 1, tet, &m, &report), LITHE_INVALID);
    assert_int_equal(lithe_mesh_create(5, sample_x[0], INT32_MAX, tet, &m, &report), LITHE_INVALID);
    assert_null(m);
}

static int allowed;
static int live;

static void *failing_alloc(size_t bytes)
{
    if (allowed-- <= 0)
        return NULL;
    live++;
    return malloc(bytes);
}

static void counting_free(void *memory)
{
    live--;
    free(memory);
}

static void no_memory_at_any_point_is_reported_and_leaks_nothing(void **unused)
{
    (void)unused;
    lithe_set_allocator(failing_alloc, counting_free);
    for (int i = 0; i < NSAMPLE + 3; i++) {
        lithe_status status = LITHE_NO_MEMORY;
        for (int k = 0; status != LITHE_OK; k++) {
            mesh m = {0};
            lithe_report report = lithe_report_default();
            mesh_source source = {samples[i].name, samples[i].file.data, samples[i].file.size};
            allowed = k;
            live = 0;
            status = samples[i].read(&source, &m, &report);
            assert_true(status == LITHE_OK || status == LITHE_NO_MEMORY);
            assert_true(status == LITHE_OK || strstr(report.error, "out of memory"));
            arena_free(&m.memory);
            assert_int_equal(live, 0);
            assert_true(k < 100);
        }
    }
    lithe_set_allocator(NULL, NULL);
}

static void no_memory_while_opening_or_copying_leaks_nothing(void **unused)
{
    (void)unused;
    for (int copy = 0; copy < 2; copy++) {
        lithe_set_allocator(failing_alloc, counting_free);
        lithe_status status = LITHE_NO_MEMORY;
        for (int k = 0; status != LITHE_OK; k++) {
            lithe_mesh *m;
            allowed = k;
            live = 0;
            status = copy ? lithe_mesh_create(NNODE, sample_x[0], NTET, sample_tet[0], &m, NULL)
                          : lithe_mesh_read(LITHE_ROOT "/tests/mesh/data/gmsh/box_msh41_text.msh",
                                            &m, NULL);
            assert_true(status == LITHE_OK || (status == LITHE_NO_MEMORY && !m));
            lithe_mesh_free(m);
            assert_int_equal(live, 0);
        }
        lithe_set_allocator(NULL, NULL);
    }
}

static void write_surface_samples(sample *s)
{
    s[0] = (sample){.name = "stl", .read = read_stl};
    pen_text(&s[0].file, "solid one two\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 "
                         "0\nvertex 0 1 0\nendloop\nendfacet\nendsolid one two\n");
    s[1] = (sample){.name = "stl binary", .read = read_stl, .file = {.binary = true}};
    char header[80] = "solid but binary";
    pen_bytes(&s[1].file, header, sizeof header);
    pen_int(&s[1].file, 1, 4);
    for (int i = 0; i < 12; i++)
        pen_real(&s[1].file, i == 6 || i == 10, 4);
    pen_int(&s[1].file, 0, 2);
    s[2] = (sample){.name = "obj", .read = read_obj};
    pen_text(&s[2].file, "o one two\nv 0 0 0\nv 1 0 0\nv 0 1 0\ng a b\nf 1/1 2//1 -1/1/1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_cut_short_anywhere_never_give_another_mesh),
        cmocka_unit_test(damaged_bytes_never_crash_a_reader),
        cmocka_unit_test(surfaces_are_read_from_files_that_may_have_volumes),
        cmocka_unit_test(wrong_files_are_refused_with_location_cause_and_remedy),
        cmocka_unit_test(headers_that_lie_cost_no_memory),
        cmocka_unit_test(what_is_no_readable_file_is_refused_without_waiting),
        cmocka_unit_test(content_counts_more_than_the_name),
        cmocka_unit_test(wrong_arrays_are_refused),
        cmocka_unit_test(no_memory_at_any_point_is_reported_and_leaks_nothing),
        cmocka_unit_test(no_memory_while_opening_or_copying_leaks_nothing),
    };
    write_samples(samples);
    write_surface_samples(samples + NSAMPLE);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
