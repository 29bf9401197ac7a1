"""What leaves `lithe drive` when something goes wrong: whatever ends it, a machine that keeps a list of all that it was told sees
orders go to the safe state along their ramps, and the recording has that list to the last message."""

import json
import math
import os
import pty
import resource
import signal
import socket
import subprocess
import threading
import time
import unittest

import scenes
from scenes import LITHE, SANITIZED
from test_drive import Case
from test_view import Socket, message

PYTHON = "/usr/bin/python3"  # Debian's, which has h5py
HAS_H5PY = subprocess.run([PYTHON, "-c", "import h5py"], stderr=subprocess.DEVNULL, check=False).returncode == 0
DUMP = "import h5py, json, sys; print(json.dumps(h5py.File(sys.argv[1])['wire/sent'][:].squeeze().tolist()))"
DT, RATE, RAMP, LOWEST, HIGHEST = 0.05, 30.0, 0.1, 0.0, 8.0  # of the scene: s, mm/s, s, mm
ENOUGH = 30  # orders after which the cable is pulled well
SEND_CODE = 14  # the view's stop button


class Machine(threading.Thread):
    """Answers each order over TCP with a reading, and keeps what it was told."""

    def __init__(self, tell, deaf=math.inf):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.tell = tell  # what it measures after so many orders; None: it hangs up
        self.deaf = deaf  # it does not hear more orders than that, by what it says
        self.orders = []
        self.pulled = threading.Event()
        self.over = threading.Event()  # nobody is connected
        self.start()

    def run(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client, client.makefile("r", encoding="ascii") as lines:
                self.over.clear()
                self.serve(client, lines)
                self.over.set()

    def serve(self, client, lines):
        number = len(self.orders)
        try:
            while (value := self.tell(len(self.orders))) is not None:
                echo = self.orders[min(len(self.orders), self.deaf) - 1]["order"] if self.orders else -1
                values = list(value) if isinstance(value, tuple) else [value]
                client.sendall(json.dumps({"reading": number, "time": number, "echo": echo, "value": values}).encode() + b"\n")
                line = lines.readline()
                if not line:
                    return
                self.orders.append(json.loads(line))
                number += 1
                if len(self.orders) >= ENOUGH:
                    self.pulled.set()
        except OSError:
            pass


class Stops(Case):
    LONG = {"{time: 1 s, at: 16}": "{time: 900 s, at: 16}", "{time: 0, at: 11}": "{time: 0, at: 15}"}

    def begin(self, tell=lambda n: 10.0, words=(), stderr=subprocess.PIPE, before=None, deaf=math.inf, **changes):
        """A machine, and a drive along a path that it will not see the end of."""
        machine = Machine(tell, deaf)
        self.addCleanup(machine.listener.close)
        scene = self.scene(f"{{tcp: {{port: {machine.port}}}}}", **{**self.LONG, **changes})
        words = [LITHE, "drive", str(scene), "--json", "--record", str(self.folder / "run.h5"), *words]
        drive = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, text=True, preexec_fn=before)
        self.running.append(drive)
        return machine, drive

    def assert_limits(self, orders, even=True):
        """By the clock cycles are not even: their speeds may be told by the period, changes of them may not."""
        values = [one["value"][0] for one in orders]
        speeds = [0.0] + [(b - a) / DT for a, b in zip(values, values[1:])]
        for value, before, speed in zip(values, speeds, speeds[1:] + [0.0]):
            self.assertTrue(LOWEST <= value <= HIGHEST)
            self.assertLessEqual(abs(speed), RATE * (1 + 1e-9))
            if even:
                self.assertLessEqual(abs(speed - before), RATE / RAMP * DT * (1 + 1e-9) + 1e-9)

    def assert_stopped(self, machine, recorded=True, even=True):
        """Pulled before, in the safe state at the end, by the ramps; and that is what was recorded."""
        machine.over.wait()
        values = [one["value"][0] for one in machine.orders]
        self.assert_limits(machine.orders, even)
        self.assertGreater(max(values), 2)
        self.assertEqual(machine.orders[-1]["mode"], "stop")
        self.assertAlmostEqual(values[-1], 0, 9)
        if recorded and HAS_H5PY:
            dump = subprocess.run([PYTHON, "-c", DUMP, self.folder / "run.h5"], stdout=subprocess.PIPE, text=True, check=True)
            sent = [line for line in json.loads(dump.stdout) if line[2] >= 0]
            self.assertEqual([(line[2], line[5], line[6]) for line in sent],
                             [(one["order"], one["time"], one["value"][0]) for one in machine.orders])
        if recorded:
            self.assert_replayed()

    def assert_replayed(self):
        code, out, err = self.end(self.start("drive", "--replay", self.folder / "run.h5", "--json", "--threads", "2"))
        self.assertEqual((code, json.loads(out)["same"]), (0, True), err)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                machine, drive = self.begin()
                machine.pulled.wait()
                code, out, err = self.end(drive, number)
                self.assertEqual((code, json.loads(out)["end"]), (130, "interrupted"), err)
                self.assert_stopped(machine)

    @unittest.skipIf(SANITIZED, "too long steps for that build")
    def test_a_step_that_takes_long_is_ended(self):
        """The robot is fine and converged: nearly all of the time a step is being computed."""
        nodes, tets = scenes.bar((5, 5, 50), 4.0)
        (self.folder / "bar.vtk").write_text(scenes.vtk(nodes, tets))
        cut = 0
        for _ in range(5):
            machine, drive = self.begin(**{"mode: realtime": "mode: converged"})
            while len(machine.orders) < 3:
                machine.pulled.wait(0.01)
            code, out, err = self.end(drive, signal.SIGINT)
            found = json.loads(out)
            self.assertEqual((code, found["end"]), (130, "interrupted"), err)
            machine.over.wait()
            self.assert_limits(machine.orders)
            self.assertEqual(machine.orders[-1]["mode"], "stop")
            self.assertAlmostEqual(machine.orders[-1]["value"][0], 0, 9)
            self.assert_replayed()
            cut += found["not_converged"]
            if cut:
                break
        self.assertEqual(cut, 1)

    def test_signals_that_come_again_do_not_cut_the_ramp_short(self):
        """As from who presses the keys twice, or from `timeout`, which tells the program and then its group."""
        machine, drive = self.begin()
        machine.pulled.wait()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            drive.send_signal(number)
        code, out, err = self.end(drive, signal.SIGHUP)
        self.assertEqual((code, json.loads(out)["end"]), (130, "interrupted"), err)
        self.assert_stopped(machine)

    def test_a_key_and_a_terminal_that_is_closed(self):
        for how in ("key", "closed"):
            machine = Machine(lambda n: 10.0)
            self.addCleanup(machine.listener.close)
            scene = self.scene(f"{{tcp: {{port: {machine.port}}}}}", **self.LONG)
            child, terminal = pty.fork()
            if child == 0:
                os.execv(LITHE, [LITHE, "drive", str(scene), "--quiet", "--record", str(self.folder / "run.h5")])
            machine.pulled.wait()
            if how == "key":
                os.write(terminal, b"\n")
                try:
                    while os.read(terminal, 4096):
                        pass
                except OSError:  # the other end is closed
                    pass
            os.close(terminal)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            self.assertEqual(status, 1 if how == "key" else 130)
            self.assert_stopped(machine)

    def test_the_button_of_the_view(self):
        machine, drive = self.begin(words=("--view",))
        watcher = Socket(int(drive.stderr.readline().strip().rstrip("/").rsplit(":", 1)[1]))
        self.addCleanup(watcher.socket.close)
        machine.pulled.wait()
        watcher.send(message(SEND_CODE))
        code, out, err = self.end(drive)
        self.assertEqual((code, json.loads(out)["end"]), (1, "the stop button"), err)
        self.assert_stopped(machine)

    def test_the_button_is_heard_however_much_else_is_sent(self):
        waits, pressed = threading.Event(), threading.Event()

        def tell(n):
            if n == 2 * ENOUGH:
                waits.set()
                pressed.wait()
                time.sleep(0.3)  # for the program's server, which nobody waits for
            return 10.0
        machine, drive = self.begin(tell, words=("--view", "--steps", "300"))
        watcher = Socket(int(drive.stderr.readline().strip().rstrip("/").rsplit(":", 1)[1]))
        self.addCleanup(watcher.socket.close)
        waits.wait()
        for _ in range(400):
            watcher.send(message(5, 0, (5.0, 0.0, 0.0)))  # a command: nobody listens
        watcher.send(message(SEND_CODE))
        pressed.set()
        code, out, err = self.end(drive)
        self.assertEqual((code, json.loads(out)["end"]), (1, "the stop button"), err)
        self.assert_stopped(machine)

    def test_a_connection_that_is_lost_and_comes_again(self):
        gone = []

        def tell(n):
            if n == 2 * ENOUGH and not gone:
                gone.append(n)
                return None
            return 10.0
        machine, drive = self.begin(tell, **{"safe: 300 ms}": "safe: 300 ms, resume: true}"})
        while len(machine.orders) < 3 * ENOUGH:
            machine.pulled.wait(0.01)
        code, out, err = self.end(drive, signal.SIGTERM)
        self.assertEqual(code, 130, err)
        events = json.loads(out)["events"]
        self.assertTrue(any("safe: the connection is lost" in one for one in events), events)
        machine.over.wait()
        self.assertAlmostEqual(machine.orders[-1]["value"][0], 0, 9)
        self.assert_replayed()

    def test_a_machine_that_no_longer_hears(self):
        machine, drive = self.begin(words=("--steps", "400"), deaf=2 * ENOUGH, **{"clock: lockstep": "clock: real"})
        code, out, err = self.end(drive)
        self.assertEqual(code, 1, err)
        self.assertIn("no order has arrived at the machine", json.loads(out)["end"])
        self.assert_stopped(machine, even=False)

    def test_a_drive_that_was_stopped_for_long(self):
        """Its machine goes to the safe state by itself meanwhile, and tells so by nothing: an order of before would throw it back,
        also one that was being computed."""
        if not SANITIZED:  # which take most of the time then
            nodes, tets = scenes.bar((4, 4, 16), 5.0)
            (self.folder / "bar.vtk").write_text(scenes.vtk([(x, y, z * 90 / 80) for x, y, z in nodes], tets))
        machine, drive = self.begin(words=("--steps", "400"), **{"clock: lockstep": "clock: real", "mode: realtime": "mode: converged", "dt: 50 ms": "dt: 20 ms"})
        machine.pulled.wait()
        drive.send_signal(signal.SIGSTOP)
        time.sleep(1)
        known = len(machine.orders)
        drive.send_signal(signal.SIGCONT)
        code, out, err = self.end(drive)
        self.assertEqual(code, 1, err)
        self.assertIn("no order has left for", json.loads(out)["end"])
        machine.over.wait()
        self.assertEqual((len(machine.orders), machine.orders[-1]["mode"]), (known, "open"))
        self.assert_replayed()

    def test_a_model_that_fails(self):
        changes = {"in: {tip: {unit: mm, limits: [-50, 80]}}": "in: {tip: {unit: m}}", "kp: 0.2, ki: 3": "kp: 1.2, ki: 3"}
        for kd in ("", ", kd: 0.01"):
            machine, drive = self.begin(lambda n: 1.7e308 if n == 2 * ENOUGH else 0.01, **changes, **{"ki: 3}": f"ki: 3{kd}}}"})
            code, out, err = self.end(drive)
            self.assertEqual(code, 2, err)
            found = json.loads(out)
            self.assertIn("the model failed: the target of 'tip' is not a finite number", found["end"])
            self.assertTrue(any("the model failed" in one for one in found["events"]), found["events"])
            self.assertIn("lithe: error: the model failed", err)
            self.assert_stopped(machine)

    def test_readings_that_are_large_beyond_reason(self):
        for value in (1e6, 1e30, 1e150, -1e300):
            with self.subTest(value):
                machine, drive = self.begin(lambda n, value=value: value if n > ENOUGH else 10.0, words=("--steps", "80"),
                                            **{"in: {tip: {unit: mm, limits: [-50, 80]}}": "in: {tip: {unit: mm}}"})
                code, out, err = self.end(drive)
                self.assertIn(code, (0, 1), err)
                machine.over.wait()
                self.assert_limits(machine.orders)
                self.assertAlmostEqual(machine.orders[-1]["value"][0], 0, 9)

    def test_what_comes_instead_of_readings_is_told(self):
        for instead, clock, told in (((None,), "lockstep", "the reading of 'tip' is no number"), (1000.0, "lockstep", "is outside of its limits (1)"),
                                     ((10.0, 1.0), "real", "another number of values"), ("ten", "real", "what comes is no reading")):
            with self.subTest(told):
                machine, drive = self.begin(lambda n, instead=instead: 10.0 if n <= ENOUGH else instead, **{"clock: lockstep": f"clock: {clock}"})
                code, out, err = self.end(drive)
                self.assertEqual(code, 1, err)
                found = json.loads(out)
                self.assertIn(told, found["end"])
                self.assertTrue(any("hold: no fresh reading" in one and told in one for one in found["events"]), found["events"])
                machine.over.wait()
                self.assertEqual(machine.orders[-1]["mode"], "stop")
                self.assertAlmostEqual(machine.orders[-1]["value"][0], 0, 9)
                self.assert_replayed()

    @unittest.skipIf(SANITIZED, "too many cycles for that build")
    def test_the_first_and_the_last_events_are_kept(self):
        machine, drive = self.begin(lambda n: None if n == 4500 else (None,) if n > ENOUGH and n % 8 < 4 else 10.0)
        code, out, err = self.end(drive)
        self.assertEqual(code, 1, err)
        found = json.loads(out)
        said = [line for line in err.splitlines() if " s: " in line]
        self.assertEqual(len(said), len(found["events"]) + found["events_left_out"])
        self.assertGreater(found["events_left_out"], 0)
        self.assertEqual([line.split("notice: ")[1] for line in said[:500] + said[-500:]], found["events"])
        self.assertIn("stop: ", found["events"][-1])

    @unittest.skipIf(SANITIZED, "too many steps for that build")
    def test_a_disk_that_is_full(self):
        nodes, tets = scenes.bar((4, 4, 16), 5.0)
        (self.folder / "bar.vtk").write_text(scenes.vtk([(x, y, z * 90 / 80) for x, y, z in nodes], tets))
        limit = 100_000

        def before():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        machine, drive = self.begin(before=before)
        code, out, err = self.end(drive)
        self.assertEqual(code, 3, err)
        self.assertEqual(json.loads(out)["end"], "the recording cannot be written")
        self.assertIn("lithe: error: the recording", err)
        self.assert_stopped(machine, recorded=False)
        self.assertFalse((self.folder / "run.h5").exists())

    def test_words_that_nobody_reads_hold_nothing_up(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.set_blocking(writer, False)
        try:
            while os.write(writer, bytes(4096)):
                pass
        except BlockingIOError:
            pass
        os.set_blocking(writer, True)
        machine, drive = self.begin(words=("--steps", "60"), stderr=writer)
        os.close(writer)
        out, _ = drive.communicate(timeout=60)
        self.assertEqual(drive.returncode, 0)
        self.assertTrue(any("open" in one for one in json.loads(out)["events"]))
        self.assert_stopped(machine)


if __name__ == "__main__":
    unittest.main()
