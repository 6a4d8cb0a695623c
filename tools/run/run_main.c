/* run_main.c - heapprof-run: profiles a program that was not rebuilt.
   Status, output and signals are the program's; ours is one line at the end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"
#include "run_child.h"
#include "run_dumps.h"
#include "run_program.h"
#include "run_settings.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char hp_command_name[] = "heapprof-run";

/* As shells have them. */
enum { EXIT_CANNOT_EXECUTE = 126, EXIT_NOT_FOUND = 127 };

static const char help_begin[] =
    "Usage: heapprof-run [options] [--] PROGRAM [ARGUMENT...]\n"
    "Runs a program that was not built with heapprof, and profiles it and what "
    "it\n"
    "starts.  Who allocated, how much, how long is known; accesses are not.\n"
    "\n"
    "  -o, --output DIR  the dumps are made here (the working directory)\n"
    "  --sample N        profile one allocation for every N bytes on average\n"
    "  --no-follow       not the programs that it starts, nor its children\n"
    "  --only NAMES      only programs of these names, separated by commas\n"
    "  --report          make the page, too: heapprof-report.PROGRAM.PID.html\n"
    "  -q, --quiet       no line at the end\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "HEAPPROF_OPTIONS, each as an option with =VALUE (heapprof-options(7)):\n";
static const char help_end[] =
    "\n"
    "Examples:\n"
    "  heapprof-run git status\n"
    "  heapprof-run -o dumps --only cc1plus make -j8\n"
    "\n"
    "Exit codes: the program's; 2 wrong arguments, 3 heapprof is not "
    "installed\n"
    "whole, 126 the program cannot be executed, 127 there is none.\n";

/* ---- options ------------------------------------------------------------- */

enum {
  OPTION_SAMPLE = 1,
  OPTION_NO_FOLLOW,
  OPTION_ONLY,
  OPTION_REPORT,
  OPTION_RUNTIME /* what comes from options.def */
};

static const char *const runtime_names[] = {
#define HP_RUN_OPTION(type, name, dashed, text) name,
#include "run_options.inc"
#undef HP_RUN_OPTION
};

/* Spelled with dashes, and as in HEAPPROF_OPTIONS.  A truth value may be left
   out. */
#define ARGUMENT_bool optional_argument
#define ARGUMENT_int required_argument
#define ARGUMENT_uint64 required_argument
#define ARGUMENT_string required_argument
static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"sample", required_argument, NULL, OPTION_SAMPLE},
    {"no-follow", no_argument, NULL, OPTION_NO_FOLLOW},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"report", no_argument, NULL, OPTION_REPORT},
#define HP_RUN_OPTION(type, name, dashed, text)                                \
  {dashed, ARGUMENT_##type, NULL, OPTION_RUNTIME},                             \
      {name, ARGUMENT_##type, NULL, OPTION_RUNTIME},
#include "run_options.inc"
#undef HP_RUN_OPTION
    HP_LAST_OPTIONS};

static int put_help(void) {
  fputs(help_begin, stdout);
#define HP_RUN_OPTION(type, name, dashed, text)                                \
  printf("  --%s\n      %s\n", dashed, text);
#include "run_options.inc"
#undef HP_RUN_OPTION
  fputs(help_end, stdout);
  return hp_command_close_output(stdout, NULL, HP_EXIT_DONE);
}

/* The spelling of HEAPPROF_OPTIONS. */
static const char *runtime_name(const char *given) {
  for (size_t i = 0; i < sizeof runtime_names / sizeof *runtime_names; i++) {
    size_t j = 0;
    while (given[j] && (given[j] == runtime_names[i][j] ||
                        (given[j] == '-' && runtime_names[i][j] == '_')))
      j++;
    if (given[j] == runtime_names[i][j])
      return runtime_names[i];
  }
  return given;
}

/* False: *EXIT_CODE is what to end with. */
static bool take(struct hp_run_settings *settings, int code, int number,
                 int *exit_code) {
  const char *name = NULL, *value = optarg ? optarg : "1";
  switch (code) {
  case 'o':
    name = "dump_dir";
    break;
  case 'q':
    settings->quiet = true;
    return true;
  case OPTION_SAMPLE:
    name = "sample_bytes";
    break;
  case OPTION_NO_FOLLOW:
    name = "profile_children";
    value = "0";
    break;
  case OPTION_ONLY:
    name = "only_programs";
    break;
  case OPTION_REPORT:
    settings->report = true;
    return true;
  default:
    name = runtime_name(long_options[number].name);
  }
  if (hp_run_add_option(settings, name, value))
    return true;
  *exit_code = hp_command_fail(
      HP_EXIT_USAGE, "%s: %s: holds both ' and \", which no option can", name,
      value);
  return false;
}

static bool parse(struct hp_run_settings *settings, int argc, char **argv,
                  int *exit_code) {
  int code, number = 0;
  opterr = 0;
  while ((code = getopt_long(argc, argv, "+:o:q", long_options, &number)) !=
         -1) {
    if (code == '?' || code == ':') {
      *exit_code = hp_command_fail_option(argv, code);
      return false;
    }
    if (code == HP_OPTION_HELP) {
      *exit_code = put_help();
      return false;
    }
    if (hp_command_take_last(code, "", exit_code) ||
        !take(settings, code, number, exit_code))
      return false;
  }
  if (argv[optind])
    return true;
  *exit_code = hp_command_fail(HP_EXIT_USAGE, "no program given; see %s --help",
                               hp_command_name);
  return false;
}

/* ---- where we are installed ---------------------------------------------- */

/* PREFIX/bin/heapprof-run: UP directories above it, then REST. */
static bool beside_us(char *path, size_t size, int up, const char *rest) {
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length <= 0)
    return false;
  path[length] = '\0';
  for (; up > 0; up--) {
    char *slash = strrchr(path, '/');
    if (!slash)
      return false;
    *slash = '\0';
  }
  size_t used = strlen(path);
  return (size_t)snprintf(path + used, size - used, "/%s", rest) < size - used;
}

