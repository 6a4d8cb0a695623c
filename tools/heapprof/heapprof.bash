# heapprof.bash - completes heapprof and the commands beside it in bash.
# Options and commands are those that --help prints, so that there is one list of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Words of the --help of "$@" that are options, or stand under "Formats:".
_heapprof_options() {
  "$@" --help 2>/dev/null | grep -oE '(^| )--[a-z-]+=?' | tr -d ' ' | sort -u
}
_heapprof_commands() {
  "$1" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}
_heapprof_formats() {
  "$@" --help 2>/dev/null | sed -n '/^Formats:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
  "$@" --help 2>/dev/null |
    sed -n 's/^ *--format FORMAT  *\([a-z]*\) (default), \(.*\)$/\1 \2/p' |
    sed 's/ or / /; s/,//g'
}

_heapprof() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=("${COMP_WORDS[0]}")
  COMPREPLY=()
  if [[ ${command[0]##*/} == heapprof ]]; then
    if [[ $COMP_CWORD -eq 1 || ($COMP_CWORD -eq 2 && $previous == help) ]]; then
      mapfile -t COMPREPLY < <(compgen -W \
        "$(_heapprof_commands "${command[@]}") --help --version" -- "$current")
      return
    fi
    command+=("${COMP_WORDS[1]}")
  fi
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ $previous == --format ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_heapprof_formats "${command[@]}")" \
      -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_heapprof_options "${command[@]}")" \
      -- "$current")
  else
    local kind=-f
    [[ ${command[-1]##*/} == ?(heapprof-)@(run|allocators) ]] && kind=-fc
    mapfile -t COMPREPLY < <(compgen $kind -- "$current")
    compopt -o filenames 2>/dev/null
  fi
}

complete -F _heapprof heapprof heapprof-score heapprof-report heapprof-export \
  heapprof-diff heapprof-check heapprof-merge heapprof-run heapprof-allocators
