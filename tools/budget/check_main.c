/* check_main.c - heapprof-check: does a run keep its budget?
   Options, budget, open, judge, report; exit 1 if a limit is broken.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"
#include "verdict.h"

#include <errno.h>
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
    "  --by WHAT         of the whole and by function (default), type, file,\n"
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

enum {
  OPTION_BUDGET = 256,
  OPTION_FORMAT,
  OPTION_SOURCE_ROOT,
  OPTION_WRITE,
  OPTION_SLACK,
  OPTION_BY,
  OPTION_LIMIT
};
static const struct option long_options[] = {
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"source-root", required_argument, NULL, OPTION_SOURCE_ROOT},
    {"write-budget", no_argument, NULL, OPTION_WRITE},
    {"slack", required_argument, NULL, OPTION_SLACK},
    {"by", required_argument, NULL, OPTION_BY},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"output", required_argument, NULL, 'o'},
    HP_SYMBOL_OPTIONS,
    HP_LAST_OPTIONS};

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

static bool parse_slack(const char *s, double *slack) {
  char *end;
  *slack = strtod(s, &end);
  return end != s && !*end && *slack >= 0 && *slack <= 1e6;
}

static bool parse_limit(const char *s, size_t *limit) {
  char *end;
  unsigned long long value;
  errno = 0;
  value = strtoull(s, &end, 10);
  *limit = (size_t)value;
  return *s >= '0' && *s <= '9' && !*end && !errno;
}

/* NULL, or what the argument of CODE must be. */
static const char *take(void *arguments, int code, const char *value) {
  struct arguments *a = arguments;
  switch (code) {
  case OPTION_BUDGET:
    a->budget = value;
    return NULL;
  case OPTION_FORMAT:
    a->report = hp_report_find(value);
    return a->report ? NULL : "text, junit, sarif or github";
  case OPTION_SOURCE_ROOT:
    a->source_root = value;
    return NULL;
  case OPTION_WRITE:
    a->write = true;
    return NULL;
  case OPTION_SLACK:
    return parse_slack(value, &a->slack) ? NULL : "a number of percent";
  case OPTION_BY:
    return hp_scope_parse(value, &a->scope)
               ? NULL
               : "whole, function, type, file or module";
  case OPTION_LIMIT:
    return parse_limit(value, &a->limit) ? NULL : "a number of groups";
  default:
    a->output = value;
    return NULL;
  }
}

/* True: *A is complete.  Else *EXIT_CODE is what to end with. */
static bool parse(struct arguments *a, int argc, char **argv, int *exit_code) {
  const struct hp_command_options options = {long_options, help, take};
  if (!hp_command_parse(&options, a, &a->open, argc, argv, exit_code))
    return false;
  a->dumps = (const char *const *)(argv + optind);
  a->dump_count = (size_t)(argc - optind);
  *exit_code = HP_EXIT_USAGE;
  if (a->write && a->budget)
    hp_command_fail(0, "--budget and --write-budget exclude each other");
  else if (!a->write && !a->budget)
    hp_command_fail(0, "no --budget given; --write-budget makes one");
  else if (a->dump_count == 0)
    hp_command_fail(0, "no dump given; see %s --help", hp_command_name);
  else
    return true;
  return false;
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
  struct hp_verdict *verdicts = calloc(budget->count, sizeof *verdicts);
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
                        .report = hp_report_find("text"),
                        .slack = 10,
                        .scope = HP_SCOPE_FUNCTION,
                        .limit = 10};
  struct hp_budget budget = {0};
  struct hp_error error;
  int code = HP_EXIT_DONE;
  setlocale(LC_CTYPE, "");
  signal(SIGPIPE, SIG_IGN);
  if (!parse(&a, argc, argv, &code))
    return code;
  if (a.budget && !hp_budget_read(&budget, a.budget, &error))
    code = hp_command_fail_status(&error);
  else
    code = run(&a, &budget);
  hp_budget_free(&budget);
  return code;
}
