/* allocators_main.c - heapprof-allocators: a program under several allocators and settings, compared.
   Rounds are interleaved; the meter and the count of memory calls have runs of their own, whose times count for nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command_options.h"
#include "comparison.h"
#include "installed.h"
#include "progress.h"
#include "replay.h"
#include "run_child.h"
#include "run_program.h"
#include "run_stop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char hp_command_name[] = "heapprof-allocators";

enum { EXIT_CANNOT_EXECUTE = 126, EXIT_NOT_FOUND = 127 }; /* as shells have */

static const char help[] =
    "Usage: heapprof-allocators [options] [--] PROGRAM [ARGUMENT...]\n"
    "       heapprof-allocators [options] --replay DUMP\n"
    "Runs a program under several allocators, and with other settings of "
    "them:\n"
    "time, memory, fragmentation, calls of the system, cost of each function.\n"
    "\n"
    "  --with NAMES      of glibc, jemalloc, tcmalloc, mimalloc, or paths of\n"
    "                    libraries, separated by commas (default: all four;\n"
    "                    with --sweep those swept)\n"
    "  --sweep NAME=V,V  a setting and its values: a tunable of glibc.malloc\n"
    "                    (top_pad=64K,1M) or a variable (MALLOC_CONF=...);\n"
    "                    may repeat\n"
    "  --replay DUMP     in place of a program: what a run allocated, again\n"
    "                    (profiled with chunk_log=all)\n"
    "  --repeat N        rounds, from 1 to 99 (3)\n"
    "  --input FILE      standard input of each run (default: standard input\n"
    "                    if it is a file, else nothing)\n"
    "  --no-meter        neither fragmentation nor times of functions\n"
    "  --no-count        no calls of brk, mmap, ...\n"
    "  --json, --csv, --html  instead of a table\n"
    "  -o, --output FILE  write there; a table goes to standard error else,\n"
    "                    the others to standard output\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "Examples:\n"
    "  heapprof-allocators sort words.txt\n"
    "  heapprof-allocators --sweep top_pad=64K,256K,1M,4M ./app\n"
    "  heapprof-allocators --with jemalloc,mimalloc --html -o a.html ./app\n"
    "\n"
    "Exit codes: the program's as it is; 2 wrong arguments, 3 an output that\n"
    "cannot be written, 126 the program cannot be executed, 127 there is "
    "none.\n";

/* ---- options ----------------------------------------------------------------- */

#define SWEEPS_MAX 16u

struct arguments {
  const char *with, *output, *input, *replay;
  const char *sweeps[SWEEPS_MAX];
  size_t sweep_count, rounds;
  bool json, csv, html, no_meter, no_count;
};

static const char *read_sweep(const struct hp_option *option, void *arguments,
                              const char *value) {
  struct arguments *a = arguments;
  (void)option;
  if (a->sweep_count == SWEEPS_MAX)
    return "one of at most 16";
  a->sweeps[a->sweep_count++] = value;
  return NULL;
}

static const char *read_rounds(const struct hp_option *option, void *arguments,
                               const char *value) {
  struct arguments *a = arguments;
  return hp_command_parse_rows(value, &a->rounds) && a->rounds >= 1 &&
                 a->rounds <= HP_ROUNDS_MAX
             ? NULL
             : option->must_be;
}

static const struct hp_option rows[] = {
    HP_TEXT_OPTION("with", struct arguments, with),
    {"sweep", .value = HP_VALUE_MUST, .read = read_sweep},
    {"repeat", .value = HP_VALUE_MUST, .read = read_rounds,
     .must_be = "a number from 1 to 99"},
    HP_TEXT_OPTION("replay", struct arguments, replay),
    HP_TEXT_OPTION("input", struct arguments, input),
    HP_FLAG_OPTION("no-meter", struct arguments, no_meter),
    HP_FLAG_OPTION("no-count", struct arguments, no_count),
    HP_FLAG_OPTION("json", struct arguments, json),
    HP_FLAG_OPTION("csv", struct arguments, csv),
    HP_FLAG_OPTION("html", struct arguments, html),
    HP_OUTPUT_OPTION(struct arguments, output)};

