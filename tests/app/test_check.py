"""lithe check: what is in a scene, as text and as JSON."""

import json
import unittest
import xml.etree.ElementTree

import scenes


class Check(scenes.Case):
    def check(self, *words):
        code, out, err = self.lithe("check", "scene.yaml", "--json", *words)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_json_has_the_size_of_everything(self):
        found = self.check()
        nodes, tets = scenes.bar()
        free = 3 * (len(nodes) - 9)
        self.assertEqual(found["scene"], "scene.yaml")
        self.assertEqual(
            (found["nodes"], found["elements"], found["dofs"]), (len(nodes), len(tets), free)
        )
        self.assertEqual(found["rows"], 1 + 3)
        self.assertEqual(found["effectors"]["tip"]["position"], [0.01, 0.01, 0.09])

    def test_json_has_volume_mass_box_and_quality(self):
        (body,) = self.check()["bodies"]
        self.assertEqual(body["name"], "bar")
        self.assertAlmostEqual(body["volume"] / 36e-6, 1, places=12)
        self.assertAlmostEqual(body["mass"] / 36e-3, 1, places=12)
        for got, expected in zip(sum(body["box"], []), [0, 0, 0, 0.02, 0.02, 0.09]):
            self.assertAlmostEqual(got, expected, places=15)
        self.assertTrue(0 < body["quality"]["worst"] <= body["quality"]["median"] <= 1)
        self.assertEqual(body["cavities"], [])

    def test_json_has_limits_and_commands(self):
        east = self.check("--set", "actuators.east.command.pull=3")["actuators"]["east"]
        self.assertEqual(east["kind"], "cable")
        self.assertEqual(east["effort_limit"], [0, None])
        self.assertEqual(east["displacement_limit"], [0, 0.02])
        self.assertEqual(east["command"], {"pull": 0.003})

    def test_a_hole_is_found_as_a_cavity(self):
        self.write("scene.yaml", scenes.BALLOON)
        self.write("bar.vtk", scenes.vtk(*scenes.bar(cells=(3, 3, 3), hole=(1, 1, 1))))
        (body,) = self.check()["bodies"]
        self.assertEqual(len(body["cavities"]), 1)
        self.assertAlmostEqual(body["cavities"][0] / 1e-6, 1, places=12)

    def test_a_body_of_rods_alone_has_no_mesh_to_speak_of(self):
        self.write("scene.yaml", """\
units: {length: mm, pressure: MPa}
materials: {polymer: {law: corotational, young: 60, poisson: 0.4}}
bodies:
  wire:
    material: polymer
    rods: {shaft: {points: [[0, 0, 0], [0, 0, 100]], elements: 4, tube: {outer: 1.5, inner: 1}}}
    fix: {nearest: [0, 0, 0]}
""")
        (body,) = self.check()["bodies"]
        self.assertEqual((body["nodes"], body["elements"], body["mesh"], body["quality"]), (5, 4, None, None))
        code, out, err = self.lithe("check", "scene.yaml")
        self.assertEqual(code, 0, err)
        self.assertIn("5 nodes, 4 elements", out)
        for empty in ("histogram", "edges", "triangles", "parts", "quality"):
            self.assertNotIn(empty, out)

    def mesh(self, *words):
        (body,) = self.check(*words)["bodies"]
        return body["mesh"]

    def test_json_has_the_shapes_and_sizes_of_elements(self):
        mesh = self.mesh()
        self.assertEqual(sum(mesh["histogram"]), len(scenes.bar()[1]))
        for got, expected in zip(mesh["edges"], (0.01, 0.01 * 2**0.5, 0.01 * 3**0.5)):
            self.assertAlmostEqual(got / expected, 1, places=12)
        self.assertEqual((mesh["parts"], mesh["boundary_pieces"]), (1, 1))
        self.assertAlmostEqual(mesh["walls"]["two"]["thinnest"], 0.02, places=12)
        self.assertEqual(mesh["walls"]["one"], {"area": 0, "thinnest": None})

    def test_a_bad_mesh_is_told_with_numbers_and_remedies(self):
        nodes, tets = scenes.bar()
        corner = len(nodes)
        nodes += [(20.0, 20.0, 90.0), (40, 0, 0), (50, 0, 0), (40, 10, 0), (43, 3, 0.1), (90, 90, 90)]
        tets = tets[:-1] + [tuple(corner if n == corner - 1 else n for n in tets[-1])]
        tets.append(tuple(range(corner + 1, corner + 5)))
        self.write("bar.vtk", scenes.vtk(nodes, tets + [(0, 1, 90)]))
        fix = "bodies.bar.fix={all: true}"
        code, out, err = self.lithe("check", "scene.yaml", "--json", "--set", fix, "--offenders", "o.vtu")
        self.assertEqual(code, 0, err)
        mesh = json.loads(out)["bodies"][0]["mesh"]
        self.assertEqual(mesh["slivers"], {"count": 1, "first": [len(tets) - 1]})
        self.assertEqual(mesh["coincident_pairs"], [[corner - 1, corner]])
        self.assertEqual(mesh["orphans"], {"count": 1, "first": [corner + 5]})
        self.assertEqual((mesh["parts"], mesh["loose"]["first"]), (2, [len(tets) - 1]))
        self.assertEqual(mesh["stray"], {"count": 1, "first": [0]})
        for words in ("are slivers", "lie where another one is", "falls into 2 parts", "are no faces"):
            self.assertIn(words, err)
        self.assertEqual(self.files(), ["bar.vtk", "o.vtu", "scene.yaml"])
        self.check_offenders(corner)

    def check_offenders(self, corner):
        piece = xml.etree.ElementTree.parse(self.folder / "o.vtu").getroot().find("UnstructuredGrid/Piece")
        field = {a.get("Name"): a.text.split() for a in piece.iter("DataArray")}
        columns = [field[name] for name in ("types", "problem", "number", "quality")]
        rows = [row for row in zip(*columns) if row[1] != "8"]  # the cut makes thin walls too
        self.assertEqual([row[0] for row in rows], ["10", "5", "1", "1", "1"])
        self.assertEqual([row[1] for row in rows], ["3", "64", "16", "16", "32"])
        self.assertEqual([int(row[2]) for row in rows[2:]], [corner - 1, corner, corner + 5])
        self.assertLess(float(rows[0][3]), 0.1)

    def hexahedra(self, cells=(2, 2, 9)):
        nx, ny, nz = cells
        nodes, _ = scenes.bar(cells=cells)
        number = lambda i, j, k: nodes.index((10.0 * i, 10.0 * j, 10.0 * k))
        ring = ((0, 0), (1, 0), (1, 1), (0, 1))
        hexes = [tuple(number(i + a, j + b, k + c) for c in (0, 1) for a, b in ring)
                 for k in range(nz) for j in range(ny) for i in range(nx)]
        lines = scenes.vtk(nodes, hexes).splitlines()
        self.write("bar.vtk", "\n".join(lines[: -len(hexes)] + ["12"] * len(hexes)) + "\n")
        return hexes

    def test_hexahedra_alone_are_looked_at_as_hexahedra(self):
        hexes = self.hexahedra()
        mesh = self.mesh()
        self.assertEqual(sum(mesh["histogram"]), len(hexes))
        for edge in mesh["edges"]:
            self.assertAlmostEqual(edge / 0.01, 1, places=12)
        self.assertEqual((mesh["parts"], mesh["orphans"]["count"], mesh["boundary_pieces"]), (1, 0, 1))
        self.assertAlmostEqual(mesh["walls"]["two"]["thinnest"], 0.02, places=12)
        code, out, err = self.lithe("check", "scene.yaml")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("36 elements", out)
        self.assertNotIn("orphans", out)

    def test_walls_of_hexahedra_are_told_but_not_warned_about(self):
        self.hexahedra((2, 1, 9))
        code, out, err = self.lithe("check", "scene.yaml", "--set", "bodies.bar.fix={all: true}")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("one element thick (thinnest 10 mm)", out)
        code, _, err = self.lithe("check", "scene.yaml", "--set", "bodies.bar.fix={all: true}",
                                  "--set", "bodies.bar.element=tet4", "--offenders", "o.vtu")
        self.assertEqual(code, 0)
        self.assertIn("linear tetrahedra bend too stiffly", err)

    def test_offending_hexahedra_are_written_as_such(self):
        self.hexahedra((2, 1, 9))
        code, _, err = self.lithe("check", "scene.yaml", "--set", "bodies.bar.fix={all: true}", "--offenders", "o.vtu")
        self.assertEqual(code, 0, err)
        piece = xml.etree.ElementTree.parse(self.folder / "o.vtu").getroot().find("UnstructuredGrid/Piece")
        field = {a.get("Name"): a.text.split() for a in piece.iter("DataArray")}
        self.assertEqual(set(zip(field["types"], field["problem"])), {("12", "8")})
        self.assertEqual(field["offsets"][0], "8")

    def test_a_surface_as_a_body_is_told_how_to_be_filled(self):
        data = scenes.ROOT / "tests" / "mesh" / "data" / "meshio"
        for name, source in (("box.stl", "box_stl_text.stl"), ("box.obj", "box_obj.obj")):
            self.write(name, (data / source).read_bytes())
            self.expect_error(2, ["check", "scene.yaml", "--set", f"bodies.bar.mesh={name}"], f"'{name}' is a surface",
                              f"lithe mesh {name} --size")

    def test_walls_of_one_element_are_told(self):
        self.write("bar.vtk", scenes.vtk(*scenes.bar(cells=(6, 1, 9))))
        code, out, err = self.lithe("check", "scene.yaml", "--set", "bodies.bar.fix={all: true}")
        self.assertEqual(code, 0, err)
        self.assertIn("one element thick (thinnest 10 mm)", out)
        self.assertIn("elements of 5 mm would make it two", err)

    def test_offenders_go_nowhere_else_when_they_cannot_be_written(self):
        self.expect_error(3, ["check", "scene.yaml", "--offenders", "no/such.vtu"], "no/such.vtu")

    def test_elements_that_do_not_exist_are_refused_by_name(self):
        nodes, _ = scenes.bar(cells=(1, 1, 1))
        lines = scenes.vtk(nodes, [(0, 1, 3, 4, 5, 7)]).splitlines()
        self.write("bar.vtk", "\n".join(lines[:-1] + ["13"]) + "\n")
        self.expect_error(2, ["check", "scene.yaml"], "'bar'", "1 wedges", "hexahedra of eight nodes")

    def test_an_element_that_the_mesh_cannot_become_is_refused(self):
        self.expect_error(2, ["check", "scene.yaml", "--set", "bodies.bar.element=hex8"], "'bar'", "tetrahedra",
                          "hex8 needs hexahedra")

    def test_text_uses_everyday_units(self):
        code, out, _ = self.lithe("check", "scene.yaml")
        self.assertEqual(code, 0)
        for words in ("body bar", "36 ml", "36 g", "pull 0 to 20 mm", "tension 0 to inf N"):
            self.assertIn(words, out)

    def test_notices_are_told_in_full_by_check_and_counted_by_run(self):
        nodes, tets = scenes.bar()
        tets[3] = (tets[3][1], tets[3][0], *tets[3][2:])
        self.write("bar.vtk", scenes.vtk(nodes, tets))
        words = ["scene.yaml", "--set", "effectors.tip.point.at=[10, 10, 90.5]"]
        code, _, err = self.lithe("check", *words)
        self.assertEqual(code, 0, err)
        self.assertRegex(err, "(?s)notice: .* inside out .*notice: .* outside body")
        for command in (["run"], ["bench", "--steps", "1"]):
            code, _, err = self.lithe(*command, *words)
            self.assertEqual(code, 0, err)
            self.assertEqual(err, "lithe: notice: scene.yaml: 2 notices about the scene, which 'lithe check' tells "
                                  "with the same --set\n")
            self.assertEqual(self.lithe(*command, *words, "--quiet")[2], "")

    def test_a_line_is_called_a_line(self):
        task = "task={follow: {effector: tip, line: {from: [10, 10, 90], to: [12, 10, 90], time: 1 s}}}"
        found = self.check("--set", task)
        self.assertEqual([goal["path"] for goal in found["task"]["goals"]], ["line"])
        self.assertIn("tip        line", self.lithe("check", "scene.yaml", "--set", task)[1])

    def test_an_empty_list_of_pairs_is_no_pair(self):
        for contacts in ("contacts={pairs: []}", "contacts={pairs: [], others: false, self: []}"):
            self.check("--set", contacts)

    def test_what_may_touch_what_is_told(self):
        two = scenes.SCENE.replace("actuators:", "  other: {like: bar, place: {move: [50, 0, 0]}, fix: {box: [[49, -1, -1], [71, 21, 1]]}}\nactuators:", 1)
        self.write("two.yaml", two)
        post = "obstacles={post: {sphere: {center: [30, 10, 50], radius: 5}}}"
        for words, lines, pairs in (
            ([], ["  none       bodies pass through each other"], []),
            (["--set", "contacts={self: [bar]}"], ["  bar        other, itself\n"], [["bar", "other"], ["bar", "bar"]]),
            (["--set", post], ["  bar        post, other\n", "  other      post\n"], [["bar", "post"], ["bar", "other"], ["other", "post"]]),
        ):
            code, out, err = self.lithe("check", "two.yaml", *words)
            self.assertEqual(code, 0, err)
            for line in lines:
                self.assertIn(line, out.split("contacts\n", 1)[1])
            _, out, _ = self.lithe("check", "two.yaml", "--json", *words)
            self.assertEqual(json.loads(out)["contacts"], pairs)

    def test_quiet_says_nothing(self):
        self.assertEqual(self.lithe("check", "scene.yaml", "--quiet"), (0, "", ""))

    def test_set_overrides_a_key(self):
        found = self.check("--set", "materials.silicone.density=2 g/cm^3", "--set=step.steps=7")
        self.assertAlmostEqual(found["bodies"][0]["mass"] / 72e-3, 1, places=12)


if __name__ == "__main__":
    unittest.main()
