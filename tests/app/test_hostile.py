"""Recordings made by strangers: whatever is in them, the program says what is wrong and ends."""

import base64
import os
import random
import resource
import signal
import subprocess
import time
import unittest
import zlib

import scenes

try:
    import h5py
    import numpy
except ImportError:  # CTest runs this by /usr/bin/python3, Debian's, which has them
    h5py = None
BEYOND = scenes.GIBIBYTE * (100000 if scenes.SANITIZED else 1)


@unittest.skipIf(h5py is None, "python3-h5py is not installed")
class Hostile(scenes.Case):
    def setUp(self):
        super().setUp()
        code, _, err = self.lithe("run", "scene.yaml", "east.pull=5mm", "--quiet", "--record", "good.h5")
        self.assertEqual(code, 0, err)

    def edit(self, *lines, name="bad.h5"):
        """good.h5 as another, with a few lines of Python done to it."""
        self.write(name, (self.folder / "good.h5").read_bytes())
        with h5py.File(self.folder / name, "r+", libver=("v110", "v110")) as f:
            exec("\n".join(lines), {"f": f, "h5py": h5py, "numpy": numpy})

    def expect_refused(self, *mentions, words=("report", "bad.h5", "-o", "r.html"), status=2):
        self.expect_error(status, words, "bad.h5", *mentions)
        self.assertNotIn("r.html", self.files())

    def test_the_unchanged_one_is_fine(self):
        self.edit("f.flush()")
        self.assertEqual(self.lithe("report", "bad.h5", "-o", "r.html")[0], 0)
        self.assertEqual(self.lithe("run", "--from", "bad.h5", "east.pull=4mm", "--quiet")[0], 0)

    def test_no_other_file_gets_into_a_report(self):
        self.write("secret", b"secret" * 1000)
        for name in ("scene/text", "scene/files/0", "summary", "steps/time"):
            kind = "'<f8'" if "time" in name else "'S6000'" if name == "summary" else "'u1'"
            shape = "()" if name == "summary" else "(5,)" if "time" in name else "(6000,)"
            with self.subTest(storage=name):
                self.edit(f"a = dict(f['{name}'].attrs)", f"del f['{name}']",
                          f"d = f.create_dataset('{name}', {shape}, {kind}, external=[('secret', 0, 6000)])", "d.attrs.update(a)")
                if name != "summary":
                    self.expect_refused()
                    continue
                code, _, _ = self.lithe("report", "bad.h5", "-o", "r.html", "--quiet")  # it is as if there was none
                self.assertEqual(code, 0)
                page = (self.folder / "r.html").read_text()
                packed = page.split('type="text/plain">')[1].split("</script>")[0]
                self.assertNotIn(b"secret", zlib.decompress(base64.b64decode(packed)))
                (self.folder / "r.html").unlink()
        for name in ("scene/text", "steps", "scene", "scene/files/0", "checkpoints/state"):
            for link in ("h5py.SoftLink('/elsewhere')", "h5py.ExternalLink('other.h5', '/elsewhere')"):
                with self.subTest(link=link, name=name):
                    self.edit(f"f.move('{name}', 'elsewhere')", name="other.h5")
                    self.edit(f"f.move('{name}', 'elsewhere')", f"f['{name}'] = {link}")
                    self.expect_refused(words=("run", "--from", "bad.h5", "east.pull=4mm"))

    def test_a_view_of_another_file_is_refused(self):
        self.edit("del f['scene/text']", "l = h5py.VirtualLayout((100,), 'u1')",
                  "l[:] = h5py.VirtualSource('good.h5', 'scene/text', (100,))", "f.create_virtual_dataset('scene/text', l)")
        self.expect_refused()

    def test_what_could_not_be_in_so_small_a_file_is_not_asked_for(self):
        limits = [(resource.RLIMIT_AS, BEYOND)]
        for name, kind in (("scene/text", "u1"), ("steps/time", "<f8"), ("scene/files/0", "u1")):
            for how in ("", ", chunks=(1 << 20,), compression='gzip'"):
                with self.subTest(name=name, how=how):
                    self.edit(f"a = dict(f['{name}'].attrs)", f"del f['{name}']",
                              f"d = f.create_dataset('{name}', (6 << 30,), '{kind}'{how})", "d.attrs.update(a)")
                    begin = time.time()
                    self.expect_error(2, ["report", "bad.h5", "-o", "r.html"], "bad.h5", limits=limits)
                    self.assertLess(time.time() - begin, 10)

    def test_texts_of_variable_length_are_refused(self):
        self.edit("del f.attrs['format']", "f.attrs['format'] = 'lithe recording'")
        self.expect_refused("not a recording")
        self.edit("del f['scene/set']", "f.create_dataset('scene/set', (1,), h5py.string_dtype())")
        self.expect_refused("overrides")

    def test_a_recording_without_steps_has_nothing_to_show(self):
        self.edit("[d.resize(0, axis=0) for d in f['steps'].values()]")
        for command in ("report", "view"):
            self.expect_error(2, [command, "bad.h5"], "bad.h5", "no step")

    def test_numbers_of_steps_that_none_has_are_refused(self):
        for value in ("-1", "float('nan')", "1e300"):
            self.edit(f"f['steps/step'][2] = {value}")
            self.expect_refused("steps")
        for value in ("-1", "2**31 - 1"):
            self.edit(f"f['plan'].attrs.modify('steps', numpy.int32({value}))")
            self.expect_refused("plan")
        self.edit("f['checkpoints/step'][:] = -5")
        self.expect_refused("no checkpoint", words=("run", "--from", "bad.h5", "east.pull=4mm"))

    def test_a_state_with_its_checksum_made_right_is_looked_at(self):
        """The kind of a command, the first index in it, is none; before it stand gravity, a material's factor and a body's own gravity, twice."""
        place = ["s = numpy.array(f['checkpoints/state'])", "n = len(f['steps/position'][0]) * 24 + 8 + 8 + 112 + 32"]
        total = ["for k in range(len(s)):", "    h = 14695981039346656037",
                 "    for b in s[k, 32:].tobytes(): h = (h ^ b) * 1099511628211 & (1 << 64) - 1",
                 "    s[k, 24:32] = numpy.frombuffer(h.to_bytes(8, 'little'), 'u1')", "f['checkpoints/state'][:] = s"]
        self.edit(*place, *total)
        self.assertEqual(self.lithe("run", "--from", "bad.h5", "east.pull=4mm", "--quiet")[0], 0)
        self.edit(*place, "s[:, n:n + 4] = 127", *total)
        self.expect_refused("none has", words=("run", "--from", "bad.h5", "east.pull=4mm"))
        self.edit(*place, "s[:, 38:40] = 255", *total)  # the first position is no number
        self.expect_refused("positions", words=("run", "--from", "bad.h5", "east.pull=4mm"))

    def test_flipped_bits_are_survived(self):
        good = (self.folder / "good.h5").read_bytes()
        dice = random.Random(4)
        ends = set()
        for k in range(20 if scenes.SANITIZED else 60):
            bad = bytearray(good)
            for _ in range(1 + k % 3):
                bad[dice.randrange(len(bad) if k % 2 else 4096)] ^= 1 << dice.randrange(8)
            self.write("bad.h5", bytes(bad))
            words = (["report", "bad.h5", "-o", "r.html"], ["run", "--from", "bad.h5", "east.pull=4mm"])[k % 2]
            code, _, err = self.lithe(*words, "--quiet")
            self.assertIn(code, (0, 2), err)
            ends.add(code)
        self.assertEqual(ends, {0, 2})


