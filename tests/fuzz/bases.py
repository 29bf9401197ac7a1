"""Scenes that run, for the generator to change: a bar of 20 x 20 x 90 mm and whatever else a scene may hold."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
import scenes  # noqa: E402

FILES = ("bar.vtk", "hollow.vtk", "wedge.obj", "wedge.stl", "arm.urdf", "told.csv", "nothing.h5")
WEDGE = "v 30 0 70\nv 50 0 70\nv 40 20 70\nv 40 8 90\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
CORNERS = ((30, 0, 70), (50, 0, 70), (40, 20, 70), (40, 8, 90))
URDF = """<?xml version="1.0"?>
<robot name="arm">
  <link name="world"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.03"/><mass value="0.05"/><inertia ixx="2e-5" iyy="2e-5" izz="2e-6"/></inertial>
    <collision><origin xyz="0 0 0.03"/><geometry><cylinder radius="0.01" length="0.06"/></geometry></collision>
  </link>
  <link name="fore">
    <inertial><origin xyz="0 0 0.02" rpy="0 0 0.3"/><mass value="0.03"/><inertia ixx="1e-5" iyy="8e-6" izz="5e-6" ixy="1e-6"/></inertial>
    <collision><origin xyz="0 0 0.02" rpy="0.1 0.2 0.3"/><geometry><box size="0.02 0.02 0.04"/></geometry></collision>
  </link>
  <joint name="pivot" type="revolute"><parent link="world"/><child link="upper"/><origin xyz="0.06 0 0.01"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="1"/><dynamics damping="0.001"/></joint>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="fore"/><origin xyz="0 0 0.07" rpy="0 0.5 0"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="0.03" effort="5" velocity="1"/></joint>