static bool parse(struct arguments *a, int argc, char **argv, int *code) {
  static const struct hp_command_options options = {.rows = rows,
                                                    .count = sizeof rows /
                                                             sizeof *rows,
                                                    .help = help,
                                                    .of_program = true};
  if (!hp_command_parse(&options, a, NULL, argc, argv, code))
    return false;
  *code = HP_EXIT_USAGE;
  if (a->json + a->csv + a->html > 1)
    hp_command_fail(0, "only one of --json, --csv and --html");
  else if (a->replay && argv[optind])
    hp_command_fail(0, "--replay takes no program");
  else if (!a->replay && !argv[optind])
    hp_command_fail(0, "no program given; see %s --help", hp_command_name);
  else
    return true;
  return false;
}

/* ---- who takes part ------------------------------------------------------------ */

static bool choose(struct hp_contenders *contenders,
                   const struct arguments *a) {
  bool only_sweeps = !a->with && a->sweep_count;
  const char *problem =
      hp_contenders_with(contenders, only_sweeps ? "glibc" : a->with);
  if (problem) {
    hp_command_fail(0, "--with %s", problem);
    return false;
  }
  for (size_t i = 0; i < a->sweep_count && !problem; i++)
    problem = hp_contenders_sweep(contenders, a->sweeps[i]);
  if (problem) {
    hp_command_fail(0, "--sweep %s", problem);
    return false;
  }
  for (size_t i = 0; i < contenders->missing_count; i++)
    hp_command_fail(0, "%s is not installed (%s, package %s): left out",
                    contenders->missing[i].name, contenders->missing[i].file,
                    contenders->missing[i].package);
  return true;
}

/* 0, or what to end with. */
static int find_program(const char *name, struct hp_run_program *program) {
  int error = hp_run_find(name, program);
  if (error)
    return hp_command_fail(
        error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE, "%s: %s", name,
        error == ENOENT ? "no such program" : strerror(error));
  hp_run_look_into(program);
  if (program->kind == HP_RUN_BUILT_IN)
    return hp_command_fail(HP_EXIT_USAGE,
                           "%s: was built with heapprof, which is its "
                           "allocator; compare a plain build",
                           name);
  if (program->kind != HP_RUN_PLAIN)
    return hp_command_fail(HP_EXIT_USAGE,
                           "%s: %s, so that no allocator can be loaded into it",
                           program->loaded, program->why);
  return 0;
}

/* NULL if it cannot be loaded: ld.so parts the list by spaces and colons. */
static const char *find_meter(void) {
  static char path[PATH_MAX];
  return hp_command_beside(path, sizeof path, 2,
                           "lib/heapprof/libheapprof_meter.so") &&
                 access(path, R_OK) == 0 && !strpbrk(path, ": ")
             ? path
             : NULL;
}

