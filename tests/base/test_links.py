"""The library and the program link nothing that is under the GPL, and nothing that nobody has looked at."""

import os
import pathlib
import re
import subprocess
import unittest

BUILD = pathlib.Path(os.environ["LITHE_BUILD"])
SANITIZED = "sanitize" in BUILD.name  # which has no bench

# What the two may link themselves, with its licence.
ALLOWED = {
    "libc": "LGPL-2.1+",
    "libm": "LGPL-2.1+",
    "libdl": "LGPL-2.1+",
    "libpthread": "LGPL-2.1+",
    "ld-linux-x86-64": "LGPL-2.1+",
    "ld-linux-aarch64": "LGPL-2.1+",
    "libgcc_s": "GPL-3+ with the runtime exception, which frees what is linked with it",
    "libasan": "MIT or NCSA; the build with sanitizers only",
    "libubsan": "MIT or NCSA; the build with sanitizers only",
    "libyaml-0": "MIT",
    "libexpat": "MIT",
    "libz": "Zlib",
    "libamd": "BSD-3-clause",
    "libsuitesparseconfig": "BSD-3-clause",
    "libmetis": "Apache-2.0, with parts under the LGPL-2.1+",
    "libwebsockets": "MIT",
    "libzmq": "LGPL-3+ with an exception for linking",
    "libhdf5_serial": "BSD-3-clause",
}

# What must not come in through others either: parts of SuiteSparse under the GPL, and libraries that often slip in.
FORBIDDEN = ("libcholmod", "libumfpack", "libspqr", "libmongoose", "libgsl", "libfftw3", "libreadline", "libgmsh")


def stem(name):
    return re.sub(r"\.so.*$", "", name)


def needed(path):
    text = subprocess.run(["readelf", "-d", str(path)], capture_output=True, text=True, check=True).stdout
    return [stem(name) for name in re.findall(r"\(NEEDED\).*\[(.+)\]", text)]


def everything(path):
    text = subprocess.run(["ldd", str(path)], capture_output=True, text=True, check=True).stdout
    return [stem(line.split()[0].rsplit("/", 1)[-1]) for line in text.splitlines() if line.strip()]


class Links(unittest.TestCase):
    def check(self, path):
        self.assertTrue(path.exists(), path)
        direct = needed(path)
        self.assertIn("libc", direct)
        for name in direct:
            self.assertIn(name, ALLOWED, f"{path.name} links {name}; if its licence allows that, add it to {__file__}")
        for name in everything(path):
            self.assertFalse(name.startswith(FORBIDDEN), f"{path.name} loads {name}, which is under the GPL")

    def test_the_library_links_only_what_is_allowed(self):
        self.check(BUILD / "liblithe.so")

    def test_the_program_links_only_what_is_allowed(self):
        self.check(BUILD / "lithe")

    @unittest.skipIf(SANITIZED, "nothing is built with CHOLMOD there")
    def test_a_program_with_cholmod_would_be_noticed(self):
        self.assertIn("libcholmod", everything(BUILD / "bench" / "bench_factor"))


if __name__ == "__main__":
    unittest.main()
