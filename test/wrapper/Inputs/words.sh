# words.sh cc1|ld COMPILER ARGUMENTS... - what the driver gives clang's compiler or the linker, one word a line, sorted.
# Paths through .. are made plain; words that name this very call, such as a temporary file, are left out.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
step=$1
shift
"$@" -'###' 2>&1 | case $step in cc1) grep '"-cc1"' ;; ld) grep -v '"-cc1"' | tail -n 1 ;; esac |
  sed 's/^ *//; s/" "/\n/g; s/"//g' |
  sed -e ':again' -e 's,/[^/]*[^/.][^/]*/\.\.,,' -e 'tagain' |
  grep -v -e '^-fdebug-compilation-dir' -e '^-fcoverage-compilation-dir' -e '^-o$' -e '\.o$' -e '^-main-file-name' | sort
