#!/usr/bin/python3
"""How well a loop keeps time, and how it comes through accidents. Both ends run here, in two processes.

    bench/drive.py rate [HZ [SECONDS [MISSES]]]     the parallel robot, asynchronous, over UDP, by the clock; ends with 1 where more
                                                    deadlines were missed than allowed (any number unless given)
    bench/drive.py endure [OVER [CYCLES [EVERY [HZ]]]]
                                                    the finger over a serial line or UDP, by messages, or by the clock where a rate is
                                                    given: 1 % of messages lost, a sensor that is stuck, a plant that ends after so many
                                                    cycles (4000), by itself or killed, and is started again

Both check that nothing out of range was sent or heard, that every miss and every safe state was named, and that memory stays.
Needs build/lithe and nothing but Python's own library.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LITHE = os.environ.get("LITHE", str(ROOT / "build/lithe"))
SCENES = ROOT / "examples" / "hardware"
LOWEST, HIGHEST, RATE = 0.0, 20.0, 40.0  # of the finger's cable: mm, mm/s
OUTAGE = 3.0  # s without a plant: by messages, a drive waits for two before it gives a machine up
STUCK = (4.0, 6.0)  # s of a plant's life in which its sensor is
JUDGED = 20.0  # s: before, a program is still beginning
GROWTH = 1.0  # MB that a drive may gain between its first quarter and its end


def sets(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={value}")]


def udp():
    with socket.socket(type=socket.SOCK_DGRAM) as a, socket.socket(type=socket.SOCK_DGRAM) as b:
        a.bind(("127.0.0.1", 0))
        b.bind(("127.0.0.1", 0))
        return f"{{udp: {{port: {a.getsockname()[1]}, reply: {b.getsockname()[1]}}}}}"


def plant(scene, values, *words):
    return subprocess.Popen([LITHE, "plant", str(scene), "--json", "--quiet", *sets(values), *words], stdout=subprocess.PIPE, text=True)


def end(process, how=signal.SIGTERM):
    if process.poll() is None:
        process.send_signal(how)
    out, _ = process.communicate()
    return json.loads(out) if out.strip() else None


def resident(process):
    """MB; 0 where it has ended."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            return next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS")), 0.0)
    except OSError:
        return 0.0


