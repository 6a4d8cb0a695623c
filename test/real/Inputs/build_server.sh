# build_server.sh DEPS CC PROFILED-CC NAME DIR - a server of DEPS, or SQLite's suite, built twice by its own makefile.
# DIR/plain and DIR/profiled are copies of its tree, in which its tests are, too.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
deps=$1 plain_cc=$2 name=$4 dir=$5
rm -rf "$dir"
mkdir -p "$dir"

# logged COMMAND...: silent unless it fails.
logged() {
  "$@" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
}

copy='cp -r'
if [ "$name" = postgresql ]; then
  copy='cp -a' # its parser must not be older than what it is made of
fi
$copy "$deps/$name" "$dir/plain"
if [ "$name" = memcached ]; then
  cd "$dir/plain"
  logged env CC="$2" ./configure --disable-coverage --disable-docs
fi
if [ "$name" = nginx ]; then
  cd "$dir/plain"
  # Without what the session does not ask for.
  without=
  for part in rewrite charset ssi userid auth_basic mirror geo map \
    split_clients referer fastcgi uwsgi scgi grpc memcached browser; do
    without="$without --without-http_${part}_module"
  done
  logged ./configure --with-cc="$2" --with-cc-opt='-O1 -g -w' $without
fi
if [ "$name" = redis ]; then
  # Its tests wait for some seconds; a busy machine needs more.
  sed -i 's/^proc wait_for_condition .*/&\n    set maxtries [expr {50 * $maxtries}]/' "$dir/plain/tests/support/test.tcl"
  sed -i 's/^    set retry $maxtries$/    set retry [expr {50 * $maxtries}]/' "$dir/plain/tests/support/util.tcl"
  sed -i 's/set retrynum 100}/set retrynum 5000}/' "$dir/plain/tests/support/server.tcl"
fi
if [ "$name" = sqlite ]; then
  cd "$dir/plain"
  # How much malloc gives beyond what was asked for decides what SQLite asks for.
  logged env CC="$2" CFLAGS='-O0 -w' ac_cv_func_malloc_usable_size=no \
    ./configure --with-tcl=/usr/lib --enable-all
fi
$copy "$dir/plain" "$dir/profiled"

# build TREE CC
build() {
  case $name in
  memcached)
    logged make -C "$1" -j 2 CC="$2" CFLAGS='-O1 -g -w -pthread' \
      memcached-debug timedrun
    ;;
  nginx) logged make -C "$1" -j 2 CC="$2" ;;
  redis)
    # Large, so without optimisation: that halves the time.
    logged make -C "$1/src" -j 2 CC="$2" MALLOC=libc OPTIMIZATION='-O0 -w' \
      redis-server
    ;;
  sqlite) logged make -C "$1" CC="$2" testfixture ;;
  postgresql)
    # What its tests need; its configuration knows the tree's own place.
    cd "$1"
    logged ./configure CC="$plain_cc" CFLAGS='-O0 -w' \
      --prefix="$1/installed" --without-readline --without-zlib
    logged make -C src/backend generated-headers
    for part in backend timezone interfaces/libpq pl/plpgsql/src \
      backend/snowball backend/utils/mb/conversion_procs bin/initdb bin/psql \
      bin/pg_ctl test/regress; do
      logged make -C "src/$part" -j 2 CC="$2" install
    done
    ;;
  esac
}

build "$dir/plain" "$2"
build "$dir/profiled" "$3"
