"""Generated scenes: whatever is in them, the program ends, by itself or when told to, with 0 to 3, says why, prints numbers
where numbers are promised, and leaves nothing behind.

    LITHE=build/lithe LITHE_ROOT=. LITHE_BUILD=build tests/fuzz/test_scenes.py [SECONDS [SEED [SCENES]]]

It ends after so many seconds or scenes, whichever comes first. Which scenes a seed gives depends on nothing else, so a test
that ends by their number alone runs the same ones on any machine. A scene that breaks this is kept, and named.
"""

import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
import bases  # noqa: E402
import generate  # noqa: E402
import scenes  # noqa: E402
import watch  # noqa: E402

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
# Nothing is promised: no verdict on steps that are not iterated, nothing is asked for, nothing touches, nothing limits, the whole model finds no error of a reduced one.
NULL_ALLOWED = set("converged reached target error error_rms error_max proof gap out open first second "
                   "effort_limit displacement_limit thinnest estimate".split())


def nulls(tree, key=""):
    """Keys that are null and were promised to be numbers."""
    if tree is None and key not in NULL_ALLOWED:
        yield key
    for name, value in tree.items() if isinstance(tree, dict) else ((key, item) for item in tree) if isinstance(tree, list) else ():
        yield from nulls(value, name)


def refuse(text):
    raise ValueError(f"{text} is no JSON")


def judge(folder, command, code, out, err, told):
    """What is wrong; None: nothing."""
    if code is None:
        return "does not end when it is told to"
    interrupted = (-signal.SIGINT,) if command == "check" else (130,)  # it takes no steps that could end
    if code not in (0, 1, 2, 3) + (interrupted if told else ()):
        return f"ends with {code}"
    if "Sanitizer" in err or "runtime error" in err:
        return "sanitizer"
    if code in (1, 2, 3) and "lithe: error: " not in err and '"converged": false' not in out and command != "track":
        return "does not say why"
    if re.search(r"lithe: error: .*: *$", err, re.MULTILINE):
        return "tells where, and not why"
    if out.strip():
        try:
            found = json.loads(out, parse_constant=refuse)
        except ValueError as error:
            return f"invalid JSON: {error}"
        wrong = set(nulls(found)) if code == 0 else set()
        text = (folder / "scene.yaml").read_text()
        if '"modulus": ' in text:
            wrong -= {"displacement"}
        if re.search('"(members|rigid_body|box|ball|cylinder|urdf)": ', text):
            wrong -= {"mesh", "quality"}  # of bodies without a mesh file to look at
        if wrong:
            return f"null for {sorted(wrong)}"
        residual = found.get("residual", {}) if code == 0 else {}
        if residual.get("floor") and residual["force"] > residual["floor"]:
            return f"is content with {residual['floor']}, and ends with {residual['force']}"
    elif code == 0:
        return "prints nothing"
    left = [path.name for path in folder.iterdir() if "partial" in path.name or path.name.startswith("lithe.")]
    if left:
        return f"leaves {left}"
    series = folder / "r" / "series.csv"
    if code == 0 and series.exists():
        lines = [line.split(",") for line in series.read_text().splitlines()]
        for name, *column in zip(*lines):
            if not name.startswith("target") and any(text in ("nan", "inf", "-inf", "-nan") for text in column):
                return f"series.csv: {name} is not a number"
    return None


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 2 if scenes.SANITIZED else 1
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 10**9 if len(sys.argv) > 1 else 2000
    generator = generate.Generator(ROOT, seed)
    ends = collections.Counter()
    failed = 0
    begin = time.time()
    with tempfile.TemporaryDirectory(prefix="lithe-fuzz-") as name:
        folder = pathlib.Path(name)
        bases.write(folder)
        while time.time() - begin < seconds and sum(ends.values()) < most:
            scene = generator.scene()
            (folder / "scene.yaml").write_text(json.dumps(scene, indent=1))
            command = "track" if "task" in scene else generator.dice.choice(("run", "run", "run", "check"))
            words = [command, "scene.yaml", "--json"]
            if command != "check" and generator.chance(0.2):
                words += ["--out", "r"]
            code, out, err, told = watch.run(folder, words)
            ends["told to end" if told else f"{command} {code}"] += 1
            fault = judge(folder, command, code, out, err, told)
            subprocess.run(["rm", "-rf", "r"], cwd=folder, check=True)
            if fault:
                failed += 1
                kept = pathlib.Path(tempfile.gettempdir()) / f"lithe-scene-{seed}-{sum(ends.values())}"
                subprocess.run(["cp", "-r", str(folder), str(kept)], check=True)
                print(f"{kept}: lithe {' '.join(words)}: {fault}\n  {err.strip()[:300]}", flush=True)
                for path in folder.iterdir():
                    if "partial" in path.name or path.name.startswith("lithe."):
                        subprocess.run(["rm", "-rf", str(path)], check=True)
    print(f"{sum(ends.values())} scenes in {time.time() - begin:.0f} s, {failed} faults:",
          ", ".join(f"{count} {end}" for end, count in sorted(ends.items())))
    return failed > 0 or sum(ends.values()) == 0 or not any(end.endswith(" 0") for end in ends)


if __name__ == "__main__":
    sys.exit(main())
