#!/usr/bin/python3
"""How fast the view streams, what that costs the step, and whether memory stays.

    bench/view.py stream SCENE [SECONDS]     frames a second to a plain WebSocket client, and the step time with and without it
    bench/view.py memory SCENE [SECONDS]     resident memory while a client comes and goes every second

Needs build/lithe and, for stream, python3-h5py.
"""

import io
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/app"))
os.environ.setdefault("LITHE", str(ROOT / "build/lithe"))
os.environ.setdefault("LITHE_ROOT", str(ROOT))

from test_view import Socket, message  # noqa: E402

RECORD, SEEN, RECORDED = 9, 11, 16


def start(scene):
    process = subprocess.Popen([os.environ["LITHE"], "view", scene], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    address = process.stdout.readline().strip()
    return process, address, int(address.rsplit(":", 1)[1].strip("/"))


def resident(process):
    for line in open(f"/proc/{process.pid}/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def memory(scene, seconds):
    process, _, port = start(scene)
    marks, begin, visits = [], time.monotonic(), 0
    while time.monotonic() - begin < seconds:
        client = Socket(port)
        until = time.monotonic() + 0.9
        while time.monotonic() < until:
            client.frame()
        client.close()
        visits += 1
        if visits % max(1, int(seconds / 20)) == 0:
            marks.append(resident(process))
            print(f"{time.monotonic() - begin:6.0f} s  {marks[-1]:7.2f} MiB", flush=True)
    process.send_signal(signal.SIGINT)
    process.wait()
    print(f"{visits} visits; from the second mark to the last: {marks[-1] - marks[1]:+.2f} MiB")


def stream(scene, seconds):
    """Phases of two seconds in which frames are thanked for, and phases in which they are not and none is sent."""
    import h5py

    process, address, port = start(scene)
    client = Socket(port)
    client.frame()
    client.send(message(RECORD, 1))
    active, rates = [], []
    for _ in range(int(seconds / 4)):
        for _ in range(3):  # those that waited for us
            first = client.frame()[0]
        begin, count = time.monotonic(), 0
        while time.monotonic() - begin < 2:
            last = client.frame()[0]
            count += 1
        rates.append(count / (time.monotonic() - begin))
        active.append((first, last))
        time.sleep(2)
    client.send(message(RECORD, 0))
    while not client.frame()[2] & RECORDED:
        pass
    data = urllib.request.urlopen(address + "recording.h5").read()
    process.send_signal(signal.SIGINT)
    process.wait()
    with h5py.File(io.BytesIO(data)) as file:
        times = file["steps/step_time"][:]
        dt = file.attrs["dt"]
        shift = round(file["steps/time"][0] / dt)
    watched = {s - shift for first, last in active for s in range(first + 1, last)}
    on = [t for s, t in enumerate(times) if s in watched]
    off = [t for s, t in enumerate(times) if s not in watched and s > 0]
    print(f"frames/s   {statistics.median(rates):.1f} median of {len(rates)} phases")
    for name, some in (("streaming", on), ("alone", off)):
        print(f"step time  {1e3 * statistics.median(some):.3f} ms median of {len(some)} steps, {name}")
    print(f"ratio      {statistics.median(on) / statistics.median(off):.4f}")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("stream", "memory"):
        sys.exit(__doc__)
    job = stream if sys.argv[1] == "stream" else memory
    job(sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 40)
