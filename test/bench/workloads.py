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
)]
SIZES = ("tiny", "small", "big")

LEVELDB_CONFIGURATION = """#define HAVE_FDATASYNC 1
#define HAVE_FULLFSYNC 0
#define HAVE_O_CLOEXEC 1
#define HAVE_CRC32C 0
#define HAVE_SNAPPY 0
"""


class Missing(Exception):
    """Sources that are not there."""


def sources(program, deps, work):
    """The files of PROGRAM, the flags they take, and whether it is C++."""
    for suffix in (".c", ".cpp"):
        path = os.path.join(PROGRAMS, program + suffix)
        if os.path.exists(path):
            return [path], [], suffix == ".cpp"
    tree = os.path.join(deps, {"sqlite": "sqlite-amalgamation"}
                        .get(program, program))
    if not os.path.exists(os.path.join(tree, ".complete")):
        raise Missing(f"no sources of {program} in {deps}; run "
                      "test/real/fetch_sources.sh, or leave the workload out")
    if program == "sqlite":
        return ([os.path.join(tree, name) for name in ("sqlite3.c", "shell.c")],
                ["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION",
                 "-I" + tree], False)
    if program == "lua":
        files = glob.glob(os.path.join(tree, "src", "*.c"))
        return ([name for name in sorted(files)
                 if os.path.basename(name) != "luac.c"],
                ["-std=gnu99", "-DLUA_COMPAT_5_3", "-DLUA_USE_POSIX"], False)
    port = os.path.join(work, "include", "port")
    os.makedirs(port, exist_ok=True)
    with open(os.path.join(port, "port_config.h"), "w") as file:
        file.write(LEVELDB_CONFIGURATION)
    files = [os.path.join(PROGRAMS, "leveldb_fill.cpp")]
    for part in ("db", "table", "util"):
        files += [name for name in
                  sorted(glob.glob(os.path.join(tree, part, "*.cc")))
                  if not any(word in os.path.basename(name) for word in
                             ("_test.cc", "testutil", "leveldbutil", "windows"))]
    return (files, ["-std=c++17", "-DNDEBUG", "-DLEVELDB_PLATFORM_POSIX=1",
                    "-I" + os.path.dirname(port), "-I" + tree,
                    "-I" + os.path.join(tree, "include")], True)


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
