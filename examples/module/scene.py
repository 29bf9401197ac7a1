#!/usr/bin/env python3
"""Writes the scenes of examples/module and examples/module2: threads have a point in every eighth of a turn.

    examples/module/scene.py 1 > examples/module/robot.yaml
    examples/module/scene.py 2 > examples/module2/robot.yaml
"""
import math
import sys

HEIGHT, CAP, CIRCLE, RADIUS = 55.0, 2.0, 4.0, 1.25  # mm, as in robot.geo
PITCH, PER_TURN = 2.5, 8  # of the threads: mm, points


def helix(module, chamber):
    angle = (chamber + 0.5) * math.pi / 3
    x, y = CIRCLE * math.cos(angle), CIRCLE * math.sin(angle)
    low, high = module * HEIGHT + CAP + 0.5, (module + 1) * HEIGHT - CAP - 0.5
    n = round((high - low) / PITCH * PER_TURN)
    for i in range(n + 1):
        turn = angle + 2 * math.pi * i / PER_TURN
        yield x + RADIUS * math.cos(turn), y + RADIUS * math.sin(turn), low + (high - low) * i / n


def thread(name, points):
    lines, text = [], ""
    for p in points:
        item = "[" + ", ".join(f"{v:.3f}".rstrip("0").rstrip(".") for v in p) + "], "
        if len(text) + len(item) > 110:
            lines.append(text.rstrip())
            text = ""
        text += item
    lines.append(text.rstrip(", "))
    body = ("\n" + " " * 10).join(lines)
    return f"      {name}:\n        points: [\n          {body}]\n        radius: 0.05\n        material: polyester\n        slack: false\n"


def scene(modules):
    top = modules * HEIGHT
    pairs = [f"pair{i + 1}" for i in range(3 * modules)]
    out = [f"""# {'One fibre-reinforced pneumatic module' if modules == 1 else 'Two fibre-reinforced pneumatic modules in a row'}. \
Written by examples/module/scene.py {modules}.
units: {{length: mm, pressure: kPa, volume: cm^3}}
materials:
  silicone: {{law: neo-hookean, young: 100 kPa, poisson: 0.45, density: 1.07 g/cm^3}} # Ecoflex 00-50
  polyester: {{law: corotational, young: 1 GPa, poisson: 0.3, density: 1.4 g/cm^3}}   # sewing thread
bodies:
  robot:
    mesh: robot.msh
    material: silicone
    fix: {{group: base}}
    cavities:
"""]
    out += [f"      {p}: {{group: {p}}}\n" for p in pairs]
    out += ["    threads: # round each chamber, against ballooning\n"]
    for m in range(modules):
        for k in range(6):
            out.append(thread(f"winding{6 * m + k + 1}", list(helix(m, k))))
    out.append("actuators:\n")
    out += [f"  {p}: {{cavity: {{body: robot, cavity: {p}}}, limits: {{pressure: [0, 100]}}, command: {{pressure: 0}}}}\n"
            for p in pairs]
    out.append("effectors:\n")
    out.append("  tip: {barycentre: {body: robot, group: tip}}\n")
    radius, up = (12, top + 3) if modules == 1 else (25, top + 3)
    out.append(f"""# The tip goes round a circle.
task:
  follow: {{effector: tip, circle: {{center: [0, 0, {up:g}], radius: {radius}, normal: [0, 0, 1], period: 4 s}}}}
  approach: 20 mm/s
step: {{dt: 100 ms}}
""")
    return "".join(out)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ("1", "2"):
        sys.exit(__doc__)
    sys.stdout.write(scene(int(sys.argv[1])))
