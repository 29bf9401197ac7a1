"""lithe view: who is answered, who is not, and that nobody can stop it. And the page in a browser."""

import base64
import json
import math
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import time
import unittest
import urllib.error
import urllib.request

import scenes

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
WAIT = 60
PROMPT = 1 if scenes.SANITIZED else 0.1  # s


def message(kind, number=0, value=(0.0, 0.0, 0.0), way=0):
    return struct.pack("<BBHI3d", kind, way, 0, number, *value)


class Socket:
    """A WebSocket client of few words."""

    def __init__(self, port, origin=None, host=None, protocol="lithe"):
        self.socket = socket.create_connection(("127.0.0.1", port), WAIT)
        host = host or f"127.0.0.1:{port}"
        head = f"GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
        head += f"Sec-WebSocket-Protocol: {protocol}\r\n" if protocol else ""
        head += f"Origin: {origin}\r\n" if origin else ""
        self.socket.sendall(head.encode() + b"\r\n")
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            piece = self.socket.recv(4096)
            if not piece:
                break
            self.rest += piece
        answer, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.open = answer.startswith(b"HTTP/1.1 101")

    def send(self, data, opcode=2, masked=True):
        mask = b"abcd" if masked else b"\0\0\0\0"
        length = len(data)
        head = struct.pack(">BB", 0x80 | opcode, (0x80 if masked else 0) | (length if length < 126 else 126 if length < 65536 else 127))
        if length >= 126:
            head += struct.pack(">H" if length < 65536 else ">Q", length)
        self.socket.sendall(head + (mask if masked else b"") + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def take(self, n):
        while len(self.rest) < n:
            piece = self.socket.recv(65536)
            if not piece:
                raise ConnectionError("closed")
            self.rest += piece
        out, self.rest = self.rest[:n], self.rest[n:]
        return out

    def receive(self):
        """The next message: its opcode and its bytes."""
        first, length = self.take(2)
        if length == 126:
            (length,) = struct.unpack(">H", self.take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self.take(8))
        return first & 15, self.take(length)

    def frame(self):
        """Step and time of the next frame, which is thanked for."""
        while True:
            opcode, data = self.receive()
            if opcode == 8:
                raise ConnectionError("closed")
            if data[0] == 2:
                self.last = data
                step, number = struct.unpack_from("<II", data, 4)
                self.send(message(11, number))
                return step, struct.unpack_from("<d", data, 16)[0], data[1]

    def is_closed(self):
        try:
            while self.receive()[0] != 8:
                pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True

    def close(self):
        self.socket.close()


class Server(scenes.Case):
    WORDS = ()

    def setUp(self):
        super().setUp()
        self.process = self.start("view", "scene.yaml", *self.WORDS)
        self.addCleanup(self.end)
        self.address = self.process.stdout.readline().strip()
        self.port = int(self.address.rsplit(":", 1)[1].strip("/"))

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.assertEqual(self.process.wait(WAIT), 0, self.process.stderr.read())
        self.process.stdout.close()
        self.process.stderr.close()

    def connect(self, **options):
        client = Socket(self.port, **options)
        self.addCleanup(client.close)
        return client

    def status(self, path, **headers):
        request = urllib.request.Request(self.address + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            error.close()
            return error.code


class View(Server):
    def test_it_listens_on_this_machine_only(self):
        self.assertTrue(self.address.startswith("http://127.0.0.1:"))

    def test_it_serves_its_page_and_nothing_else(self):
        self.assertEqual(self.status(""), 200)
        for path in ("x", "../scene.yaml", "%2e%2e/scene.yaml", "scene.yaml", "/etc/passwd", "recording.h5"):
            self.assertEqual(self.status(path), 404, path)

    def test_other_names_and_origins_are_refused(self):
        self.assertEqual(self.status("", Host=f"evil.example:{self.port}"), 403)
        own = f"http://127.0.0.1:{self.port}"
        self.assertTrue(self.connect(origin=own).open)
        self.assertTrue(self.connect().open)
        self.assertFalse(self.connect(origin="http://evil.example").open)
        self.assertFalse(self.connect(origin=f"http://evil.example:{self.port}", host=f"evil.example:{self.port}").open)
        self.assertFalse(self.connect(protocol=None).open)

    def test_malformed_messages_close_their_sender_and_nothing_else(self):
        good = self.connect()
        good.frame()
        wrong = bytes([99]) + bytes(31)
        for data, opcode in ((b"x", 2), (b"x" * 31, 2), (wrong, 2), (b"x" * 100000, 2), (message(1), 1)):
            bad = self.connect()
            try:
                bad.send(data, opcode)
            except OSError:
                pass  # closed while we were still talking
            self.assertTrue(bad.is_closed())
        first = good.frame()[0]
        while good.frame()[0] <= first + 2:
            pass

    def test_frames_without_a_mask_close_their_sender(self):
        for data, opcode in ((message(10, 0), 2), (b"", 2), (b"x", 9), (b"x" * 200, 2)):
            for before in range(3):
                with self.subTest(opcode=opcode, bytes=len(data), before=before):
                    client = self.connect()
                    client.frame()
                    for _ in range(before):
                        client.send(message(10, 0))
                    client.send(data, opcode, masked=False)
                    self.assertTrue(client.is_closed())
        good = self.connect()
        for _ in range(5):
            good.frame()
            good.send(b"ping", 9)

    def test_who_talks_too_much_is_closed(self):
        good, bad = self.connect(), self.connect()
        try:
            for _ in range(4000):
                bad.send(message(10, 0))
        except OSError:
            pass
        self.assertTrue(bad.is_closed())
        good.frame()

    def test_one_drives_and_others_watch(self):
        first = self.connect()
        self.assertTrue(first.frame()[2] & 8)
        second = self.connect()
        self.assertFalse(second.frame()[2] & 8)
        second.send(message(2, 0))  # a pause that nobody obeys
        step = first.frame()[0]
        while first.frame()[0] <= step + 2:
            pass
        second.send(message(1))
        second.send(message(2, 0))
        while not first.frame()[2] & 1:
            pass
        self.assertFalse(first.frame()[2] & 8)

    def test_a_browser_that_does_not_read_is_sent_no_more(self):
        deaf, good = self.connect(), self.connect()
        step = good.frame()[0]
        while good.frame()[0] <= step + 20:
            pass
        deaf.socket.setblocking(False)
        frames = 0
        deaf.socket.settimeout(1)
        try:
            while True:
                opcode, data = deaf.receive()
                frames += opcode == 2 and data[0] == 2
        except (TimeoutError, socket.timeout):
            pass
        self.assertLessEqual(frames, 2)

    def test_idle_connections_do_not_keep_a_person_out(self):
        idle = [socket.create_connection(("127.0.0.1", self.port), WAIT) for _ in range(250)]
        begin = time.time()
        self.assertEqual(self.status(""), 200)
        self.connect().frame()
        self.assertLess(time.time() - begin, 5)
        for one in idle:
            one.close()

    def test_idle_sockets_do_not_either(self):
        driver = self.connect()
        idle = [self.connect() for _ in range(15)]
        self.assertTrue(all(one.open for one in idle))
        begin = time.time()
        while time.time() - begin < 2.5:
            driver.frame()  # who draws is not idle
        self.connect().frame()
        driver.frame()
        self.assertEqual(sum(one.is_closed() for one in idle[:1]), 1)  # the oldest went

    def test_odd_numbers_change_nothing(self):
        client = self.connect()
        for kind in (5, 6, 7, 8):
            client.send(message(kind, 4000000000, (1e300, -1e300, 1.0) if kind in (5, 6) else (1.0, 0, 0) if kind == 8 else (0, 0, 0)))
        client.send(message(8, 0, (-1.0, 0, 0)))
        client.send(message(6, 0, (1e300, 0.0, 0.0)))
        step = client.frame()[0]
        while client.frame()[0] <= step + 2:
            pass


class Slow(Server):
    """One step in a hundred seconds."""

    WORDS = ("--set", "step.dt=10 s")

    def flag(self, client, wanted):
        """Seconds until a frame has the flag of a pause, or has it no more."""
        begin = time.time()
        while bool(client.frame()[2] & 1) != wanted:
            pass
        return time.time() - begin

    def test_pause_step_and_stop_do_not_wait_for_the_next_step(self):
        client = self.connect()
        client.send(message(3, 0, (0.1, 0.0, 0.0)))  # slower still
        step = client.frame()[0]
        client.send(message(2, 0))
        self.assertLess(self.flag(client, True), PROMPT)
        begin = time.time()
        client.send(message(2, 2))  # one step
        while client.frame()[0] == step:
            pass
        self.assertLess(time.time() - begin, PROMPT)
        client.send(message(2, 1))
        self.assertLess(self.flag(client, False), PROMPT)
        step, begin = client.frame()[0], time.time()
        client.send(message(3, 0, (100.0, 0.0, 0.0)))  # the step that was far off is due now
        while client.frame()[0] == step:
            pass
        self.assertLess(time.time() - begin, PROMPT + 0.1)  # what a step takes now
        client.send(message(3, 0, (0.01, 0.0, 0.0)))
        client.frame()
        begin = time.time()
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(WAIT), 0)
        self.assertLess(time.time() - begin, PROMPT + (1 if scenes.SANITIZED else 0.2))  # with the end of the process


LENGTHEN = """\
import h5py, numpy
with h5py.File('a.h5', 'r+', libver=('v110', 'v110')) as f:
    for table in f['steps'].values():
        some = numpy.array(table[:])
        table.resize(%d, axis=0)
        table[:] = numpy.resize(some, table.shape)
    f['steps/time'][:] = numpy.arange(%d) * 0.5
    f['steps/step'][:] = numpy.arange(%d)
"""


class Recorded(scenes.Case):
    """A long recording: told at once, and right, whatever browsers ask for meanwhile."""

    LINES = 4001 if scenes.SANITIZED else 40001

    def setUp(self):
        super().setUp()
        python = "/usr/bin/python3"  # Debian's, which has h5py
        if subprocess.run([python, "-c", "import h5py"], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("python3-h5py is not installed")
        self.assertEqual(self.lithe("run", "scene.yaml", "east.pull=5mm", "--quiet", "--record", "a.h5")[0], 0)
        subprocess.run([python, "-c", LENGTHEN % ((self.LINES,) * 3)], cwd=self.folder, check=True)

    def test_its_series_is_right_while_frames_are_asked_for(self):
        process = self.start("view", "a.h5")
        try:
            client = Socket(int(process.stdout.readline().strip().rsplit(":", 1)[1].strip("/")))
            asked, series, frames = 0, None, 0
            while series is None or frames < 20:
                client.send(message(12, asked % self.LINES))
                asked += 997
                while True:
                    opcode, data = client.receive()
                    if data[0] == 4:
                        series = data
                    if data[0] == 2:
                        frames += 1
                        step, _ = struct.unpack_from("<II", data, 4)
                        self.assertEqual(struct.unpack_from("<d", data, 16)[0], 0.5 * step)
                        break
            client.close()
        finally:
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(WAIT), 0)
            process.stdout.close()
            process.stderr.close()
        (lines,) = struct.unpack_from("<I", series, 4)
        self.assertEqual(lines, self.LINES)
        width = (len(series) - 8) // 8 // lines
        times = [struct.unpack_from("<d", series, 8 + 8 * width * i)[0] for i in range(lines)]
        self.assertEqual([i for i in range(lines) if times[i] != 0.5 * i], [])


    @unittest.skipIf(scenes.SANITIZED, "where the program takes longer to begin than to read so few lines")
    def test_its_address_is_told_before_it_is_read(self):
        for _ in range(5):  # the machine may have other things to do just then
            begin = time.time()
            process = self.start("view", "a.h5")
            try:
                port = int(process.stdout.readline().strip().rsplit(":", 1)[1].strip("/"))
                told = time.time() - begin
                client = Socket(port)
                while client.receive()[1][0] != 4:
                    pass
                whole = time.time() - begin
                client.close()
            finally:
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(WAIT), 0)
                process.stdout.close()
                process.stderr.close()
            if told < 0.5 * whole:
                return
        self.fail(f"the address was told after {told:.3f} of {whole:.3f} s")


