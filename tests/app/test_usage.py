"""The command line: help, usage errors with a remedy, what is said where."""

import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

import scenes


class Usage(scenes.Case):
    def test_nothing_at_all_shows_the_commands_and_fails(self):
        code, out, err = self.lithe()
        self.assertEqual((code, out), (2, ""))
        self.assertIn("lithe run", err)

    def test_help_goes_to_standard_output(self):
        for words in (("--help",), ("-h",), ("run", "--help"), ("check", "-h")):
            code, out, err = self.lithe(*words)
            self.assertEqual((code, err), (0, ""))
            self.assertIn("usage:", out)

    def test_help_of_a_command_lists_its_options_only(self):
        self.assertIn("--out DIR", self.lithe("run", "--help")[1])
        self.assertNotIn("--out", self.lithe("check", "--help")[1])

    def test_the_documented_options_are_those_of_each_command(self):
        commands = re.findall(r"^  lithe (\w+) ", self.lithe("--help")[1], re.M)
        self.assertGreater(len(commands), 8)
        page = (scenes.ROOT / "docs" / "program.md").read_text()
        manual = (scenes.ROOT / "packaging" / "lithe.1").read_text().replace("\\-", "-")
        documented = {command: {"--help"} for command in commands}
        for names, of in re.findall(r"^\| (`--.*?) \| (.*?) \|", page, re.M):
            all_but = re.fullmatch(r"all(?: but (\w+))?", of)
            for command in commands if all_but else of.split(", "):
                if not (all_but and command == all_but.group(1)):
                    documented[command] |= set(re.findall("`(--[a-z-]+)", names))
        for command in commands:
            has = set(re.findall(r"^  (--[a-z-]+)", self.lithe(command, "--help")[1], re.M))
            with self.subTest(command=command):
                self.assertEqual(documented[command] if has else set(), has)
                for option in has:
                    self.assertIn(option, manual)

    def test_version(self):
        code, out, err = self.lithe("--version")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"^lithe \d+\.\d+\.\d+\n$")

    def test_unknown_command_is_answered_with_the_nearest(self):
        self.expect_error(2, ["rum"], "'rum'", "'lithe run'")
        self.expect_error(2, ["xyzzy"], "'xyzzy'", "--help")

    def test_unknown_option_is_answered_with_the_nearest(self):
        self.expect_error(2, ["run", "scene.yaml", "--stesp", "3"], "'--stesp'", "'--steps'")
        self.expect_error(2, ["run", "scene.yaml", "--xyzzy"], "'--xyzzy'", "--help")
        self.expect_error(2, ["check", "scene.yaml", "--out", "a"], "'--out'")
        self.expect_error(2, ["run", "scene.yaml", "-q"], "'-q'")

    def test_options_with_wrong_values(self):
        for count in ("0", "-1", "x", "3x", "", "1.5", "99999999999999999999"):
            self.expect_error(2, ["run", "scene.yaml", f"--steps={count}"], "--steps")
            self.expect_error(2, ["run", "scene.yaml", "--threads", count], "--threads")
        self.expect_error(2, ["run", "scene.yaml", "--threads", "257"], "256")
        self.expect_error(2, ["run", "scene.yaml", "--out"], "--out DIR")
        self.expect_error(2, ["run", "scene.yaml", "--json=1"], "--json")

    def test_a_command_needs_one_scene(self):
        self.expect_error(2, ["run"], "SCENE")
        self.expect_error(2, ["check", "--json"], "SCENE")
        self.expect_error(2, ["check", "scene.yaml", "other.yaml"], "'other.yaml'")

    def test_wrong_commands(self):
        self.expect_error(2, ["run", "scene.yaml", "east"], "east")
        self.expect_error(2, ["run", "scene.yaml", "est.pull=1mm"], "est", "'east'")
        self.expect_error(2, ["run", "scene.yaml", "east.pul=1mm"], "'pull'")
        self.expect_error(2, ["run", "scene.yaml", "east.pull=1kPa"], "1kPa")
        self.expect_error(2, ["run", "scene.yaml", "east.pull=1e3 mm"], "east", "limit")
        self.expect_error(2, ["run", "scene.yaml", "east.tension=-1N"], "east", "limit")
        self.expect_error(2, ["run", "scene.yaml", "east.pull=1mm", "east.tension=1N"], "'east'")

    def test_wrong_overrides(self):
        self.expect_error(2, ["check", "scene.yaml", "--set", "step"], "step")
        self.expect_error(2, ["check", "scene.yaml", "--set", "step.stebs=3"], "stebs")
        self.expect_error(
            2, ["check", "scene.yaml", "--set", "materials.silicone.young=3 mm"], "young"
        )

    def test_two_dashes_end_the_options(self):
        self.write("--scene.yaml", scenes.SCENE)
        self.assertEqual(self.lithe("check", "--", "--scene.yaml")[0], 0)

    def test_a_message_stays_on_one_line(self):
        self.expect_error(2, ["check", "no\nsuch\x1b[31m.yaml"], "no?such")

    def test_standard_output_that_cannot_be_written(self):
        for words in (["--help"], ["check", "scene.yaml"], ["run", "scene.yaml", "--json"]):
            with open("/dev/full", "w") as full:
                code, _, err = self.lithe(*words, stdout=full)
            self.assertEqual(code, 3, words)
            self.assertIn("standard output", err)

    def test_a_closed_standard_output_does_not_leak_into_files(self):
        command = f"'{scenes.LITHE}' run scene.yaml --json --out out >&-"
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"standard output", done.stderr)
        head = (self.folder / "out" / "series.csv").read_bytes()[:6]
        self.assertEqual(head, b"time_s")

    def test_a_reader_that_left_is_a_failed_write(self):
        read, write = os.pipe()
        os.close(read)
        code, _, err = self.lithe("check", "scene.yaml", stdout=write)
        os.close(write)
        self.assertEqual(code, 3)
        self.assertIn("standard output", err)


