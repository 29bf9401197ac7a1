"""Every bad input ends quickly, with status 2, one line that names the place, and no results."""

import resource
import unittest

import scenes

PILE = "".join(f"b{i}: &b{i} [{', '.join([f'*b{i - 1}'] * 9)}]\n" for i in range(1, 12))
ALIAS_BOMB = "b0: &b0 [1, 1, 1]\n" + PILE


class BadInput(scenes.Case):
    def refuse(self, *mentions, scene="scene.yaml"):
        limits = [] if scenes.SANITIZED else [(resource.RLIMIT_AS, scenes.GIBIBYTE)]
        before = self.files()
        for words in (("check", scene), ("run", scene, "--out", "out")):
            with self.subTest(command=words[0]):
                self.expect_error(2, words, *mentions, limits=limits, timeout=10)
                self.assertEqual(self.files(), before)

    def change(self, old, new):
        self.assertIn(old, scenes.SCENE)
        self.write("scene.yaml", scenes.SCENE.replace(old, new))

    def test_missing_scene(self):
        self.refuse("nowhere.yaml", scene="nowhere.yaml")

    def test_scene_that_is_a_folder(self):
        (self.folder / "sub").mkdir()
        self.refuse("sub", scene="sub")

    def test_empty_scene(self):
        self.write("scene.yaml", "")
        self.refuse("scene.yaml")

    def test_scene_that_is_not_text(self):
        self.write("scene.yaml", bytes(range(256)) * 40)
        self.refuse("scene.yaml")

    def test_alias_bomb(self):
        self.write("scene.yaml", ALIAS_BOMB)
        self.refuse("scene.yaml")

    def test_unknown_key(self):
        self.change("young:", "yuong:")
        self.refuse("scene.yaml:3", "yuong", "young")

    def test_duplicate_key(self):
        self.change("    material: silicone\n", "    material: silicone\n    material: silicone\n")
        self.refuse("scene.yaml:8", "material")

    def test_wrong_unit(self):
        self.change("200 kPa", "200 mm")
        self.refuse("scene.yaml:3", "200 mm")

    def test_missing_unit(self):
        self.change("dt: 10 ms", "dt: 10")
        self.refuse("scene.yaml")

    def test_selection_of_nothing(self):
        self.change("[[-1, -1, -1], [21, 21, 1]]", "[[500, 500, 500], [600, 600, 600]]")
        self.refuse("scene.yaml:8")

    def test_body_that_nothing_holds(self):
        self.change("    fix: {box: [[-1, -1, -1], [21, 21, 1]]}\n", "")
        self.refuse("bar")

    def test_part_that_nothing_holds(self):
        nodes, tets = scenes.bar()
        other, more = scenes.bar(shift=100.0)
        tets += [tuple(node + len(nodes) for node in tet) for tet in more]
        self.write("bar.vtk", scenes.vtk(nodes + other, tets))
        self.refuse("bar")

    def test_cable_point_far_outside(self):
        self.change("[18, 10, 85]]", "[18, 10, 850]]")
        self.refuse("scene.yaml", "east")

    def test_body_without_a_cavity(self):
        self.write("scene.yaml", scenes.BALLOON.replace("[31, 31, 1]", "[21, 21, 1]"))
        self.refuse("scene.yaml:10", "cavity")

    def test_cavity_that_is_not_closed(self):
        nodes, tets = scenes.bar()
        lid = [(0, 1, 4), (0, 4, 3)]  # one square of the bottom
        self.write("bar.msh", scenes.msh(nodes, tets, lid, "hole"))
        scene = scenes.BALLOON.replace("bar.vtk", "bar.msh").replace("[31, 31, 1]", "[21, 21, 1]")
        scene = scene.replace("cavity: {body: bar}", "cavity: {body: bar, cavity: hollow}")
        scene = scene.replace("actuators:", "    cavities: {hollow: {group: hole}}\nactuators:")
        self.write("scene.yaml", scene)
        self.refuse("scene.yaml", "closed")

    def test_missing_mesh(self):
        (self.folder / "bar.vtk").unlink()
        self.refuse("bar.vtk")

    def test_empty_mesh(self):
        self.write("bar.vtk", "")
        self.refuse("bar.vtk")

    def test_truncated_mesh(self):
        text = scenes.vtk(*scenes.bar())
        for share in (0.02, 0.3, 0.6, 0.97):
            self.write("bar.vtk", text[: int(len(text) * share)])
            self.refuse("bar.vtk")

    def test_corrupt_mesh(self):
        text = scenes.vtk(*scenes.bar())
        middle = len(text) // 2
        for garbage in ("not a number", "99999999", "\0\xff\0", "-4 "):
            broken = text[:middle] + "\n" + garbage + "\n" + text[middle:]
            self.write("bar.vtk", broken.encode("latin-1"))
            self.refuse("bar.vtk")

    def test_mesh_of_triangles_only(self):
        self.write("bar.vtk", scenes.vtk([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))
        self.refuse("bar.vtk")

    def test_mesh_with_coordinates_that_are_not_numbers(self):
        for word in ("nan", "inf"):
            nodes, tets = scenes.bar()
            nodes[7] = (float(word), 0.0, 0.0)
            self.write("bar.vtk", scenes.vtk(nodes, tets))
            self.refuse("bar.vtk")

    def test_mesh_with_a_node_number_out_of_range(self):
        nodes, tets = scenes.bar()
        self.write("bar.vtk", scenes.vtk(nodes, tets + [(0, 1, 2, len(nodes))]))
        self.refuse("bar.vtk")

    def test_ten_million_nodes_announced_in_a_tiny_file(self):
        head = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n"
        self.write("bar.vtk", head + "POINTS 10000000 double\n0 0 0\n")
        self.refuse("bar.vtk")
        nodes = "$Nodes\n1 10000000 1 10000000\n3 1 0 10000000\n1\n0 0 0\n$EndNodes\n"
        self.write("bar.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" + nodes)
        self.change("bar.vtk", "bar.msh")
        self.refuse("bar.msh")


if __name__ == "__main__":
    unittest.main()
