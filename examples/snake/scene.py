#!/usr/bin/env python3
"""Writes the mesh of a link and the scenes of examples/snake.

    examples/snake/scene.py mesh > examples/snake/link.msh
    examples/snake/scene.py robot > examples/snake/robot.yaml
    examples/snake/scene.py patch > examples/snake/patch.yaml
    examples/snake/scene.py link > examples/snake/link.yaml
    examples/snake/scene.py length > examples/snake/length.yaml

robot, patch: period (s), offset between left and right (kPa), friction, mean and amplitude of the pressure (kPa) and phase from link to link (deg) may follow;
patch: and the friction along the body, where wheels would roll.
A link is a box with two chambers side by side; its end walls are attached to rigid plates.
"""
import itertools
import sys

# mm: walls and rows of nodes of a link, along, across and upwards
X = [0, 3, 12, 21, 30, 39, 48, 57, 60]
Y = [-15, -12, -7, -2, 2, 7, 12, 15]
Z = [-15, -12, 0, 12, 15]
LINKS, PLATE, PITCH, HEIGHT = 4, 4, 64, 20  # plates, from one link to the next, centre line over the floor
WHEEL, TRACK = 8, 27  # mm: radius of a wheel, half of the distance between two


def cells():
    for i, j, k in itertools.product(range(len(X) - 1), range(len(Y) - 1), range(len(Z) - 1)):
        inside = 0 < i < len(X) - 2 and 0 < k < len(Z) - 2
        if not (inside and j in (1, 2, 4, 5)):
            yield i, j, k


def mesh():
    """Six tetrahedra around the diagonal of each cell; the diagonals of the two halves mirror each other, so that neither bends by itself."""
    number, tets = {}, []
    for cell in cells():
        for order in itertools.permutations(range(3)):
            flip = cell[1] >= 4 or (cell[1] == 3)
            at = [cell[0], cell[1] + (1 if flip else 0), cell[2]]
            step = [1, -1 if flip else 1, 1]
            tet = [tuple(at)]
            for axis in order:
                at[axis] += step[axis]
                tet.append(tuple(at))
            odd = sum(order[a] > order[b] for a in range(3) for b in range(a, 3)) % 2
            if odd != flip:  # so that none is inside out
                tet[2], tet[3] = tet[3], tet[2]
            tets.append([number.setdefault(p, len(number) + 1) for p in tet])
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(number))]
    lines += [f"{n} {X[i]} {Y[j]} {Z[k]}" for (i, j, k), n in number.items()]
    lines += ["$EndNodes", "$Elements", str(len(tets))]
    lines += [f"{e + 1} 4 2 1 1 {' '.join(map(str, tet))}" for e, tet in enumerate(tets)]
    return "\n".join(lines + ["$EndElements"])


def points(rows):
    return "[" + ", ".join(f"[{x:g}, {y:g}, {z:g}]" for x, y, z in rows) + "]"


def threads(link, start, height):
    """Rings in the outer wall at every row of nodes of the chambers, and lines along the wall between them."""
    out = []
    y, low, high = 13.5, height - 13.5, height + 13.5
    for n, x in enumerate(X[1:-1]):
        ring = [(start + x, a, b) for a, b in ((-y, low), (y, low), (y, high), (-y, high))]
        out.append(f"      ring{link}{n}: {{points: {points(ring)}, closed: true, radius: 0.2, material: thread, slack: false}}")
    for n, z in enumerate((-12, 0, 12)):
        line = [(start + x, 0, height + z) for x in (1, 59)]
        out.append(f"      line{link}{n}: {{points: {points(line)}, radius: 0.2, material: thread, slack: false}}")
    return out


MATERIALS = """materials: # modulus and density are ours
  silicone: {law: corotational, young: 0.3 MPa, poisson: 0.4, density: 1.07 g/cm^3}
  thread: {law: corotational, young: 0.5 GPa, poisson: 0.3, density: 1.3 g/cm^3}"""


def body(name, links, height):
    plates = links + 1
    out = ["bodies:", f"  {name}:", "    material: silicone", "    members:"]
    for i in range(links):
        like = "like: link1, " if i else "mesh: link.msh, "
        out.append(f"      link{i + 1}: {{{like}place: {{move: [{PITCH * i}, 0, {height}]}}}}")
    for i in range(plates):
        like = "like: plate0, " if i else f"rigid_body: {{box: [{PLATE}, 34, 34]}}, mass: 25 g, "
        out.append(f"      plate{i}: {{{like}place: {{move: [{PITCH * i - PLATE / 2:g}, 0, {height}]}}}}")
    out.append("    attachments:")
    for i in range(links):
        for end, plate in ((0, i), (60, i + 1)):
            box = f"[[{PITCH * i + end - 0.1:g}, -.inf, -.inf], [{PITCH * i + end + 0.1:g}, .inf, .inf]]"
            out.append(f"      - {{member: link{i + 1}, to: plate{plate}, box: {box}}}")
    out.append("    cavities:")
    for i in range(links):
        for side, y in (("left", 7), ("right", -7)):
            out.append(f"      {side}{i + 1}: {{inside: [{PITCH * i + 30}, {y}, {height + 5}]}}")
    out.append("    threads:")
    for i in range(links):
        out += threads(i + 1, PITCH * i, height)
    return out