class Paths(Server):
    PATH = "[{time: 60 s, rotate: [0 deg, 0 deg, 90 deg], move: [8, 0, 0]}]"
    WORDS = ("--set", "obstacles={board: {box: {center: [90, 10, 85], size: [10, 60, 8]}, path: %s}}" % PATH)

    def test_obstacles_move_and_turn_along_their_paths_and_where_they_are_pushed(self):
        client, turned, found = self.connect(), set(), None

        def way():
            _, time, _ = client.frame()
            return time, struct.unpack("<6f", client.last[-24:])  # nothing presses: they come last

        while len(turned) < 5:
            time, found = way()
            for value, end in zip(found, (8e-3, 0, 0, 0, 0, math.pi / 2)):
                self.assertAlmostEqual(value, time / 60 * end, delta=1e-6)
            turned.add(found[5])
        client.send(message(13, 0, (found[0], 0.004, 0.0)))
        while abs(found[1] - 0.004) > 1e-7:
            time, found = way()
            self.assertLess(time, 50)
        self.assertAlmostEqual(found[5], time / 60 * math.pi / 2, delta=1e-6)


HUNG = """
units: {length: mm}
gravity: [0, 0, -9.81 m/s^2]
bodies:
  arm: {rigid_body: {box: [10, 10, 80]}, mass: 50 g, place: {move: [0, 0, -40]}}
joints:
  shoulder: {kind: hinge, body: arm, at: [0, 0, 0], axis: [0, 1, 0], angle: {limits: [-20 deg, 20 deg], damping: 1 N.mm.s/rad}}
effectors:
  tip: {point: {body: arm, at: [0, 0, -80]}}
dynamics: {scheme: euler, duration: 1000 s}
step: {dt: 5 ms}
"""


