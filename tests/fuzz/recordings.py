#!/usr/bin/python3
"""Recordings that lie: bits flipped in the file, and numbers, shapes and kinds changed inside with all checksums made right.
Whatever is in them, the program ends, by itself or when told to, with 0 to 3, says why, and leaves nothing behind.

    LITHE=build/lithe LITHE_ROOT=. LITHE_BUILD=build tests/fuzz/recordings.py [SECONDS [SEED]]

Needs Debian's h5py. A recording that breaks this is kept, and named.
"""

import collections
import pathlib
import random
import resource
import shutil
import sys
import tempfile
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
import scenes  # noqa: E402
import watch  # noqa: E402

HEAD = 32  # bytes before what is summed
LIES = (0, 1, 77, 127, 128, 255, -1, 2**31 - 1, -(2**31), 1e300, -1e300, float("nan"), float("inf"), 1e-300, 0.5)
EXTRAS = {  # beside the scene of tests/app/scenes.py, what is set in it
    "plain": [],
    "touch": ["obstacles={ball: {sphere: {center: [22, 10, 88], radius: 4}, friction: 0.4}}", "dynamics={scheme: euler}", "contacts={max: 16}"],
    "task": ["task={hold: {effector: tip, at: [14, 10, 88]}}"],
    "rigid": ["bodies.crank={rigid_body: {box: [8, 8, 30]}, mass: 20 g, place: {move: [60, 0, 15]}}",
              "bodies.ball={rigid_body: {sphere: 4}, mass: 5 g, place: {move: [10, 10, 94.5]}}",
              "joints={pivot: {kind: hinge, body: crank, at: [60, 0, 0], axis: [0, 1, 0], "
              "angle: {limits: [-2 deg, 6 deg], friction: 1 N.mm, damping: 1 N.mm.s/rad}}}",
              "actuators.motor={motor: {joint: pivot}, command: {angle: 5 deg}}", "dynamics={scheme: alpha}",
              "contacts={friction: 0.3, restitution: 0.4}", "gravity=[0, 0, -9.81 m/s^2]"],
    "matter": ["materials.wire={law: corotational, young: 1 MPa, poisson: 0.3, density: 1 g/cm^3}",
               "bodies.bar.springs={stay: {from: [2, 10, 20], to: [2, 10, 80], stiffness: 20 N/m}}",
               "bodies.bar.rods={mast: {points: [[10, 10, 50], [10, 10, 120]], elements: 4, circle: 2, material: wire}}",
               "actuators.air={rest_length: {body: bar, distances: [stay]}, command: {pressure: 5}, valve: {inflation: 30 ms}}",
               "dynamics={scheme: euler}", "step.mode=realtime"],
    "creep": ["materials.silicone.prony=[{weight: 0.3, time: 20 ms}]", "step.creep=true"],
    "ahead": ["step.mode=asynchronous", "actuators.soft={modulus: {body: bar}, command: {young: 150}}"],
}


def checksum(state):
    """FNV-1a of all after the head, as whoever writes such states would make it."""
    total = 14695981039346656037
    for byte in state[HEAD:].tobytes():
        total = (total ^ byte) * 1099511628211 & (1 << 64) - 1
    state[HEAD - 8 : HEAD] = numpy.frombuffer(total.to_bytes(8, "little"), "u1")


def datasets(file):
    """Those that are small enough to be read here; what a change has made huge is for the program alone."""
    found = []
    file.visititems(lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) and (item.size or 0) < 10**7 else None)
    return found


def lie_in_state(dice, set_):
    state = numpy.array(set_)
    for row in state:
        for _ in range(dice.choice((1, 1, 2, 8))):
            at = dice.randrange(HEAD, len(row) - 8)
            kind = dice.choice(("<u1", "<i4", "<f8", "<i8"))
            lie = dice.choice(LIES)
            lie = lie if kind == "<f8" else int(lie) if lie == lie and abs(lie) < 1e18 else -1
            value = numpy.array([lie & (255 if kind == "<u1" else -1) if kind != "<f8" else lie]).astype(kind)
            at -= at % value.itemsize if dice.random() < 0.8 else 0
            row[at : at + value.itemsize] = numpy.frombuffer(value.tobytes(), "u1")
        checksum(row)
    set_[...] = state


def lie_in_values(dice, set_):
    value = numpy.array(set_)
    flat = value.reshape(-1)
    if value.dtype.kind == "S" or flat.size == 0:
        return
    for _ in range(dice.choice((1, 1, 3, 20))):
        lie = dice.choice(LIES)
        if value.dtype.kind != "f":
            lie = (int(lie) if lie == lie and abs(lie) < 1e18 else 99) & (255 if value.dtype.itemsize == 1 else 0x7FFFFFFF)
        flat[dice.randrange(flat.size)] = lie
    set_[...] = value


def replace(dice, file, name):
    """The same name with another shape or kind."""
    old = numpy.array(file[name])
    notes = dict(file[name].attrs)
    del file[name]
    shape = dice.choice((old.shape, (), (0,), (1,), (3, 3), (2, 3, 4), (2, 2, 2, 2), (10**9,), (10**6, 7)))
    kind = dice.choice((old.dtype, "<f8", "<f4", "<i4", "u1", "<i8", ">f8", "S9", h5py.string_dtype()))
    how = {"chunks": True} if shape and 0 not in shape and dice.random() < 0.5 else {}
    made = file.create_dataset(name, shape, kind, **how)
    made.attrs.update(notes)