def drive(period, offset, mean, amplitude, lag, height):
    """Chambers with their gait, and the two ends."""
    out = ["actuators:"]
    for i in range(LINKS):
        for side, sign in (("left", 1), ("right", -1)):
            phase = (lag * i + (0 if sign > 0 else 180)) % 360
            out.append(f"""  {side}{i + 1}:
    cavity: {{body: snake, cavity: {side}{i + 1}}}
    limits: {{pressure: [-5, 80]}}
    command: {{pressure: {mean + sign * offset / 2:g}}}
    valve: {{inflation: 30 ms, deflation: 50 ms}}
    play: {{sine: {{amplitude: {amplitude:g}, period: {period:g} s, phase: {phase:g} deg}}}}""")
    out.append("effectors:")
    for name, x in (("tail", -PLATE / 2), ("head", PITCH * LINKS - PLATE / 2)):
        out.append(f"  {name}: {{point: {{body: snake, at: [{x:g}, 0, {height:g}]}}}}")
    return out


MOTION = ["dynamics: {scheme: euler, duration: 10 s}", "step: {mode: realtime, dt: 5 ms}"]


def robot(period=1.0, offset=0.0, friction=0.6, mean=20.0, amplitude=18.0, lag=60):
    out = [f"""# A snake of four soft links between rigid plates, each plate on two passive wheels: 15 rigid bodies, 10 hinges, {4 * 10} threads. Written by
# scene.py. The gait is serpenoid: amplitude, period, phase from link to link, and, for turning, an offset between left and right.
units: {{length: mm, pressure: kPa}}
gravity: [0, 0, -9.81 m/s^2]
{MATERIALS}"""]
    out += body("snake", LINKS, HEIGHT)
    for i in range(LINKS + 1):
        for side, y in (("l", TRACK), ("r", -TRACK)):
            like = "like: wheel0l, " if i or side == "r" else f"rigid_body: {{sphere: {WHEEL}}}, mass: 4 g, "
            out.append(f"  wheel{i}{side}: {{{like}place: {{move: [{PITCH * i - PLATE / 2:g}, {y}, {WHEEL + 0.05:g}]}}}}")
    out.append("joints:")
    for i in range(LINKS + 1):
        for side, y in (("l", TRACK), ("r", -TRACK)):
            at = f"[{PITCH * i - PLATE / 2:g}, {y}, {WHEEL + 0.05:g}]"
            out.append(f"  axle{i}{side}: {{kind: hinge, body: wheel{i}{side}, with: snake, with_part: plate{i}, at: {at}, axis: [0, 1, 0]}}")
    out += drive(period, offset, mean, amplitude, lag, HEIGHT)
    out.append(f"""obstacles:
  floor: {{plane: {{at: [0, 0, 0], normal: [0, 0, 1]}}, friction: {friction:g}}}
contacts:
  others: false
  pairs:""")
    for i in range(LINKS + 1):
        for side in "lr":
            out.append(f"    - {{body: wheel{i}{side}, with: floor}}")
    return "\n".join(out + MOTION)


def patch(period=1.0, offset=0.0, friction=0.6, mean=20.0, amplitude=18.0, lag=60, along=0.05):
    """The plates stand on the floor with their lower faces, which slide along the body and hold across it."""
    height = 17.4
    out = [f"""# The snake of robot.yaml without its wheels: the plates slide on the floor, easily along the body and hardly across it. Written by scene.py.
units: {{length: mm, pressure: kPa}}
gravity: [0, 0, -9.81 m/s^2]
{MATERIALS}"""]
    out += body("snake", LINKS, height)
    out.append(f"    surfaces:\n      soles: {{plane: {{point: [0, 0, {height - 17:g}], normal: [0, 0, -1]}}}}")
    out += drive(period, offset, mean, amplitude, lag, height)
    out.append(f"""obstacles:
  floor: {{plane: {{at: [0, 0, 0], normal: [0, 0, 1]}}}}
contacts:
  others: false
  pairs:
    - {{body: snake, surface: soles, with: floor, friction: {along:g}, friction_across: {friction:g}, along: [1, 0, 0]}}""")
    return "\n".join(out + MOTION)


VALVE = "valve: {inflation: 30 ms, deflation: 50 ms}"


def one_link(what, actuators, more=()):
    out = [f"""# One link of the snake between its plates, the first of them held: bending {what}. Written by scene.py.
units: {{length: mm, pressure: kPa}}
{MATERIALS}"""]
    out += body("snake", 1, 0)
    out += [*more, "    fix: {group: plate0}", "actuators:", *actuators]
    out.append(f"""effectors:
  tip: {{point: {{body: snake, at: [{PITCH - PLATE / 2:g}, 0, 0]}}}}
  bend: {{orientation: {{body: snake, group: plate1}}}}
step: {{dt: 2 ms}}""")
    return "\n".join(out)


def link():
    return one_link("by the pressure in one chamber", [
        f"  {side}: {{cavity: {{body: snake, cavity: {side}1}}, limits: {{pressure: [0, 80]}}, {VALVE}}}" for side in ("left", "right")])


def length():
    """The rest length across a chamber is 1 + p / Y of its own; as stiff as the chamber full of what the link is made of: Y A / L."""
    stiffness = 0.3 * 10 * 24 / 60  # N/mm
    across = [f"      {side}: {{from: [0, {y}, 0], to: [60, {y}, 0], stiffness: {stiffness:g} N/mm}}" for side, y in (("left", 7), ("right", -7))]
    return one_link("by the rest length across one chamber", [
        f"  {side}: {{rest_length: {{body: snake, distances: [{side}]}}, limits: {{pressure: [0, 80]}}, {VALVE}}}" for side in ("left", "right")],
                    ["    springs:", *across])


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("mesh", "robot", "patch", "link", "length"):
        sys.exit(__doc__)
    print(globals()[sys.argv[1]](*map(float, sys.argv[2:])))
