/* run_main.c - heapprof-run: profiles a program that was not rebuilt.
   Status, output and signals are the program's; ours is one line at the end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command_options.h"
#include "installed.h"
#include "run_child.h"
#include "run_dumps.h"
#include "run_failures.h"
#include "run_program.h"
#include "run_settings.h"
#include "run_values.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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

/* What cannot be handed on is told when all options are read. */
struct arguments {
  struct hp_run_settings settings;
  const char *refused, *refused_value;
};

static const char *set(struct arguments *a, const char *name,
                       const char *value) {
  if (!hp_run_add_option(&a->settings, name, value) && !a->refused) {
    a->refused = name;
    a->refused_value = value;
  }
  return NULL;
}

static const char *read_output(const struct hp_option *option, void *arguments,
                               const char *value) {
  struct stat status;
  (void)option;
  /* The program may run for hours before the dump is written. */
  if (!*value || (stat(value, &status) == 0 && !S_ISDIR(status.st_mode)))
    return "a directory, or what may become one";
  return set(arguments, "dump_dir", value);
}

static const char *read_sample(const struct hp_option *option, void *arguments,
                               const char *value) {
  (void)option;
  const char *wanted =
      hp_run_value_must_be(HP_RUN_uint64, "sample_bytes", value);
  return wanted ? wanted : set(arguments, "sample_bytes", value);
}

static const char *read_no_follow(const struct hp_option *option,
                                  void *arguments, const char *value) {
  (void)option, (void)value;
  return set(arguments, "profile_children", "0");
}

static const char *read_only(const struct hp_option *option, void *arguments,
                             const char *value) {
  struct arguments *a = arguments;
  (void)option;
  a->settings.only = *value ? value : NULL;
  return set(a, "only_programs", value);
}

/* The type stands where other options say what they set. */
static const char *read_runtime(const struct hp_option *option, void *arguments,
                                const char *value) {
  const char *given = value ? value : "1";
  const char *wanted = hp_run_value_must_be((enum hp_run_type)option->member,
                                            option->alias, given);
  return wanted ? wanted : set(arguments, option->alias, given);
}

/* Those of the runtime are spelled with dashes, and as in HEAPPROF_OPTIONS.  A
   truth value may be left out. */
#define VALUE_bool HP_VALUE_MAY
#define VALUE_int HP_VALUE_MUST
#define VALUE_uint64 HP_VALUE_MUST
#define VALUE_string HP_VALUE_MUST
static const struct hp_option rows[] = {
    {"output", .letter = 'o', .value = HP_VALUE_MUST, .read = read_output},
    {"quiet", .letter = 'q', .read = hp_option_flag,
     .member = offsetof(struct arguments, settings.quiet)},
    {"sample", .value = HP_VALUE_MUST, .read = read_sample},
    {"no-follow", .read = read_no_follow},
    {"only", .value = HP_VALUE_MUST, .read = read_only},
    HP_FLAG_OPTION("report", struct arguments, settings.report),
#define HP_RUN_OPTION(type, name, dashed, text)                                \
  {dashed, .alias = name, .value = VALUE_##type, .read = read_runtime,         \
   .member = HP_RUN_##type},
#include "run_options.inc"
#undef HP_RUN_OPTION
};

static void put_help(FILE *out) {
  fputs(help_begin, out);
#define HP_RUN_OPTION(type, name, dashed, text)                                \
  fprintf(out, "  --%s\n      %s\n", dashed, text);
#include "run_options.inc"
#undef HP_RUN_OPTION
  fputs(help_end, out);
}

static bool parse(struct hp_run_settings *settings, int argc, char **argv,
                  int *exit_code) {
  static const struct hp_command_options options = {.rows = rows,
                                                    .count = sizeof rows /
                                                             sizeof *rows,
                                                    .put_help = put_help,
                                                    .of_program = true};
  struct arguments a = {0};
  if (!hp_command_parse(&options, &a, NULL, argc, argv, exit_code))
    return false;
  *settings = a.settings;
  *exit_code = HP_EXIT_USAGE;
  if (a.refused)
    hp_command_fail(0, "%s: %s: holds both ' and \", which no option can",
                    a.refused, a.refused_value);
  else if (!argv[optind])
    hp_command_fail(0, "no program given; see %s --help", hp_command_name);
  else
    return true;
  return false;
}

/* ---- where we are installed ---------------------------------------------- */

/* 0, or what to end with. */
static int find_library(char *path, size_t size) {
  if (!hp_command_beside(path, size, 2, "lib/heapprof/libheapprof_preload.so"))
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
  struct hp_run_failures failures;
  pid_t pid;
  int status;
  const char *only; /* NULL: programs of any name */
  bool is_told; /* why there is no profile: in a log; or none was asked for */
};

/* DIRECTORY as it need be said here. */
static const char *prefix_of(const char *directory) {
  char here[PATH_MAX];
  return getcwd(here, sizeof here) && strcmp(here, directory) == 0 ? ""
                                                                   : directory;
}

/* What is between DIRECTORY and a name in it. */
static const char *slash_after(const char *directory) {
  const size_t length = strlen(directory);
  return length && directory[length - 1] != '/' ? "/" : "";
}

/* As a shell takes it for one word. */
static void put_word(const char *directory, const char *name) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s%s%s", directory, slash_after(directory),
           name);
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