class Limits(scenes.Case):
    """Disks that are full, quotas that are used up."""

    def sizes(self):
        return [0, 1, 600, 2048, 4096, 10000, 20000, 30000, 34000, 36000, 38000, 40000]

    def test_a_recording_that_finds_no_room_is_told_and_leaves_nothing(self):
        ends = set()
        for size in self.sizes():
            with self.subTest(size=size):
                code, _, err = self.lithe("run", "scene.yaml", "east.pull=5mm", "--steps", "30", "--record", "a.h5", "--quiet",
                                          limits=[(resource.RLIMIT_FSIZE, size)])
                self.assertIn(code, (0, 3), err)
                ends.add(code)
                if code:
                    self.assertIn("a.h5", err)
                    self.assertEqual(self.files(), ["bar.vtk", "scene.yaml"])
                (self.folder / "a.h5").unlink(missing_ok=True)
        self.assertIn(3, ends)

    def test_a_full_disk_is_told_too(self):
        """One whose every write fails."""
        if scenes.SANITIZED or os.geteuid() != 0:
            self.skipTest("needs to mount a disk")
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(disk)], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("may not mount a disk")
        self.addCleanup(subprocess.run, ["umount", str(disk)], check=True)
        for words in (["--record", "disk/a.h5"], ["--out", "disk/r", "--record", "disk/r/recording.h5"]):
            self.expect_error(3, ["run", "scene.yaml", "east.pull=5mm", "--quiet", "--steps", "30", *words], "disk/", "free some space")
            self.assertEqual(os.listdir(disk), [])


