/* driver_location.h - where the wrapper is, what lies beside it, and which
   program is the real clang.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DRIVER_LOCATION_H
#define HP_DRIVER_LOCATION_H

/* All absolute paths.  The layout is that of an installation, and the build
   tree has the same:
     bin/heapprof-clang                     this program, by /proc/self/exe
     lib/heapprof/heapprof-pass.so          the pass plugin
     lib/heapprof/heapprof-ast.so           the AST plugin, for LLVM 22
     lib/heapprof/libheapprof_rt.a          the runtime
     lib/heapprof/libheapprof_rt.a.syms     what it exports: a dynamic list
     lib/heapprof/libheapprof_stdcxx.a      what libstdc++.so has, with hooks
     include/sanitizer/heapprof_interface.h the public header                */
struct hp_location {
  const char *self;
  const char *plugin, *ast_plugin, *runtime, *dynamic_list;
  const char *standard_library, *include;
};

/* Returns 0, or -1 if /proc/self/exe cannot be read. */
int hp_location_find(struct hp_location *out);

/* The real clang: $HEAPPROF_CLANG (a path, or a name looked up in PATH), else
   the one baked in, else that version's name looked up in PATH; never this
   program, under whatever name.  NULL if there is none; then *WHY says, in one
   line, what was tried and what to do. */
const char *hp_location_clang(const struct hp_location *location,
                              const char **why);

/* Whether CLANG, if the user named it, can load our plugin: another major
   version would not refuse it, but crash.  NULL if so, else what is wrong. */
const char *hp_location_version_error(const char *clang);

#endif