static void begin_line(const struct outcome *outcome) {
  const size_t count = outcome->failures.count;
  fprintf(stderr, "%s: ", hp_command_name);
  if (count == 1)
    fprintf(stderr, "cannot write the dump: %s; ", outcome->failures.first);
  else if (count)
    fprintf(stderr, "cannot write %zu dumps, the first: %s; ", count,
            outcome->failures.first);
  const size_t unseen = outcome->failures.unseen;
  if (unseen == 1)
    fprintf(stderr,
            "%s has a malloc of its own, so what it allocates was not "
            "profiled; ",
            outcome->failures.first_unseen);
  else if (unseen)
    fprintf(stderr,
            "%s and %zu other process%s have a malloc of their own, so what "
            "they allocate was not profiled; ",
            outcome->failures.first_unseen, unseen - 1,
            unseen == 2 ? "" : "es");
}

static bool was_killed(const struct outcome *outcome) {
  return WIFSIGNALED(outcome->status) && WTERMSIG(outcome->status) == SIGKILL;
}

/* What the program's dump OWN lacks, that of no end: what it did after. */
static const char *part_text(const struct outcome *outcome, const char *own) {
  return outcome->failures.count || hp_run_is_whole(outcome->directory, own)
             ? ""
             : ", up to its last checkpoint,";
}

static const char early_death[] =
    "the program was killed before its first checkpoint (--checkpoint-ms)";

/* As programs of Go do. */
static const char unseen_end[] =
    "the program ended by a system call of its own, it seems, before its first "
    "checkpoint (--checkpoint-ms)";

/* OWN is the dump of the program's process, which it may have left as another one
   that executed what was killed, or what runs without heapprof. */
static void say_own(const struct outcome *outcome, const char *own) {
  const size_t count = outcome->dumps.count;
  const bool is_earlier = hp_run_has_executed(outcome->directory, own);
  const char *up_to = part_text(outcome, own);
  if (is_earlier && was_killed(outcome))
    fprintf(stderr, "%s; ", early_death);
  else if (is_earlier && !outcome->failures.count)
    fputs("what the program executed left no profile; ", stderr);
  if (count > 1)
    fprintf(stderr,
            is_earlier ? "%zu profiles, that of what it was before%s in "
                       : "%zu profiles, the program's%s in ",
            count, up_to);
  else
    fprintf(stderr,
            is_earlier ? "the profile of what it was before%s is in "
                       : "the profile%s is in ",
            up_to);
}

