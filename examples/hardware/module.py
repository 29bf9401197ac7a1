#!/usr/bin/env python3
"""Circles and squares of one pneumatic module, in open and in closed loop [chaillou2023, experiment 2].

    examples/hardware/module.py [PATH ...]      of C30, C40 (circles by diameter), R20, R30 (squares by side); all unless named

The controller has the model of ../module. The plant has a mesh of its own (Gmsh makes it), silicone that is 15 % softer, valves with a time
constant of 150 ms, readings that are 50 ms late and off by 0.2 mm (root mean square of the distance). One lap in 20 s, 50 ms a cycle,
both by messages, so that the figures are the same on every machine. Takes some minutes.
"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LITHE = os.environ.get("LITHE", str(ROOT / "build/lithe"))
SCENE = ROOT / "examples/module/robot.yaml"
LAWS = {"open": "{law: open}", "closed": "{law: task, kp: 0.6, ki: 6}"}
PAPER = {"R20": (4.5, 0.8), "R30": (2.4, 1.2), "C30": (3.0, 0.7), "C40": (4.8, 0.8)}  # medians, mm
PAIRS = ("pair1", "pair2", "pair3")


def path_of(name):
    half = int(name[1:]) / 2
    if name[0] == "C":
        return f"{{effector: tip, circle: {{center: [0, 0, 55], radius: {half}, normal: [0, 0, 1], period: 20 s}}}}"
    corners = ", ".join(f"[{x * half}, {y * half}, 55]" for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1)))
    return f"{{effector: tip, polygon: {{corners: [{corners}], period: 20 s}}}}"


def free_ports():
    with socket.socket(type=socket.SOCK_DGRAM) as a, socket.socket(type=socket.SOCK_DGRAM) as b:
        a.bind(("127.0.0.1", 0))
        b.bind(("127.0.0.1", 0))
        return a.getsockname()[1], b.getsockname()[1]


def sets(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={value}")]


def run(name, law, mesh):
    port, reply = free_ports()
    out = ", ".join(f"{pair}: {{unit: kPa, rate: 200 kPa/s}}" for pair in PAIRS)
    common = {"wire": f"{{over: {{udp: {{port: {port}, reply: {reply}}}}}, clock: lockstep, out: {{{out}}}, in: {{tip: {{unit: mm}}}}, "
                      "watchdog: {hold: 1 s, safe: 3 s}}",
              "task.follow": path_of(name), "task.approach": "10 mm/s", "step.mode": "realtime", "step.dt": "50 ms"}
    valves = ", ".join(f"{pair}: {{lag: 150 ms}}" for pair in PAIRS)
    machine = {"materials.silicone.young": "85 kPa", "bodies.robot.mesh": mesh,
               "plant": f"{{seed: 1, actuators: {{{valves}}}, sensors: {{tip: {{noise: 0.115 mm, delay: 50 ms}}}}}}"}
    plant = subprocess.Popen([LITHE, "plant", str(SCENE), "--quiet", *sets(common), *sets(machine)], stderr=subprocess.DEVNULL)
    drive = subprocess.run([LITHE, "drive", str(SCENE), "--json", "--quiet", *sets(common), "--set", f"controller={law}"],
                           capture_output=True, text=True, check=False)
    plant.send_signal(signal.SIGTERM)
    plant.wait()
    if drive.returncode != 0:
        sys.exit(f"{name}: {drive.stderr}")
    return json.loads(drive.stdout)["errors"]["tip"]


def main():
    names = sys.argv[1:] or list(PAPER)
    if any(name not in PAPER for name in names):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="lithe-module-") as folder:
        mesh = f"{folder}/plant.msh"
        subprocess.run(["gmsh", "-3", str(ROOT / "examples/module/robot.geo"), "-setnumber", "layer", "3.4", "-setnumber", "size", "1.12",
                        "-o", mesh], check=True, stdout=subprocess.DEVNULL)
        print("| path | paper, open | ours | paper, closed | ours | mean | largest |")
        print("|---|---|---|---|---|---|---|")
        for name in names:
            found = {key: run(name, law, mesh) for key, law in LAWS.items()}
            mm = [1e3 * value for value in (found["open"]["median"], *(found["closed"][key] for key in ("median", "mean", "max")))]
            print(f"| {name} | {PAPER[name][0]} mm | {mm[0]:.1f} mm | {PAPER[name][1]} mm | " + " | ".join(f"{x:.2f} mm" for x in mm[1:]) + " |",
                  flush=True)


if __name__ == "__main__":
    main()
