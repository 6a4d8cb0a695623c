#!/bin/bash
# fetch_sources.sh [PACKAGE...] - unpacks source packages of Debian into build-deps, once; PACKAGE besides what all need.
# The tests of this folder run where they are; tools/check calls this first.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$(dirname "$0")/../../tools/steps.sh"
. "$(dirname "$0")/../../tools/debian-source.sh"
script=test/real/fetch_sources.sh

# fetch PACKAGE [NAME]: the tree is moved to its place when it is whole.
fetch() {
  local target=$deps/${2:-$1}
  [ -e "$target/.complete" ] && return
  step "fetch the source package $1" \
    'check the network and the Debian sources of apt, then run it again'
  mkdir -p "$deps"
  work=$target.fetch
  fetch_source '' "$1" || fail "no source package of $1 can be had" \
    "check the network; or unpack it as $target and touch $target/.complete"
  mkdir "$work/tree"
  tar -xf "$tarball" -C "$work/tree" --strip-components=1
  echo "$provenance" >"$work/tree/.complete"
  rm -rf "$target"
  mv "$work/tree" "$target"
  rm -rf "$work"
}

fetch lua5.4 lua
fetch sqlite3 sqlite
for package in leveldb memcached redis nginx; do
  fetch $package
done
# What test/bench runs beside them.
for package in libzstd libjsoncpp yaml-cpp box2d pugixml duktape civetweb; do
  fetch $package
done
for package; do
  fetch "$package" "${package%%-*}" # postgresql-15 in postgresql
done

# SQLite is compiled as its authors ship it, in one file, which Tcl makes.
amalgamation=$deps/sqlite-amalgamation
if [ ! -e "$amalgamation/.complete" ]; then
  step 'make sqlite3.c' "read $amalgamation/log; it takes make, tclsh and a C compiler"
  rm -rf "$amalgamation"
  mkdir "$amalgamation"
  (cd "$amalgamation" && "$deps/sqlite/configure" && make sqlite3.c shell.c) \
    >"$amalgamation/log" 2>&1
  touch "$amalgamation/.complete"
fi
step_name=
echo "==> sources of real programs are in $deps"
