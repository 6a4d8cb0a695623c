# complete.zsh COMPLETION - what zsh would offer for some lines, the cursor behind the last word.
# Its own builtins work in an editor's line only: here they print what they are given.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
compadd() { shift; for word; do [[ $word == $prefix* ]] && print -r -- $word; done }
compset() { prefix=${prefix#*=} }
_files() { print -r -- files }
functions[_complete]="$(<$1)"
while read -r line; do
  words=(${=line}) CURRENT=${#words} prefix=$words[-1]
  offered=$(_complete | sort | tr '\n' ' ')
  print -r -- "$line: ${offered% }"
done <<'END'
heapprof s
heapprof help di
heapprof diff --thr
heapprof-score --sor
heapprof export --format p
heapprof export --format=sq
heapprof-check --format gi
heapprof score ./Inputs/comp
heapprof nothing --x
END
