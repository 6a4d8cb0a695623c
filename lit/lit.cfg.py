# lit.cfg.py - configuration of every lit test under test/.
# A test is a .test, .c, .cpp or .ll file whose RUN lines are a shell script; see README.md here.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import os
import shutil

import lit.formats

config.name = "heapprof-llvm" + config.llvm_major
if config.heapprof_prefix != config.heapprof_build_dir:
    config.name += "-" + os.path.basename(config.heapprof_prefix)
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".c", ".cpp", ".ll"]
# These hold what tests use; they are not tests themselves.
config.excludes = ["Inputs", "programs", "golden", "unit", "fuzz", "bench",
                   "consumers"]

bin_dir = os.path.join(config.heapprof_build_dir, "bin")
# The compiler and the runtime: this build's, or those that check themselves.
lib_dir = os.path.join(config.heapprof_prefix, "lib", "heapprof")
wrapper = os.path.join(config.heapprof_prefix, "bin", "heapprof-clang")
plugin = os.path.join(lib_dir, "heapprof-pass.so")

# FileCheck, not, count and split-file are found by name.
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_bin_dir, config.lit_bin_dir, config.environment["PATH"]])
# -Dtools_dir=DIRECTORY: the commands, not the compiler, of another tree; one
# that was built with sanitizers, which say what is wrong with what they end by.
tools_dir = lit_config.params.get("tools_dir", bin_dir)
# What a developer's shell may hold must not decide a test.
for name in ("HEAPPROF_OPTIONS", "HEAPPROF_CLANG", "CCC_OVERRIDE_OPTIONS",
             "CFLAGS", "CXXFLAGS", "LDFLAGS"):
    config.environment.pop(name, None)

# Where tools/setup and test/real/fetch_sources.sh put what they fetched.
deps = os.environ.get("HEAPPROF_DEPS",
                      os.path.join(config.heapprof_source_dir, "build-deps"))
if all(os.path.exists(os.path.join(deps, name, ".complete"))
       for name in ("sqlite-amalgamation", "lua", "leveldb", "memcached",
                    "redis", "nginx", "libzstd", "libjsoncpp", "yaml-cpp",
                    "box2d", "pugixml", "duktape", "civetweb")):
    config.available_features.add("real-sources")
# What is large is built by those who ask for it: tools/check --long.
if os.environ.get("HEAPPROF_LONG_TESTS"):
    config.available_features.add("long-tests")
# Large, so fetched by those who ask for it.
if os.path.exists(os.path.join(deps, "postgresql", ".complete")):
    config.available_features.add("postgresql-source")
if os.path.exists(os.path.join(deps, "speedscope", ".complete")):
    config.available_features.add("speedscope")

run = "sh " + os.path.join(config.heapprof_source_dir, "lit", "run-profiled.sh")
config.substitutions += [
    # The product, as a user calls it.
    (r"%clang_heapprof\b", wrapper + " -fsanitize=heapprof"),
    (r"%clangxx_heapprof\b", wrapper + "++ -fsanitize=heapprof"),
    # With these the code generator, which comes behind the pass, makes neither
    # a jump of a call nor one call of two.
    (r"%same_stacks\b",
     "-fno-optimize-sibling-calls -mllvm -enable-tail-merge=0"),
    (r"%heapprof_clang\b", wrapper),
    (r"%heapprof_clangxx\b", wrapper + "++"),
    (r"%heapprof_path_dir\b", os.path.join(lib_dir, "path")),
    (r"%heapprof_lib_dir\b", lib_dir),
    (r"%heapprof_build_dir\b", config.heapprof_build_dir),
    (r"%heapprof_source_dir\b", config.heapprof_source_dir),
    *((rf"%heapprof_{command}\b", os.path.join(tools_dir, "heapprof-" + command))
      for command in ("score", "export", "diff", "check", "report", "merge", "run", "allocators")),
    (r"%deps\b", deps),
    (r"%llvm_major\b", config.llvm_major),
    # The real compiler and the pass by itself.
    (r"%clangxx\b", config.clangxx),
    (r"%clang\b", config.clang),
    (r"%llvm_bin_dir\b", config.llvm_bin_dir),
    (r"%opt\b", os.path.join(config.llvm_bin_dir, "opt")),
    (r"%pass\b", plugin),
    # Running a profiled program: see run-profiled.sh.
    (r"%env_heapprof_opts=", "env HEAPPROF_OPTIONS="),
    (r"%run\b", run + " %t.dump"),
    (r"%dump\b", "%t.dump"),
    (r"%python\b", config.python),
    (r"%cmake\b", config.cmake),
]

config.available_features.add("llvm-" + config.llvm_major)
for directory in ("/usr/libexec/valgrind", "/usr/lib/valgrind"):
    if os.path.exists(os.path.join(directory, "dh_view.js")):
        config.available_features.add("dh_view")
        config.substitutions.append((r"%dh_view\b", os.path.join(directory, "dh_view.js")))
        break
for tool in ("valgrind", "autoreconf", "pkg-config", "node", "protoc",
             "sqlite3", "callgrind_annotate", "chromedriver", "lowdown", "man", "zsh", "fish",
             "gcc", "gfortran", "git", "gdb", "mold", "setpriv", "strace", "clang-tidy-22"):
    if shutil.which(tool):
        config.available_features.add(tool)
if glob.glob("/usr/lib/*/libjemalloc.so.2"):
    config.available_features.add("jemalloc")
if os.path.exists(os.path.join(config.llvm_bin_dir, "ld.lld")):
    config.available_features.add("lld")
if os.geteuid() == 0:
    config.available_features.add("root")

# A test that hangs is a failure, not a hung run.  The longest take minutes, and
# many times that on a machine that has other work.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 3600
