"""The results folder: its files, and that it appears whole or not at all."""

import base64
import csv
import json
import resource
import struct
import unittest
import xml.etree.ElementTree as xml

import scenes

FORMAT = {"Float64": "d", "Int32": "i", "UInt8": "B"}


def arrays(path):
    """Every array of a frame by its name."""
    found = {}
    for array in xml.parse(path).getroot().iter("DataArray"):
        data = base64.b64decode(array.text, validate=True)
        (size,) = struct.unpack("<Q", data[:8])
        code = FORMAT[array.get("type")]
        count = size // struct.calcsize(code)
        found[array.get("Name")] = struct.unpack(f"<{count}{code}", data[8:])
    return found


class Results(scenes.Case):
    def run_out(self, *words, status=0, out="out"):
        code, text, err = self.lithe("run", "scene.yaml", "--json", "--out", out, *words)
        self.assertEqual(code, status, err)
        return text

    def out(self, name):
        return self.folder / "out" / name

    def frames(self):
        return sorted(path.name for path in self.out("").glob("*.vtu"))

    def test_the_folder_holds_frames_index_series_and_summary(self):
        text = self.run_out("east.pull=5mm")
        names = sorted(path.name for path in self.out("").iterdir())
        frames = [f"frame_{i:05d}.vtu" for i in range(5)]
        self.assertEqual(names, frames + ["frames.pvd", "series.csv", "summary.json"])
        self.assertEqual(self.out("summary.json").read_text(), text)
        self.assertEqual(self.files(), ["bar.vtk", "out", "scene.yaml"])

    def test_the_folder_is_readable_as_the_umask_says(self):
        self.run_out()
        (self.folder / "plain").mkdir()
        self.assertEqual(self.out("").stat().st_mode, (self.folder / "plain").stat().st_mode)

    def test_frames_begin_at_rest_and_carry_the_fields(self):
        self.run_out("east.pull=5mm")
        nodes, tets = scenes.bar()
        first, last = (arrays(self.out(f"frame_{i:05d}.vtu")) for i in (0, 4))
        for got, expected in zip(first["Points"], (c * 1e-3 for node in nodes for c in node)):
            self.assertAlmostEqual(got, expected, places=15)
        self.assertEqual(set(first["displacement"]), {0.0})
        self.assertGreater(max(map(abs, last["displacement"])), 2e-3)
        for here, there, moved in zip(first["Points"], last["Points"], last["displacement"]):
            self.assertAlmostEqual(here + moved, there, places=15)
        self.assertEqual(len(last["connectivity"]), 4 * len(tets))
        self.assertEqual(last["offsets"], tuple(range(4, 4 * len(tets) + 1, 4)))
        self.assertEqual(set(last["types"]), {10})
        for name in ("strain_energy_density", "von_mises", "material", "body"):
            self.assertEqual(len(last[name]), len(tets), name)
        self.assertGreater(min(last["von_mises"]), 0)

    def test_the_index_names_every_frame_with_its_time(self):
        self.run_out()
        sets = list(xml.parse(self.out("frames.pvd")).getroot().iter("DataSet"))
        self.assertEqual([item.get("file") for item in sets], self.frames())
        times = [float(item.get("timestep")) for item in sets]
        self.assertEqual(times, [0, 0.01, 0.02, 0.03, 0.04])

    def test_the_series_has_a_line_for_every_step(self):
        summary = json.loads(self.run_out("east.pull=5mm"))
        with open(self.out("series.csv")) as file:
            lines = list(csv.DictReader(file))
        self.assertEqual([int(line["step"]) for line in lines], [0, 1, 2, 3, 4])
        self.assertEqual([float(line["time_s"]) for line in lines], [0, 0.01, 0.02, 0.03, 0.04])
        self.assertEqual(float(lines[0]["tip.z_m"]), 0.09)
        self.assertEqual(float(lines[0]["east.tension_N"]), 0)
        tip = [float(lines[-1][f"tip.{axis}_m"]) for axis in "xyz"]
        self.assertEqual(tip, summary["effectors"]["tip"]["position"])
        for line in lines:
            pull = 0.005 * int(line["step"]) / 4
            self.assertAlmostEqual(float(line["east.pull_m"]), pull, places=8)
        self.assertEqual(float(lines[-1]["east.tension_N"]), summary["actuators"]["east"]["effort"])
        self.assertEqual(float(lines[-1]["residual"]), summary["residual"]["force"])

    def test_a_run_that_did_not_converge_still_saves_its_steps(self):
        text = self.run_out("east.pull=15mm", *scenes.HOPELESS, status=1)
        self.assertEqual(self.out("summary.json").read_text(), text)
        self.assertEqual(self.frames()[0], "frame_00000.vtu")
        self.assertEqual(len(self.frames()), json.loads(text)["steps"] + 1)

    def test_another_run_replaces_the_whole_folder(self):
        self.run_out("--steps", "5")
        self.run_out("--steps", "2", out="out/")
        self.assertEqual(len(self.frames()), 3)
        self.assertEqual(self.files(), ["bar.vtk", "out", "scene.yaml"])

    def test_an_empty_folder_is_used_and_parents_are_made(self):
        self.out("").mkdir()
        self.run_out()
        self.run_out(out="deep/deeper/out")
        self.assertTrue((self.folder / "deep/deeper/out/summary.json").exists())

    def test_a_folder_of_somebody_else_is_refused_before_computing(self):
        self.out("").mkdir()
        self.out("thesis.tex").write_text("years of work")
        self.expect_error(2, ["run", "scene.yaml", "--out", "out"], "'out'", "thesis.tex")
        self.expect_error(2, ["run", "missing.yaml", "--out", "out"], "thesis.tex")
        self.assertEqual([path.name for path in self.out("").iterdir()], ["thesis.tex"])

    def test_names_that_cannot_be_a_folder_are_refused(self):
        for name in ("", ".", "..", "/", "bar.vtk", "bar.vtk/out"):
            self.expect_error(2, ["run", "scene.yaml", "--out", name], f"'{name}'")
        self.expect_error(3, ["run", "scene.yaml", "--out", "/proc/no/out"], "/proc/no")

    def test_a_full_disk_is_reported_and_leaves_nothing(self):
        limits = [(resource.RLIMIT_FSIZE, 3000)]
        words = ["run", "scene.yaml", "--out", "new/out"]
        self.expect_error(3, words, "new/out.partial", ".vtu", "File too large", limits=limits)
        self.assertEqual(self.files(), ["bar.vtk", "scene.yaml"])

    def test_older_results_survive_a_run_that_fails(self):
        before = self.run_out()
        limits = [(resource.RLIMIT_FSIZE, 3000)]
        self.expect_error(3, ["run", "scene.yaml", "--out", "out"], limits=limits)
        self.assertEqual(self.out("summary.json").read_text(), before)
        self.assertEqual(self.files(), ["bar.vtk", "out", "scene.yaml"])


if __name__ == "__main__":
    unittest.main()
