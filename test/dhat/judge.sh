#!/bin/bash
# judge.sh WORK CLANG WRAPPER SCORE SOURCE... [FLAG...] [-- ARGUMENT...] - has DHAT judge heapprof on a program.
# Builds it both ways with the same flags, runs both, and compares; SOURCE's first lines may say "width N".
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The differences that are known are in the first SOURCE's neighbour with the
# suffix .explained, or in the file $JUDGE_EXPLAINED.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1 clang=$2 wrapper=$3 score=$4 source=$5
shift 4
build=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  build+=("$1")
  shift
done
[ $# -eq 0 ] || shift # the --; what is left are the program's arguments
name=$(basename "$source")
name=${name%.*}

# The same code on both sides: no inlining, so that a stack has the same frames;
# no tail calls, so that none is lost.
flags=(-O0 -fno-inline -fno-omit-frame-pointer -fno-optimize-sibling-calls
  "${build[@]}")
# Their paths are equally long: a program may copy its own.
rm -rf "$work"
mkdir -p "$work/valgrind" "$work/heapprof"
"$clang" -gdwarf-4 "${flags[@]}" -o "$work/valgrind/$name"
"$wrapper" -fsanitize=heapprof -g "${flags[@]}" -o "$work/heapprof/$name"

valgrind -q --tool=dhat --mode=heap --num-callers=250 \
  --dhat-out-file="$work/dhat.json" "$work/valgrind/$name" "$@" \
  >"$work/valgrind.out" 2>"$work/valgrind.err"
HEAPPROF_OPTIONS="dump_dir='$work':malloc_context_size=250:collapse_recursion=0" \
  "$work/heapprof/$name" "$@" >"$work/heapprof.out" 2>"$work/heapprof.err"
cmp "$work/valgrind.out" "$work/heapprof.out"
cat "$work/heapprof.err"
"$score" --json "$work/heapprof.$name".[0-9]* >"$work/score.json"

options=(--dhat="$work/dhat.json" --score="$work/score.json")
width=$(sed -n '1,3s/.*width \([0-9][0-9]*\).*/\1/p' "$source")
[ -z "$width" ] || options+=(--width="$width")
explained=${JUDGE_EXPLAINED:-${source%.*}.explained}
[ ! -e "$explained" ] || options+=(--explained="$explained")
exec python3 "$here/compare_dhat.py" "${options[@]}"