class Signals(scenes.Case):
    WORDS = ("run", "scene.yaml", "east.pull=5mm", "--steps", "900000", "--quiet")

    def begin(self, *words):
        env = {**os.environ, "TMPDIR": str(self.folder)}
        process = self.start(*self.WORDS, *words, "--out", "out", "--record", "a.h5", env=env)
        deadline = time.time() + 60
        while time.time() < deadline:
            if list(self.folder.glob("out.partial-*/frame_00001.vtu")) and list(self.folder.glob("a.h5.partial-*")):
                return process
            time.sleep(0.01)
        process.kill()
        self.fail("nothing was written")

    def end(self, process):
        with process:
            _, err = process.communicate(timeout=60)
        self.assertEqual([name for name in self.files() if "partial" in name or name.startswith("lithe.")], [], err)
        return process.returncode

    def test_a_signal_that_ends_the_run_leaves_nothing(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGXCPU):
            with self.subTest(signal=number):
                process = self.begin()
                process.send_signal(number)
                self.assertEqual(self.end(process), 130)

    def test_two_signals_end_it_at_once_and_leave_nothing(self):
        for _ in range(5):
            process = self.begin()
            process.send_signal(signal.SIGTERM)
            process.send_signal(signal.SIGHUP)
            self.assertIn(self.end(process), (130, -signal.SIGTERM, -signal.SIGHUP))

    def test_a_closed_pipe_and_a_quota_do_not_end_it(self):
        process = self.begin()
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            process.send_signal(number)
        time.sleep(0.1)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.end(process), 130)

    def test_what_is_unpacked_goes_as_well(self):
        self.assertEqual(self.lithe("run", "scene.yaml", "east.pull=5mm", "--quiet", "--record", "b.h5")[0], 0)
        env = {**os.environ, "TMPDIR": str(self.folder)}
        for number in (signal.SIGHUP, signal.SIGTERM):
            process = self.start("view", "b.h5", env=env)
            self.assertIn("http", process.stdout.readline())
            self.assertTrue([name for name in self.files() if name.startswith("lithe.")])
            process.send_signal(number)
            self.assertEqual(self.end(process), 0)


class Pipes(scenes.Case):
    def test_a_scene_that_is_a_pipe_or_a_device_is_refused(self):
        os.mkfifo(self.folder / "pipe.yaml")
        for name in ("pipe.yaml", "/dev/null", "/dev/zero"):
            for command in ("check", "run", "view", "report"):
                self.expect_error(2, [command, name], name, timeout=10)
        os.mkfifo(self.folder / "pipe.h5")
        self.expect_error(2, ["run", "--from", "pipe.h5"], "pipe.h5", timeout=10)


if __name__ == "__main__":
    unittest.main()
