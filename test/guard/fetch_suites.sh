#!/bin/bash
# fetch_suites.sh DIR - test suites of others, out of Debian's packages: GCC's torture tests, glibc's, sanitizer_common's; csmith.
# What is in DIR already is not fetched again; nothing is installed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$(dirname "$0")/../../tools/steps.sh"
. "$root/tools/debian-source.sh"

if [ $# -ne 1 ]; then
  echo 'usage: test/guard/fetch_suites.sh DIR' >&2
  exit 2
fi
mkdir -p "$1"
suites=$(cd "$1" && pwd)
work=$suites/fetch
advice='check the network and the sources of apt, then run it again'

# unpack PACKAGE: the files of a binary package into $work/PACKAGE.
unpack() {
  rm -rf "${work:?}/$1"
  mkdir -p "$work/$1"
  (cd "$work/$1" && apt-get -q -o APT::Sandbox::User=root download "$1" &&
    dpkg -x ./*.deb .) >"$work/$1.log" 2>&1 || {
    tail -n 3 "$work/$1.log" >&2
    return 1
  }
}

# extract TARBALL DIRECTORY PATTERN...: what fits, without the tree's own name.
extract() {
  local tarball=$1 target=$2
  shift 2
  mkdir -p "$target.part"
  tar -xf "$tarball" -C "$target.part" --strip-components=1 --wildcards "$@"
  mv "$target.part" "$target"
}

mkdir -p "$work"
if [ ! -d "$suites/gcc" ]; then
  step "GCC's tests" "$advice"
  unpack gcc-12-source
  extract "$work"/gcc-12-source/usr/src/gcc-12/gcc-12*.tar.xz "$suites/gcc" \
    '*/gcc/testsuite/gcc.c-torture/execute' '*/gcc/testsuite/gcc.dg/vect'
fi
if [ ! -d "$suites/glibc" ]; then
  step "glibc's tests" "$advice"
  unpack glibc-source
  extract "$work"/glibc-source/usr/src/glibc/glibc-2*.tar.xz "$suites/glibc" \
    '*/malloc' '*/nptl' '*/support' '*/include' '*/sysdeps/pthread' '*/test-skeleton.c'
fi
if [ ! -d "$suites/csmith" ]; then
  step csmith "$advice"
  unpack csmith
  unpack libcsmith-dev
  cp -a "$work/libcsmith-dev/usr" "$work/csmith/"
  mv "$work/csmith/usr" "$suites/csmith"
fi
if [ ! -d "$suites/compiler-rt" ]; then
  step "sanitizer_common's tests" "$advice"
  work=$suites/fetch/llvm
  fetch_source "$(upstream "$(dpkg-query -W -f '${Version}' clang-22)")" \
    llvm-toolchain-{22,21,20,19}
  extract "$tarball" "$suites/compiler-rt" --no-wildcards-match-slash \
    '*/compiler-rt/test/sanitizer_common/TestCases'
fi
rm -rf "$suites/fetch"
step_name=
echo "==> in $suites"