class Terminal(scenes.Case):
    def on_terminal(self, *words, until=None, **environment):
        """What the program shows on a terminal as its standard error; killed as soon as it has shown that."""
        master, slave = pty.openpty()
        env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        with self.start(*words, stderr=slave, env={**env, **environment}) as process:
            os.close(slave)
            shown = b""
            while True:
                try:
                    piece = os.read(master, 4096)
                except OSError:  # how Linux says that the other side is closed
                    piece = b""
                if not piece:
                    break
                shown += piece
                if until and re.search(until, shown.decode(errors="replace")):
                    process.kill()
                    until = None
            process.communicate()
        os.close(master)
        return shown.decode()

    def test_a_terminal_gets_a_progress_bar_that_goes_away(self):
        shown = self.on_terminal("run", "scene.yaml", "east.pull=5mm")
        self.assertRegex(shown, r"\[[=.]+\] +\d+%")
        self.assertTrue(shown.endswith("\r\x1b[K"))

    def test_a_terminal_is_told_the_time_left_and_colours_are_not_needed(self):
        left = r"\d+%  \d[^\r]* left"
        for environment in ({}, {"NO_COLOR": "1"}):
            shown = self.on_terminal("run", "scene.yaml", "east.pull=5mm", "--steps", "1000000", until=left, **environment)
            self.assertRegex(shown, left)
            self.assertNotIn("m", "".join(re.findall(r"\x1b\[[0-9;]*(.)", shown)))

    def read_pipe(self, *words):
        """Standard error of a run without end, interrupted when its first line or seven seconds have passed."""
        with self.start("run", "scene.yaml", "east.pull=5mm", "--steps", "1000000", *words) as process:
            begin = time.time()
            time.sleep(0.5)
            process.send_signal(signal.SIGSTOP)  # time passes without work, which others have
            time.sleep(3)
            process.send_signal(signal.SIGCONT)
            ready, _, _ = select.select([process.stderr], [], [], 3.5)
            waited = time.time() - begin
            process.send_signal(signal.SIGINT)
            err = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130)
        return waited if ready else None, err

    def test_a_pipe_gets_plain_lines_when_a_run_takes_long(self):
        waited, err = self.read_pipe()
        self.assertGreater(waited, 4)
        self.assertRegex(err, r"^lithe run: \d+ % \(\d+ of 1000000\), [\d.]+ (s|min|h) left\n")
        self.assertEqual(self.read_pipe("--quiet"), (None, ""))

    def test_quiet_and_pipes_get_no_progress_bar(self):
        self.assertEqual(self.on_terminal("run", "scene.yaml", "--quiet"), "")
        self.assertNotIn("%", self.lithe("run", "scene.yaml")[2])

    def test_colour_only_where_it_is_wanted(self):
        self.assertIn("\x1b[1;31m", self.on_terminal("rum"))
        self.assertNotIn("\x1b[", self.on_terminal("rum", NO_COLOR="1"))
        self.assertNotIn("\x1b[", self.lithe("rum")[2])


if __name__ == "__main__":
    unittest.main()
