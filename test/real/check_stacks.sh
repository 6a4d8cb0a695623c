#!/bin/bash
# check_stacks.sh [-a] LIBHEAPPROF_RT.A - runs installed programs with every call stack compared with the system's unwinder.
# Prints a line for each, and fails if a stack differs or a program dies; -a: also those that take seconds.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -u
all=false
[ "${1:-}" != -a ] || { all=true; shift; }
archive=$(realpath "${1:?usage: check_stacks.sh [-a] LIBHEAPPROF_RT.A}")
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

# A shared library may not have what an executable runs before all else.
ar x "$archive"
objcopy --rename-section .preinit_array=.init_array.00001 heapprof_rt.o preloaded.o
"$cc" -shared -o libpreloaded.so preloaded.o -lpthread -lrt -lm -ldl -lresolv || exit 2

programs=0 failed=0
# check NAME ARGUMENT...: what is not installed is left out.
check() {
  command -v "$1" >/dev/null || return
  mkdir dump # messages go to a file, since some programs close stderr at their end
  timeout 120 env "LD_PRELOAD=$work/libpreloaded.so" \
    "HEAPPROF_OPTIONS=dump_dir=$work/dump:check_stacks=1:log_path=$work/dump/said" "$@" </dev/null >/dev/null 2>&1
  status=$?
  cat dump/said.* >said 2>/dev/null
  rm -rf dump
  counts=$(sed -n 's/.*check_stacks: \([0-9]*\) stacks compared, \([0-9]*\) differ.*/\1 \2/p' said |
    awk '{ compared += $1; differ += $2 } END { print compared + 0, differ + 0 }')
  printf '%-14s status %3d, stacks compared and differing: %s\n' "${1##*/}" "$status" "$counts"
  programs=$((programs + 1))
  if [ "$status" -gt 128 ] || [ "${counts##* }" != 0 ] || [ "${counts%% *}" = 0 ]; then
    failed=$((failed + 1))
    grep 'check_stacks: [cu]' said
  fi
}

printf 'int f(int a) { return a * 3; }\n' >f.c
printf '#include <map>\n#include <string>\nint main() { std::map<std::string, int> m; return m["a"]; }\n' >f.cc
export QT_QPA_PLATFORM=offscreen
check git --version
check perl -e 'my %h; $h{$_} = [1 .. 5] for 1 .. 200; print scalar keys %h'
check bash -c 'for i in {1..200}; do x+=$i; done; echo $x'
check awk 'BEGIN { for (i = 0; i < 2000; i++) a[i] = i "x"; print length(a) }'
check make --version
check readelf -a /bin/true
check objdump -d /bin/true
check cmake -E capabilities
check ninja --version
check dpkg -l
check sqlite3 :memory: 'create table t(a); insert into t values(1), (2); select sum(a) from t;'
check cppcheck f.cc
check jq -n '[range(1000)] | map(. + 1) | add'
check xmllint --version
check openssl genrsa 1024
check gdb --version
for path in "$(gcc -print-prog-name=cc1 2>/dev/null)" "$(g++ -print-prog-name=cc1plus 2>/dev/null)"; do
  check "${path:-none}" -quiet -O2 -D_GNU_SOURCE "$([ "${path%plus}" = "$path" ] && echo f.c || echo f.cc)" -o f.s
done
if $all; then
  check apt-cache stats
  check clang++-22 -O2 -c f.cc -o f.o
  check llvm-objdump-22 -d /bin/true
  check opt-22 -O2 /dev/null -o /dev/null
  check ld.lld-22 --version
  check python3 -c 'import json, re, sqlite3, ssl; json.loads("[" + "1," * 2000 + "1]")'
  check gdb -q -batch -ex 'info functions main' /bin/bash
  check git -C / --exec-path
  check fc-list
  check fc-match -s sans
  check ruby -e 'p (1..1000).map { |x| x.to_s }.size'
  check ruby -rjson -ropenssl -e 'puts JSON.generate((1..300).to_a); puts OpenSSL::Digest::SHA256.hexdigest("a"); /(a+)+b/ =~ "a" * 20'
  check guile -c '(display (iota 100))'
  check guile -c '(use-modules (srfi srfi-1) (ice-9 regex)) (display (map match:substring (list-matches "[0-9]+" "1 22 333")))'
  check node -e 'console.log([..."abc"].length)'
  check java -version
  check convert -size 64x64 plasma: -blur 2 -resize 200% p.png
  check ffmpeg -loglevel error -f lavfi -i testsrc=d=1:s=64x64 -y v.mkv
  check ffmpeg -loglevel error -f lavfi -i sine=d=1 -y a.ogg
  printf '%%!PS\n/Times-Roman findfont 12 scalefont setfont 9 9 moveto (heap) show showpage\n' >p.ps
  check gs -q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=pdfwrite -o p.pdf p.ps
  check gs -q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=png16m -o q.png p.ps
  check pdftotext p.pdf -
  check pdftocairo -svg p.pdf p.svg
  printf 'digraph { a -> b -> c -> a }\n' >d.dot
  printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">a</text><circle r="4"/></svg>\n' >c.svg
  check rsvg-convert c.svg -o c.png
  printf 'proc f n {expr {$n < 2 ? $n : [f [expr {$n - 1}]] + [f [expr {$n - 2}]]}}\nputs [f 12]\nputs [lsort [split "c b a"]]\n' >f.tcl
  check tclsh f.tcl
  check lua5.4 -e 't = {} for i = 1, 500 do t[i] = ("x"):rep(i) end print(#table.concat(t))'
  check psql --version
  check pg_dump --version
  printf '(declare-const x Int)(declare-const y Int)(assert (and (> (* x y) 50) (< x 9) (= (mod x 3) 1)))(check-sat)(get-model)\n' >f.smt2
  check z3 f.smt2
  check gnutls-cli --list
  check certtool --generate-privkey --key-type rsa --bits 2048 --outfile k.pem
  check curl --version
  check ssh -V
  check php -r '$a = range(1, 500); usort($a, fn($x, $y) => $y - $x); echo json_encode($a);'
  check vim --version
  check gsettings list-schemas
  check gio mime text/plain
  check gtk-launch --help
  check zenity --version
  check qtdiag
  check qmake -query
  check moc f.cc
  check dot -Tsvg -o d.svg d.dot
  check rrdtool --version
  check gnuplot -e 'set terminal dumb; plot sin(x)'
fi
echo "$programs programs, $failed failed"
[ "$failed" = 0 ] && [ "$programs" -gt 4 ]