class Bodies(Server):
    """A rigid body on a hinge, pulled to its stop and let go."""

    def setUp(self):
        scenes.Case.setUp(self)
        self.write("scene.yaml", HUNG)
        self.process = self.start("view", "scene.yaml")
        self.addCleanup(self.end)
        self.port = int(self.process.stdout.readline().strip().rsplit(":", 1)[1].strip("/"))

    def until(self, client, what):
        for _ in range(2000):
            client.frame()
            joint = struct.unpack("<7f", client.last[-28:])  # nothing presses: it comes last
            tip = struct.unpack_from("<3d", client.last, 72 + 16 * self.driven)
            if what(tip, joint[6] != 0):
                return joint, tip
        self.fail(f"it is at {tip}, the joint is {joint}")

    def test_a_body_follows_the_hand_and_a_stop_is_seen(self):
        client = self.connect()
        head = client.receive()[1]
        kind, length = struct.unpack_from("<II", head)
        self.assertEqual(kind, 1)
        self.driven = json.loads(head[8 : 8 + length])["driven"]
        client.send(message(1))
        joint, _ = self.until(client, lambda tip, stop: not stop)
        for found, where in zip(joint, (0, 0, 0, 0, 1, 0, 0)):
            self.assertAlmostEqual(found, where, delta=1e-6)
        client.send(message(15, 0, (-0.03, 0.0, 0.0)))
        _, tip = self.until(client, lambda tip, stop: stop)
        self.assertAlmostEqual(tip[0], -0.08 * math.sin(math.radians(20)), delta=1e-5)
        client.send(message(15, 0, way=1))
        self.until(client, lambda tip, stop: not stop and abs(tip[0]) < 1e-3)


