/* check_main.c - heapprof-check: does a run keep its budget?
   Options, budget, open, judge, report; exit 1 if a limit is broken.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command_options.h"
#include "verdict.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char hp_command_name[] = "heapprof-check";

static const char help[] =
    "Usage: heapprof-check --budget FILE [options] DUMP...\n"
    "       heapprof-check --write-budget [options] DUMP...\n"
    "Checks that a run keeps its budget, or writes the first budget.\n"
    "DUMP is a dump directory, or a directory that holds some.\n"
    "\n"
    "Checking:\n"
    "  --budget FILE     limits, as docs/heapprof-check.md describes them\n"
    "  --format FORMAT   text (default), junit, sarif or github\n"
    "  --source-root DIR name files below DIR from there (working directory)\n"
    "\n"
    "Writing a budget:\n"
    "  --write-budget    limits that this run just keeps\n"
    "  --slack P         with P percent to spare (10)\n"
    "  --by WHAT         of the whole and by place (default: functions, past\n"
    "                    those that only pass memory on), function, type, "
    "file,\n"
    "                    module, or of the whole only\n"
    "  --limit N         of the N groups with the highest peaks (10)\n"
    "\n"
    "  -o, --output FILE write there instead of to standard output\n"
    "\n" HP_SYMBOL_HELP "\n"
    "  --help, --version\n"
    "\n"
    "Examples:\n"
    "  heapprof-check --write-budget -o budget.json heapprof.app.12\n"
    "  heapprof-check --budget budget.json heapprof.app.34\n"
    "\n"
    "Exit codes: 0 all limits kept, 1 a limit is broken, 2 wrong arguments or\n"
    "a wrong budget, 3 a file that cannot be read or written, or a dump that "
    "is\n"
    "incomplete.\n";

struct arguments {
  struct hp_open_options open;
  const char *budget, *output, *source_root;
  hp_report_writer *report;
  bool write;
  double slack;
  enum hp_scope scope;
  size_t limit;
  const char *const *dumps;
  size_t dump_count;
};

static const char *read_format(const struct hp_option *option, void *arguments,
                               const char *value) {
  struct arguments *a = arguments;
  a->report = hp_report_find(value);
  return a->report ? NULL : option->must_be;
}

static const char *read_slack(const struct hp_option *option, void *arguments,
                              const char *value) {
  struct arguments *a = arguments;
  char *end;
  a->slack = strtod(value, &end);
  return end != value && !*end && a->slack >= 0 && a->slack <= 1e6
             ? NULL
             : option->must_be;
}

static const char *read_scope(const struct hp_option *option, void *arguments,
                              const char *value) {
  struct arguments *a = arguments;
  return hp_scope_parse(value, &a->scope) ? NULL : option->must_be;
}

/* Unlike a number of rows, 0 is none. */
static const char *read_limit(const struct hp_option *option, void *arguments,
                              const char *value) {
  struct arguments *a = arguments;
  char *end;
  errno = 0;
  a->limit = (size_t)strtoull(value, &end, 10);
  return *value >= '0' && *value <= '9' && !*end && !errno ? NULL
                                                           : option->must_be;
}

#define OF struct arguments
static const struct hp_option rows[] = {
    HP_TEXT_OPTION("budget", OF, budget),
    HP_OWN_OPTION("format", read_format, OF, report,
                  "text, junit, sarif or github"),
    HP_TEXT_OPTION("source-root", OF, source_root),
    HP_FLAG_OPTION("write-budget", OF, write),
    HP_OWN_OPTION("slack", read_slack, OF, slack, "a number of percent"),
    HP_OWN_OPTION("by", read_scope, OF, scope,
                  "whole, place, function, type, file or module"),
    HP_OWN_OPTION("limit", read_limit, OF, limit, "a number of groups"),
    HP_OUTPUT_OPTION(OF, output)};
#undef OF

#define NOT_SAID (-1.0) /* percent */

static bool says_how_to_write(const struct arguments *a) {
  return a->slack != NOT_SAID || a->scope != HP_SCOPE_COUNT ||
         a->limit != SIZE_MAX;
}

