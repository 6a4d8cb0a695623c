#!/bin/sh
# compare_builds.sh DIR SCORE PYTHON NAME COMPILER [FLAG...] - builds, runs and scores a program twice:
# with one hook for each access, and with all that shortens that. Output and points must be the same.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -e
dir=$1 score=$2 python=$3 name=$4
shift 4
inputs=$(dirname "$0")
mkdir -p "$dir"
for form in naive short; do
  option=
  [ $form = short ] || option="-mllvm -heapprof-naive"
  "$@" $option -o "$dir/$name.$form"
  rm -rf "$dir/$name.$form.dump"
  HEAPPROF_OPTIONS="dump_dir='$dir/$name.$form.dump'" "$dir/$name.$form" > "$dir/$name.$form.out"
  "$score" --limit 0 --json "$dir/$name.$form.dump" > "$dir/$name.$form.json"
done
cmp "$dir/$name.naive.out" "$dir/$name.short.out"
"$python" "$inputs/compare_points.py" "$dir/$name.naive.json" "$dir/$name.short.json"
