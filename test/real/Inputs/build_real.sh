# build_real.sh DEPS CC CXX PROFILED-CC PROFILED-CXX NAME DIR SOURCE - a program of DEPS, built twice.
# DIR/plain and DIR/profiled come of the same commands but for the compiler; DIR/threads has those of SOURCE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
deps=$1 name=$6 dir=$7 driver=${8-}
rm -rf "$dir"
mkdir -p "$dir/include/port" "$dir/threads"

# compile COMPILER OUTPUT-DIRECTORY FLAGS FILE...: each file on its own, two at a time.
compile() {
  local compiler=$1 objects=$2 flags=$3
  shift 3
  mkdir -p "$objects"
  printf '%s\n' "$@" | xargs -P 2 -I{} sh -c \
    "$compiler $flags -w -c '{}' -o '$objects'/\$(basename '{}').o || exit 255"
}

# sources DIRECTORY... : LevelDB's own, without tests, tools and other systems.
sources() {
  find "$@" -maxdepth 1 -name '*.cc' |
    grep -vE '_test\.cc|testutil|leveldbutil|windows|_bench' | sort
}

build() {
  local variant=$1 cc=$2 cxx=$3 objects=$dir/$1.objects
  case $name in
  sqlite)
    compile "$cc" "$objects" "-O1 -g -DSQLITE_THREADSAFE=1 \
      -DSQLITE_OMIT_LOAD_EXTENSION -I$deps/sqlite-amalgamation" \
      "$deps"/sqlite-amalgamation/{sqlite3,shell}.c "$driver"
    $cc "$objects"/{sqlite3,shell}.c.o -o "$dir/$variant" -pthread -lm
    rm "$objects/shell.c.o"
    $cc "$objects"/*.o -o "$dir/threads/$variant" -pthread -lm
    ;;
  lua)
    # shellcheck disable=SC2046
    compile "$cc" "$objects" "-O2 -g -std=gnu99 -DLUA_COMPAT_5_3 \
      -DLUA_USE_POSIX" $(ls "$deps"/lua/src/*.c | grep -v '/luac\.c$')
    $cc "$objects"/*.o -o "$dir/$variant" -lm
    ;;
  leveldb)
    cat >"$dir/include/port/port_config.h" <<'END'
#define HAVE_FDATASYNC 1
#define HAVE_FULLFSYNC 0
#define HAVE_O_CLOEXEC 1
#define HAVE_CRC32C 0
#define HAVE_SNAPPY 0
END
    # shellcheck disable=SC2046
    compile "$cxx" "$objects" "-O1 -g -std=c++17 -DNDEBUG \
      -DLEVELDB_PLATFORM_POSIX=1 -I$dir/include -I$deps/leveldb \
      -I$deps/leveldb/include" \
      $(sources "$deps"/leveldb/{db,table,util,helpers/memenv}) "$driver"
    $cxx "$objects"/*.o -o "$dir/threads/$variant" -pthread
    ;;
  esac
}

build plain "$2" "$3"
build profiled "$4" "$5"
rm -rf "$dir"/*.objects
