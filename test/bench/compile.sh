#!/bin/bash
# compile.sh BUILD SOURCE [ROUNDS] - user seconds of compiling SOURCE at -O2: clang, types only, all of heapprof.
# In interleaved rounds, a row each; BUILD is heapprof's build directory.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$1 source=$2 rounds=${3:-3}
case $source in
*.c) plus= ;;
*) plus=++ ;;
esac
profiled="$build/bin/heapprof-clang$plus -fsanitize=heapprof"
object=$(mktemp)
trap 'rm -f "$object"' EXIT
TIMEFORMAT=%U

seconds() {
  # shellcheck disable=SC2086
  { time "$@" -O2 -w -c "$source" -o "$object" 2>&3; } 3>&2 2>&1
}

no_accesses=
for kind in reads writes atomics memintrinsics; do
  no_accesses="$no_accesses -mllvm -heapprof-instrument-$kind=0"
done
printf 'clang\ttypes\tall\n'
for ((i = 0; i < rounds; i++)); do
  plain=$(seconds "$build/bin/heapprof-clang$plus")
  # shellcheck disable=SC2086
  types=$(seconds $profiled $no_accesses)
  # shellcheck disable=SC2086
  all=$(seconds $profiled)
  printf '%s\t%s\t%s\n' "$plain" "$types" "$all"
done
