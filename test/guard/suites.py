"""suites.py - the test suites of fetch_suites.sh as programs: name, source, flags, libraries.
What a suite needs before its first program, such as glibc's support library, is built once beside it.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import collections
import concurrent.futures
import glob
import os
import re
import subprocess

Program = collections.namedtuple("Program", "name source flags libraries")

# The headers of glibc's own tree that its tests take beside the system's.
GLIBC_HEADERS = ("array_length", "intprops", "libc-diag", "libc-pointer-arith",
                 "scratch_buffer")
GLIBC_STAND_INS = {
    "config.h": "", "libc-symbols.h": "", "sysdep.h": "",
    "shlib-compat.h": "", "atomic.h": "",
    "stackinfo.h": "#define _STACK_GROWS_DOWN 1\n#define PF_R 4\n"
                   "#define PF_W 2\n#define PF_X 1\n"
                   "#define DEFAULT_STACK_PERMS (PF_R | PF_W)\n",
    "glibc-test.h": "#include <limits.h>\n#include <string.h>\n"
                    "#include <stdlib.h>\n#define TIMEOUTFACTOR 1\n"
                    "#define libc_hidden_proto(name)\n"
                    "#define attribute_hidden\n#define attribute_tls_model_ie\n"
                    "#define _dl_pagesize 4096\n"}
GLIBC_PATHS = {name + "_PATH": path for name, path in (
    ("SRCDIR", "/"), ("OBJDIR", "/"), ("INSTDIR", "/usr"),
    ("OBJDIR_ELF_LDSO", "/lib64/ld-linux-x86-64.so.2"),
    ("LIBDIR", "/usr/lib"), ("BINDIR", "/usr/bin"), ("SBINDIR", "/usr/sbin"),
    ("ROOTSBINDIR", "/sbin"), ("SLIBDIR", "/lib"), ("SYSCONFDIR", "/etc"),
    ("COMPLOCALEDIR", "/usr/lib/locale"))}
# Clang's errors that are gcc's warnings.
AS_GCC = ["-Wno-error=" + name for name in (
    "implicit-function-declaration", "implicit-int", "int-conversion",
    "incompatible-pointer-types", "return-type", "return-mismatch")]


def base(path):
    return os.path.splitext(os.path.basename(path))[0]


def torture(directory, _):
    """GCC's execution tests, the language of their time where one asks."""
    for source in sorted(glob.glob(os.path.join(
            directory, "gcc/gcc/testsuite/gcc.c-torture/execute/**/*.c"),
            recursive=True)):
        if os.path.basename(os.path.dirname(source)) == "builtins":
            continue  # parts of programs
        with open(source, encoding="latin-1") as file:
            asked = re.findall(r'dg-(?:additional-)?options "([^"]*)"',
                               file.read())
        flags = [flag for text in asked for flag in text.split()
                 if flag.startswith(("-std", "-fwrapv", "-fgnu89", "-D",
                                     "-fno-strict"))]
        if not any(flag.startswith("-std") for flag in flags):
            flags.insert(0, "-std=gnu89")
        yield Program(base(source), source, AS_GCC + flags, ["-lm"])


def plain_c(directory, _):
    """Programs of one file each, C or C++, in the directory itself."""
    for source in sorted(glob.glob(os.path.join(directory, "*.c*"))):
        yield Program(base(source), source, [], ["-lm", "-lpthread"])


def glibc_flags(directory):
    extra = os.path.join(directory, "glibc-extra")
    tree = os.path.join(directory, "glibc")
    if not os.path.exists(extra):
        os.makedirs(extra)
        for name in GLIBC_HEADERS:
            os.symlink(os.path.join(tree, "include", name + ".h"),
                       os.path.join(extra, name + ".h"))
        for name, text in GLIBC_STAND_INS.items():
            with open(os.path.join(extra, name), "w",
                      encoding="utf-8") as file:
                file.write(text)
    return (["-O1", "-w", "-D_GNU_SOURCE", "-I" + extra,
             "-I" + os.path.join(tree, "support"), "-I" + tree,
             "-I" + os.path.join(tree, "nptl"),
             "-I" + os.path.join(tree, "sysdeps/pthread"), "-include", "glibc-test.h"] +
            AS_GCC + [f'-D{name}="{path}"'
                      for name, path in GLIBC_PATHS.items()])


def glibc_support(directory, compiler, flags):
    """The part of glibc's support library that builds against the system."""
    archive = os.path.join(directory, "glibc-extra", "libsupport.a")
    if os.path.exists(archive):
        return archive
    objects = os.path.join(directory, "glibc-extra", "objects")
    os.makedirs(objects, exist_ok=True)

    def compile_one(source):
        target = os.path.join(objects, base(source) + ".o")
        done = subprocess.run(
            [compiler, *flags, "-c", "-o", target, source],
            stderr=subprocess.DEVNULL, check=False)
        return target if done.returncode == 0 else None

    sources = [source for source in glob.glob(
        os.path.join(directory, "glibc/support/*.c"))
        if not re.match(r"tst-|test-(container|driver|run)|.*-xstat|.*_string_main|.*blob_main",
                        os.path.basename(source))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        built = [path for path in pool.map(compile_one, sources) if path]
    subprocess.run(["ar", "rcs", archive, *built], check=True)
    return archive


def glibc(directory, compiler):
    """glibc's tests of malloc and of threads that need nothing of its inside."""
    flags = glibc_flags(directory)
    support = glibc_support(directory, compiler, flags)
    for folder in "malloc", "nptl", "sysdeps/pthread":
        for source in sorted(glob.glob(
                os.path.join(directory, "glibc", folder, "tst-*.c"))):
            if "static" in source or re.search(r"mod\w?\.c$", source):
                continue
            own = ["-I" + os.path.dirname(source)]
            yield Program(base(source), source, flags + own,
                          [support, "-rdynamic", "-lpthread", "-lm", "-ldl",
                           "-lrt"])


def sanitizer_common(directory, _):
    """Those of its tests that are programs on Linux."""
    for source in sorted(glob.glob(os.path.join(
            directory, "compiler-rt/**/TestCases/**/*.c*"), recursive=True)):
        parts = source.split(os.sep)
        if {"Darwin", "Windows", "FreeBSD", "NetBSD"} & set(parts):
            continue
        if "coverage" in parts[-1] or "symbolize" in parts[-1]:
            continue  # of other instrumentations
        yield Program(base(source), source, ["-O1", "-w"],
                      ["-lpthread", "-lm", "-ldl", "-lrt", "-lcrypt",
                       "-lresolv"])


def csmith(directory, _, seeds=range(1, 201)):
    """Random programs, the same each time."""
    tree = os.path.join(directory, "csmith")
    sources = os.path.join(directory, "csmith-programs")
    os.makedirs(sources, exist_ok=True)
    libraries, = glob.glob(os.path.join(tree, "lib/*"))
    environment = {**os.environ, "LD_LIBRARY_PATH": libraries}
    for seed in seeds:
        source = os.path.join(sources, f"seed{seed}.c")
        if not os.path.exists(source):
            subprocess.run(
                [os.path.join(tree, "bin/csmith"), "--seed", str(seed),
                 "--output", source], cwd=sources, check=True, env=environment,
                stdout=subprocess.DEVNULL)
        yield Program(base(source), source,
                      ["-I" + os.path.join(tree, "include/csmith"), "-w"], [])


SUITES = {"torture": torture, "glibc": glibc, "csmith": csmith,
          "sanitizer_common": sanitizer_common, "directory": plain_c}
