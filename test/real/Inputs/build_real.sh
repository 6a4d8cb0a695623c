# build_real.sh DEPS CC CXX PROFILED-CC PROFILED-CXX FORMS NAME DIR SOURCE - a program of DEPS, built once for each of FORMS.
# DIR/plain, DIR/profiled and DIR/naive (a hook for each access) come of the same commands; DIR/threads has those of SOURCE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
deps=$1 forms=$6 name=$7 dir=$8 driver=${9-}
rm -rf "$dir"
mkdir -p "$dir/include/port" "$dir/threads"

objects=$dir/objects
declare -A cc=([plain]=$2 [profiled]=$4 [naive]="$4 -mllvm -heapprof-naive")
declare -A cxx=([plain]=$3 [profiled]=$5 [naive]="$5 -mllvm -heapprof-naive")

# commands COMPILER OUTPUT-DIRECTORY FLAGS FILE...: one for each file.
# Of the plain form only the results are asked, which come soonest without optimisation.
commands() {
  local compiler=$1 objects=$2 flags=$3
  shift 3
  mkdir -p "$objects"
  if [ "$form" = plain ]; then flags+=' -O0 -g0'; fi
  local file
  for file; do
    echo "$compiler $flags -w -c '$file' -o '$objects/$(basename "$file").o'"
  done
}

# sources DIRECTORY... : LevelDB's own, without tests, tools and other systems.
sources() {
  find "$@" -maxdepth 1 -name '*.cc' |
    grep -vE '_test\.cc|testutil|leveldbutil|windows|_bench' | sort
}

# shellcheck disable=SC2046
compile() {
  local form=$1
  case $name in
  sqlite)
    commands "${cc[$form]}" "$objects/$form" "-O1 -g -DSQLITE_THREADSAFE=1 \
      -DSQLITE_OMIT_LOAD_EXTENSION -I$deps/sqlite-amalgamation" \
      "$deps"/sqlite-amalgamation/{sqlite3,shell}.c "$driver"
    ;;
  lua)
    # Hashes and a cache of strings are left to neither the time nor the place
    # of code and constants.
    commands "${cc[$form]}" "$objects/$form" "-O2 -g -std=gnu99 \
      -DLUA_COMPAT_5_3 -DLUA_USE_POSIX \
      -D'luai_makeseed(L)=1u' -DSTRCACHE_N=1 -DSTRCACHE_M=2" \
      $(ls "$deps"/lua/src/*.c | grep -v '/luac\.c$')
    ;;
  leveldb)
    commands "${cxx[$form]}" "$objects/$form" "-O1 -g -std=c++17 -DNDEBUG \
      -DLEVELDB_PLATFORM_POSIX=1 -I$dir/include -I$deps/leveldb \
      -I$deps/leveldb/include" \
      $(sources "$deps"/leveldb/{db,table,util,helpers/memenv}) "$driver"
    ;;
  esac
}

link() {
  local form=$1
  case $name in
  sqlite)
    ${cc[$form]} -w "$objects/$form"/{sqlite3,shell}.c.o -o "$dir/$form" \
      -pthread -lm
    rm "$objects/$form/shell.c.o"
    ${cc[$form]} -w "$objects/$form"/*.o -o "$dir/threads/$form" -pthread -lm
    ;;
  lua) ${cc[$form]} -w "$objects/$form"/*.o -o "$dir/$form" -lm ;;
  leveldb)
    ${cxx[$form]} -w "$objects/$form"/*.o -o "$dir/threads/$form" -pthread
    ;;
  esac
}

cat >"$dir/include/port/port_config.h" <<'END'
#define HAVE_FDATASYNC 1
#define HAVE_FULLFSYNC 0
#define HAVE_O_CLOEXEC 1
#define HAVE_CRC32C 0
#define HAVE_SNAPPY 0
END
for form in $forms; do
  compile "$form"
done | xargs -d '\n' -P 2 -I{} sh -c '{} || exit 255'
for form in $forms; do
  link "$form"
done
rm -r "$objects"
