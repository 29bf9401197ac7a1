"""scripts/bench notices what got slower, by ratios within one run, and writes a section of its page anew."""

import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])


def load():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("bench", str(ROOT / "scripts" / "bench"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
    loader.exec_module(module)
    return module


BENCH = load()


def measurement(ratio=6.0, step=2.0, error=1e-16):
    table = f"""\
| robot | nodes | Gflop/s | dgemm Gflop/s | ratio | error |
|---|---|---|---|---|---|
| diamond | 1628 | 20 | 40 | {ratio} | {error} |
"""
    run = {"phase_ms": {"factor": 1.0, "assemble": step - 1}}
    return {"scenes": {"diamond (published mesh)": [run]}, "programs": {"bench_factor": {"status": 0, "output": table}}}


class Check(unittest.TestCase):
    def faults(self, kept, now):
        return [*BENCH.missed_goals(now), *BENCH.regressions(BENCH.ratios(kept), BENCH.ratios(now))]

    def test_the_same_measurement_passes(self):
        self.assertEqual(self.faults(measurement(), measurement()), [])

    def test_a_slower_factorization_is_noticed(self):
        faults = self.faults(measurement(ratio=8), measurement(ratio=5.5))
        self.assertEqual(len(faults), 1)
        self.assertIn("CHOLMOD / ours on diamond 1628", faults[0])

    def test_a_slower_step_is_noticed(self):
        faults = self.faults(measurement(), measurement(step=2.6))
        self.assertEqual(len(faults), 1)
        self.assertIn("steps of diamond (published mesh)", faults[0])

    def test_a_missed_goal_is_noticed_whatever_was_kept(self):
        self.assertIn("the goal is 5", self.faults(measurement(ratio=4), measurement(ratio=4))[0])
        self.assertIn("backward error", self.faults(measurement(), measurement(error=1e-12))[0])

    def test_a_little_noise_is_no_regression(self):
        self.assertEqual(self.faults(measurement(ratio=6, step=2), measurement(ratio=5.5, step=2.3)), [])

    def test_a_section_takes_the_place_of_its_own(self):
        page, name = "# Measured\n\n## Qp\n\n| 1 |\n\n## States\n\n| 2 |\n", "bench_qp"
        now = "\n".join(BENCH.section({"programs": {name: {"output": "| 3 |\n"}}}, name)) + "\n"
        self.assertEqual(BENCH.replace_section(page, name, now), page.replace("| 1 |", "| 3 |").replace("## Qp\n", "## Qp\n\n`build/bench/bench_qp`\n"))
        other = "\n## Factor\n\n| 4 |\n"
        self.assertEqual(BENCH.replace_section(page, "bench_factor", other), page + other)


if __name__ == "__main__":
    unittest.main()