class Addresses(scenes.Case):
    def test_an_address_that_is_not_ours_is_refused(self):
        self.expect_error(2, ["view", "scene.yaml", "--address", "192.0.2.1", "--port", "8080"], "192.0.2.1", "--address")

    def test_a_port_that_is_taken_is_refused(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.expect_error(2, ["view", "scene.yaml", "--port", str(port)], str(port), "--port")


class Browser(unittest.TestCase):
    """Every claim of viewer/test/browser.mjs. Needs node, Chromium and what npm installs; `make test` has them all."""

    def missing(self):
        needed = [shutil.which("node"), shutil.which("chromium"), (ROOT / "viewer/node_modules/playwright-core").exists()]
        return not all(needed)

    def setUp(self):
        if self.missing():
            self.assertNotEqual(os.environ.get("LITHE_BROWSER"), "required", "run 'scripts/setup test' first")
            self.skipTest("node, Chromium or viewer/node_modules is missing; 'scripts/setup test' brings them")

    def run_node(self, *words, timeout=280):
        done = subprocess.run(["node", *words], cwd=ROOT / "viewer", capture_output=True, text=True, timeout=timeout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_page_in_the_program_is_the_build_of_its_sources(self):
        self.run_node("build.mjs", "--check")

    def test_the_page_does_what_it_says(self):
        if scenes.SANITIZED:
            self.skipTest("the page is the same; sanitizers make it wait for minutes")
        with scenes.tempfile.TemporaryDirectory() as folder:
            scene = ROOT / "examples/parallel/robot.yaml"
            self.run_node("test/browser.mjs", scenes.LITHE, str(scene), folder)


if __name__ == "__main__":
    unittest.main()
