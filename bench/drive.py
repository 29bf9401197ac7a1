#!/usr/bin/python3
"""How well a loop keeps time, and how it comes through accidents. Both ends run here, in two processes.

    bench/drive.py rate [HZ [SECONDS]]           the parallel robot, asynchronous, over UDP, by the clock
    bench/drive.py endure [OVER [CYCLES]]        the finger over a serial line or UDP, by messages: lost readings, a sensor that is
                                                 stuck, a plant that is killed and started again; memory, and what was sent

Needs build/lithe. `rate` is part of `make bench`.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LITHE = os.environ.get("LITHE", str(ROOT / "build/lithe"))
SCENES = ROOT / "examples" / "hardware"
LOWEST, HIGHEST, RATE = 0.0, 20.0, 40.0  # of the finger's cable: mm, mm/s


def sets(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={value}")]


def plant(scene, values):
    return subprocess.Popen([LITHE, "plant", str(scene), "--json", "--quiet", *sets(values)], stdout=subprocess.PIPE, text=True)


def end(process, how=signal.SIGTERM):
    process.send_signal(how)
    out, _ = process.communicate()
    return json.loads(out) if out.strip() else None


def rate(hz=1000, seconds=10):
    scene = SCENES / "parallel.yaml"
    common = {"step.dt": f"{1000 / hz:g} ms", "wire.over": "{udp: {port: 9310, reply: 9311}}"}
    machine = plant(scene, {**common, "materials.silicone.young": "160 kPa"})
    time.sleep(0.5)
    drive = subprocess.run([LITHE, "drive", str(scene), "--json", "--quiet", *sets(common), *sets({"task.follow.circle.turns": seconds / 4})],
                           capture_output=True, text=True, check=False)
    heard = end(machine)
    found = json.loads(drive.stdout)
    kept = found["time"]
    print("| cycles a second | cycles | missed | late, median | p99 | cycle, median | p99 | sensor to order, median | p99 | error, median |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    numbers = [kept[key][which] for key in ("late_ms", "busy_ms", "sensor_to_order_ms") for which in ("median", "p99")]
    print(f"| {hz:g} | {found['cycles']} | {kept['missed']} | " + " | ".join(f"{x:.3f} ms" for x in numbers)
          + f" | {1e3 * found['errors']['tip']['median']:.3f} mm |")
    assert heard["nonsense"] == 0 and all(0 <= one["lowest"] and one["highest"] <= 20 for one in heard["orders"])


def resident(process):
    for line in open(f"/proc/{process.pid}/status", encoding="ascii"):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def endure(over="serial", cycles=100000):
    folder = tempfile.mkdtemp(prefix="lithe-endure-")
    scene = SCENES / "finger.yaml"
    laps = cycles * 20 // 6000 + 2
    path = ", ".join(f"{{time: {3 * k} s, at: {-45 if k % 2 else -15}}}" for k in range(2 * laps + 1))
    wire = {"serial": f"{{serial: {{port: {folder}/port}}}}", "udp": "{udp: {port: 9320, reply: 9321}}"}[over]
    common = {"wire.over": wire, "wire.clock": "lockstep", "wire.watchdog": "{hold: 100 ms, safe: 500 ms, resume: true}",
              "wire.in.height.stuck": "200 ms", "task.follow.waypoints": f"[{path}]"}
    faults = {**common, "materials.silicone.young": "500 kPa", "plant.lost": 0.01, "plant.sensors.height.stuck": "[30 s, 35 s]"}
    machine = plant(scene, faults)
    errors = open(f"{folder}/log", "w+", encoding="utf-8")
    drive = subprocess.Popen([LITHE, "drive", str(scene), "--json", "--steps", str(cycles), *sets(common)], stdout=subprocess.PIPE, stderr=errors, text=True)
    memory, kills, extents, begun = [], 0, [], time.monotonic()
    while drive.poll() is None:
        time.sleep(5)
        memory.append(resident(drive))
        if len(memory) % 4 == 0 and drive.poll() is None:
            extents.append(end(machine, signal.SIGTERM if kills % 2 else signal.SIGKILL))
            kills += 1
            time.sleep(1)
            machine = plant(scene, faults)
    out, _ = drive.communicate()
    extents.append(end(machine))
    found = json.loads(out)
    orders = [one["orders"][0] for one in extents if one and one["orders"]]
    lowest, highest = min(o["lowest"] for o in orders), max(o["highest"] for o in orders)
    fastest = max(o["fastest"] for o in orders)
    named = sum("safe" in event for event in found["events"])
    print(f"{over}: {found['cycles']} cycles in {time.monotonic() - begun:.0f} s; {kills} plants ended, {named} safe states named, "
          f"{sum('hold' in event for event in found['events'])} holds; modes {found['gate']}; readings {found['wire']}; "
          f"orders {lowest:g} to {highest:g} mm, at most {fastest:.4g} mm/s; memory {memory[len(memory) // 4]:.1f} MB, then {memory[-2]:.1f} MB")
    assert lowest >= LOWEST and highest <= HIGHEST and fastest <= RATE * (1 + 1e-9) and named >= kills


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("rate", "endure"):
        sys.exit(__doc__)
    if sys.argv[1] == "rate":
        rate(*map(float, sys.argv[2:4]))
    else:
        endure(*sys.argv[2:3], *map(int, sys.argv[3:4]))
