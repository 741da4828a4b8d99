"""Say in one line what the running Python lacks for building the project; print nothing where it lacks nothing.

check_machine.sh runs this with each candidate whose version fits. What follows "no", "missing" or "cannot" is what to
do about it, for the system most users have; others know their own package manager.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path


def lacking(program: str) -> str:
    """Name the first thing that is missing beside the Python called `program`, or return an empty text."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    try:
        import ensurepip  # noqa: F401 # Debian ships `venv` without it, and then fails half way
        import venv  # noqa: F401
    except ImportError:
        return f"{program} has no venv module. Debian, Ubuntu: apt-get install {name}-venv"

    # What setuptools will call: the environment's compiler, else the one this Python was built with.
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    if shutil.which(compiler[0]) is None:
        return f"no C compiler ({compiler[0]}). Debian, Ubuntu: apt-get install gcc libc6-dev; or make CC=clang"

    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").is_file():
        return f"Python.h of {program} is missing ({include}). Debian, Ubuntu: apt-get install {name}-dev"

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\nint gd_probe(void) { return PY_MAJOR_VERSION; }\n")
        command = [*compiler, "-I", include, "-c", str(source), "-o", str(Path(folder, "probe.o"))]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            errors = [line for line in result.stderr.splitlines() if "error" in line] or ["no message"]
            return f"{compiler[0]} cannot compile with Python.h: {errors[0]}. Debian, Ubuntu: apt-get install libc6-dev"
    return ""


if __name__ == "__main__":
    line = lacking(sys.argv[1])
    if line:
        print(line)
        sys.exit(1)