/* 0, or what to end with. */
static int find_library(char *path, size_t size) {
  if (!beside_us(path, size, 2, "lib/heapprof/libheapprof_preload.so"))
    return hp_command_fail(HP_EXIT_INPUT_OUTPUT,
                           "cannot tell where it is installed; is /proc "
                           "mounted?");
  if (access(path, R_OK) != 0)
    return hp_command_fail(HP_EXIT_INPUT_OUTPUT,
                           "%s: %s; install heapprof again", path,
                           strerror(errno));
  if (strpbrk(path, ": "))
    return hp_command_fail(HP_EXIT_INPUT_OUTPUT,
                           "%s: LD_PRELOAD takes no path with a space or a "
                           "colon; install heapprof elsewhere",
                           path);
  return 0;
}

/* ---- the end ------------------------------------------------------------- */

struct outcome {
  char directory[PATH_MAX]; /* empty: not known */
  struct hp_run_dumps before, dumps;
  pid_t pid;
};

/* DIRECTORY as it need be said here. */
static const char *prefix_of(const char *directory) {
  char here[PATH_MAX];
  return getcwd(here, sizeof here) && strcmp(here, directory) == 0 ? ""
                                                                   : directory;
}

/* As a shell takes it for one word. */
static void put_word(const char *directory, const char *name) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s%s%s", directory, *directory ? "/" : "", name);
  bool plain = path[strspn(path, "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789/._-+=:,@%")] == '\0';
  if (plain) {
    fputs(path, stderr);
    return;
  }
  putc('\'', stderr);
  for (const char *c = path; *c; c++)
    if (*c == '\'')
      fputs("'\\''", stderr);
    else
      putc(*c, stderr);
  putc('\'', stderr);
}

static const char *own_dump(const struct outcome *outcome) {
  const char *own =
      hp_run_dump_of(&outcome->dumps, outcome->directory, outcome->pid);
  return own ? own : outcome->dumps.names[0];
}

static void say_where(const struct outcome *outcome) {
  size_t count = outcome->dumps.count;
  fprintf(stderr, "%s: ", hp_command_name);
  if (!*outcome->directory) {
    fputs("the profile is where dump_dir says; next: heapprof score DUMP\n",
          stderr);
    return;
  }
  if (!count) {
    fputs("no profile was written\n", stderr);
    return;
  }
  const char *prefix = prefix_of(outcome->directory);
  const char *own = own_dump(outcome);
  if (count == 1)
    fputs("the profile is in ", stderr);
  else
    fprintf(stderr, "%zu profiles, the program's in ", count);
  put_word(prefix, own);
  fputs("; next: heapprof score ", stderr);
  put_word(prefix, own);
  putc('\n', stderr);
}

