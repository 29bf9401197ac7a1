#!/usr/bin/env python3
"""Writes the files of gmsh/, vtk/ and meshio/ again, with the programs that give the folders their names.

    /usr/bin/python3 tests/mesh/data/generate.py          Debian: gmsh, python3-vtk9, python3-meshio

The files are kept, so that the tests need none of these programs. A name says what is in the file: box, or one kind of
cell, then the format. docs/meshes.md has the table.
"""
import pathlib
import subprocess

import meshio
import numpy
import vtk
from vtk.util import numpy_support

HERE = pathlib.Path(__file__).resolve().parent
# Cells of Gmsh as VTK has them: type, and the place of each node
VTK_TYPES = {"vertex": 1, "line": 3, "triangle": 5, "quad": 9, "tetra": 10, "hexahedron": 12, "wedge": 13, "pyramid": 14,
             "line3": 21, "triangle6": 22, "quad8": 23, "tetra10": 24, "hexahedron20": 25}


def gmsh(geometry, name, *options):
    path = HERE / "gmsh" / name
    subprocess.run(["gmsh", "-3", "-nt", "1", "-v", "2", *options, "-o", path, HERE / geometry], check=True)
    return path


def write_gmsh():
    for form, ending in (("msh41", "msh"), ("msh22", "msh"), ("vtk", "vtk"), ("stl", "stl")):
        gmsh("box.geo", f"box_{form}_text.{ending}", "-format", form)
        gmsh("box.geo", f"box_{form}_binary.{ending}", "-format", form, "-bin")
    for cells, kind, order in (("tet10", 0, 2), ("wedge6", 1, 1), ("hex8", 2, 1), ("hex20", 2, 2)):
        options = ("-setnumber", "kind", str(kind), "-order", str(order))
        gmsh("brick.geo", f"{cells}_msh41_text.msh", *options, "-format", "msh41")
        gmsh("brick.geo", f"{cells}_msh22_binary.msh", *options, "-format", "msh22", "-bin")
        gmsh("brick.geo", f"{cells}_vtk_text.vtk", *options, "-format", "vtk")


def pyramids():
    """A cube as six pyramids about its middle."""
    corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return meshio.Mesh(numpy.array(corners + [(0.5, 0.5, 0.5)], float), [("pyramid", numpy.array([(*f, 8) for f in faces]))])


def to_vtk(mesh):
    grid = vtk.vtkUnstructuredGrid()
    points = vtk.vtkPoints()
    points.SetData(numpy_support.numpy_to_vtk(mesh.points.astype(float), deep=True))
    grid.SetPoints(points)
    for block in mesh.cells:
        for cell in block.data:
            grid.InsertNextCell(VTK_TYPES[block.type], len(cell), [int(node) for node in cell])
    labels = numpy.concatenate([numpy.full(len(block.data), VTK_TYPES[block.type], numpy.int32) for block in mesh.cells])
    array = numpy_support.numpy_to_vtk(labels, deep=True)
    array.SetName("vtk type")
    grid.GetCellData().AddArray(array)
    return grid


def write_xml(grid, name, mode, compressed, big=False, header=32, encode=True, block=None):
    writer = vtk.vtkXMLUnstructuredGridWriter()
    writer.SetInputData(grid)
    writer.SetFileName(str(HERE / "vtk" / name))
    {"text": writer.SetDataModeToAscii, "base64": writer.SetDataModeToBinary, "appended": writer.SetDataModeToAppended}[mode]()
    writer.SetEncodeAppendedData(encode)
    (writer.SetCompressorTypeToZLib if compressed else writer.SetCompressorTypeToNone)()
    if block:
        writer.SetBlockSize(block)
    if big:
        writer.SetByteOrderToBigEndian()
    writer.SetHeaderType(header)
    assert writer.Write()


def write_vtk_xml(grid):
    write_xml(grid, "box_vtu_text.vtu", "text", False)
    write_xml(grid, "box_vtu_base64.vtu", "base64", False)
    write_xml(grid, "box_vtu_base64_zlib.vtu", "base64", True)
    write_xml(grid, "box_vtu_base64_zlib_big.vtu", "base64", True, big=True, header=64)
    write_xml(grid, "box_vtu_base64_zlib_blocks.vtu", "base64", True, header=64, block=512)
    write_xml(grid, "box_vtu_appended.vtu", "appended", False, encode=False)
    write_xml(grid, "box_vtu_appended_big.vtu", "appended", False, encode=False, big=True)
    write_xml(grid, "box_vtu_appended_zlib.vtu", "appended", True, encode=False)
    write_xml(grid, "box_vtu_appended_zlib_big.vtu", "appended", True, encode=False, big=True, block=512)
    write_xml(grid, "box_vtu_appended_base64.vtu", "appended", False)
    write_xml(grid, "box_vtu_appended_base64_zlib.vtu", "appended", True, header=64)


