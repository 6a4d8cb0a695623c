# build.sh - sourced after steps.sh: configures and builds one tree, for one LLVM version.
# A tree that is there is brought up to date; nothing outside it is written.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# build_tree DIRECTORY LLVM-MAJOR [CMAKE-ARGUMENT...]
build_tree() {
  local tree=$1 llvm=$2
  shift 2
  step "configure $(basename "$tree") for LLVM $llvm" \
    "read the first 'CMake Error' above; rm -rf $tree starts afresh"
  local log
  log=$(cmake -S "$root" -B "$tree" -G Ninja -DHEAPPROF_LLVM="$llvm" \
    -DHEAPPROF_COMPILER_RT="$deps/compiler-rt" "$@" 2>&1) || {
    echo "$log"
    exit 1
  }
  step "build $(basename "$tree")" "read the first 'error:' above"
  cmake --build "$tree"
}
