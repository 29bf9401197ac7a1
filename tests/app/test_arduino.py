"""examples/hardware/arduino.ino, compiled for this machine (arduino.cpp) and driven over a pseudo-terminal as a board would be."""

import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import tty
import unittest

from scenes import LITHE, ROOT, SANITIZED
from test_drive import checksum

PATIENCE = 60
SAFE, MOST = 0, 100  # degrees: of a pull of 0 and of 20 mm


@unittest.skipIf(SANITIZED or not shutil.which("g++"), "needs g++, once")
class Arduino(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="lithe-arduino-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "Servo.h").touch()
        sketch = ROOT / "examples/hardware/arduino.ino"
        subprocess.run(["g++", "-Wall", "-Wextra", "-Werror", f"-I{cls.folder}", f'-DSKETCH="{sketch}"', ROOT / "tests/app/arduino.cpp",
                        "-o", cls.folder / "board"], check=True)

    def setUp(self):
        board, self.computer = pty.openpty()
        tty.setraw(self.computer)
        os.set_blocking(board, False)
        self.board = subprocess.Popen([self.folder / "board", str(board)], pass_fds=[board], stdout=subprocess.PIPE, text=True)
        os.close(board)
        self.addCleanup(os.close, self.computer)
        self.addCleanup(self.board.communicate)
        self.addCleanup(self.board.kill)
        self.angles = []
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        for line in self.board.stdout:
            self.angles.append(int(line))

    def wait_for(self, condition):
        until = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)

    def drive(self, *words):
        """Nothing here depends on how fast the machine is: it waits for each reading that answers an order."""
        port = os.ttyname(self.computer)
        return subprocess.Popen([LITHE, "drive", str(ROOT / "examples/hardware/finger.yaml"), "--json", "--set", f"wire.over={{serial: {{port: {port}}}}}",
                                 "--set", "wire.clock=lockstep", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_it_is_driven_and_brought_back(self):
        out, err = (drive := self.drive("--steps", "80")).communicate(timeout=PATIENCE)
        self.assertEqual(drive.returncode, 0, err)
        found = json.loads(out)
        self.assertEqual((found["end"], found["wire"]["nonsense"], found["wire"]["refused"]), ("the task is done", 0, 0))
        self.assertGreater(max(self.angles), 10)
        self.assertLess(found["errors"]["height"]["median"], 6e-3)  # 12 mm in open loop
        self.wait_for(lambda: self.angles[-1] == SAFE)
        self.assertTrue(all(SAFE <= angle <= MOST for angle in self.angles))

    def test_it_goes_to_the_safe_state_when_the_computer_dies(self):
        drive = self.drive()
        self.wait_for(lambda: self.angles and max(self.angles) > 10)
        drive.send_signal(signal.SIGKILL)
        drive.communicate()
        self.wait_for(lambda: self.angles[-1] == SAFE)

    def test_damaged_orders_and_large_ones_are_not_obeyed(self):
        os.write(self.computer, b"O 1 0 1 15*00\n" + b"O 1 0 1 15\n" + b"noise" * 60 + b"\n" + checksum("O 2 0 1 500"))
        self.wait_for(lambda: self.angles)
        self.assertEqual(self.angles[0], MOST)


if __name__ == "__main__":
    unittest.main()
