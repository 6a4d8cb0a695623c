# sampled_runs.sh DIR INPUT PROGRAM [ARG...] - profiles of all chunks in DIR/full, and of one in ten by six seeds beside it.
# Each run begins in an empty directory, and prints the same.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
dir=$1 input=$2 program=$3
shift 3
rm -rf "$dir"
mkdir -p "$dir"
for run in full seed1 seed2 seed3 seed4 seed5 seed6; do
  options=
  [ $run = full ] || options=sample_every=10:sample_seed=${run#seed}
  rm -rf "$dir/work"
  mkdir "$dir/work"
  (cd "$dir/work" && HEAPPROF_OPTIONS="dump_dir='$dir/$run':$options" \
    "$program" "$@" <"$input" >"$dir/$run.out")
  cmp "$dir/full.out" "$dir/$run.out"
done
