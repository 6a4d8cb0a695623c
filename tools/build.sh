# build.sh - sourced after steps.sh: configures and builds one tree, for one LLVM version.
# A tree that is there is brought up to date; nothing outside it is written.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# build_tree DIRECTORY LLVM-MAJOR
build_tree() {
  step "configure $(basename "$1") for LLVM $2" \
    "read the first 'CMake Error' above; rm -rf $1 starts afresh"
  cmake -S "$root" -B "$1" -G Ninja -DHEAPPROF_LLVM="$2" \
    -DHEAPPROF_COMPILER_RT="$deps/compiler-rt" >"$1.log" 2>&1 || {
    cat "$1.log"
    exit 1
  }
  rm -f "$1.log"
  step "build $(basename "$1")" "read the first 'error:' above"
  cmake --build "$1"
}
