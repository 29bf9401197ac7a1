"""lithe mesh: Gmsh run on geometries, within a time limit, with nothing left behind."""

import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest

import scenes

DATA = pathlib.Path(os.environ["LITHE_ROOT"]) / "tests" / "mesh" / "data"
BOX = """\
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 20, 10, 10};
Mesh.MeshSizeMax = 5;
Physical Volume("body") = {1};
"""

needs_gmsh = unittest.skipUnless(shutil.which("gmsh"), "gmsh is not installed (apt install gmsh)")


class Case(scenes.Case):
    """A folder that holds box.geo alone."""

    def setUp(self):
        super().setUp()
        for path in self.folder.iterdir():
            path.unlink()
        self.write("box.geo", BOX)


class Mesh(Case):
    def mesh(self, *words):
        code, out, err = self.lithe("mesh", *words, "--json")
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)

    @needs_gmsh
    def test_a_geo_file_is_meshed_beside_itself(self):
        made = self.mesh("box.geo")
        self.assertEqual(made["mesh"], "box.msh")
        self.assertAlmostEqual(made["volume"] / 2e-6, 1, places=9)
        self.assertEqual(made["groups"], ["body"])
        self.assertEqual(self.files(), ["box.geo", "box.msh"])

    @needs_gmsh
    def test_a_smaller_size_gives_more_elements(self):
        coarse = self.mesh("box.geo", "--out", "a.msh")
        fine = self.mesh("box.geo", "--out", "b.msh", "--size", "1mm")
        self.assertGreater(fine["elements"], 3 * coarse["elements"])
        same = self.mesh("box.geo", "--out", "b.msh", "--size", "10mm", "--mesh-unit", "cm")
        self.assertEqual(same["elements"], fine["elements"])

    @needs_gmsh
    def test_a_step_file_needs_a_size(self):
        self.write("box.geo", BOX.replace("Physical", "//"))
        command = ["gmsh", "-0", "-v", "0", "box.geo", "-o", "box.step"]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)
        self.expect_error(2, ["mesh", "box.step"], "--size 5mm")
        made = self.mesh("box.step", "--size", "4mm")
        self.assertAlmostEqual(made["volume"] / 2e-6, 1, places=9)

    @needs_gmsh
    def test_a_closed_surface_with_a_void_is_filled(self):
        shutil.copy(DATA / "gmsh" / "box_stl_text.stl", self.folder / "it's \"one\".stl")
        made = self.mesh("it's \"one\".stl", "--size", "0.5mm", "--out", "box.msh")
        self.assertAlmostEqual(made["volume"] / 7e-9, 1, places=6)
        self.assertAlmostEqual(made["cavities"][0] / 1e-9, 1, places=6)
        self.assertGreater(made["elements"], 300)

    @needs_gmsh
    def test_an_obj_surface_is_filled_as_an_stl_one(self):
        shutil.copy(DATA / "vtk" / "box_obj.obj", self.folder / "box.obj")
        made = self.mesh("box.obj", "--size", "0.5mm")
        self.assertAlmostEqual(made["volume"] / 7e-9, 1, places=6)
        self.assertAlmostEqual(made["cavities"][0] / 1e-9, 1, places=6)
        self.assertEqual(self.files(), ["box.geo", "box.msh", "box.obj"])

    @needs_gmsh
    def test_elements_that_a_body_can_have_are_kept(self):
        self.write("box.geo", BOX + "Mesh.ElementOrder = 2;\n")
        quadratic = self.mesh("box.geo", "--out", "q.msh")
        self.assertAlmostEqual(quadratic["volume"] / 2e-6, 1, places=9)
        self.assertGreater(quadratic["worst_quality"], 0.1)
        plate = 'Point(1) = {0, 0, 0}; s[] = Extrude {20, 0, 0} {Point{1}; Layers{4}; Recombine;};\n' \
                'f[] = Extrude {0, 10, 0} {Line{s[1]}; Layers{2}; Recombine;};\n' \
                'v[] = Extrude {0, 0, 10} {Surface{f[1]}; Layers{2}; Recombine;};\nPhysical Volume("body") = {v[1]};\n'
        self.write("box.geo", plate)
        hexes = self.mesh("box.geo", "--out", "h.msh")
        self.assertEqual(hexes["elements"], 16)
        self.assertEqual([round(1e3 * edge, 9) for edge in hexes["edges"]], [5, 5, 5])

    def test_an_open_surface_is_refused_before_gmsh(self):
        text = (DATA / "gmsh" / "box_stl_text.stl").read_text().split("facet normal")
        self.write("open.stl", "facet normal".join(text[:1] + text[2:]))
        self.expect_error(2, ["mesh", "open.stl", "--size", "1mm"], "is not closed", "the edge from")

    @needs_gmsh
    def test_text_says_what_was_made(self):
        code, out, _ = self.lithe("mesh", "box.geo")
        self.assertEqual(code, 0)
        for words in ("box.msh: ", "made by Gmsh", "2 ml", "cavities   none", "body"):
            self.assertIn(words, out)

    @needs_gmsh
    def test_nothing_is_replaced_unless_asked(self):
        self.write("box.msh", "mine")
        self.expect_error(2, ["mesh", "box.geo"], "'box.msh' is there already", "--out box.msh")
        self.assertEqual((self.folder / "box.msh").read_text(), "mine")
        self.expect_error(2, ["mesh", "box.geo", "--out", "box.geo"], "must end in .msh")
        self.assertEqual(self.lithe("mesh", "box.geo", "--out", "box.msh", "--quiet"), (0, "", ""))
        self.assertTrue((self.folder / "box.msh").read_text().startswith("$MeshFormat"))

    @needs_gmsh
    def test_a_wrong_geometry_is_told_in_gmshs_words(self):
        self.write("box.msh", "mine")
        for geometry, words in (("Point(1={0", "syntax error"), (BOX.replace("Volume", "Surface"), "no tetrahedra")):
            self.write("box.geo", geometry)
            self.expect_error(2, ["mesh", "box.geo", "--out", "box.msh"], "box.geo", words)
            self.assertEqual(self.files(), ["box.geo", "box.msh"])
            self.assertEqual((self.folder / "box.msh").read_text(), "mine")

    def test_wrong_words(self):
        self.expect_error(2, ["mesh"], "FILE.geo")
        self.expect_error(2, ["mesh", "no.geo"], "no.geo", "No such file")
        self.expect_error(2, ["mesh", "scene.yaml"], "lithe check")
        for size in ("0", "-1mm", "3 kPa", "inf"):
            self.expect_error(2, ["mesh", "box.geo", "--size", size], "--size")
        self.expect_error(2, ["mesh", "box.geo", "--time-limit", "3 mm"], "--time-limit")
        self.expect_error(2, ["mesh", "box.geo", "--mesh-unit", "s"], "--mesh-unit")
        self.expect_error(2, ["mesh", "box.geo", "--out", "no/box.msh"], "no/box.msh")

    def test_a_geometry_that_is_a_pipe_or_a_folder_is_refused(self):
        os.mkfifo(self.folder / "pipe.geo")
        (self.folder / "folder.step").mkdir()
        for name in ("pipe.geo", "folder.step"):
            self.expect_error(2, ["mesh", name, "--size", "1mm"], name, "no regular file", timeout=10)


