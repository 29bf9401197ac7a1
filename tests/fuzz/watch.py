"""A run of the program that is told to end when it has taken its time."""

import os
import pathlib
import signal
import subprocess
import time

import scenes

PATIENCE = 20 if scenes.SANITIZED else 6  # s of the processor until a run is told to end
PROMPT = 10 if scenes.SANITIZED else 2  # in which it then has to


def seconds_of(process):
    """Of the processor, so far: the machine may have other things to do."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def wait(process, seconds):
    """True: it has ended. False: it had so many seconds of the processor, or slept for a minute."""
    begin, last = seconds_of(process), time.time()
    used = begin
    while True:
        try:
            process.wait(timeout=0.05)
            return True
        except subprocess.TimeoutExpired:
            now = seconds_of(process)
        last = time.time() if now > used else last
        used = now
        if used - begin > seconds or time.time() - last > 60:
            return False


def run(folder, words, prepare=None):
    """Exit status, None if there is none; output, errors, and whether it was told to end."""
    with open(folder / ".out", "w+") as out, open(folder / ".err", "w+", errors="replace") as err:
        process = subprocess.Popen([scenes.LITHE, *words], cwd=folder, stdout=out, stderr=err,
                                   env={**os.environ, "TMPDIR": str(folder)}, preexec_fn=prepare)
        told = not wait(process, PATIENCE)
        if told:
            process.send_signal(signal.SIGINT)
            if not wait(process, PROMPT):
                process.kill()
                process.wait()
                return None, "", "", True
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read(), told