/* True: *A is complete, but for defaults.  Else *EXIT_CODE is what to end with. */
static bool parse(struct arguments *a, int argc, char **argv, int *exit_code) {
  static const struct hp_command_options options = {
      .rows = rows, .count = sizeof rows / sizeof *rows, .help = help};
  if (!hp_command_parse(&options, a, &a->open, argc, argv, exit_code))
    return false;
  a->dumps = (const char *const *)(argv + optind);
  a->dump_count = (size_t)(argc - optind);
  *exit_code = HP_EXIT_USAGE;
  if (a->write && a->budget)
    hp_command_fail(0, "--budget and --write-budget exclude each other");
  else if (!a->write && !a->budget)
    hp_command_fail(0, "no --budget given; --write-budget makes one");
  else if (!a->write && says_how_to_write(a))
    hp_command_fail(0, "--slack, --by and --limit are of --write-budget");
  else if (a->write && (a->report || a->source_root))
    hp_command_fail(0, "--format and --source-root are of --budget");
  else if (a->dump_count == 0)
    hp_command_fail(0, "no dump given; see %s --help", hp_command_name);
  else
    return true;
  return false;
}

static void take_defaults(struct arguments *a) {
  if (!a->report)
    a->report = hp_report_find("text");
  if (a->slack == NOT_SAID)
    a->slack = 10;
  if (a->scope == HP_SCOPE_COUNT)
    a->scope = HP_SCOPE_PLACE;
  if (a->limit == SIZE_MAX)
    a->limit = 10;
}

/* Counts that are too low would keep any budget. */
static bool is_whole(const hp_profile *profile) {
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const struct hp_process *p = hp_process_at(profile, i);
    if (!p->complete) {
      hp_command_fail(0,
                      "%s: the dump is incomplete and cannot be judged; let "
                      "the program end",
                      p->dump);
      return false;
    }
    if (p->unprofiled_chunks) {
      hp_command_fail(0,
                      "%s: %" PRIu64
                      " chunks have no profile, since the limit of memory was "
                      "near, so it cannot be judged; raise that limit",
                      p->dump, p->unprofiled_chunks);
      return false;
    }
  }
  return true;
}

static int write_budget(const struct arguments *a, hp_profile *profile) {
  struct hp_error error;
  int code = HP_EXIT_DONE;
  FILE *out = hp_command_open_output(a->output);
  if (!out)
    return HP_EXIT_INPUT_OUTPUT;
  if (hp_budget_write(out, profile, a->scope, a->limit, a->slack, &error) !=
      HP_OK)
    code = hp_command_fail_status(&error);
  return hp_command_close_output(out, a->output, code);
}

static int report(const struct arguments *a, const struct hp_verdict *verdicts,
                  size_t count) {
  char *here = a->source_root ? NULL : getcwd(NULL, 0);
  const struct hp_report r = {verdicts, count,
                              a->source_root ? a->source_root : here};
  int code = HP_EXIT_DONE;
  FILE *out = hp_command_open_output(a->output);
  if (out)
    a->report(out, &r);
  free(here);
  for (size_t i = 0; i < count; i++)
    if (verdicts[i].exceeded)
      code = HP_EXIT_FOUND;
  return out ? hp_command_close_output(out, a->output, code)
             : HP_EXIT_INPUT_OUTPUT;
}

static int check(const struct arguments *a, hp_profile *profile,
                 const struct hp_budget *budget) {
  struct hp_error error;
  struct hp_verdict *verdicts = calloc(budget->count + 1, sizeof *verdicts);
  int code;
  if (!verdicts)
    return hp_command_fail(HP_EXIT_INPUT_OUTPUT, "out of memory");
  code = hp_judge(profile, budget, verdicts, &error) == HP_OK
             ? report(a, verdicts, budget->count)
             : hp_command_fail_status(&error);
  free(verdicts);
  return code;
}

static int run(const struct arguments *a, const struct hp_budget *budget) {
  struct hp_error error;
  hp_profile *profile;
  int code = HP_EXIT_INPUT_OUTPUT;
  if (hp_profile_open(&profile, a->dumps, a->dump_count, &a->open, &error) !=
      HP_OK)
    return hp_command_fail_status(&error);
  if (is_whole(profile))
    code = a->write ? write_budget(a, profile) : check(a, profile, budget);
  hp_profile_close(profile);
  return code;
}

int main(int argc, char **argv) {
  struct arguments a = {.open = {.sz = sizeof a.open},
                        .slack = NOT_SAID,
                        .scope = HP_SCOPE_COUNT,
                        .limit = SIZE_MAX};
  struct hp_budget budget = {0};
  struct hp_error error;
  int code = HP_EXIT_DONE;
  setlocale(LC_CTYPE, "");
  signal(SIGPIPE, SIG_IGN);
  if (!parse(&a, argc, argv, &code))
    return code;
  take_defaults(&a);
  if (a.budget && !hp_budget_read(&budget, a.budget, &error))
    code = hp_command_fail_status(&error);
  else
    code = run(&a, &budget);
  hp_budget_free(&budget);
  return code;
}
