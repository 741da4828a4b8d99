#!/bin/sh
# Print the Python to build with, or say in one line on stderr what the machine lacks (exit 2).
#
#     .ci/check_machine.sh [PYTHON]
#
# With a name only that Python is asked; else `python3` first, because that is the one a user has chosen, then the
# others from the newest down. A shim that is on PATH but starts nothing counts as absent.
here=$(dirname "$0")
unfit=
incomplete=
for python in ${1:-python3 python3.14 python3.13 python3.12 python3.11}; do
    # Works in every Python that may be called python3, and in 2.7. Ray has no wheels for 3.15 yet.
    version=$("$python" -c 'import sys; v = sys.version_info[:2]; print("%d.%d" % v); sys.exit(not (3, 11) <= v <= (3, 14))' 2>/dev/null)
    status=$?
    if [ -z "$version" ]; then
        continue
    elif [ $status -ne 0 ]; then
        unfit=${unfit:-"Python 3.11 to 3.14 is needed, $python is $version. Install one, or name it: make PYTHON=/path/to/python3.12"}
    elif line=$("$python" "$here/check_machine.py" "$python"); then
        echo "$python"
        exit 0
    else
        incomplete=${incomplete:-$line}
    fi
done
# The most useful answer: a Python that is nearly there before one of another version.
nothing="no working ${1:-python3} on PATH. Debian, Ubuntu: apt-get install python3 python3-dev python3-venv"
echo "guandan-sim: ${incomplete:-${unfit:-$nothing}}" >&2
exit 2
