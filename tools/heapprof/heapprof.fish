# heapprof.fish - completes heapprof and the commands beside it in fish.
# Options and commands are those that --help prints, so that there is one list of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The command that the line is of, as words: "heapprof score" or "heapprof-score".
function __heapprof_command
    set -l words (commandline -opc)
    if test (basename $words[1]) = heapprof; and set -q words[2]
        string join \n -- $words[1] $words[2]
    else
        echo $words[1]
    end
end

function __heapprof_options
    set -l command (__heapprof_command)
    command $command --help 2>/dev/null | grep -oE '(^| )--[a-z-]+=?' | tr -d ' =' | sort -u
end

function __heapprof_commands
    set -l words (commandline -opc)
    command $words[1] --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end

function __heapprof_formats
    set -l command (__heapprof_command)
    command $command --help 2>/dev/null | sed -n '/^Formats:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
    command $command --help 2>/dev/null | sed -n 's/^ *--format FORMAT  *\([a-z]*\) (default), \(.*\)$/\1 \2/p' | sed 's/ or / /; s/,//g' | tr ' ' '\n'
end

function __heapprof_wants_command
    set -l words (commandline -opc)
    test (count $words) -eq 1; or test (count $words) -eq 2 -a "$words[2]" = help
end

complete -c heapprof -n __heapprof_wants_command -f -a '(__heapprof_commands)'
for command in heapprof heapprof-score heapprof-report heapprof-export heapprof-diff heapprof-check heapprof-merge heapprof-run heapprof-allocators
    complete -c $command -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__heapprof_options)'
    complete -c $command -l format -x -a '(__heapprof_formats)'
end
