# steps.sh - sourced by the scripts of tools/: named steps, and one line on failure.
# The line says which step failed and what to do about it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=${HEAPPROF_DEPS:-$root/build-deps}
# The version of clang-format, clang-tidy and llvm-cov; its clang is the reference, too.
reference_llvm=22
script=tools/$(basename "$0")
step_name=
step_advice=

# step NAME ADVICE: what follows is the step NAME; if it fails, ADVICE is given.
step() {
  step_name=$1
  step_advice=$2
  echo "==> $1"
}

# fail REASON ADVICE: ends the step in progress as failed.
fail() {
  echo "$script: $1" >&2
  step_advice=$2
  exit 1
}

report_step() {
  local status=$?
  if [ $status -ne 0 ] && [ -n "$step_name" ]; then
    echo "$script: step '$step_name' failed; $step_advice" >&2
  fi
  exit $status
}
trap report_step EXIT
