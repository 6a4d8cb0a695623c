/* driver_main.c - heapprof-clang: the real clang, which also understands
   -fsanitize=heapprof.  Ends in exec, so that all messages are clang's own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver_exports.h"
#include "driver_location.h"
#include "driver_plan.h"
#include "driver_scan.h"

static const char *program = "heapprof-clang";

static void message(const char *kind, const char *text) {
  fprintf(stderr, "%s: %s: %s\n", program, kind, text);
}

static int fail(const char *text) {
  message("error", text);
  return 1;
}

/* Flags of our own, and ours alone, go through here; a call in which our name
   does not occur is handed on word for word. */
static int prepare(char **argv, const struct hp_location *location,
                   const char *clang, struct hp_strings *out) {
  const char *override = getenv("CCC_OVERRIDE_OPTIONS");
  struct hp_arguments arguments;
  struct hp_invocation invocation;
  hp_arguments_read(&arguments, argv, override);
  hp_scan(&invocation, &arguments);

  const char *error = hp_plan_error(&invocation, location);
  if (error == NULL && hp_plan_instruments(&invocation))
    error = hp_location_version_error(clang);
  if (error != NULL)
    return fail(error);
  if (invocation.undefined_option != NULL)
    message("warning",
            hp_format("ignoring '%s' for a shared library: the runtime's "
                      "functions are defined in the executable",
                      invocation.undefined_option));
  const char *hides = NULL;
  if ((hp_plan_links_runtime(&invocation) &&
       !hp_exports_keep(&invocation.linker, &arguments, location->dynamic_list,
                        &hides)) ||
      !hp_plan_write(&invocation, location, &arguments, out))
    return fail(
        hp_format("cannot rewrite a file in memory: %s", strerror(errno)));
  if (hides != NULL)
    message("warning",
            hp_format("'--version-script=%s' hides the runtime's functions "
                      "from libraries: leave it out, or its 'local: *'",
                      hides));
  const char *rest = hp_arguments_override(&arguments);
  if (rest != override && setenv("CCC_OVERRIDE_OPTIONS", rest, 1) != 0)
    return fail("out of memory");
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 0) {
    const char *slash = strrchr(argv[0], '/');
    program = slash == NULL ? argv[0] : slash + 1;
  }
  struct hp_location location;
  if (hp_location_find(&location) != 0)
    return fail("cannot read /proc/self/exe: mount /proc");
  const char *why = "";
  const char *clang = hp_location_clang(&location, &why);
  if (clang == NULL)
    return fail(why);

  struct hp_strings command = {0};
  /* The name stays: clang takes its mode (C or C++) and the first word of its
     messages from it. */
  hp_strings_push(&command, argc > 0 ? argv[0] : program);
  int status = prepare(argv, &location, clang, &command);
  if (status != 0)
    return status;
  execv(clang, (char **)command.item);
  return fail(hp_format("cannot run %s: %s", clang, strerror(errno)));
}
