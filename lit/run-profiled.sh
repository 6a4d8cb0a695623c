# run-profiled.sh DUMP-DIR PROGRAM [ARG...] - runs PROGRAM with an empty DUMP-DIR to write its dump to.
# HEAPPROF_OPTIONS of the caller come after ours, so that they win; the exit status is the program's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
dump_dir=$1
shift
rm -rf "$dump_dir" && mkdir -p "$dump_dir" || exit 125
HEAPPROF_OPTIONS="dump_dir='$dump_dir':$HEAPPROF_OPTIONS"
export HEAPPROF_OPTIONS
exec "$@"
