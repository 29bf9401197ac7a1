"""docs/hardware.md, step by step: its commands as they are printed, in a folder of their own, with ports that are free. Both ends go
by messages, so that it takes seconds."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from scenes import LITHE, ROOT, SANITIZED
from test_drive import free_ports

PATIENCE = 60


def commands():
    """The first lines of each listing of shell commands, with all of it."""
    page = (ROOT / "docs/hardware.md").read_text(encoding="utf-8")
    return re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S)


@unittest.skipIf(SANITIZED, "test_drive drives the same machine there")
class Tutorial(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="lithe-tutorial-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        shutil.copytree(ROOT / "examples/finger", cls.folder / "examples/finger")
        shutil.copytree(ROOT / "examples/hardware", cls.folder / "examples/hardware", ignore=shutil.ignore_patterns("*.msh"))
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin/lithe").symlink_to(pathlib.Path(LITHE).resolve())
        port, reply, tcp = free_ports(3)
        cls.ours = {"9000": str(port), "9001": str(reply), "9100": str(tcp), "/tmp/finger": f"{cls.folder}/port",
                    "/dev/ttyACM0": f"{cls.folder}/port"}
        scene = cls.folder / "examples/hardware/finger.yaml"
        scene.write_text(cls.here(scene.read_text(encoding="utf-8")).replace("wire:\n", "wire:\n  clock: lockstep\n"), encoding="utf-8")

    @classmethod
    def here(cls, text):
        for old, new in cls.ours.items():
            text = text.replace(old, new)
        return text

    def shell(self, text):
        """What a listing prints; it must end well, and leave nothing running."""
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        process = subprocess.Popen(["bash", "-ec", self.here(text)], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            out, _ = process.communicate(timeout=PATIENCE)
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.assertEqual(process.returncode, 0, text + out)
        self.assertNotIn("Sanitizer", out)
        return out

    def listing(self, part):
        found = [text for text in commands() if part in text]
        self.assertEqual(len(found), 1, part)
        return found[0]

    def test_by_hand(self):
        self.assertIn("flexor", self.shell(self.listing("actuation.csv")))

    def test_the_loop_is_better_than_none(self):
        out = self.shell(self.listing("law: open"))
        errors = [float(x) for x in re.findall(r"height: error median ([0-9.]+) mm", out)]
        self.assertEqual(len(errors), 2, out)
        self.assertLess(errors[1], 0.5 * errors[0], out)

    def test_a_serial_port(self):
        self.assertIn("the task is done", self.shell(self.listing("serial: {port: /tmp/finger}")))

    def by_the_clock(self, part):
        scene = self.folder / "examples/hardware/finger.yaml"
        text = scene.read_text(encoding="utf-8")
        scene.write_text(text.replace("clock: lockstep", "clock: real"), encoding="utf-8")
        try:
            return self.shell(self.listing(part))
        finally:
            scene.write_text(text, encoding="utf-8")

    def test_an_accident(self):
        out = self.by_the_clock("--steps 100")  # a watchdog needs one
        self.assertRegex(out, "safe: |stop: no fresh reading")
        self.assertIn("ended with 1", out)

    def test_a_recording(self):
        self.assertIn("same", self.shell(self.listing("--replay")))

    def test_an_arduino(self):
        plant = self.listing("serial: {port: /tmp/finger}").splitlines()[0]
        out = self.shell(f"{plant}\n{self.listing('/dev/ttyACM0')}kill %1\n")
        self.assertIn("the task is done", out)

    @unittest.skipUnless(shutil.which("socat"), "needs socat")
    def test_json_by_hand(self):
        out = self.by_the_clock("socat")
        self.assertIn('"echo":1', out)

    def test_a_machine_that_tells_its_shape_is_watched(self):
        out = self.shell(self.listing("--view"))
        self.assertIn("http://127.0.0.1:", out)
        self.assertIn("the task is done", out)

    def test_every_listing_is_tried(self):
        tried = ("actuation.csv", "law: open", "serial: {port: /tmp/finger}", "--steps 100", "--replay", "/dev/ttyACM0", "socat", "--view")
        for text in commands():
            self.assertTrue(any(part in text for part in tried), text)


if __name__ == "__main__":
    unittest.main()
