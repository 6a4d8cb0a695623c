# build_server.sh DEPS CC PROFILED-CC NAME DIR - a server of DEPS, built twice by its own makefile.
# DIR/plain and DIR/profiled are copies of its tree, in which its tests are, too.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
deps=$1 name=$4 dir=$5
rm -rf "$dir"
mkdir -p "$dir"

# logged COMMAND...: silent unless it fails.
logged() {
  "$@" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
}

cp -r "$deps/$name" "$dir/plain"
if [ "$name" = memcached ]; then
  cd "$dir/plain"
  logged env CC="$2" ./configure --disable-coverage --disable-docs
fi
cp -r "$dir/plain" "$dir/profiled"

# build TREE CC
build() {
  case $name in
  memcached)
    logged make -C "$1" -j 2 CC="$2" CFLAGS='-O1 -g -w -pthread' \
      memcached-debug timedrun
    ;;
  redis)
    # Large, so without optimisation: that halves the time.
    logged make -C "$1/src" -j 2 CC="$2" MALLOC=libc OPTIMIZATION='-O0 -w' \
      redis-server
    ;;
  esac
}

build "$dir/plain" "$2"
build "$dir/profiled" "$3"
