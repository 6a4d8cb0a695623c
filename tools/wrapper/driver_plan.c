/* driver_plan.c - the flags of -fsanitize=heapprof, where they belong.
   In the places in which the real driver puts those of its own sanitizers.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver_plan.h"
#include "driver_flags.h"
#include "driver_options.h"

#include <string.h>
#include <unistd.h>

static bool adds_flags(const struct hp_invocation *call) {
  return call->heapprof && !call->untouched && call->has_input;
}

bool hp_plan_instruments(const struct hp_invocation *call) {
  return adds_flags(call) && call->has_code && call->phase >= HP_PHASE_COMPILE;
}

static bool links_module(const struct hp_invocation *call) {
  return call->phase == HP_PHASE_LINK && call->has_link_input &&
         !call->relocatable;
}

static bool links(const struct hp_invocation *call) {
  return links_module(call) && !call->shared;
}

bool hp_plan_links_runtime(const struct hp_invocation *call) {
  return adds_flags(call) && links(call) && call->link_runtime;
}

static const char *missing(const char *path) {
  if (access(path, R_OK) == 0)
    return NULL;
  return hp_format("%s is missing: build all of heapprof, or install it again",
                   path);
}

static const char *link_error(const struct hp_invocation *call,
                              const struct hp_location *location) {
  if (call->static_option != NULL)
    return hp_format(
        "'%s' is not supported with -fsanitize=heapprof: the runtime needs the "
        "dynamic loader; link libc dynamically (-static-libgcc and "
        "-static-libstdc++ may stay)",
        call->static_option);
  if (call->shared_runtime)
    return "'-shared-libsan' is not supported with -fsanitize=heapprof: its "
           "runtime is an archive that goes into the executable; leave the "
           "option out";
  if (!call->link_runtime)
    return NULL;
  const char *error = missing(location->runtime);
  return error != NULL ? error : missing(location->dynamic_list);
}

const char *hp_plan_error(const struct hp_invocation *call,
                          const struct hp_location *location) {
  if (!adds_flags(call))
    return NULL;
  for (unsigned i = 0; i < HP_CONFLICTING; i++)
    if (call->conflicts >> i & 1)
      return hp_format("'-fsanitize=heapprof' cannot be combined with '%s': "
                       "each needs a runtime of its own under malloc; build "
                       "the program twice, once with each",
                       hp_conflicting[i]);
  if (call->foreign_target != NULL || call->foreign_width != NULL)
    return hp_format("'-fsanitize=heapprof' is not supported with '%s': only "
                     "x86-64 Linux with glibc is; leave it out for this "
                     "target",
                     call->foreign_target != NULL ? call->foreign_target
                                                  : call->foreign_width);
  if (call->emulated_tls && hp_plan_instruments(call))
    return "'-femulated-tls' is not supported with -fsanitize=heapprof: hooks "
           "read a thread-local variable of the runtime; leave the option out";
  for (size_t i = 0; i < call->ignorelists.count; i++)
    if (access(call->ignorelists.item[i], R_OK) != 0)
      return hp_format("-fsanitize-ignorelist: cannot read '%s'; check the "
                       "path",
                       call->ignorelists.item[i]);
  for (size_t i = 0; i < call->pass_options.count; i++)
    if (!hp_option_is_of_pass(call->pass_options.item[i]))
      return hp_format("'-mllvm %s': the pass has no such option; "
                       "docs/compiling.md and docs/performance.md have those "
                       "that there are",
                       call->pass_options.item[i]);
  if (hp_plan_instruments(call)) {
    const char *error = missing(location->plugin);
    if (error == NULL && HP_CLANG_MAJOR_NUMBER >= 22)
      error = missing(location->ast_plugin);
    if (error != NULL)
      return error;
  }
  const char *error = links(call) ? link_error(call, location) : NULL;
  if (error == NULL && links_module(call) && call->link_runtime)
    error = missing(location->standard_library);
  return error;
}

static void push(struct hp_strings *out, enum hp_flag_group group,
                 const struct hp_location *location) {
  hp_flags_insert(out, out->count, group, location);
}

/* By -Xclang, since the driver would hand -mllvm to the assembler, too. */
static void pass_option(struct hp_strings *out, const char *option) {
  hp_strings_push(out, "-Xclang");
  hp_strings_push(out, "-mllvm");
  hp_strings_push(out, "-Xclang");
  hp_strings_push(out, option);
}

static void code_flags(const struct hp_invocation *call,
                       const struct hp_location *location,
                       struct hp_strings *out) {
  push(out, HP_FLAGS_CODE, location);
  /* What the user chose stays. */
  if (!call->chose_frame_pointer)
    push(out, HP_FLAGS_FRAME, location);
  if (!call->chose_leaf_frame_pointer)
    push(out, HP_FLAGS_LEAF, location);
  if (call->members)
    pass_option(out, "-heapprof-members");
  for (size_t i = 0; i < call->pass_options.count; i++)
    pass_option(out, call->pass_options.item[i]);
  for (size_t i = 0; i < call->ignorelists.count; i++) {
    const char *file = call->ignorelists.item[i];
    pass_option(out, hp_format("-heapprof-ignorelist=%s", file));
    hp_strings_push(out, "-Xclang");
    hp_strings_push(out, hp_format("-fdepfile-entry=%s", file));
  }
}

/* The front end names the type of each allocation.  Wherever it runs, since a
   precompiled header is taken only with the options it was made with; after the
   user's words, where -fno-sanitize=all would take it back. */
