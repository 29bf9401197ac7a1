#!/usr/bin/python3
"""How well a loop keeps time, and how it comes through accidents. Both ends run here, in two processes.

    bench/drive.py rate [HZ [SECONDS [MISSES]]]     the parallel robot, asynchronous, over UDP, by the clock; ends with 1 where more
                                                    deadlines were missed than allowed (any number unless given)
    bench/drive.py endure [OVER [CYCLES [EVERY]]]   the finger over a serial line or UDP, by messages: 1 % of readings lost, a sensor that
                                                    is stuck, a plant that ends after so many cycles (4000), by itself or killed, and is
                                                    started again

Both check that nothing out of range was heard by the plant, that every miss and every safe state was named, and that memory stays.
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


def rate(hz=1000, seconds=10, misses=None):
    scene = SCENES / "parallel.yaml"
    common = {"step.dt": f"{1000 / hz:g} ms", "wire.over": udp()}
    machine = plant(scene, {**common, "materials.silicone.young": "160 kPa"})
    time.sleep(0.5)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        drive = subprocess.Popen([LITHE, "drive", str(scene), "--json", "--quiet", *sets(common),
                                  *sets({"task.follow.circle.turns": seconds / 4})], stdout=out)
        memory = []
        while drive.poll() is None:
            time.sleep(min(1, seconds / 20))
            memory.append((time.monotonic(), resident(drive)))
        out.seek(0)
        found = json.load(out)
    heard = end(machine)
    kept = found["time"]
    print("| cycles a second | cycles | missed | late, median | p99 | cycle, median | p99 | sensor to order, median | p99 | error, median |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    numbers = [kept[key][which] for key in ("late_ms", "busy_ms", "sensor_to_order_ms") for which in ("median", "p99")]
    print(f"| {hz:g} | {found['cycles']} | {kept['missed']} | " + " | ".join(f"{x:.3f} ms" for x in numbers)
          + f" | {1e3 * found['errors']['tip']['median']:.3f} mm |")
    for event in found["events"]:
        print(f"  {event}")
    print(steady(memory))
    assert heard["nonsense"] == 0 and all(0 <= one["lowest"] and one["highest"] <= 20 for one in heard["orders"])
    named = [event for event in found["events"] if "deadline" in event and "missed" in event]
    told = sum(int(event.split(": ", 1)[1].split()[0]) for event in named)
    assert told == kept["missed"] or len(found["events"]) >= 1000, f"{kept['missed']} misses, {told} of them named"
    return misses is not None and kept["missed"] > misses


def endure(over="serial", cycles=100000, every=4000):
    folder = tempfile.mkdtemp(prefix="lithe-endure-")
    try:
        endure_in(folder, over, cycles, every)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return False


def endure_in(folder, over, cycles, every):
    scene = SCENES / "finger.yaml"
    laps = cycles * 20 // 6000 + 2
    path = ", ".join(f"{{time: {3 * k} s, at: {-45 if k % 2 else -15}}}" for k in range(2 * laps + 1))
    common = {"wire.over": udp() if over == "udp" else f"{{serial: {{port: {folder}/port}}}}", "wire.clock": "lockstep",
              "wire.watchdog": "{hold: 100 ms, safe: 500 ms, resume: true}", "wire.in.height.stuck": "200 ms",
              "task.follow.waypoints": f"[{path}]"}
    faults = {**common, "materials.silicone.young": "500 kPa", "plant.lost": 0.01, "plant.sensors.height.stuck": "[4 s, 6 s]"}
    with open(f"{folder}/out", "w+", encoding="utf-8") as out:
        drive = subprocess.Popen([LITHE, "drive", str(scene), "--json", "--quiet", "--steps", str(cycles), *sets(common)], stdout=out)
        memory, kills, extents, lived, begun = [], 0, [], 0.0, time.monotonic()
        while drive.poll() is None:
            machine, born = plant(scene, faults, "--steps", str(every)), time.monotonic()
            while drive.poll() is None and machine.poll() is None:
                time.sleep(0.1)
                memory.append((time.monotonic(), resident(drive)))
                if len(extents) % 2 and time.monotonic() - born > lived:
                    machine.kill()
            if machine.poll() is not None:
                lived = time.monotonic() - born
                time.sleep(OUTAGE)
                kills += drive.poll() is None
            extents.append(end(machine))
        out.seek(0)
        found = json.load(out)
    orders = [one["orders"][0] for one in extents if one and one["orders"]]
    assert orders, "no plant lived long enough to tell what it heard"
    lowest, highest = min(o["lowest"] for o in orders), max(o["highest"] for o in orders)
    fastest = max(o["fastest"] for o in orders)
    named = sum("safe" in event for event in found["events"])
    print(f"{over}: {found['cycles']} cycles in {time.monotonic() - begun:.0f} s; {kills} plants ended, {named} safe states named, "
          f"{sum('hold' in event for event in found['events'])} holds; modes {found['gate']}; readings {found['wire']}; "
          f"orders {lowest:g} to {highest:g} mm, at most {fastest:.4g} mm/s; {steady(memory)}")
    assert found["cycles"] >= cycles
    assert lowest >= LOWEST and highest <= HIGHEST and fastest <= RATE * (1 + 1e-9) and named >= kills


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("rate", "endure") or (sys.argv[1] == "endure" and sys.argv[2:3] not in ([], ["serial"], ["udp"])):
        sys.exit(__doc__)
    if sys.argv[1] == "rate":
        sys.exit(rate(*map(float, sys.argv[2:5])))
    sys.exit(endure(*sys.argv[2:3], *map(int, sys.argv[3:5])))
