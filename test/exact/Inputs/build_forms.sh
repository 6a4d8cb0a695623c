# build_forms.sh CC CXX DIR [FLAG...] SOURCE - builds DIR/naive, with one hook for each access, and DIR/profiled.
# DIR/profiled has all that shortens that.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -e
for source; do :; done
case $source in
*.cpp) compiler=$2 ;;
*) compiler=$1 ;;
esac
dir=$3
shift 3
mkdir -p "$dir"
$compiler -g -w "$@" -o "$dir/profiled"
$compiler -g -w "$@" -mllvm -heapprof-naive -o "$dir/naive"
