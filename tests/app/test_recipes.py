"""The recipes of docs/hardware.md as they are printed: `lithe drive` on one side, on the other a machine in whose program everything
but the wire is made up."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

from scenes import ROOT
from test_drive import Case, free_ports

try:
    import zmq
except ImportError:
    zmq = None

# In place of what a laboratory has: trackers that see a robot at rest, motors that note what they are told.
MADE_UP = {
    "motors.py": '''
def obey(value, mode):
    print(mode, *value, flush=True)
''',
    "rclpy/__init__.py": '''
import time, types
def init():
    pass
def spin(node):
    while True:
        node.listener(types.SimpleNamespace(pose=types.SimpleNamespace(position=types.SimpleNamespace(x=0.01, y=0.01, z=0.09))))
        time.sleep(0.005)
''',
    "rclpy/node.py": '''
import types
from motors import obey
class Node:
    def __init__(self, name):
        pass
    def create_publisher(self, kind, topic, depth):
        return types.SimpleNamespace(publish=lambda message: obey(message.data, "published"))
    def create_subscription(self, kind, topic, listener, depth):
        self.listener = listener
''',
    "geometry_msgs/msg.py": "class PoseStamped: pass\n",
    "std_msgs/msg.py": '''
class Float64MultiArray:
    def __init__(self, data):
        self.data = data
''',
    "NatNetClient.py": '''
import time
class NatNetClient:
    def run(self):
        while True:
            self.rigid_body_listener(1, (0.01, 0.01, 0.09), (0, 0, 0, 1))
            time.sleep(0.005)
''',
    "pyigtl.py": '''
import time, types
class Matrix(list):
    def __getitem__(self, at):
        return Matrix(list.__getitem__(self, at)) if isinstance(at, slice) else list.__getitem__(self, at)
class OpenIGTLinkClient:
    def __init__(self, host, port):
        pass
    def wait_for_message(self, name, timeout):
        time.sleep(0.005)
        return types.SimpleNamespace(matrix=Matrix([[1, 0, 0, 10.0], [0, 1, 0, 10.0], [0, 0, 1, 90.0], [0, 0, 0, 1]]))
''',
}


def recipes():
    page = (ROOT / "docs/hardware.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)


@unittest.skipUnless(zmq, "needs python3-zmq")
class Recipes(Case):
    def setUp(self):
        super().setUp()
        for name, text in MADE_UP.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    def test_every_recipe_is_driven(self):
        self.assertEqual(len(recipes()), 3)
        for text in recipes():
            with self.subTest(text.split("\n", 1)[0]):
                port, reply = free_ports(2)
                program = self.folder / "program.py"
                program.write_text(text.replace("Machine()", f"Machine({port}, {reply})"))
                machine = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                           env={**os.environ, "PYTHONPATH": f"{self.folder}:{pathlib.Path(ROOT, 'examples/hardware')}"})
                self.running.append(machine)
                scene = self.scene(f"{{zmq: {{port: {port}, reply: {reply}}}}}",
                                   **{"axes: [x]}": "axes: [x, y, z]}", "{time: 0, at: 11}": "{time: 0, at: [11, 10, 90]}",
                                      "{time: 1 s, at: 16}": "{time: 1 s, at: [16, 10, 90]}", "limits: [-50, 80]": "limits: [-50, 150]"})
                code, found, err = self.drive(scene, "--steps", "10")
                self.assertEqual(code, 0, err)
                self.assertEqual(found["wire"]["nonsense"] + found["wire"]["refused"], 0)
                self.assertGreater(found["wire"]["heard"], 9)
                machine.send_signal(signal.SIGTERM)
                told, wrong = machine.communicate()
                self.assertEqual(wrong, "")
                values = [float(line.split()[1]) for line in told.splitlines()]
                self.assertGreater(len(values), 9)
                self.assertTrue(all(0 <= value <= 8 for value in values) and max(values) > 0)


if __name__ == "__main__":
    unittest.main()