/* Of all dumps of the run.  Says itself what went wrong. */
static void make_page(const struct outcome *outcome, bool quiet) {
  char tool[PATH_MAX], page[2 * PATH_MAX], output[] = "-o";
  const char *directory = outcome->directory;
  size_t count = outcome->dumps.count;
  if (!count) {
    if (!quiet)
      say_where(outcome);
    return;
  }
  const char *prefix = prefix_of(directory);
  const char *name = own_dump(outcome) + sizeof "heapprof." - 1;
  snprintf(page, sizeof page, "%s%sheapprof-report.%s.html", prefix,
           *prefix ? "/" : "", name);
  char **arguments = calloc(count + 4, sizeof *arguments);
  int status = 1, error = ENOMEM;
  if (arguments && beside_us(tool, sizeof tool, 1, "heapprof-report")) {
    size_t used = 0;
    arguments[used++] = tool;
    arguments[used++] = output;
    arguments[used++] = page;
    for (size_t i = 0; i < count; i++)
      if (asprintf(&arguments[used], "%s%s%s", prefix, *prefix ? "/" : "",
                   outcome->dumps.names[i]) >= 0)
        used++;
    const struct hp_run_command report = {.path = tool, .arguments = arguments};
    pid_t pid;
    error = hp_run_and_wait(&report, &pid, &status);
  }
  if (error)
    hp_command_fail(0, "heapprof-report: %s; install heapprof again",
                    strerror(error));
  else if (status != 0)
    say_where(outcome);
  else if (!quiet) {
    fprintf(stderr, "%s: the page is ", hp_command_name);
    put_word("", page);
    fputs(", the profile ", stderr);
    put_word(prefix, own_dump(outcome));
    putc('\n', stderr);
  }
}

/* ---- main ---------------------------------------------------------------- */

static int fail_start(const char *name, int error) {
  return hp_command_fail(error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE,
                         "%s: %s", name,
                         error == ENOENT ? "no such program" : strerror(error));
}

/* The library's path where it is to be loaded, else NULL. */
static const char *choose(const struct hp_run_program *program,
                          const char *options, const char *library) {
  const char *follow = strstr(options, "profile_children='0'");
  if (program->kind == HP_RUN_NOT || program->kind == HP_RUN_FOREIGN)
    fprintf(stderr, "%s: %s: %s, so it runs without heapprof\n",
            hp_command_name, program->loaded, program->why);
  if (program->kind == HP_RUN_PLAIN)
    return library;
  return program->kind == HP_RUN_FOREIGN || follow ? NULL : library;
}

static int run(const struct hp_run_settings *settings,
               struct hp_run_command *command, bool profiled) {
  struct outcome outcome = {.pid = 0};
  int status = 0, error;
  if (settings->quiet && !settings->report) {
    error = hp_run_become(command);
    return fail_start(command->path, error);
  }
  if (!hp_run_dump_dir(command->options, outcome.directory,
                       sizeof outcome.directory))
    outcome.directory[0] = '\0';
  if (*outcome.directory)
    hp_run_list(outcome.directory, &outcome.before);
  error = hp_run_and_wait(command, &outcome.pid, &status);
  if (error)
    return fail_start(command->path, error);
  if (*outcome.directory)
    hp_run_list(outcome.directory, &outcome.dumps);
  hp_run_subtract(&outcome.dumps, &outcome.before);
  if (settings->report)
    make_page(&outcome, settings->quiet);
  else if (profiled || outcome.dumps.count)
    say_where(&outcome);
  fflush(stderr);
  hp_run_end_like(status);
}

int main(int argc, char **argv) {
  struct hp_run_settings settings = {0};
  struct hp_run_program program;
  char library[PATH_MAX];
  int code;
  if (!parse(&settings, argc, argv, &code))
    return code;
  code = find_library(library, sizeof library);
  if (code)
    return code;
  int error = hp_run_find(argv[optind], &program);
  if (error)
    return fail_start(argv[optind], error);
  hp_run_look_into(&program);
  struct hp_run_command command = {.path = program.path,
                                   .arguments = argv + optind};
  command.options = hp_run_join_options(&settings, getenv("HEAPPROF_OPTIONS"));
  const char *preload = choose(&program, command.options, library);
  if (preload)
    command.preload = hp_run_join_preload(preload, getenv("LD_PRELOAD"));
  return run(&settings, &command,
             program.kind == HP_RUN_PLAIN || program.kind == HP_RUN_BUILT_IN);
}