class StandIn(Case):
    """With a program in the place of gmsh."""

    def setUp(self):
        super().setUp()
        self.bin = pathlib.Path(tempfile.mkdtemp(prefix="lithe-test-"))
        self.addCleanup(shutil.rmtree, self.bin, ignore_errors=True)

    def stand_in(self, script):
        path = self.bin / "gmsh"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return {**os.environ, "PATH": f"{self.bin}:/usr/bin:/bin"}

    def test_without_gmsh_the_machine_is_at_fault(self):
        self.expect_error(3, ["mesh", "box.geo"], "not installed", "apt install gmsh", env={"PATH": str(self.bin)})
        self.assertEqual(self.files(), ["box.geo"])

    def test_a_time_limit_ends_gmsh_and_its_children(self):
        mark = self.bin / "alive"
        environment = self.stand_in(f"(sleep 2; touch {mark}) & sleep 30")
        start = time.monotonic()
        self.expect_error(2, ["mesh", "box.geo", "--time-limit", "300ms"], "0.3 s", "--time-limit", env=environment)
        self.assertLess(time.monotonic() - start, 2)
        time.sleep(max(0.0, start + 2.5 - time.monotonic()))
        self.assertFalse(mark.exists())
        self.assertEqual(self.files(), ["box.geo"])

    def test_a_gmsh_that_dies_is_the_machines_fault(self):
        self.expect_error(3, ["mesh", "box.geo"], "signal 9", env=self.stand_in("kill -9 $$"))
        self.assertEqual(self.files(), ["box.geo"])

    def test_a_surface_that_fails_is_tried_again_with_fewer_edges(self):
        shutil.copy(DATA / "gmsh" / "box_stl_text.stl", self.folder / "box.stl")
        fail = "grep -q '{40 ' lithe.geo && { echo 'Error   : rings'; exit 1; }\n"
        mesh = DATA / "gmsh" / "box_msh41_text.msh"
        words = ["mesh", "box.stl", "--size", "1mm", "--quiet"]
        run = self.lithe(*words, env=self.stand_in(fail + f"cp '{mesh}' mesh.msh"))
        self.assertEqual(run, (0, "", ""))
        self.assertEqual(self.files(), ["box.geo", "box.msh", "box.stl"])
        self.expect_error(2, [*words, "--out", "a.msh"], "rings", env=self.stand_in("echo 'Error   : rings'; exit 1"))

    def test_a_broken_mesh_gets_no_name(self):
        environment = self.stand_in("echo '$MeshFormat' > mesh.msh")
        self.expect_error(2, ["mesh", "box.geo"], "box.geo: Gmsh's mesh of it cannot be used", env=environment)
        self.assertEqual(self.files(), ["box.geo"])

    def test_an_interrupt_leaves_nothing_behind(self):
        process = self.start("mesh", "box.geo", env=self.stand_in("sleep 30"))
        while not any(".partial-" in name for name in self.files()):
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted", err)
        self.assertEqual(self.files(), ["box.geo"])


if __name__ == "__main__":
    unittest.main()