def steady(memory):
    """Of what was seen, as times and MB: after a quarter of it, and at the end."""
    seen = [one for _, one in memory if one > 0]
    if not seen or memory[-1][0] - memory[0][0] < JUDGED:
        return "too short to judge memory"
    first, last = seen[len(seen) // 4], seen[-1]
    assert last <= first + GROWTH, f"memory grew from {first:.1f} MB to {last:.1f} MB"
    return f"memory {first:.1f} MB, then {last:.1f} MB"


def account(found, log):
    """Every period has had its cycle or was skipped by a miss, and every miss was named."""
    kept = found["time"]
    told = sum(int(line.split(" s: ", 1)[1].split()[0]) for line in log if " deadline" in line and " missed" in line)
    assert told == kept["missed"], f"{kept['missed']} misses, {told} of them named"
    periods = 1e3 * kept["seconds"] / kept["period_ms"]
    assert abs(periods - found["cycles"] - kept["skipped"]) <= 1.5, f"{periods:.1f} periods, {found['cycles']} cycles, {kept['skipped']} skipped"
    assert kept["skipped"] <= kept["missed"]


def rate(hz=1000, seconds=10, misses=None):
    scene = SCENES / "parallel.yaml"
    common = {"step.dt": f"{1000 / hz:g} ms", "wire.over": udp()}
    machine = plant(scene, {**common, "materials.silicone.young": "160 kPa"})
    time.sleep(0.5)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out, tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        drive = subprocess.Popen([LITHE, "drive", str(scene), "--json", *sets(common),
                                  *sets({"task.follow.circle.turns": seconds / 4})], stdout=out, stderr=log)
        memory = []
        while drive.poll() is None:
            time.sleep(min(1, seconds / 20))
            memory.append((time.monotonic(), resident(drive)))
        out.seek(0)
        log.seek(0)
        found, told = json.load(out), log.read().splitlines()
    heard = end(machine)
    kept = found["time"]
    print("| cycles a second | cycles | missed | late, median | p99 | cycle, median | p99 | sensor to order, median | p99 | error, median |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    numbers = [kept[key][which] for key in ("late_ms", "busy_ms", "sensor_to_order_ms") for which in ("median", "p99")]
    print(f"| {hz:g} | {found['cycles']} | {kept['missed']} | " + " | ".join(f"{x:.3f} ms" for x in numbers)
          + f" | {1e3 * found['errors']['tip']['median']:.3f} mm |")
    print(f"\n{steady(memory)}; cycles began {kept['late_ms']['max']:.3f} ms late at most and took {kept['busy_ms']['max']:.3f} ms", flush=True)
    print("\n".join(told), file=sys.stderr)
    assert heard["nonsense"] == 0 and all(0 <= one["lowest"] and one["highest"] <= 20 for one in heard["orders"])
    account(found, told)
    return misses is not None and kept["missed"] > misses


def endure(over="serial", cycles=100000, every=4000, hz=0):
    folder = tempfile.mkdtemp(prefix="lithe-endure-")
    try:
        Endurance(folder, over, cycles, every, hz).run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return False


class Endurance:
    def __init__(self, folder, over, cycles, every, hz):
        self.scene, self.over, self.cycles, self.every, self.hz = SCENES / "finger.yaml", over, cycles, every, hz
        self.out, self.log = pathlib.Path(folder, "out"), pathlib.Path(folder, "log")
        self.period = 1 / hz if hz else 0.02
        laps = int(cycles * self.period / 6) + 2
        path = ", ".join(f"{{time: {3 * k} s, at: {-45 if k % 2 else -15}}}" for k in range(2 * laps + 1))
        self.common = {"wire.over": udp() if over == "udp" else f"{{serial: {{port: {folder}/port}}}}", "wire.clock": "real" if hz else "lockstep",
                       "step.dt": f"{1e3 * self.period:g} ms", "wire.watchdog": "{hold: 100 ms, safe: 500 ms, resume: true}",
                       "wire.in.height.stuck": "200 ms", "task.follow.waypoints": f"[{path}]"}
        self.faults = {**self.common, "materials.silicone.young": "500 kPa", "plant.lost": 0.01,
                       "plant.sensors.height.stuck": f"[{STUCK[0]} s, {STUCK[1]} s]"}
        self.memory, self.ended, self.lives = [], 0, []

    def modes(self):
        """What the gate was said to be, in order."""
        lines = [line.split(" s: ", 1)[1] for line in self.log.read_text(encoding="utf-8").splitlines() if " s: " in line]
        return [line.split(":")[0] for line in lines if line.split(":")[0] in ("open", "hold", "safe", "stop")]

    def live(self, drive, lifetime):
        """One plant, which ends by itself, or is killed after that many seconds; what it heard, None if nobody can know."""
        before = len(self.modes())
        machine, born = plant(self.scene, self.faults, "--steps", str(self.every)), time.monotonic()
        while drive.poll() is None and machine.poll() is None:
            time.sleep(0.1)
            self.memory.append((time.monotonic(), resident(drive)))
            if lifetime and time.monotonic() - born > lifetime:
                machine.kill()
        lived = time.monotonic() - born
        if drive.poll() is None:
            time.sleep(OUTAGE)
        heard = end(machine)
        if drive.poll() is None:
            self.ended += 1
            assert self.modes()[-1] == "safe", f"a plant has ended, and the drive is in the mode {self.modes()[-1]}"
            if heard and heard["time"] > STUCK[1]:
                assert self.modes()[before:].count("safe") > 1, "a sensor was stuck, and outputs did not go to the safe state"
        return heard, lived

    def run(self):
        begun, lifetime = time.monotonic(), None
        with open(self.out, "w", encoding="utf-8") as out, open(self.log, "w", encoding="utf-8") as log:
            drive = subprocess.Popen([LITHE, "drive", str(self.scene), "--json", "--steps", str(self.cycles), *sets(self.common)], stdout=out, stderr=log)
            while drive.poll() is None:
                heard, lived = self.live(drive, lifetime)
                self.lives.append(heard)
                lifetime = lived if lifetime is None else None
        self.judge(json.loads(self.out.read_text(encoding="utf-8")), time.monotonic() - begun)

    def judge(self, found, seconds):
        heard = [one["orders"][0] for one in self.lives if one and one["orders"]]
        assert heard, "no plant lived long enough to tell what it heard"
        told = [found["orders"][0], *heard]
        lowest, highest, fastest = min(o["lowest"] for o in told), max(o["highest"] for o in told), max(o["fastest"] for o in told)
        modes = self.modes()
        print(f"{self.over}, {f'{self.hz:g} cycles a second' if self.hz else 'by messages'}: {found['cycles']} cycles in {seconds:.0f} s, "
              f"{found['time']['missed']} deadlines missed and named; {self.ended} plants ended, {modes.count('safe')} safe states named, "
              f"{modes.count('hold')} holds; modes {found['gate']}; readings {found['wire']}; orders {lowest:g} to {highest:g} mm, "
              f"at most {fastest:.4g} mm/s; {steady(self.memory)}", flush=True)
        assert found["cycles"] >= self.cycles
        assert lowest >= LOWEST and highest <= HIGHEST and fastest <= RATE * (1 + 1e-9)
        if self.hz:
            account(found, self.log.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("rate", "endure") or (sys.argv[1] == "endure" and sys.argv[2:3] not in ([], ["serial"], ["udp"])):
        sys.exit(__doc__)
    if sys.argv[1] == "rate":
        sys.exit(rate(*map(float, sys.argv[2:5])))
    sys.exit(endure(*sys.argv[2:3], *map(int, sys.argv[3:5]), *map(float, sys.argv[5:6])))
