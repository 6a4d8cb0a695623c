# workloads.py - the programs that test/bench/run measures: how each is built and what it is given.
# A workload has one line in WORKLOADS; sizes are chosen so that the plain program runs about 0.2 s (small) or 1 s (big).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")

# PROGRAM is built once for all workloads that run it.  ARGUMENTS are those of
# each size; {} among them stands for the size, @data for a directory of the
# run's own.
Workload = collections.namedtuple("Workload", "name program arguments sizes")

WORKLOADS = [Workload(*line) for line in (
    # name          program        arguments     tiny, small, big
    ("arrays",      "arrays",      "200000 {}",  (2, 2000, 10000)),
    ("stencil",     "stencil",     "800 {}",     (2, 600, 3000)),
    ("matrix",      "matrix",      "400 {}",     (1, 20, 100)),
    ("trees",       "trees",       "15 {}",      (1, 120, 600)),
    ("list",        "list",        "60000 {}",   (1, 180, 900)),
    ("containers",  "containers",  "40000 {}",   (1, 10, 50)),
    ("strings",     "strings",     "5000 {}",    (1, 100, 500)),
    ("compress",    "compress",    "{}",         (1, 6, 30)),
    ("queue",       "queue",       "{} 200",     (1000, 800000, 4000000)),
    ("readers",     "readers",     "4 {}",       (1000, 500000, 2500000)),
    ("threads-1",   "threads",     "1 {}",       (1000, 2000000, 10000000)),
    ("threads-2",   "threads",     "2 {}",       (1000, 2000000, 10000000)),
    ("lua",         "lua",         "@work {}",   (2000, 70000, 350000)),
    ("sqlite",      "sqlite",      ":memory:",   (500, 20000, 90000)),
    ("leveldb",     "leveldb",     "@data {}",   (2000, 150000, 800000)),
    ("zstd",        "zstd",        "{}",         (1, 12, 60)),
    ("jsoncpp",     "jsoncpp",     "{}",         (100, 30000, 150000)),
    ("yaml",        "yaml",        "{}",         (20, 8000, 40000)),
    ("box2d",       "box2d",       "{}",         (50, 1500, 7500)),
    ("pugixml",     "pugixml",     "5000 {}",    (1, 30, 150)),
    ("duktape",     "duktape",     "{}",         (1, 150, 750)),
    ("civetweb",    "civetweb",    "{}",         (20, 12000, 60000)),
)]
SIZES = ("tiny", "small", "big")
# Loops that cost heapprof next to nothing: a mean is told without them, too.
NUMERIC = {"arrays", "stencil", "matrix"}

# A real program: the folder of its sources as test/real/fetch_sources.sh names
# it, our file that drives it (if it has no program of its own), which of its
# files make it up, and the flags they take.  {} stands for the folder.
Real = collections.namedtuple("Real", "tree driver files without flags")

REAL = {
    "lua": Real("lua", "", "src/*.c", "luac.c",
                "-std=gnu99 -DLUA_COMPAT_5_3 -DLUA_USE_POSIX"),
    "sqlite": Real("sqlite-amalgamation", "", "sqlite3.c shell.c", "",
                   "-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I{}"),
    "leveldb": Real("leveldb", "leveldb_fill.cpp", "db/*.cc table/*.cc util/*.cc",
                    "_test.cc testutil leveldbutil windows",
                    "-std=c++17 -DNDEBUG -DLEVELDB_PLATFORM_POSIX=1 -DHAVE_FDATASYNC=1"
                    " -DHAVE_FULLFSYNC=0 -DHAVE_O_CLOEXEC=1 -DHAVE_CRC32C=0"
                    " -DHAVE_SNAPPY=0 -I@empty -I{} -I{}/include"),
    "zstd": Real("libzstd", "zstd_blocks.c",
                 "lib/common/*.c lib/compress/*.c lib/decompress/*.c", "",
                 "-DZSTD_DISABLE_ASM -I{}/lib"),
    "jsoncpp": Real("libjsoncpp", "jsoncpp_tree.cpp", "src/lib_json/*.cpp", "",
                    "-I{}/include"),
    "yaml": Real("yaml-cpp", "yaml_nodes.cpp", "src/*.cpp", "", "-I{}/include"),
    "box2d": Real("box2d", "box2d_pile.cpp", "src/*/*.cpp", "",
                  "-I{}/include -I{}/src"),
    "pugixml": Real("pugixml", "pugixml_orders.cpp", "src/*.cpp", "", "-I{}/src"),
    "duktape": Real("duktape", "duktape_run.c", "src/duktape.c", "", "-I{}/src"),
    "civetweb": Real("civetweb", "civetweb_serve.c", "src/civetweb.c", "",
                     "-DNO_SSL -DNO_CGI -I{}/include"),
}


class Missing(Exception):
    """Sources that are not there."""


def sources(program, deps, work):
    """The files of PROGRAM, the flags they take, and whether it is C++."""
    if program not in REAL:
        (path,) = glob.glob(os.path.join(PROGRAMS, program + ".c*"))
        return [path], [], path.endswith(".cpp")
    real = REAL[program]
    tree = os.path.join(deps, real.tree)
    if not os.path.exists(os.path.join(tree, ".complete")):
        raise Missing(f"no sources of {program} in {deps}; run "
                      "test/real/fetch_sources.sh, or leave the workload out")
    files = [os.path.join(PROGRAMS, real.driver)] if real.driver else []
    for pattern in real.files.split():
        files += [name for name in sorted(glob.glob(os.path.join(tree, pattern)))
                  if not any(word in os.path.basename(name)
                             for word in real.without.split())]
    flags = [word.replace("{}", tree).replace("@empty", empty_headers(work))
             for word in real.flags.split()]
    return files, flags, files[0].endswith((".cpp", ".cc"))


def empty_headers(work):
    """A folder of the header that CMake would make of LevelDB's settings."""
    folder = os.path.join(work, "include")
    os.makedirs(os.path.join(folder, "port"), exist_ok=True)
    with open(os.path.join(folder, "port", "port_config.h"), "w",
              encoding="utf-8"):
        return folder


def command(workload, size, work, data):
    """The arguments of a run of WORKLOAD, and its standard input."""
    amount = str(workload.sizes[SIZES.index(size)])
    words = {"{}": amount, "@data": os.path.join(data, "database"),
             "@work": os.path.join(PROGRAMS, "work.lua")}
    arguments = [words.get(word, word) for word in workload.arguments.split()]
    if workload.program != "sqlite":
        return arguments, os.devnull
    script = os.path.join(work, f"queries-{amount}.sql")
    if not os.path.exists(script):
        text = subprocess.run(
            [sys.executable, os.path.join(PROGRAMS, "write_sql.py"), amount],
            check=True, stdout=subprocess.PIPE).stdout
        with open(script, "wb") as file:
            file.write(text)
    return arguments, script
