#!/usr/bin/env python3
"""Circles and squares of one pneumatic module, in open and in closed loop [chaillou2023, experiment 2], over a wire.

    examples/hardware/module.py [--laps N] [PATH ...]     of C30, C40 (circles by diameter), R20, R30 (squares by side)

All paths unless some are named, one lap unless told otherwise; a lap takes 20 s of the robot's time and about a minute of yours. The
controller has the model of ../module. The plant has a mesh of its own (module.msh), silicone that is 15 % softer, valves with a time
constant of 150 ms, readings that are 50 ms late and off by 0.2 mm (root mean square of the distance). Both go by messages, 50 ms a cycle,
so that the figures are the same on every machine.
"""

import argparse
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LITHE = os.environ.get("LITHE", str(ROOT / "build/lithe"))
SCENE = ROOT / "examples/module/robot.yaml"
LAWS = {"open": "{law: open}", "closed": "{law: task, kp: 0.6, ki: 4, delay: 50 ms, lead: 150 ms}"}
PAPER = {"R20": (4.5, 0.8), "R30": (2.4, 1.2), "C30": (3.0, 0.7), "C40": (4.8, 0.8)}  # medians, mm
PAIRS = ("pair1", "pair2", "pair3")
HEIGHT = 55  # mm


def path_of(name, laps):
    half = int(name[1:]) / 2
    if name[0] == "C":
        return f"{{effector: tip, circle: {{center: [0, 0, {HEIGHT}], radius: {half}, normal: [0, 0, 1], period: 20 s, turns: {laps}}}}}"
    corners = ", ".join(f"[{x * half}, {y * half}, {HEIGHT}]" for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1)))
    return f"{{effector: tip, polygon: {{corners: [{corners}], period: 20 s, turns: {laps}}}}}"


def free_ports():
    with socket.socket(type=socket.SOCK_DGRAM) as a, socket.socket(type=socket.SOCK_DGRAM) as b:
        a.bind(("127.0.0.1", 0))
        b.bind(("127.0.0.1", 0))
        return a.getsockname()[1], b.getsockname()[1]


def sets(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={value}")]


def run(name, law, laps):
    port, reply = free_ports()
    out = ", ".join(f"{pair}: {{unit: kPa, rate: 100 kPa/s}}" for pair in PAIRS)
    common = {"wire": f"{{over: {{udp: {{port: {port}, reply: {reply}}}}}, clock: lockstep, out: {{{out}}}, in: {{tip: {{unit: mm}}}}, "
                      "watchdog: {hold: 1 s, safe: 3 s}}",
              "effectors.tip": "{barycentre: {body: robot, box: [[-6, -6, 52.9], [6, 6, 53.1]]}}",  # the tracker's coil, in the lumen
              "task.follow": path_of(name, laps), "task.approach": "10 mm/s", "step.mode": "realtime", "step.dt": "50 ms",
              **{f"actuators.{pair}.limits": "{pressure: [0, 100], pressure_rate: 100 kPa/s}" for pair in PAIRS}}
    valves = ", ".join(f"{pair}: {{lag: 150 ms}}" for pair in PAIRS)
    machine = {"materials.silicone.young": "85 kPa", "bodies.robot.mesh": str(ROOT / "examples/hardware/module.msh"),
               "plant": f"{{seed: 1, actuators: {{{valves}}}, sensors: {{tip: {{noise: 0.115 mm, delay: 50 ms}}}}}}"}
    plant = subprocess.Popen([LITHE, "plant", str(SCENE), "--quiet", *sets(common), *sets(machine)])
    try:
        drive = subprocess.run([LITHE, "drive", str(SCENE), "--json", "--quiet", *sets(common), "--set", f"controller={law}"],
                               stdout=subprocess.PIPE, text=True, check=False)
    finally:
        plant.send_signal(signal.SIGTERM)
        plant.wait()
    if drive.returncode != 0:
        sys.exit(f"{name}: lithe drive ended with {drive.returncode}")
    return json.loads(drive.stdout)["errors"]["tip"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--laps", type=float, default=1)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="R20, R30, C30, C40")
    chosen = parser.parse_args()
    if any(name not in PAPER for name in chosen.paths):
        parser.error(f"paths are {', '.join(PAPER)}")
    print("| path | paper, open | ours | paper, closed | ours | mean | largest |")
    print("|---|---|---|---|---|---|---|")
    for name in chosen.paths or PAPER:
        found = {key: run(name, law, chosen.laps) for key, law in LAWS.items()}
        mm = [1e3 * value for value in (found["open"]["median"], *(found["closed"][key] for key in ("median", "mean", "max")))]
        print(f"| {name} | {PAPER[name][0]} mm | {mm[0]:.1f} mm | {PAPER[name][1]} mm | " + " | ".join(f"{x:.2f} mm" for x in mm[1:]) + " |",
              flush=True)


if __name__ == "__main__":
    main()
