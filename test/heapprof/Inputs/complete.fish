# complete.fish COMPLETION - what fish offers for some lines.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
source $argv[1]
for line in 'heapprof s' 'heapprof help di' 'heapprof diff --thr' 'heapprof-score --sor' 'heapprof export --format p' \
        'heapprof export --format=sq' 'heapprof-check --format gi' 'heapprof nothing --x'
    set -l offered (complete -C $line | cut -f 1 | sort)
    string trim --right -- "$line: $offered"
end
