/* driver_plan.c - the flags of -fsanitize=heapprof, where they belong.
   In the places in which the real driver puts those of its own sanitizers.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver_plan.h"

#include <string.h>
#include <unistd.h>

static bool adds_flags(const struct hp_invocation *call) {
  return call->heapprof && !call->untouched && call->has_input;
}

bool hp_plan_instruments(const struct hp_invocation *call) {
  return adds_flags(call) && call->has_code && call->phase >= HP_PHASE_COMPILE;
}

static bool links(const struct hp_invocation *call) {
  return call->phase == HP_PHASE_LINK && call->has_link_input &&
         !call->relocatable && !call->shared;
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
  for (size_t i = 0; i < call->ignorelists.count; i++)
    if (access(call->ignorelists.item[i], R_OK) != 0)
      return hp_format("-fsanitize-ignorelist: cannot read '%s'; check the "
                       "path",
                       call->ignorelists.item[i]);
  if (hp_plan_instruments(call)) {
    const char *error = missing(location->plugin);
    if (error == NULL && HP_CLANG_MAJOR_NUMBER >= 22)
      error = missing(location->ast_plugin);
    if (error != NULL)
      return error;
  }
  return links(call) ? link_error(call, location) : NULL;
}

static void push_all(struct hp_strings *out, const char *const *words) {
  for (; *words != NULL; words++)
    hp_strings_push(out, *words);
}

static void macro_flags(const struct hp_location *location,
                        struct hp_strings *out) {
  /* After the system's directories: a prefix of /usr must not move
     /usr/include before the C++ headers that include_next it. */
  const char *const flags[] = {"-D__SANITIZE_HEAPPROF__=1", "-D__HEAPPROF__=1",
                               "-idirafter", location->include, NULL};
  push_all(out, flags);
}

static void code_flags(const struct hp_invocation *call,
                       const struct hp_location *location,
                       struct hp_strings *out) {
  /* Clang 19 knows the plugin's -mllvm options only if it is also loaded the
     old way; 22 does not mind. */
  const char *const plugin[] = {hp_format("-fpass-plugin=%s", location->plugin),
                                "-Xclang",
                                "-load",
                                "-Xclang",
                                location->plugin,
                                NULL};
  push_all(out, plugin);
#if HP_CLANG_MAJOR_NUMBER >= 22
  const char *const types[] = {"-Xclang", "-load", "-Xclang",
                               location->ast_plugin, NULL};
  push_all(out, types);
#endif
  hp_strings_push(out, "-fno-assume-sane-operator-new");
  /* Frame pointers make call stacks cheap; what the user chose stays. */
  if (!call->chose_frame_pointer)
    hp_strings_push(out, "-fno-omit-frame-pointer");
  if (!call->chose_leaf_frame_pointer)
    hp_strings_push(out, "-mno-omit-leaf-frame-pointer");
  for (size_t i = 0; i < call->ignorelists.count; i++) {
    const char *file = call->ignorelists.item[i];
    const char *const flags[] = {
        "-mllvm", hp_format("-heapprof-ignorelist=%s", file), "-Xclang",
        hp_format("-fdepfile-entry=%s", file), NULL};
    push_all(out, flags);
  }
}

/* The front end names the type of each allocation.  Wherever it runs, since a
   precompiled header is taken only with the options it was made with; after the
   user's words, where -fno-sanitize=all would take it back. */
static size_t token_flags(const struct hp_invocation *call,
                          struct hp_strings *out, size_t at) {
  if (HP_CLANG_MAJOR_NUMBER < 22 || !adds_flags(call) || !call->has_code ||
      call->phase < HP_PHASE_PARSE)
    return at;
  hp_strings_insert(out, at++, "-fsanitize=alloc-token");
  if (call->has_macros)
    hp_strings_insert(out, at++, "-U__SANITIZE_ALLOC_TOKEN__");
  return at;
}

/* Before the user's words: the executable's malloc is found before any archive
   that defines one, and no -x turns the archive into a source file. */
static void runtime_flags(const struct hp_location *location,
                          struct hp_strings *out) {
  const char *const flags[] = {
      "-Xlinker", "--whole-archive",
      "-Xlinker", location->runtime,
      "-Xlinker", "--no-whole-archive",
      "-Xlinker", hp_format("--dynamic-list=%s", location->dynamic_list),
      NULL};
  push_all(out, flags);
}

/* After the user's words, in a state of their own: --as-needed must neither
   drop these nor be changed for what follows. */
static const char *const runtime_libraries[] = {
    "-Wl,--push-state,--no-as-needed",
    "-lpthread",
    "-lrt",
    "-lm",
    "-ldl",
    "-lresolv",
    "-Wl,--pop-state",
    NULL};

bool hp_plan_write(const struct hp_invocation *call,
                   const struct hp_location *location,
                   const struct hp_arguments *arguments,
                   struct hp_strings *out) {
  bool runtime = adds_flags(call) && links(call) && call->link_runtime;
  if (adds_flags(call) && call->has_macros)
    macro_flags(location, out);
  if (hp_plan_instruments(call))
    code_flags(call, location, out);
  if (runtime)
    runtime_flags(location, out);

  size_t end = out->count;
  if (!hp_arguments_write(arguments, out))
    return false;
  while (end < out->count && strcmp(out->item[end], "--") != 0)
    end++;
  end = token_flags(call, out, end);
  if (!runtime || call->no_default_libraries)
    return true;
  for (size_t i = 0; runtime_libraries[i] != NULL; i++)
    hp_strings_insert(out, end + i, runtime_libraries[i]);
  return true;
}
