"""Build the two C extensions; everything else about the project is in pyproject.toml.

Environment:
    GUANDAN_STRICT=1    compiler warnings are errors and `assert` is on
    GUANDAN_SANITIZE=1  AddressSanitizer and UndefinedBehaviorSanitizer, `assert` on; see `make asan`
"""

import os
import platform
import subprocess
import tempfile
from glob import glob
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

STRICT = os.environ.get("GUANDAN_STRICT") == "1"
SANITIZE = os.environ.get("GUANDAN_SANITIZE") == "1"

# No fused multiply-add: a result must not depend on the processor that computed it.
COMPILE = ["-std=c11", "-O3", "-Wall", "-Wextra", "-ffp-contract=off", "-fvisibility=hidden"]
LINK: list[str] = []
if STRICT:
    COMPILE += ["-Werror", "-UNDEBUG"]  # CPython's own flags define NDEBUG
if SANITIZE:
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    # CPython's flags hold -fwrapv, under which signed overflow is no fault and would not be reported.
    COMPILE += ["-O1", "-g", "-fno-wrapv", "-fno-omit-frame-pointer", "-UNDEBUG", *checks]
    LINK += checks

PLAYED_OUT = ("cards", "deal", "gen", "suits")
HEADERS = sorted(glob("engine/csrc/*.h") + glob("strategies/csrc/*.h"))


class BuildWithProcessorLevel(build_ext):
    """Add the processor level, which only some compilers and only one architecture know."""

    def build_extensions(self) -> None:
        """Ask the compiler once, then build all extensions with the same flags."""
        if platform.machine() in ("x86_64", "AMD64") and self._accepts("-march=x86-64-v2"):
            # Every x86-64 processor since about 2009; it makes popcount one instruction.
            for extension in self.extensions:
                extension.extra_compile_args.append("-march=x86-64-v2")
        super().build_extensions()

    def _accepts(self, flag: str) -> bool:
        """Tell whether the compiler takes `flag`, by compiling an empty function."""
        compiler: Any = self.compiler
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "flag.c")
            source.write_text("int gd_flag(void);\nint gd_flag(void) { return 0; }\n")
            command = [*compiler.compiler_so, flag, "-c", str(source), "-o", str(Path(folder, "flag.o"))]
            # A compiler that does not know the flag says so on stderr: here that is an answer, not an error to show.
            return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def extension(name: str, *sources: str) -> Extension:
    """Describe one extension for the stable ABI, so that one build serves Python 3.11 and later."""
    return Extension(
        name,
        sources=sorted(file for pattern in sources for file in glob(pattern)),
        include_dirs=["engine/csrc"],
        # setup.py too: a change of flags must rebuild.
        depends=[*HEADERS, "setup.py"],
        define_macros=[("Py_LIMITED_API", "0x030b0000")],
        py_limited_api=True,
        extra_compile_args=list(COMPILE),
        extra_link_args=list(LINK),
    )


setup(
    ext_modules=[
        extension("engine._core", "engine/csrc/*.c"),
        # Strategies that play deals out take the engine's own cards, play lists and turns with them.
        extension("strategies._native", "strategies/csrc/*.c", *(f"engine/csrc/gd_{part}.c" for part in PLAYED_OUT)),
    ],
    cmdclass={"build_ext": BuildWithProcessorLevel},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
