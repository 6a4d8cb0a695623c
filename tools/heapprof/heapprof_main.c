/* heapprof_main.c - heapprof: one name for all the commands beside it.
   "heapprof score ..." becomes heapprof-score; nothing else is done here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"
#include "installed.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

const char hp_command_name[] = "heapprof";

static const char help_begin[] =
    "Usage: heapprof COMMAND [ARGUMENT...]\n"
    "A heap profiler for C and C++ that is built into the program, or "
    "preloaded.\n"
    "\n"
    "Commands:\n"
    "  build      how to build a program with heapprof\n";
static const char help_end[] =
    "  help       this text; help COMMAND: that of the command\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "Examples:\n"
    "  heapprof-clang -fsanitize=heapprof -g -O2 app.c -o app\n"
    "  ./app\n"
    "  heapprof score heapprof.app.*\n"
    "  heapprof run ./app   # also if it was not built so; then without "
    "accesses\n"
    "\n"
    "Exit codes are those of the command; 2 for a command there is not.\n";

static const char build_text[] =
    "Compile and link with heapprof's clang and -fsanitize=heapprof:\n"
    "\n"
    "  heapprof-clang -fsanitize=heapprof -g -O2 app.c -o app\n"
    "  heapprof-clang++ -fsanitize=heapprof -g -O2 app.cpp -o app\n"
    "\n"
    "CMake:\n"
    "  cmake -DCMAKE_C_COMPILER=heapprof-clang \\\n"
    "    -DCMAKE_CXX_COMPILER=heapprof-clang++ \\\n"
    "    -DCMAKE_C_FLAGS='-fsanitize=heapprof -g' \\\n"
    "    -DCMAKE_CXX_FLAGS='-fsanitize=heapprof -g' ...\n"
    "autoconf:\n"
    "  ./configure CC=heapprof-clang CXX=heapprof-clang++ \\\n"
    "    CFLAGS='-fsanitize=heapprof -g -O2' "
    "CXXFLAGS='-fsanitize=heapprof -g -O2'\n"
    "make:\n"
    "  make CC='heapprof-clang -fsanitize=heapprof -g' \\\n"
    "    CXX='heapprof-clang++ -fsanitize=heapprof -g'\n";

static const struct {
  const char *name, *text;
} commands[] = {{"run", "run and profile a program that was not built so"},
                {"score", "score the allocation points, the worst first"},
                {"report", "one HTML page to look around in"},
                {"export", "the formats of other tools"},
                {"diff", "what changed between two runs"},
                {"check", "hold a run against a budget, for CI"},
                {"merge", "the dumps of many processes into one"},
                {"allocators", "the program under several allocators"}};
#define COMMANDS (sizeof commands / sizeof *commands)

/* The path of heapprof-NAME in the directory of this program. */
static bool path_of(const char *name, char *path, size_t size) {
  char file[NAME_MAX];
  const int length = snprintf(file, sizeof file, "heapprof-%s", name);
  return length > 0 && (size_t)length < sizeof file &&
         hp_command_beside(path, size, 1, file);
}

static void put_help(void) {
  char path[PATH_MAX];
  fputs(help_begin, stdout);
  for (size_t i = 0; i < COMMANDS; i++)
    printf("  %-10s %s%s\n", commands[i].name, commands[i].text,
           path_of(commands[i].name, path, sizeof path) &&
                   access(path, X_OK) == 0
               ? ""
               : " (not installed)");
  fputs(help_end, stdout);
}

static int put(const char *text) {
  fputs(text, stdout);
  return hp_command_close_output(stdout, NULL, HP_EXIT_DONE);
}

/* ARGUMENTS[0] is given the command's own name. */
static int become(const char *name, char **arguments) {
  char path[PATH_MAX];
  if (!path_of(name, path, sizeof path))
    return hp_command_fail(HP_EXIT_INPUT_OUTPUT,
                           "cannot tell where it is installed; is /proc "
                           "mounted?");
  arguments[0] = path;
  execv(path, arguments);
  return hp_command_fail(HP_EXIT_INPUT_OUTPUT, "%s: %s; install heapprof again",
                         path, strerror(errno));
}

static bool is_command(const char *name) {
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(commands[i].name, name) == 0)
      return true;
  return false;
}

static int fail_unknown(const char *name) {
  return hp_command_fail(HP_EXIT_USAGE,
                         "no command is named '%s'; see heapprof --help", name);
}

static int give_help(const char *name) {
  char option[] = "--help";
  char *arguments[] = {NULL, option, NULL};
  if (!name) {
    put_help();
    return hp_command_close_output(stdout, NULL, HP_EXIT_DONE);
  }
  if (strcmp(name, "build") == 0)
    return put(build_text);
  return is_command(name) ? become(name, arguments) : fail_unknown(name);
}

/* Who names a program expects it to be built, and a script that does so
   looks at the exit code only. */
static int explain(const char *name, char **arguments) {
  if (*arguments && strcmp(*arguments, "--help") != 0)
    return hp_command_fail(HP_EXIT_USAGE,
                           "%s does nothing with '%s' yet, it only says how; "
                           "see heapprof help %s",
                           name, *arguments, name);
  return give_help(name);
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : NULL;
  if (!name)
    return hp_command_fail(HP_EXIT_USAGE,
                           "no command given; see heapprof --help");
  if (strcmp(name, "--version") == 0)
    return put("heapprof " HEAPPROF_VERSION "\n");
  if (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0)
    return give_help(argc > 2 ? argv[2] : NULL);
  if (strcmp(name, "build") == 0)
    return explain(name, argv + 2);
  return is_command(name) ? become(name, argv + 1) : fail_unknown(name);
}