static void say_where(const struct outcome *outcome) {
  size_t count = outcome->dumps.count;
  const struct hp_run_failures *failures = &outcome->failures;
  if (!count && !failures->count && failures->deaths)
    return; /* such as a wrong option: that there is no profile is clear */
  begin_line(outcome);
  if (!*outcome->directory) {
    fprintf(stderr, "%s is where dump_dir says; next: heapprof score DUMP\n",
            failures->count ? "what was written" : "the profile");
    return;
  }
  if (!count) {
    fputs("no profile was written", stderr);
    if (!failures->count && was_killed(outcome))
      fprintf(stderr, ": %s", early_death);
    else if (!failures->count && outcome->only)
      fprintf(stderr, "; --only '%s' is for programs of these names alone",
              outcome->only);
    else if (!failures->count && !failures->unseen && !outcome->is_told &&
             WIFEXITED(outcome->status))
      fprintf(stderr, ": %s", unseen_end);
    putc('\n', stderr);
    return;
  }
  const char *prefix = prefix_of(outcome->directory);
  const char *own = own_dump(outcome);
  if (hp_run_dump_of(&outcome->dumps, outcome->directory, outcome->pid))
    say_own(outcome, own);
  else if (count == 1)
    fputs("the program left no profile, what it started one in ", stderr);
  else
    fprintf(stderr, "%zu profiles, none the program's own, one in ", count);
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
           slash_after(prefix), name);
  char **arguments = calloc(count + 4, sizeof *arguments);
  int status = 1, error = ENOMEM;
  if (arguments && hp_command_beside(tool, sizeof tool, 1, "heapprof-report")) {
    size_t used = 0;
    arguments[used++] = tool;
    arguments[used++] = output;
    arguments[used++] = page;
    for (size_t i = 0; i < count; i++)
      if (asprintf(&arguments[used], "%s%s%s", prefix, slash_after(prefix),
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
    begin_line(outcome);
    fputs("the page is ", stderr);
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

/* The file was found, so that what the system misses is what interprets it. */
static int fail_program(const struct hp_run_program *program, int error) {
  const bool is_script = strcmp(program->loaded, program->path) != 0;
  char name[2 * PATH_MAX + 32];
  if (error != ENOENT && (error != EACCES || !is_script))
    return fail_start(program->path, error);
  snprintf(name, sizeof name, "%s: its interpreter%s%s", program->path,
           is_script ? " " : "", is_script ? program->loaded : "");
  return fail_start(name, error);
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

/* NAME: what its processes know the run by; NULL: nothing. */
static int run(const struct hp_run_settings *settings,
               const struct hp_run_program *program,
               struct hp_run_command *command, const char *name) {
  const bool profiled =
      program->kind == HP_RUN_PLAIN || program->kind == HP_RUN_BUILT_IN;
  static struct outcome outcome; /* not on a stack that a limit keeps small */
  int status = 0, error;
  outcome.only = settings->only;
  outcome.is_told = strstr(command->options, "dump_at_exit=") ||
                    strstr(command->options, "log_path=");
  if (settings->quiet && !settings->report) {
    error = hp_run_become(command);
    return fail_program(program, error);
  }
  if (!hp_run_dump_dir(command->options, outcome.directory,
                       sizeof outcome.directory))
    outcome.directory[0] = '\0';
  if (*outcome.directory)
    hp_run_list(outcome.directory, &outcome.before);
  error = hp_run_and_wait(command, &outcome.pid, &status);
  outcome.status = status;
  hp_run_failures_end(&outcome.failures);
  if (error)
    return fail_program(program, error);
  if (*outcome.directory)
    hp_run_list(outcome.directory, &outcome.dumps);
  hp_run_subtract(&outcome.dumps, &outcome.before, outcome.directory);
  if (name)
    hp_run_keep_own(&outcome.dumps, outcome.directory, name, outcome.pid);
  if (settings->report)
    make_page(&outcome, settings->quiet);
  else if (profiled || outcome.dumps.count || outcome.failures.count)
    say_where(&outcome);
  fflush(stderr);
  hp_run_end_like(status);
}

/* As no other run is, nor one in a namespace of its own. */
static void name_run(char *name, size_t size) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(name, size, "%d.%lld.%ld", (int)getpid(), (long long)now.tv_sec,
           now.tv_nsec);
}

/* Not what the environment says of it is to be changed where dumps cannot be
   written, which the command line overrules. */
static bool decides_where(const struct hp_run_settings *settings,
                          const char *inherited) {
  return (settings->options && strstr(settings->options, "dump_dir=")) ||
         !inherited || !strstr(inherited, "dump_dir=");
}

int main(int argc, char **argv) {
  struct hp_run_settings settings = {0};
  static struct hp_run_program program;
  static char library[PATH_MAX];
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
  struct hp_run_listening listening = {NULL, NULL};
  const bool has_file =
      settings.options && strstr(settings.options, "failure_file=");
  if (!settings.quiet)
    listening = hp_run_failures_begin();
  if (listening.memory && !has_file) /* a file is told before it */
    hp_run_add_first(&settings, "failure_memory", listening.memory);
  if (listening.file)
    hp_run_add_first(&settings, "failure_file", listening.file);
  const char *inherited = getenv("HEAPPROF_OPTIONS");
  if (decides_where(&settings, inherited))
    hp_run_add_first(&settings, "dump_dir_setting", "-o ");
  char name[64] = "";
  const bool has_name = !settings.quiet || settings.report;
  if (has_name) {
    name_run(name, sizeof name);
    hp_run_add_option(&settings, "run_name", name);
  }
  command.options = hp_run_join_options(&settings, listening.file, inherited);
  const char *preload = choose(&program, command.options, library);
  if (preload)
    command.preload = hp_run_join_preload(preload, getenv("LD_PRELOAD"));
  return run(&settings, &program, &command, has_name ? name : NULL);
}