def write_legacy(grid, name, binary, version):
    writer = vtk.vtkUnstructuredGridWriter()
    writer.SetInputData(grid)
    writer.SetFileName(str(HERE / "vtk" / name))
    (writer.SetFileTypeToBinary if binary else writer.SetFileTypeToASCII)()
    writer.SetFileVersion(version)
    assert writer.Write()


def write_surfaces(mesh):
    surface = meshio.Mesh(mesh.points, [("triangle", mesh.get_cells_type("triangle"))])
    geometry = vtk.vtkGeometryFilter()
    geometry.SetInputData(to_vtk(surface))
    geometry.Update()
    for writer, name, binary in ((vtk.vtkSTLWriter(), "box_stl_text.stl", False),
                                 (vtk.vtkSTLWriter(), "box_stl_binary.stl", True),
                                 (vtk.vtkOBJWriter(), "box_obj.obj", None)):
        writer.SetInputData(geometry.GetOutput())
        writer.SetFileName(str(HERE / "vtk" / name))
        if binary is not None:
            (writer.SetFileTypeToBinary if binary else writer.SetFileTypeToASCII)()
        assert writer.Write()
    folder = HERE / "meshio"
    meshio.stl.write(folder / "box_stl_text.stl", surface)
    meshio.stl.write(folder / "box_stl_binary.stl", surface, binary=True)
    meshio.obj.write(folder / "box_obj.obj", surface)


def plain(mesh):
    """Without sets of cells, which meshio's VTK writers stumble over."""
    label = {"physical": mesh.cell_data["gmsh:physical"]} if "gmsh:physical" in mesh.cell_data else {}
    return meshio.Mesh(mesh.points, mesh.cells, cell_data=label)


def write_meshio(mesh, kind):
    folder = HERE / "meshio"
    meshio.gmsh.write(folder / f"{kind}_msh41_text.msh", mesh, "4.1", binary=False)
    meshio.gmsh.write(folder / f"{kind}_msh22_binary.msh", mesh, "2.2", binary=True)
    meshio.vtk.write(folder / f"{kind}_vtk_binary.vtk", plain(mesh), "5.1", binary=True)
    meshio.vtu.write(folder / f"{kind}_vtu_base64_zlib.vtu", plain(mesh))


def main():
    for folder in ("gmsh", "vtk", "meshio"):
        (HERE / folder).mkdir(exist_ok=True)
    write_gmsh()
    box = meshio.read(HERE / "gmsh" / "box_msh41_text.msh")
    grid = to_vtk(box)
    write_vtk_xml(grid)
    for binary, word in ((False, "text"), (True, "binary")):
        write_legacy(grid, f"box_vtk42_{word}.vtk", binary, 42)
        write_legacy(grid, f"box_vtk51_{word}.vtk", binary, 51)
    write_surfaces(box)
    write_meshio(box, "box")
    folder = HERE / "meshio"
    meshio.gmsh.write(folder / "box_msh41_binary.msh", box, "4.1", binary=True)
    meshio.gmsh.write(folder / "box_msh22_text.msh", box, "2.2", binary=False)
    meshio.vtk.write(folder / "box_vtk_text.vtk", plain(box), "4.2", binary=False)
    meshio.vtu.write(folder / "box_vtu_text.vtu", plain(box), binary=False)
    meshio.vtu.write(folder / "box_vtu_base64.vtu", plain(box), compression=None)
    for kind in ("tet10", "wedge6", "hex8", "hex20", "pyramid5"):
        mesh = pyramids() if kind == "pyramid5" else meshio.read(HERE / "gmsh" / f"{kind}_msh41_text.msh")
        write_meshio(mesh, kind)
        write_xml(to_vtk(mesh), f"{kind}_vtu_appended_zlib.vtu", "appended", True, encode=False)
        write_legacy(to_vtk(mesh), f"{kind}_vtk51_text.vtk", False, 51)


if __name__ == "__main__":
    main()
