"""`lithe drive` and `lithe plant`: over every wire, against clients that we did not write, and through every accident. Both
go by messages here (lockstep), so that nothing depends on how fast the machine is."""

import json
import os
import pathlib
import pty
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty
import unittest

import scenes
from scenes import LITHE, SANITIZED
from test_view import Socket, message

try:
    import serial
except ImportError:
    serial = None
try:
    import zmq
except ImportError:
    zmq = None

PATIENCE = 120 if SANITIZED else 60
SCENE = """
units: {length: mm, force: N, pressure: kPa}
materials: {silicone: {law: corotational, young: 200 kPa, poisson: 0.4, density: 1 g/cm^3}}
bodies: {bar: {mesh: bar.vtk, material: silicone, fix: {box: [[-1, -1, -1], [21, 21, 1]]}}}
loads: {push: {force: {body: bar, at: [10, 10, 90], value: [0.02, 0, 0]}}}
actuators:
  east: {cable: {body: bar, through: [[18, 10, 30], [18, 10, 85]], pulled_from: [18, 10, -10]}, limits: {pull: [0, 8]}, command: {pull: 0}}
effectors: {tip: {point: {body: bar, at: [10, 10, 90]}, axes: [x]}}
task: {follow: {effector: tip, waypoints: [{time: 0, at: 11}, {time: 1 s, at: 16}]}, approach: 20 mm/s, settle: 5}
step: {mode: realtime, dt: 50 ms}
controller: {law: task, kp: 0.2, ki: 3}
wire:
  over: OVER
  clock: lockstep
  out: {east: {unit: mm, rate: 30 mm/s, ramp: 100 ms}}
  in: {tip: {unit: mm, limits: [-50, 80]}}
  watchdog: {hold: 120 ms, safe: 300 ms}
"""
PLANT = """
plant:
  seed: 3
  actuators: {east: {lag: 60 ms, backlash: 0.2}}
  sensors: {tip: {noise: 0.02, quantum: 0.01, delay: 50 ms}}
  loads: {push: {from: 0.5 s, until: 1 s, every: 2 s}}
"""


def free_ports(n):
    """Ports that nobody has now; each is asked for both protocols."""
    found = []
    while len(found) < n:
        with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
            tcp.bind(("127.0.0.1", 0))
            port = tcp.getsockname()[1]
            try:
                udp.bind(("127.0.0.1", port))
            except OSError:
                continue
            if port not in found:
                found.append(port)
    return found