def change_file(dice, path):
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        for _ in range(dice.choice((1, 1, 2))):
            name = dice.choice(datasets(file))
            what = dice.random()
            if dice.random() < 0.4 and "checkpoints/state" in datasets(file):
                lie_in_state(dice, file["checkpoints/state"])
            elif what < 0.6:
                lie_in_values(dice, file[name])
            elif what < 0.75:
                replace(dice, file, name)
            elif what < 0.85 and file[name].chunks and file[name].maxshape[0] is None:
                file[name].resize(dice.choice((0, 1, 2, 50, 10**6)), axis=0)
            elif what < 0.9:
                del file[name]
            elif what < 0.95:
                file["plan"].attrs.modify("steps", numpy.int32(dice.choice((-1, 0, 1, 2**31 - 1, 5))))
            else:
                file.move(name, "elsewhere")
                file[name] = dice.choice((h5py.SoftLink("/elsewhere"), h5py.SoftLink(f"/{name}"), h5py.ExternalLink("other.h5", "/x")))


def flip(dice, path):
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice((1, 1, 1, 2, 8, 64))):
        at = dice.randrange(len(data) if dice.random() < 0.5 else min(len(data), 8192))
        data[at] = data[at] ^ 1 << dice.randrange(8) if dice.random() < 0.7 else dice.choice((0, 255, 127, 128))
    if dice.random() < 0.05:
        data = data[: dice.randrange(len(data))]
    path.write_bytes(data)


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not scenes.SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def judge(folder, code, err, told):
    """What is wrong; None: nothing."""
    if code is None:
        return "does not end when it is told to"
    if code not in ((0, 1, 2, 3, 130) if told else (0, 1, 2, 3)):
        return f"ends with {code}"
    if "Sanitizer" in err or "runtime error" in err:
        return "sanitizer"
    if code in (1, 2, 3) and "lithe: error: " not in err:
        return "does not say why"
    left = [path.name for path in folder.iterdir() if "partial" in path.name or path.name.startswith("lithe.")]
    return f"leaves {left}" if left else None


def record(folder):
    nodes, tets = scenes.bar(cells=(2, 2, 5), size=10.0)
    (folder / "bar.vtk").write_text(scenes.vtk([(x, y, 1.8 * z) for x, y, z in nodes], tets))
    (folder / "scene.yaml").write_text(scenes.SCENE)
    for name, extra in EXTRAS.items():
        words = ["track", "scene.yaml"] if name == "task" else ["run", "scene.yaml", "east.pull=4mm"]
        words += [word for text in extra for word in ("--set", text)]
        code, _, err, _ = watch.run(folder, [*words, "--steps", "12", "--quiet", "--record", f"{name}.h5"])
        assert code in (0, 1), err


def main():
    numpy.seterr(over="ignore")  # a lie that does not fit is infinite
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    dice = random.Random(seed)
    ends = collections.Counter()
    failed = 0
    begin = time.time()
    with tempfile.TemporaryDirectory(prefix="lithe-fuzz-") as name:
        folder = pathlib.Path(name)
        record(folder)
        while time.time() - begin < seconds:
            base = dice.choice(list(EXTRAS))
            shutil.copy(folder / f"{base}.h5", folder / "bad.h5")
            how = dice.choice(("flip", "change", "change"))
            try:
                flip(dice, folder / "bad.h5") if how == "flip" else change_file(dice, folder / "bad.h5")
            except (OSError, ValueError, TypeError, KeyError, RuntimeError):
                continue  # h5py will not write that
            command = dice.choice((["report", "bad.h5", "-o", "r.html"], ["run", "--from", "bad.h5", "east.pull=3mm", "--steps", "2"],
                                   ["run", "--from", "bad.h5@11", "--steps", "2"], ["track", "--from", "bad.h5@5", "--steps", "2"]))
            code, _, err, told = watch.run(folder, [*command, "--quiet"], limit)
            ends["told to end" if told else f"{how} {command[0]} {code}"] += 1
            fault = judge(folder, code, err, told)
            (folder / "r.html").unlink(missing_ok=True)
            if not fault:
                continue
            failed += 1
            kept = pathlib.Path(tempfile.gettempdir()) / f"lithe-recording-{seed}-{sum(ends.values())}.h5"
            shutil.copy(folder / "bad.h5", kept)
            print(f"{kept}: lithe {' '.join(command)}: {fault}\n  {err.strip()[:300]}", flush=True)
            for path in folder.iterdir():
                if path.name.startswith("lithe."):
                    shutil.rmtree(path)
                elif "partial" in path.name:
                    path.unlink()
    print(f"{sum(ends.values())} recordings in {time.time() - begin:.0f} s, {failed} faults:",
          ", ".join(f"{count} {end}" for end, count in sorted(ends.items())))
    return failed > 0 or not ends


if __name__ == "__main__":
    sys.exit(main())
