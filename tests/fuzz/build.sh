#!/bin/sh
# Build the harness in a folder: build.sh FOLDER. From the root of the project; CC names the compiler, gcc or clang.
# FOLDER/fuzz replays files and makes inputs (main.c). With clang and its libFuzzer there is FOLDER/libfuzzer as well.
set -eu
CC=${CC:-$(command -v clang || echo cc)}
FLAGS='-std=c11 -O1 -g -UNDEBUG -Wall -Wextra -Werror -ffp-contract=off -fno-omit-frame-pointer -Iengine/csrc'
CHECKS='-fsanitize=address,undefined -fno-sanitize-recover=all'
SOURCES="$(ls engine/csrc/gd_*.c) $(ls tests/fuzz/fuzz*.c)"
mkdir -p "$1"
rm -f "$1/fuzz" "$1/libfuzzer"
$CC $FLAGS $CHECKS -D_POSIX_C_SOURCE=200809L -c -o "$1/main.o" tests/fuzz/main.c
$CC $FLAGS $CHECKS -fsanitize-coverage=trace-pc -o "$1/fuzz" $SOURCES "$1/main.o"
if $CC --version | grep -q clang; then
    $CC $FLAGS $CHECKS -fsanitize=fuzzer -o "$1/libfuzzer" $SOURCES || echo 'no libFuzzer here: main.c makes the inputs'
fi