def checksum(text):
    total = 0
    for byte in text.encode():
        total ^= byte
    return f"{text}*{total:02X}\n".encode()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lithe-drive-"))
        self.addCleanup(shutil.rmtree, self.folder)
        nodes, tets = scenes.bar((1, 1, 4), 20.0)
        nodes = [(x, y, z * 90 / 80) for x, y, z in nodes]
        (self.folder / "bar.vtk").write_text(scenes.vtk(nodes, tets))
        self.running = []
        self.addCleanup(self.end_all)
        signal.signal(signal.SIGALRM, self.give_up)
        signal.alarm(PATIENCE)
        self.addCleanup(signal.alarm, 0)

    def give_up(self, *unused):
        raise TimeoutError("one of the two waits for the other")

    def end_all(self):
        for process in self.running:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def scene(self, over, extra=PLANT, **changes):
        text = SCENE.replace("OVER", over) + extra
        for old, new in changes.items():
            text = text.replace(old, new)
        path = self.folder / "scene.yaml"
        path.write_text(text)
        return path

    def start(self, *words):
        process = subprocess.Popen([LITHE, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.running.append(process)
        return process

    def end(self, process, number=None):
        if number:
            process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertNotIn("Sanitizer", err)
        return process.returncode, out, err

    def drive(self, scene, *words):
        code, out, err = self.end(self.start("drive", scene, "--json", *words))
        return code, json.loads(out) if out.strip() else None, err

    def overs(self):
        a, b, c, d, e = free_ports(5)
        return {"serial": f"{{serial: {{port: {self.folder}/port}}}}", "tcp": f"{{tcp: {{port: {a}}}}}",
                "udp": f"{{udp: {{port: {b}, reply: {c}}}}}", "zmq": f"{{zmq: {{port: {d}, reply: {e}}}}}"}


class Wires(Case):
    def test_every_wire_closes_the_loop_and_its_recording_sends_the_same_bits(self):
        sent = {}
        for name, over in self.overs().items():
            with self.subTest(name):
                scene = self.scene(over)
                plant = self.start("plant", scene, "--json", "--quiet", "--set", "materials.silicone.young=170 kPa")
                code, found, err = self.drive(scene, "--record", self.folder / f"{name}.h5")
                self.assertEqual(code, 0, err)
                self.assertTrue(found["done"])
                self.assertEqual(found["not_converged"], 0)
                code, out, err = self.end(plant, signal.SIGTERM)
                self.assertEqual(code, 0, err)
                heard = json.loads(out)
                self.assertEqual(heard["nonsense"] + heard["wrong"], 0)
                self.assertEqual(heard["heard"], found["cycles"])
                extent = heard["orders"][0]
                self.assertGreaterEqual(extent["lowest"], 0)
                self.assertLessEqual(extent["highest"], 8)
                self.assertLessEqual(extent["fastest"], 30 * (1 + 1e-9))
                code, out, err = self.end(self.start("drive", "--replay", self.folder / f"{name}.h5", "--json"))
                self.assertEqual((code, json.loads(out)["same"]), (0, True), err)
                sent[name] = (found["errors"], extent)
        self.assertEqual(len({json.dumps(one) for one in sent.values()}), 1, "the wire makes no difference")

    def test_the_loop_is_nearer_than_the_open_one(self):
        mean = {}
        for law in ("{law: open}", "{law: task, kp: 0.2, ki: 3}", "{kp: 0.5, ki: 0.05}"):
            scene = self.scene(self.overs()["udp"])
            self.start("plant", scene, "--quiet", "--set", "materials.silicone.young=150 kPa")
            code, found, err = self.drive(scene, "--set", f"controller={law}")
            self.assertEqual(code, 0, err)
            mean[law] = found["errors"]["tip"]["mean"]
        open_loop, task, _ = mean.values()
        self.assertGreater(open_loop, 2 * task, mean)

    def test_asynchronous_steps_are_repeated_with_the_factors_that_they_had(self):
        scene = self.scene(self.overs()["udp"], **{"mode: realtime": "mode: asynchronous"})
        self.start("plant", scene, "--quiet", "--set", "step.mode=realtime")
        code, _, err = self.drive(scene, "--record", self.folder / "run.h5")
        self.assertEqual(code, 0, err)
        code, out, err = self.end(self.start("drive", "--replay", self.folder / "run.h5", "--json"))
        self.assertEqual((code, json.loads(out)["same"]), (0, True), err)

    def test_a_reduced_model_drives_the_whole_robot(self):
        scene = self.scene(self.overs()["udp"])
        whole = scene.read_text()
        self.start("plant", scene, "--quiet", "--set", "materials.silicone.young=170 kPa")
        reduced = self.folder / "reduced.yaml"
        reduced.write_text(whole + "reduction: {file: bar.reduced, tolerance: 1 mm, samples: 10}\n")
        code, _, err = self.end(self.start("reduce", reduced, "--quiet"))
        self.assertEqual(code, 0, err)
        code, found, err = self.drive(reduced, "--record", self.folder / "run.h5")
        self.assertEqual(code, 0, err)
        self.assertTrue(found["done"])
        self.assertLess(found["errors"]["tip"]["median"], 1e-3)
        code, out, err = self.end(self.start("drive", "--replay", self.folder / "run.h5", "--json"))
        self.assertEqual((code, json.loads(out)["same"]), (0, True), err)

    def test_a_recording_with_other_gains_is_not_the_same(self):
        scene = self.scene(self.overs()["udp"])
        self.start("plant", scene, "--quiet")
        code, _, err = self.drive(scene, "--record", self.folder / "run.h5")
        self.assertEqual(code, 0, err)
        code, out, err = self.end(self.start("drive", "--replay", self.folder / "run.h5", "--json", "--set", "controller.kp=0.21"))
        self.assertEqual((code, json.loads(out)["same"]), (1, False))
        self.assertIn("sends something else than was recorded", err)
        code, _, err = self.end(self.start("drive", "--replay", scene))
        self.assertEqual(code, 2, err)


class Models(Case):
    """What the controller stands on, and what it touches."""
    TAUT = {"limits: {pull: [0, 8]}, command: {pull: 0}": "limits: {pull: [0, 12]}, command: {pull: 1}",
            "out: {east: {unit: mm,": "out: {east: {unit: mm, safe: 1,"}
    LAWS = {"open": "{law: open}", "task": "{law: task, kp: 0.2, ki: 3}", "jacobian": "{law: jacobian, kp: 0.3, ki: 0.02}"}

    def run_both(self, scene, *words):
        """What the drive found, and what the plant heard; a replay on other threads sends the same bits."""
        plant = self.start("plant", self.folder / "scene.yaml", "--json", "--quiet", "--set", "materials.silicone.young=150 kPa")
        code, found, err = self.drive(scene, "--record", self.folder / "run.h5", "--threads", "1", *words)
        self.assertEqual(code, 0, err)
        self.assertEqual((found["done"], found["not_converged"]), (True, 0))
        code, out, err = self.end(self.start("drive", "--replay", self.folder / "run.h5", "--json", "--threads", "2"))
        self.assertEqual((code, json.loads(out)["same"]), (0, True), err)
        return found["errors"]["tip"], json.loads(self.end(plant, signal.SIGTERM)[1])["orders"][0]

    def test_every_law_stands_on_every_model(self):
        weight = PLANT.split("  loads")[0] + "  loads: {push: {from: 0 s, until: 1000 s, factor: -3}}\n"
        scene = self.scene(self.overs()["udp"], extra=weight, **self.TAUT, **{"settle: 5": "settle: 40"})
        reduced = self.folder / "reduced.yaml"
        reduced.write_text(scene.read_text() + "reduction: {file: bar.reduced, tolerance: 1 mm, samples: 10}\n")
        self.assertEqual(self.end(self.start("reduce", reduced, "--quiet"))[0], 0)
        seen = []
        whole = ("--set", "reduction.tolerance=0.001 mm", "--set", "reduction.every=7", "--set", "reduction.beyond=full")
        for name, path, mode, *more in (("full", scene, "realtime"), ("converged", scene, "converged"), ("asynchronous", scene, "asynchronous"),
                                        ("reduced", reduced, "realtime"), ("reduced, then full", reduced, "realtime", *whole)):
            with self.subTest(name):
                median = {}
                for law, text in self.LAWS.items():
                    errors, _ = self.run_both(path, "--set", f"controller={text}", "--set", f"step.mode={mode}", *more)
                    median[law] = errors["median"]
                self.assertGreater(median["open"], 5e-4)
                for law in ("task", "jacobian"):
                    self.assertLess(median[law], 0.3 * median["open"], median)
                seen.append(median)
        self.assertNotEqual(*seen[-2:], "the whole model goes on beyond the tolerance")

    def test_contacts_are_in_the_loop(self):
        stone = "obstacles: {stone: {sphere: {center: [30, 10, 50], radius: 9.5}}}\ncontacts: {max: 20, detection_distance: 2}\n"
        pulls = {}
        for law in ("task", "jacobian"):
            for name, extra in (("free", ""), ("touching", stone)):
                scene = self.scene(self.overs()["udp"], extra=PLANT.split("  loads")[0] + extra, **self.TAUT,
                                   **{"settle: 5": "settle: 40"})
                code, out, err = self.end(self.start("track", scene, "--json", "--quiet", "--out", self.folder / "track"))
                self.assertEqual(code, 0, err)
                self.assertEqual(json.loads(out)["contacts"]["active"] > 0, name == "touching")
                errors, heard = self.run_both(scene, "--set", f"controller={self.LAWS[law]}")
                pulls[law, name] = heard["highest"]
                self.assertLess(errors["median"], 4e-4, (law, name, errors))  # while it moves, and then at rest
            self.assertGreater(pulls[law, "touching"], 1.05 * pulls[law, "free"], "the stone is in the way")


    def test_contacts_are_in_the_loop_of_every_model(self):
        stone = "obstacles: {stone: {sphere: {center: [30, 10, 50], radius: 9.5}}}\ncontacts: {max: 20, detection_distance: 2}\n"
        scene = self.scene(self.overs()["udp"], extra=PLANT.split("  loads")[0] + stone, **self.TAUT, **{"settle: 5": "settle: 40"})
        reduced = self.folder / "reduced.yaml"
        reduced.write_text(scene.read_text() + "reduction: {file: bar.reduced, tolerance: 1 mm, samples: 10}\n")
        self.assertEqual(self.end(self.start("reduce", reduced, "--quiet"))[0], 0)
        for path, mode in ((scene, "asynchronous"), (scene, "converged"), (reduced, "realtime")):
            for law in ("task", "jacobian"):
                with self.subTest(path=path.name, mode=mode, law=law):
                    errors, heard = self.run_both(path, "--set", f"controller={self.LAWS[law]}", "--set", f"step.mode={mode}")
                    self.assertLess(errors["median"], 4e-4)
                    self.assertGreater(heard["highest"], 8.5, "the stone is in the way")

    def test_a_plant_may_be_of_another_law_viscous_and_in_motion(self):
        for other in ("materials.silicone.law=neo-hookean", "materials.silicone.prony=[{weight: 0.3, time: 0.4 s}]",
                      "dynamics={scheme: euler, stiffness_damping: 20 ms}"):
            with self.subTest(other):
                scene = self.scene(self.overs()["udp"], **self.TAUT)
                self.start("plant", scene, "--quiet", "--set", other)
                code, found, err = self.drive(scene)
                self.assertEqual(code, 0, err)
                self.assertLess(found["errors"]["tip"]["median"], 1e-3)


class Strangers(Case):
    """The program against clients from Debian, one side at a time."""

    @unittest.skipUnless(serial and shutil.which("socat"), "needs python3-serial and socat")
    def test_pyserial_plays_the_machine(self):
        near, far = self.folder / "near", self.folder / "far"
        tool = subprocess.Popen(["socat", f"pty,raw,echo=0,link={near}", f"pty,raw,echo=0,link={far}"])
        self.addCleanup(tool.wait)
        self.addCleanup(tool.terminate)
        self.wait_for(lambda: near.exists() and far.exists())
        drive = self.start("drive", self.scene(f"{{serial: {{port: {near}}}}}"), "--json", "--steps", "5")
        port = serial.Serial(str(far), 115200, timeout=0.1)
        self.addCleanup(port.close)
        orders = []
        while drive.poll() is None:
            body = f"R {len(orders)} {len(orders)} {len(orders) - 1} 0 10.0"
            port.write(b"garbage\n" + checksum(body).replace(b"10.0", b"11.0") + checksum(body))
            line = port.readline().decode()
            if line:
                body, _, _ = line.rstrip().rpartition("*")
                self.assertEqual(checksum(body).decode(), line)
                orders.append(body.split())
        self.assertGreaterEqual(len(orders), 5)
        self.assertEqual([words[0] for words in orders], ["O"] * len(orders))
        self.assertEqual([int(words[1]) for words in orders], list(range(len(orders))))
        code, out, err = self.end(drive)
        self.assertEqual(code, 0, err)
        found = json.loads(out)["wire"]
        self.assertGreater(found["nonsense"], 0)
        self.assertEqual(found["refused"], 0)

    def wait_for(self, condition):
        until = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)

    @unittest.skipUnless(shutil.which("socat"), "needs socat")
    def test_socat_speaks_json_to_the_plant(self):
        port = free_ports(1)[0]
        plant = self.start("plant", self.scene(f"{{tcp: {{port: {port}}}}}"), "--json")
        self.assertIn("listening", plant.stderr.readline())
        client = subprocess.Popen(["socat", "-", f"tcp:127.0.0.1:{port}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.addCleanup(client.communicate)
        self.addCleanup(client.terminate)
        first = json.loads(client.stdout.readline())
        self.assertEqual((first["reading"], first["echo"]), (0, -1))
        client.stdin.write('nonsense\n{"order": 0, "value": [1, 2]}\n{"order": 1, "value": [2.5]}\n')
        self.wait_for_reading(client, 1)
        client.stdin.write('{"order": 2, "value": [8]}\n')
        self.wait_for_reading(client, 2)
        code, out, err = self.end(plant, signal.SIGINT)
        self.assertEqual(code, 0, err)
        heard = json.loads(out)
        self.assertEqual((heard["heard"], heard["nonsense"], heard["wrong"]), (2, 1, 1))
        self.assertEqual(heard["orders"][0]["highest"], 8)

    def wait_for_reading(self, client, echo):
        while True:
            line = client.stdout.readline()
            self.assertTrue(line)
            found = json.loads(line)
            if found["echo"] == echo:
                return found

    @unittest.skipUnless(shutil.which("oscsend") and shutil.which("oscdump"), "needs liblo-tools")
    def test_liblo_speaks_to_the_plant(self):
        port, reply = free_ports(2)
        plant = self.start("plant", self.scene(f"{{udp: {{port: {port}, reply: {reply}}}}}"), "--json")
        self.assertIn("listening", plant.stderr.readline())
        dump = subprocess.Popen(["oscdump", "-L", str(reply)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(dump.communicate)
        self.addCleanup(dump.terminate)
        line = dump.stdout.readline().split()
        self.assertEqual(line[1:3], ["/lithe/reading", "ihihd"])
        subprocess.run(["oscsend", "127.0.0.1", str(port), "/lithe/order", "ihif", "5", "1000", "1", "3.5"], check=True)
        while line[5] != "5":
            line = dump.stdout.readline().split()
        subprocess.run(["oscsend", "127.0.0.1", str(port), "/elsewhere", "s", "hello"], check=True)
        self.wait_for(lambda: True)
        time.sleep(0.1)
        code, out, err = self.end(plant, signal.SIGTERM)
        self.assertEqual(code, 0, err)
        heard = json.loads(out)
        self.assertEqual((heard["heard"], heard["nonsense"], heard["orders"][0]["highest"]), (1, 1, 3.5))

    @unittest.skipUnless(shutil.which("oscsend") and shutil.which("oscdump"), "needs liblo-tools")
    def test_liblo_plays_the_machine(self):
        port, reply = free_ports(2)
        dump = subprocess.Popen(["oscdump", "-L", str(port)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(dump.communicate)
        self.addCleanup(dump.terminate)
        drive = self.start("drive", self.scene(f"{{udp: {{port: {port}, reply: {reply}}}}}"), "--json", "--steps", "3")
        self.wait_for(lambda: "connected" in drive.stderr.readline())
        orders, number = {}, 0  # an order may be said again

        def listen():
            for line in dump.stdout:
                words = line.split()
                self.assertEqual(words[1:3], ["/lithe/order", "ihid"])
                orders[int(words[3])] = float(words[6])
        threading.Thread(target=listen, daemon=True).start()
        while drive.poll() is None:
            reading = [str(word) for word in (number, 1000 * number, max(list(orders), default=-1), 1000 * number, 10.0)]
            subprocess.run(["oscsend", "127.0.0.1", str(reply), "/lithe/reading", "ihihd", *reading], check=True)
            number += 1
            time.sleep(0.01)
        code, out, err = self.end(drive)
        self.assertEqual(code, 0, err)
        found = json.loads(out)
        self.wait_for(lambda: len(orders) >= found["cycles"])
        self.assertEqual(sorted(orders), list(range(found["cycles"])))
        self.assertGreater(max(orders.values()), 0)
        self.assertEqual((found["wire"]["nonsense"], found["wire"]["refused"]), (0, 0))

    @unittest.skipUnless(zmq, "needs python3-zmq")
    def test_pyzmq_plays_the_machine(self):
        port, reply = free_ports(2)
        context = zmq.Context()
        self.addCleanup(context.destroy, linger=0)
        orders, readings = context.socket(zmq.SUB), context.socket(zmq.PUB)
        orders.subscribe(b"")
        orders.bind(f"tcp://127.0.0.1:{port}")
        readings.bind(f"tcp://127.0.0.1:{reply}")
        drive = self.start("drive", self.scene(f"{{zmq: {{port: {port}, reply: {reply}}}}}"), "--json", "--steps", "5")
        last = -1
        number = 0
        while drive.poll() is None:
            readings.send_string(json.dumps({"reading": number, "time": number, "echo": last, "echo_time": 0, "value": [10.0]}))
            if orders.poll(50):
                found = json.loads(orders.recv())
                self.assertEqual(found["order"], last + 1)
                last = found["order"]
            number += 1
        code, out, err = self.end(drive)
        orders.close()
        readings.close()
        self.assertEqual(code, 0, err)
        self.assertGreaterEqual(last, 5)


class Accidents(Case):
    def test_lost_readings_and_a_stuck_sensor_are_named_and_safe(self):
        over = self.overs()["udp"]
        scene = self.scene(over, PLANT.replace("seed: 3", "seed: 3\n  lost: 0.1"))
        plant = self.start("plant", scene, "--json", "--quiet")
        code, found, err = self.drive(scene)
        self.assertEqual(code, 0, err)
        self.assertGreater(found["wire"]["repeated"], 0)
        heard = json.loads(self.end(plant, signal.SIGTERM)[1])
        self.assertGreater(heard["lost"], 0)
        self.assertEqual(heard["heard"] + heard["lost"], found["cycles"])
        scene = self.scene(over, PLANT.replace("delay: 50 ms", "stuck: [0.5 s, 9 s]"), **{"limits: [-50, 80]": "limits: [-50, 80], stuck: 200 ms"})
        plant = self.start("plant", scene, "--json", "--quiet")
        code, found, err = self.drive(scene)
        self.assertEqual(code, 1)
        self.assertRegex(found["end"], r"no fresh reading for .* ms: the reading of 'tip' is stuck \(")
        self.assertTrue(any("hold" in event for event in found["events"]) and any("safe" in event for event in found["events"]), found)
        code, out, _ = self.end(plant, signal.SIGTERM)
        self.assertLessEqual(json.loads(out)["orders"][0]["highest"], 8)

    def test_a_plant_that_is_killed_and_started_again_is_driven_on(self):
        for name in ("tcp", "serial"):
            scene = self.scene(self.overs()[name], **{"safe: 300 ms}": "safe: 300 ms, resume: true}", "{time: 1 s, at: 16}": "{time: 20 s, at: 16}"})
            plant = self.start("plant", scene, "--quiet")
            drive = self.start("drive", scene, "--json")
            while "open" not in drive.stderr.readline():
                pass
            plant.kill()
            while "safe" not in drive.stderr.readline():
                pass
            again = self.start("plant", scene, "--json", "--quiet")
            while "open" not in drive.stderr.readline():
                pass
            code, out, err = self.end(drive)
            self.assertEqual(code, 0, err)
            found = json.loads(out)
            self.assertTrue(any("connection is lost" in event for event in found["events"]), found["events"])
            self.assertGreater(found["gate"]["safe"], 0)
            code, out, _ = self.end(again, signal.SIGTERM)
            self.assertLessEqual(json.loads(out)["orders"][0]["highest"], 8)

    def test_an_interrupt_is_an_emergency_stop(self):
        scene = self.scene(self.overs()["tcp"], **{"{time: 1 s, at: 16}": "{time: 900 s, at: 16}"})
        plant = self.start("plant", scene, "--json", "--quiet")
        drive = self.start("drive", scene, "--json")
        while "open" not in drive.stderr.readline():
            pass
        code, out, err = self.end(drive, signal.SIGTERM)
        self.assertEqual(code, 130, err)
        found = json.loads(out)
        self.assertEqual(found["end"], "interrupted")
        self.assertGreater(found["gate"]["stop"], 0)
        self.end(plant, signal.SIGTERM)

    def test_enter_on_a_terminal_stops_it(self):
        scene = self.scene(self.overs()["tcp"], **{"{time: 1 s, at: 16}": "{time: 900 s, at: 16}"})
        self.start("plant", scene, "--quiet")
        child, terminal = pty.fork()
        if child == 0:
            os.execv(LITHE, [LITHE, "drive", str(scene)])
        told = b""
        while b"open" not in told:
            told += os.read(terminal, 4096)
        os.write(terminal, b"\n")
        try:
            while piece := os.read(terminal, 4096):
                told += piece
        except OSError:  # the other end is closed
            pass
        _, status = os.waitpid(child, 0)
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(status), 1)
        self.assertIn(b"stop: the stop key", told)

    def test_whoever_watches_may_stop_it(self):
        scene = self.scene(self.overs()["tcp"], **{"{time: 1 s, at: 16}": "{time: 900 s, at: 16}"})
        self.start("plant", scene, "--quiet")
        drive = self.start("drive", scene, "--json", "--view")
        port = int(drive.stderr.readline().strip().rstrip("/").rsplit(":", 1)[1])
        watcher = Socket(port)
        self.addCleanup(watcher.socket.close)
        first, second = watcher.receive()[1], watcher.receive()[1]
        head = json.loads(first[8:8 + int.from_bytes(first[4:8], "little")])
        self.assertTrue(head["live"] and head["machine"])
        self.assertIn(second[0], (2, 3))
        watcher.send(message(5, 0, (5.0, 0.0, 0.0)))  # a command: nobody listens
        watcher.send(message(14))
        code, out, err = self.end(drive)
        self.assertEqual(code, 1)
        self.assertIn("the stop button", err)
        found = json.loads(out)
        self.assertEqual(found["end"], "the stop button")
        self.assertGreater(found["gate"]["stop"], 0)

    def watched(self, clock, last=16):
        """A drive whose machine tells three points of itself, and the address of its page."""
        points = "back: {points: {body: bar, at: [[10, 10, 30], [10, 10, 60], [10, 10, 90]]}}"
        scene = self.scene(self.overs()["tcp"], **{"{time: 1 s, at: 16}": f"{{time: 900 s, at: {last}}}", "clock: lockstep": f"clock: {clock}",
                           "hold: 120 ms, safe: 300 ms": "hold: 10 s, safe: 20 s",
                           "axes: [x]}}": "axes: [x]}, " + points + "}", "limits: [-50, 80]}}": "limits: [-50, 80]}, back: {unit: mm}}"})
        self.start("plant", scene, "--quiet", "--set", "materials.silicone.young=100 kPa",
                   "--set", "plant.loads.push={from: 0 s, until: 900 s, factor: 20}")
        drive = self.start("drive", scene, "--json", "--view", "--set", "controller={law: open}")
        return drive, drive.stderr.readline().strip()

    def test_the_page_and_its_button_in_a_browser(self):
        needed = [shutil.which("node"), shutil.which("chromium"), (scenes.ROOT / "viewer/node_modules/playwright-core").exists()]
        if SANITIZED or not all(needed):
            self.skipTest("sanitized, or node, Chromium or viewer/node_modules is missing; 'scripts/setup test' brings them")
        drive, address = self.watched("real", 40000)  # a browser takes its time; soon out of reach
        self.interrupt(drive)
        picture = [os.environ["DRIVEN_PICTURE"]] if "DRIVEN_PICTURE" in os.environ else []
        seen = subprocess.run(["node", "test/driven.mjs", address, *picture], cwd=scenes.ROOT / "viewer", capture_output=True, text=True, check=False)
        self.assertEqual(seen.returncode, 0, seen.stdout + seen.stderr)
        code, out, err = self.end(drive)
        self.assertEqual((code, json.loads(out)["end"]), (1, "the stop button"), err)

    def interrupt(self, drive):
        """The system lets it wait for many periods."""
        while " s: open" not in drive.stderr.readline():
            pass
        drive.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        drive.send_signal(signal.SIGCONT)

    def test_deadlines_that_are_missed_are_counted_named_and_shown(self):
        drive, address = self.watched("real")
        watcher = Socket(int(address.rstrip("/").rsplit(":", 1)[1]))
        self.addCleanup(watcher.socket.close)
        self.interrupt(drive)
        watcher.heard = b""
        while b" missed" not in watcher.heard:
            _, watcher.heard = watcher.receive()
            if watcher.heard[0] == 2:
                watcher.send(message(11, struct.unpack_from("<I", watcher.heard, 8)[0]))
        _, out, _ = self.end(drive, signal.SIGINT)
        found = json.loads(out)
        told = [int(event.split(" s: ")[1].split()[0]) for event in found["events"] if " missed: the cycle began" in event]
        kept = found["time"]
        self.assertGreaterEqual(kept["skipped"], 8)
        self.assertEqual(sum(told), kept["missed"])
        self.assertEqual(kept["missed"] - len(told), kept["skipped"])  # a cycle is late for one deadline, and leaves others out
        self.assertAlmostEqual(1e3 * kept["seconds"] / kept["period_ms"], found["cycles"] + kept["skipped"], delta=1.5)

    def test_what_the_system_does_not_allow_is_told(self):
        def before():
            resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
            resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
        ask = ("import ctypes, os\nprint(ctypes.CDLL(None).mlockall(3))\n"
               "try:\n    print(os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10)))\nexcept PermissionError:\n    print(-1)")
        answer = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, preexec_fn=before).stdout.split()
        refused = [what for what, code in zip(("locked memory", "real-time priority"), answer) if code == "-1"]
        scene = self.scene(self.overs()["udp"], **{"clock: lockstep": "clock: real"})
        for command, code, late in (("drive", 1, "cycles"), ("plant", 0, "steps")):  # each finds nobody there
            found = subprocess.run([LITHE, command, scene, "--steps", "3"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                                   preexec_fn=before)
            self.assertEqual(found.returncode, code, found.stderr)
            told = f"the system does not allow {' and '.join(refused)}: {late} may come late"
            self.assertEqual(told in found.stderr, bool(refused), found.stderr)
            self.assertEqual("the system does not allow" in found.stderr, bool(refused), found.stderr)

    def test_the_page_shows_the_machine_beside_the_model(self):
        drive, address = self.watched("lockstep")
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        watcher = Socket(port)
        self.addCleanup(watcher.socket.close)
        first = watcher.receive()[1]
        head = json.loads(first[8:8 + int.from_bytes(first[4:8], "little")])
        while watcher.frame()[1] < 2:  # s of the machine's: the push has bent it
            pass
        frame = watcher.last
        measured = head["rows"] - head["driven"]
        at = 72 + 16 * head["driven"]
        value, target = (struct.unpack_from(f"<{measured}d", frame, at + 8 * measured * k) for k in (0, 1))
        at += 16 * measured + 12 * (head["vertices"] + sum(line["points"] for line in head["lines"]))
        markers, targets = (struct.unpack_from("<12f", frame, at + 48 * k) for k in (0, 1))
        self.assertEqual([one["effector"] for one in head["markers"]], [0, 1, 1, 1])
        for told, shown in zip(value[1:], markers[3:]):  # where the machine says that it is
            self.assertAlmostEqual(told, shown, 6)
        self.assertAlmostEqual(value[0], markers[0], 6)
        self.assertAlmostEqual(target[0], targets[0], 6)
        drive.send_signal(signal.SIGINT)
        self.end(drive)

    def test_a_lost_connection_without_resume_ends_it(self):
        scene = self.scene(self.overs()["tcp"], **{"{time: 1 s, at: 16}": "{time: 900 s, at: 16}"})
        plant = self.start("plant", scene, "--quiet")
        drive = self.start("drive", scene, "--json")
        while "open" not in drive.stderr.readline():
            pass
        plant.kill()
        code, _, err = self.end(drive)
        self.assertEqual(code, 1)
        self.assertIn("the connection is lost", err)


    def test_a_drive_in_place_of_one_that_was_killed_waits_for_the_machine(self):
        """And a second one beside the first never begins: orders of both would come to one machine."""
        scene = self.scene(self.overs()["zmq"], **{"clock: lockstep": "clock: real", "{time: 1 s, at: 16}": "{time: 900 s, at: 16}",
                                                   "hold: 120 ms, safe: 300 ms": "hold: 1 s, safe: 2 s", "dt: 50 ms": "dt: 20 ms"})
        plant = self.start("plant", scene, "--json", "--quiet")
        drive = self.start("drive", scene, "--json")
        while " s: open" not in drive.stderr.readline():
            pass
        code, out, err = self.end(self.start("drive", scene, "--json", "--steps", "60"))
        told = json.loads(out)
        self.assertEqual((code, told["gate"]["open"], told["steps"]), (1, 0, 0), err)
        self.assertIn("the task was not done: the machine obeys orders of somebody else", err)
        drive.kill()
        again = self.start("drive", scene, "--json")
        while " s: open" not in again.stderr.readline():
            pass
        self.assertEqual(self.end(again, signal.SIGINT)[0], 130)
        heard = json.loads(self.end(plant, signal.SIGTERM)[1])["orders"][0]
        self.assertLessEqual(heard["fastest"], 30 * (1 + 1e-9))

    def test_a_wire_that_takes_no_more_orders_is_lost(self):
        """Whoever is there speaks, and never reads nor echoes."""
        machine, port = pty.openpty()
        self.addCleanup(os.close, machine)
        tty.setraw(port)
        scene = self.scene(f"{{serial: {{port: {os.ttyname(port)}}}}}", **{"clock: lockstep": "clock: real", "{time: 1 s, at: 16}": "{time: 900 s, at: 16}",
                           "hold: 120 ms, safe: 300 ms": "hold: 1 s, safe: 1.5 s", "dt: 50 ms": "dt: 2 ms"})
        drive = self.start("drive", scene, "--json", "--record", self.folder / "run.h5")
        number = 0
        while drive.poll() is None:
            os.write(machine, checksum(f"R {number} -1 -1 -1 10.0"))
            number += 1
            time.sleep(0.01)
        os.close(port)
        code, out, err = self.end(drive)
        found = json.loads(out)
        self.assertEqual((code, found["end"]), (1, "the connection is lost"), err)
        self.assertTrue(any("no order leaves over the serial port" in event for event in found["events"]), found["events"])
        self.assertGreater(found["wire"]["unsent"], 0)
        code, out, err = self.end(self.start("drive", "--replay", self.folder / "run.h5", "--json"))
        self.assertEqual((code, json.loads(out)["same"]), (0, True), err)

    def bench(self, *words):
        """bench/drive.py checks ranges, names and memory itself."""
        bench = subprocess.run([sys.executable, scenes.ROOT / "bench/drive.py", *words], capture_output=True, text=True,
                               env={**os.environ, "LITHE": LITHE}, check=False)
        self.assertEqual(bench.returncode, 0, bench.stdout + bench.stderr)

    def test_a_long_run_in_short_by_messages(self):
        self.bench("endure", "udp", "300", "120")

    def test_a_long_run_in_short_by_the_clock(self):
        self.bench("rate", "50", "1")


class Scenes(Case):
    def test_mistakes_are_told_where_they_are(self):
        good = self.overs()["udp"]
        for old, new, told in (
            ("east: {unit: mm, rate", "eats: {unit: mm, rate", "there is no actuator 'eats': did you mean 'east'?"),
            ("unit: mm, rate", "unit: kPa, rate", "kPa"),
            ("in: {tip: {unit: mm, limits: [-50, 80]}}", "in: {tip: {limits: [80, -50]}}", "swap"),
            ("{hold: 120 ms, safe: 300 ms}", "{hold: 500 ms, safe: 300 ms}", "hold the shorter"),
            ("controller: {law: task, kp: 0.2, ki: 3}", "controller: {law: open, kp: 0.2}", "takes no kp"),
            ("controller: {law: task, kp: 0.2, ki: 3}", "controller: {law: task}", "needs the key 'kp'"),
            ("controller: {law: task, kp: 0.2, ki: 3}", "controller: {kp: 0.2, lead: 1 s}", "takes no lead"),
            ("controller: {law: task, kp: 0.2, ki: 3}", "controller: {law: open, delay: -1 s}", "negative"),
            ("clock: lockstep", "clock: lockstop", "did you mean 'lockstep'?"),
            ("actuators: {east: {lag", "actuators: {tip: {lag", "there is no actuator 'tip'"),
            ("loads: {push: {from", "loads: {pull: {from", "there is no load of this name"),
            ("rate: 30 mm/s", "rate: 30 mm/s, scale: 0", "scale must not be 0"),
            ("udp: {", "udp: {address: 300.0.0.1, ", "four numbers"),
            ("udp: {", "udp: {address: robot, ", "four numbers"),
        ):
            with self.subTest(new):
                scene = self.scene(good, **{old: new})
                code, out, err = self.end(self.start("check", scene))
                self.assertEqual((code, out), (2, ""), err)
                self.assertIn(told, err)
                self.assertIn("scene.yaml:", err)

    def test_scenes_without_a_wire_or_a_machine_are_refused(self):
        path = self.folder / "plain.yaml"
        path.write_text(SCENE.split("wire:")[0])
        for command in ("drive", "plant"):
            code, _, err = self.end(self.start(command, path))
            self.assertEqual(code, 2)
            self.assertIn(f"{path}: there is no wire", err)
            self.assertIn("add the section wire", err)


if __name__ == "__main__":
    unittest.main()
