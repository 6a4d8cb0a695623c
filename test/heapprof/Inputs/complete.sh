#!/bin/bash
# complete.sh COMPLETION - what bash would offer for some lines, the cursor behind the last word.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$1"
cd "$(dirname "$0")/.." || exit 1
while read -r line; do
  read -ra COMP_WORDS <<<"$line"
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _heapprof
  offered=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')
  echo "$line: $offered" | sed 's/ *$//'
done <<'END'
heapprof s
heapprof help di
heapprof diff --thr
heapprof-score --sor
heapprof export --format p
heapprof export --format = sq
heapprof-check --format gi
heapprof-check --format =
heapprof score ./Inputs/complete.s
heapprof run --no-f
heapprof-run --chunk-log-t
heapprof nothing --x
END