</robot>
"""


def write(folder):
    """The files that scenes name."""
    nodes, tets = scenes.bar(cells=(2, 2, 5), size=10.0)
    (folder / "bar.vtk").write_text(scenes.vtk([(x, y, 1.8 * z) for x, y, z in nodes], tets))
    nodes, tets = scenes.bar(cells=(3, 3, 3), size=20 / 3, hole=(1, 1, 1))
    (folder / "hollow.vtk").write_text(scenes.vtk([(x, y, 4.5 * z) for x, y, z in nodes], tets))
    (folder / "wedge.obj").write_text(WEDGE)
    faces = [f"facet normal 0 0 0\nouter loop\n{''.join('vertex %g %g %g' % CORNERS[int(i) - 1] + chr(10) for i in line.split()[1:])}endloop\nendfacet\n"
             for line in WEDGE.splitlines() if line[0] == "f"]
    (folder / "wedge.stl").write_text(f"solid wedge\n{''.join(faces)}endsolid wedge\n")
    (folder / "arm.urdf").write_text(URDF)
    (folder / "told.csv").write_text("time_s,east.pull_m,tip.x_m,tip.y_m,tip.z_m\n0,0,0.01,0.01,0.09\n0.02,0.001,0.011,0.01,0.09\n1,0.002,0.012,0.01,0.09\n")


def bar():
    return {
        "units": {"length": "mm", "force": "N", "pressure": "kPa"},
        "materials": {"silicone": {"law": "corotational", "young": "200 kPa", "poisson": 0.4, "density": "1 g/cm^3"}},
        "bodies": {"bar": {"mesh": "bar.vtk", "material": "silicone", "fix": {"box": [[-1, -1, -1], [21, 21, 1]]},
                           "surfaces": {"side": {"plane": {"point": [19.9, 0, 0], "normal": [1, 0, 0]}}}}},
        "actuators": {"east": {"cable": {"body": "bar", "through": [[18, 10, 30], [18, 10, 85]], "pulled_from": [18, 10, -10]},
                               "limits": {"pull": [0, 20]}, "command": {"pull": "3 mm"}}},
        "effectors": {"tip": {"point": {"body": "bar", "at": [10, 10, 90]}}},
        "step": {"dt": "10 ms", "steps": 2},
    }


def add_obstacle(scene, dice):
    """A ball before the tip, or another kind of about its place and size, rubbing in all ways."""
    round_ = {"from": [33, -5, 80], "to": [33, 25, 80], "radius": 12}
    kinds = {
        "sphere": {"center": [33, 10, 80], "radius": 12}, "plane": {"at": [0, 0, -0.5], "normal": [0, 0, 1]},
        "box": {"center": [30, 10, 80], "size": [19, 30, 20], "rotate": ["10 deg", 0, 0]}, "capsule": round_, "cylinder": round_,
        "cone": {"from": [42, 10, 80], "to": [21, 10, 80], "radius": 15}, "pipe": {"from": [10, 10, 0], "to": [10, 10, 90], "radius": 20},
        "mesh": {"file": dice.choice(("wedge.obj", "wedge.stl")), "move": [-9, 0, 0]},
    }
    kind = dice.choice(sorted(kinds))
    scene["obstacles"] = {"ball": {kind: kinds[kind]}}
    if dice.random() < 0.5 and "task" not in scene:
        scene["obstacles"]["ball"]["friction"] = 0.4
        if dice.random() < 0.5:
            scene["obstacles"]["ball"].update({"friction_across": 0.8, "along": [0, 0, 1]})
    if dice.random() < 0.2:
        scene["obstacles"]["ball"]["restitution"] = 0.7
    if dice.random() < 0.2:
        scene["obstacles"]["ball"]["path"] = [{"time": "10 ms", "move": [-1, 0, 0]}, {"time": "1 s", "move": [-2, 0, 0], "rotate": [0, 0, "5 deg"]}]


def add_joined(scene, dice):
    """Two rigid bodies beside the bar, a joint of any kind between them, the first one driven."""
    scene["bodies"]["crank"] = {"rigid_body": {"box": [8, 8, 30]}, "mass": "20 g", "place": {"move": [60, 0, 15]}}
    shape = dice.choice(({"capsule": {"radius": 4, "length": 20}}, {"sphere": 9}, {"cylinder": {"radius": 5, "length": 30}}, {"box": [9, 9, 28]}))
    scene["bodies"]["hand"] = {"rigid_body": shape, "mass": "10 g", "place": {"move": [60, 0, 46]}}
    kind = dice.choice("fixed hinge ball prismatic cylindrical planar universal".split())
    wrist = {"kind": kind, "body": "hand", "with": "crank", "at": [60, 0, 31]}
    if kind not in ("fixed", "ball"):
        wrist["axis"] = [0, 1, 0]
    if kind == "universal":
        wrist["cross"] = [1, 0, 0]
    if kind in ("hinge", "cylindrical"):
        wrist["angle"] = {"limits": ["-60 deg", "60 deg"], "stiffness": "0.01 N.m/rad", "damping": "1e-4 N.m.s/rad", "friction": "1e-4 N.m"}
    if kind in ("prismatic", "cylindrical"):
        wrist["travel"] = {"limits": [-10, 10], "stiffness": "50 N/m", "rest": 1}
    scene["joints"] = {"pivot": {"kind": "hinge", "body": "crank", "at": [60, 0, 0], "axis": [0, 1, 0]}, "wrist": wrist}
    scene["actuators"]["motor"] = {"motor": {"joint": "pivot"}, "command": {"angle": "5 deg"}}
    if kind == "prismatic" and dice.random() < 0.5:
        scene["actuators"]["push"] = {"linear_motor": {"joint": "wrist"}, "limits": {"travel": [-5, 5]}}
    if kind == "hinge" and dice.random() < 0.5:
        wrist["mimic"] = {"joint": "pivot", "ratio": -0.5}
        del wrist["angle"]
    if dice.random() < 0.3:
        scene["actuators"]["motor"]["play"] = {"sine": {"amplitude": "3 deg", "period": "0.5 s"}}
    if dice.random() < 0.3:
        scene["bodies"]["tray"] = {"rigid_body": {"box": [40, 40, 4]}, "mass": "30 g", "place": {"move": [-60, 10, 50]},
                                   "path": [{"time": "0.1 s", "move": [0, 0, -1]}]}
    scene["effectors"]["end"] = {"point": {"body": "hand", "at": [60, 0, 50]}}


def add_members(scene, dice):
    body = scene["bodies"]["bar"]
    del body["mesh"]
    body["members"] = {"a": {"mesh": "bar.vtk"}, "b": {"rigid_body": {"box": [24, 24, 6]}, "mass": "20 g", "place": {"move": [10, 10, 93]}}}
    body["attachments"] = [{"member": "a", "to": "b", "box": [[-1, -1, 89], [21, 21, 91]]}]
    if "contacts" not in scene:  # what lies in each other cannot be in contact with each other
        body["members"]["b"]["place"]["move"][2] = 92
        body["attachments"] = [{"member": "a", "to": "b", "overlap": True}]
    if dice.random() < 0.3:
        body["members"]["c"] = {"box": [16, 16, 20], "cell": 8, "place": {"move": [10, 10, 106]}}
        body["attachments"].append({"member": "c", "to": "b", "box": [[0, 0, 95], [20, 20, 97]]})


def add_copy(scene, dice):
    scene["bodies"]["bar"]["frame"] = "own"
    scene["bodies"]["copy"] = {"like": "bar", "place": {"rotate": ["20 deg", 0, "90 deg"], "move": [0, -70, 0]}}
    scene["actuators"]["west"] = {"like": "east", "body": "copy"}
    scene["effectors"]["end"] = {"like": "tip", "body": "copy"}


def add_rest_length(scene, dice):
    scene["bodies"]["bar"]["springs"] = {"stay": {"from": [2, 10, 20], "to": [2, 10, 80], "stiffness": "20 N/m"}}
    scene["bodies"]["bar"]["threads"] = {"ring": {"points": [[5, 5, 50], [15, 5, 50], [15, 15, 50], [5, 15, 50]], "closed": True, "radius": 0.2, "slack": False}}
    scene["actuators"]["air"] = {"rest_length": {"body": "bar", "distances": ["stay", "ring"]}, "command": {"pressure": 5}}


def add_cavity(scene, dice):
    """The bar has a chamber, driven by air or by a liquid, perhaps through a valve."""
    scene["bodies"]["bar"].update({"mesh": "hollow.vtk", "cavities": {"belly": {"number": 1}}})
    kind = dice.choice(("cavity", "cavity", "liquid"))
    scene["actuators"]["air"] = {kind: {"body": "bar", "cavity": "belly"}, "limits": {"pressure": [0, 40]}, "command": {"pressure": 4}}
    if kind == "liquid":
        scene["actuators"]["air"]["liquid"].update({"density": "1 g/cm^3", "reference": [10, 10, 0]})
        scene["actuators"]["air"]["command"] = {"volume": "0.1 ml"}
    elif dice.random() < 0.5:
        scene["actuators"]["air"]["valve"] = {"inflation": "30 ms", "deflation": "50 ms"}
    scene["effectors"]["room"] = {"volume": {"body": "bar", "cavity": "belly"}}
    scene["sensors"] = {"gauge": {"pressure": {"actuator": "air"}}}


def add_primitive(scene, dice):
    at = {"move": [-25, 10, 12]}
    kind = dice.choice(({"box": [20, 20, 20], "place": at}, {"ball": 10, "place": at}, {"cylinder": {"radius": 9, "length": 20}, "place": at},
                        {"mesh": "wedge.stl", "cell": 5, "place": {"move": [-65, 0, -68]}}))
    scene["bodies"]["lump"] = {**kind, "material": "silicone"}
    scene["bodies"]["lump"].setdefault("cell", 7)
    scene["bodies"]["lump"]["fix"] = dice.choice((
        {"any_of": [{"plane": {"point": [0, 0, 8], "normal": [0, 0, -1]}}, {"box": [[-26, 9, 0], [-24, 11, 9]]}]},
        {"all_of": [{"all": True}, {"none_of": [{"sphere": {"center": [-25, 10, 22], "radius": 8}}]}]},
        {"oriented_box": {"center": [-25, 10, 4], "size": [60, 60, 16], "rotate": [0, 0, "30 deg"]}}))


def add_urdf(scene, dice):
    scene["urdf"] = {"file": "arm.urdf"}
    scene["actuators"]["motor"] = {"motor": {"joint": "pivot"}, "command": {"angle": "5 deg"}}
    scene["effectors"]["end"] = {"point": {"body": "fore", "at": [60, 0, 90]}}


def add_beam(scene, dice):
    scene["reduction"] = {"beam": {"frames": 6}} if dice.random() < 0.5 else {"beam": {"line": [[10, 10, 0], [10, 10, 30], [10, 10, 60], [10, 10, 90]]}}


def add_machine(scene, dice):
    """All that `lithe drive` and `lithe plant` read; the other commands check it."""
    scene.update({
        "controller": {"law": "task", "kp": 0.2, "ki": 3},
        "wire": {"over": {"udp": {"port": 9000, "reply": 9001}}, "clock": "lockstep", "out": {"east": {"unit": "mm", "rate": "30 mm/s", "ramp": "100 ms"}},
                 "in": {"tip": {"unit": "mm", "limits": [-50, 80]}}, "watchdog": {"hold": "120 ms", "safe": "300 ms"}},
        "plant": {"seed": 3, "actuators": {"east": {"lag": "60 ms", "backlash": 0.2}}, "sensors": {"tip": {"noise": 0.02, "delay": "50 ms"}}},
    })
    scene["effectors"]["tip"]["axes"] = ["x"]


def add_slender(scene, dice):
    scene["bodies"]["bar"]["rods"] = {"spine": {"points": [[10, 10, 5], [10, 10, 85]], "circle": 1, "elements": 6}}
    scene["bodies"]["bar"]["rigid"] = {"cap": {"box": [[-1, -1, 80], [21, 21, 91]]}}


def choose(dice):
    """One of them; which and how often depends on the dice alone."""
    scene = bar()
    plain = {"gravity": ["0 m/s^2", "0 m/s^2", "-9.81 m/s^2"], "contacts": {"self": ["bar"]}}
    for key, value in plain.items():
        if dice.random() < 0.25:
            scene[key] = value
    if dice.random() < 0.3:
        scene["dynamics"] = {"scheme": dice.choice(("euler", "alpha"))}
    if dice.random() < 0.25:
        scene["task"] = {"hold": {"effector": "tip", "at": 12}}
        scene["effectors"]["tip"]["axes"] = ["x"]
    if dice.random() < 0.3:
        add_obstacle(scene, dice)
    # these replace the bar's mesh, so there is one of them
    shape = dice.choice((None, None, None, None, add_members, add_cavity, add_slender, add_beam))
    if shape:
        shape(scene, dice)
    for add, share in ((add_copy, 0.1), (add_rest_length, 0.15), (add_joined, 0.2), (add_primitive, 0.12), (add_urdf, 0.1), (add_machine, 0.1)):
        alone = shape is add_beam and add not in (add_rest_length, add_machine)  # what is reduced has one body
        if dice.random() < share and not alone and not (add is add_urdf and "joints" in scene):
            add(scene, dice)
    return scene