static size_t type_flags(const struct hp_invocation *call,
                         const struct hp_location *location,
                         struct hp_strings *out, size_t at) {
  if (!adds_flags(call) || !call->has_code || call->phase < HP_PHASE_PARSE)
    return at;
  at = hp_flags_insert(out, at, HP_FLAGS_TYPES, location);
  return call->has_macros ? hp_flags_insert(out, at, HP_FLAGS_UNMACRO, location)
                          : at;
}

/* lld asks an archive for __wrap_X only if X, which it has met by then, is no weak symbol;
   those that the runtime takes over are. */
static void wrapper_flags(const struct hp_invocation *call,
                          struct hp_strings *out) {
  /* It gives the runtime the wrappers, too, which therefore asks what is behind them
     (runtime/standard_library/real_symbols.c). */
  if (call->lld && call->wrapped.count)
    hp_strings_push(out, "-Wl,--undefined=__heapprof_real_symbols");
  for (size_t i = 0; call->lld && i < call->wrapped.count; i++)
    hp_strings_push(
        out, hp_format("-Wl,--undefined=__wrap_%s", call->wrapped.item[i]));
}

/* Of what the compiler calls by another name, each has a function for this in the
   archive (runtime/standard_library/wrapped_symbols.c).  Copies not with lld, which
   would wrap the runtime's own calls, too, and so without end. */
static bool is_renamed(const char *symbol, bool with_copies) {
  static const char names[] =
      " malloc calloc realloc reallocarray aligned_alloc memalign "
      "posix_memalign "
      "valloc pvalloc _Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t "
      "_ZnwmSt11align_val_t _ZnamSt11align_val_t "
      "_ZnwmSt11align_val_tRKSt9nothrow_t _ZnamSt11align_val_tRKSt9nothrow_t ";
  static const char copies[] = " memcpy memmove memset ";
  const char *word = hp_format(" %s ", symbol);
  return strstr(names, word) != NULL ||
         (with_copies && strstr(copies, word) != NULL);
}

static void renamed_flags(const struct hp_invocation *call,
                          struct hp_strings *out) {
  for (size_t i = 0; i < call->wrapped.count; i++) {
    const char *symbol = call->wrapped.item[i];
    if (!is_renamed(symbol, !call->lld))
      continue;
    hp_strings_push(out, hp_format("-Wl,--wrap=__heapprof_%s", symbol));
    if (call->lld)
      hp_strings_push(
          out, hp_format("-Wl,--undefined=__wrap___heapprof_%s", symbol));
  }
}

/* Where the user names libstdc++, else at END: the driver names it behind. */
static size_t before_standard_library(const struct hp_strings *words,
                                      size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++)
    if (strcmp(words->item[i], "-lstdc++") == 0 ||
        (strcmp(words->item[i], "-l") == 0 && i + 1 < end &&
         strcmp(words->item[i + 1], "stdc++") == 0))
      return i;
  return end;
}

/* Whether the driver, which is the first of WORDS, names libstdc++ by itself. */
static bool names_standard_library(const struct hp_invocation *call,
                                   const struct hp_strings *words) {
  const char *slash = strrchr(words->item[0], '/');
  return strstr(slash == NULL ? words->item[0] : slash, "++") != NULL &&
         !call->no_default_libraries && !call->other_cxx_library;
}

/* The C++ library's functions with hooks, behind WORDS BEGIN to END or ahead of the C++
   library among them.  mold takes libstdc++.so's rather than those of an archive, which
   are weak; so there all are linked in, wherever libstdc++ is. */
static void standard_library(const struct hp_invocation *call,
                             const struct hp_location *location,
                             struct hp_strings *out, size_t begin, size_t end) {
  const size_t at = before_standard_library(out, begin, end);
  const bool is_there = at != end || names_standard_library(call, out);
  const size_t behind = hp_flags_insert(out, at, HP_FLAGS_STANDARD, location);
  for (size_t i = at; call->mold && is_there && i < behind; i++)
    if (strcmp(out->item[i], "--no-whole-archive") == 0)
      out->item[i] = "--whole-archive";
}

bool hp_plan_write(const struct hp_invocation *call,
                   const struct hp_location *location,
                   const struct hp_arguments *arguments,
                   struct hp_strings *out) {
  const bool runtime = hp_plan_links_runtime(call);
  if (adds_flags(call) && call->has_macros)
    push(out, HP_FLAGS_MACROS, location);
  if (hp_plan_instruments(call))
    code_flags(call, location, out);
  /* Before the user's words: the executable's malloc is found before any
     archive that defines one, and no -x turns the archive into a source. */
  if (runtime) {
    push(out, HP_FLAGS_RUNTIME, location);
    wrapper_flags(call, out);
  }
  if (adds_flags(call) && links_module(call) && call->link_runtime)
    renamed_flags(call, out);

  size_t begin = out->count, end = begin;
  if (!hp_arguments_write(arguments, out))
    return false;
  while (end < out->count && strcmp(out->item[end], "--") != 0)
    end++;
  end = type_flags(call, location, out, end);
  if (adds_flags(call) && links_module(call) && call->link_runtime) {
    const size_t count = out->count;
    standard_library(call, location, out, begin, end);
    end += out->count - count;
  }
  if (runtime && !call->no_default_libraries)
    hp_flags_insert(out, end, HP_FLAGS_LIBRARIES, location);
  return true;
}