/* What each run reads; -1: nothing.  -2: it cannot be opened, which is said. */
static int open_input(const char *input) {
  struct stat status;
  int fd;
  if (input) {
    fd = open(input, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
      hp_command_fail(0, "%s: %s", input, strerror(errno));
    return fd < 0 ? -2 : fd;
  }
  if (fstat(0, &status) != 0 || !S_ISREG(status.st_mode))
    return -1;
  return fcntl(0, F_DUPFD_CLOEXEC, 3);
}

/* ---- runs ---------------------------------------------------------------------- */

struct run {
  struct hp_trial_plan plan;
  struct hp_comparison comparison;
  bool no_meter, no_count, drop_all;
  size_t done, total;
};

static void progress(struct run *run) {
  hp_command_progress("running the program", run->done++, run->total);
}

/* A run of RESULT's ended; not one that was ended. */
static void count_run(struct hp_result *result) {
  result->runs += !hp_run_stop_signal();
}

static int plain_rounds(struct run *run) {
  struct hp_comparison *c = &run->comparison;
  for (unsigned round = 0; round < c->rounds; round++)
    for (size_t i = 0; i < c->contenders->count; i++) {
      bool first = round == 0 && i == 0;
      run->plan.contender = &c->contenders->list[i];
      run->plan.shown = first && !run->drop_all;
      if (!first)
        progress(run);
      int error = hp_trial_run(&run->plan, &c->results[i].trials[round]);
      if (error || hp_run_stop_signal())
        return error;
      count_run(&c->results[i]);
      /* One that is killed says nothing of allocators. */
      if (first && WIFSIGNALED(c->results[0].trials[0].status))
        return 0;
    }
  run->plan.shown = false;
  for (size_t i = 0; i < c->contenders->count; i++)
    hp_result_sum_up(&c->results[i], c->rounds);
  return 0;
}

static const char *metered_run(struct run *run, struct hp_result *result) {
  const char *reason = "the record of the meter cannot be made";
  struct hp_meter_record *record = MAP_FAILED;
  struct hp_trial trial = {0};
  int fd = memfd_create("heapprof-meter", MFD_CLOEXEC);
  if (fd >= 0 && ftruncate(fd, (off_t)sizeof *record) == 0)
    record = mmap(NULL, sizeof *record, PROT_READ, MAP_SHARED, fd, 0);
  if (record != MAP_FAILED) {
    run->plan.record = fd;
    int error = hp_trial_run(&run->plan, &trial);
    result->metered_status = trial.status;
    reason = error ? strerror(error) : hp_meter_read(record, &result->meter);
    munmap(record, sizeof *record);
  }
  if (fd >= 0)
    close(fd);
  return reason;
}

static void metered_runs(struct run *run) {
  struct hp_comparison *c = &run->comparison;
  const char *meter = run->no_meter ? NULL : find_meter();
  const char *why = run->no_meter ? "--no-meter" : "the meter is not installed";
  for (size_t i = 0; i < c->contenders->count && !hp_run_stop_signal(); i++) {
    struct hp_result *result = &c->results[i];
    run->plan.contender = result->contender;
    run->plan.meter = meter;
    result->metered_status = result->status;
    result->unmetered = why;
    if (!meter)
      continue;
    progress(run);
    result->unmetered = metered_run(run, result);
    count_run(result);
  }
  run->plan.meter = NULL;
}

static void counted_runs(struct run *run) {
  struct hp_comparison *c = &run->comparison;
  for (size_t i = 0; i < c->contenders->count && !hp_run_stop_signal(); i++) {
    struct hp_result *result = &c->results[i];
    struct hp_trial trial = {0};
    run->plan.contender = result->contender;
    result->uncounted = "--no-count";
    if (run->no_count)
      continue;
    progress(run);
    int error = hp_trial_count(&run->plan, &trial, &result->calls);
    result->uncounted = error ? strerror(error) : NULL;
    count_run(result);
  }
}

/* ---- what is said beside -------------------------------------------------------- */

static void say_end(const struct hp_result *result, int status, const char *how,
                    int expected) {
  char label[1200], one[128], other[128];
  if (!hp_ended_otherwise(status, expected))
    return;
  hp_contender_label(result->contender, label, sizeof label);
  hp_end_text(status, one, sizeof one);
  hp_end_text(expected, other, sizeof other);
  hp_command_fail(0, "%s%s: the program ended with %s, not with %s", label, how,
                  one, other);
}

static void say_ends(const struct hp_comparison *c) {
  for (size_t i = 0; i < c->contenders->count; i++) {
    const struct hp_result *result = &c->results[i];
    for (unsigned round = 0; round < c->rounds; round++)
      if (hp_ended_otherwise(result->trials[round].status,
                             c->results[0].status)) {
        say_end(result, result->trials[round].status, "", c->results[0].status);
        break;
      }
    say_end(result, result->metered_status, " under the meter", result->status);
  }
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The program may bring an allocator of its own. */
static void say_library(const struct hp_result *result) {
  const char *library = result->meter.library;
  const char *wanted = result->contender->library;
  if (result->unmetered || !*library)
    return;
  if (!wanted && strncmp(file_name(library), "libc.so", 7) != 0)
    hp_command_fail(0,
                    "the program brings its own allocator, %s; 'glibc' "
                    "stands for it",
                    library);
}

static void say_unmetered(const struct hp_comparison *c) {
  const struct hp_result *first = &c->results[0];
  if (first->unmetered && strcmp(first->unmetered, "--no-meter") != 0)
    hp_command_fail(0, "no fragmentation, no times of functions: %s",
                    first->unmetered);
  if (first->uncounted && strcmp(first->uncounted, "--no-count") != 0)
    hp_command_fail(0, "calls of the system were not counted: %s",
                    first->uncounted);
  say_library(first);
  for (size_t i = 0; i < c->contenders->count; i++)
    if (!c->results[i].unmetered && c->results[i].meter.lost_chunks)
      hp_command_fail(0,
                      "%s: the meter had no memory for %llu chunks, which "
                      "are in no sum",
                      c->results[i].contender->name,
                      (unsigned long long)c->results[i].meter.lost_chunks);
}

/* ---- the end ----------------------------------------------------------------------- */

static int write_out(const struct run *run, const struct arguments *a) {
  bool table = !a->json && !a->csv && !a->html;
  FILE *out = table && !a->output ? stderr : hp_command_open_output(a->output);
  if (!out)
    return HP_EXIT_INPUT_OUTPUT;
  if (a->json)
    hp_comparison_json(&run->comparison, out, false);
  else if (a->csv)
    hp_comparison_csv(&run->comparison, out);
  else if (a->html)
    hp_comparison_page(&run->comparison, out);
  else
    hp_comparison_table(&run->comparison, out);
  return out == stderr ? 0 : hp_command_close_output(out, a->output, 0);
}

/* The command was asked to end. */
static int say_stopped(const struct run *run, int *status) {
  const struct hp_comparison *c = &run->comparison;
  char signal[128], had[4096] = "";
  size_t used = 0, runs = 0;
  *status = hp_run_stop_signal();
  hp_run_stop_clear();
  hp_command_end_progress();
  hp_end_text(*status, signal, sizeof signal);
  for (size_t i = 0; i < c->contenders->count; i++) {
    char label[1200];
    runs += c->results[i].runs;
    hp_contender_label(c->results[i].contender, label, sizeof label);
    if (c->results[i].runs && used < sizeof had)
      used += (size_t)snprintf(had + used, sizeof had - used, "%s%s %u",
                               used ? ", " : " (", label, c->results[i].runs);
  }
  return hp_command_fail(0, "ended by %s after %zu of %zu runs%s%s: no result",
                         signal, runs, run->total, had, runs ? ")" : "");
}

static int measure(struct run *run, const struct arguments *a, int *status) {
  struct hp_comparison *c = &run->comparison;
  run->total =
      c->contenders->count * (c->rounds + !run->no_meter + !run->no_count);
  hp_run_stop_watch();
  int error = plain_rounds(run);
  if (hp_run_stop_signal())
    return say_stopped(run, status);
  hp_command_end_progress();
  *status = c->results[0].trials[0].status;
  if (error)
    return hp_command_fail(EXIT_CANNOT_EXECUTE, "%s: %s", run->plan.path,
                           strerror(error));
  if (WIFSIGNALED(*status)) {
    char text[128];
    hp_end_text(*status, text, sizeof text);
    return hp_command_fail(0, "%s ended with %s as it is: nothing to compare",
                           c->program, text);
  }
  metered_runs(run);
  counted_runs(run);
  if (hp_run_stop_signal())
    return say_stopped(run, status);
  hp_command_end_progress();
  hp_comparison_recommend(c);
  say_ends(c);
  say_unmetered(c);
  return write_out(run, a);
}

/* The program to run, or the replay of a dump; 0, or what to end with. */
static int set_program(struct run *run, const struct arguments *a,
                       char **words) {
  static struct hp_run_program program;
  static struct hp_replay replay;
  struct hp_comparison *c = &run->comparison;
  int code = a->replay ? hp_replay_open(&replay, a->replay)
                       : find_program(words[0], &program);
  run->plan.path = a->replay ? replay.driver : program.path;
  run->plan.arguments = a->replay ? replay.arguments : words;
  c->program = a->replay ? replay.name : file_name(words[0]);
  c->arguments = a->replay ? replay.arguments + 4 : words + 1;
  return code;
}

int main(int argc, char **argv) {
  static struct hp_contenders contenders;
  struct arguments a = {.rounds = 3};
  int code, status = 0;
  if (!parse(&a, argc, argv, &code))
    return code;
  if (!choose(&contenders, &a))
    return HP_EXIT_USAGE;
  struct run run = {.no_meter = a.no_meter, .no_count = a.no_count};
  run.drop_all = !a.output && (a.json || a.csv || a.html);
  run.comparison.rounds = (unsigned)a.rounds;
  run.comparison.contenders = &contenders;
  code = set_program(&run, &a, argv + optind);
  if (code)
    return code;
  run.plan.input = open_input(a.input);
  if (run.plan.input == -2)
    return HP_EXIT_INPUT_OUTPUT;
  run.comparison.results = calloc(contenders.count, sizeof(struct hp_result));
  if (!run.comparison.results)
    return hp_command_fail(HP_EXIT_INPUT_OUTPUT, "out of memory");
  for (size_t i = 0; i < contenders.count; i++)
    run.comparison.results[i].contender = &contenders.list[i];
  code = measure(&run, &a, &status);
  free(run.comparison.results);
  if (code)
    return code;
  fflush(NULL);
  hp_run_end_like(status);
}
