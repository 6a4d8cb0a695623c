/* report_main.c - heapprof-report: one HTML page of dumps.
   Options, open, write; document and page are the library's work.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "before.h"
#include "command_options.h"
#include "heapprof_report.h"
#include "progress.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

const char hp_command_name[] = "heapprof-report";

static const char help[] =
    "Usage: heapprof-report [options] DUMP...\n"
    "Makes one HTML page of heapprof dumps: what to change, a flame graph, "
    "all\n"
    "points, types and sources.  The page needs nothing else, and no network.\n"
    "DUMP is a dump directory, or a directory that holds some.\n"
    "\n"
    "  -o, --output FILE heapprof-report.html; - is standard output\n"
    "  --filter EXPR     only points for which it holds, see heapprof-score\n"
    "  --before OLD      an earlier dump that the page compares with\n"
    "  --sets FILE       sets that have names, see docs/sets.md\n"
    "  --json            the page's document alone, on standard output\n"
    "  --max-size MIB    at most so large (10)\n"
    "  --source-dir DIR  look for source files there, too\n"
    "  --no-sources      leave source lines out\n"
    "\n" HP_SYMBOL_HELP "\n"
    "  --help, --version\n"
    "\n"
    "Examples:\n"
    "  heapprof-report heapprof.app.4711\n"
    "  heapprof-report --filter 'file=parser/*' -o parser.html "
    "heapprof.app.4711\n"
    "  heapprof-report --before heapprof.app.4711 heapprof.app.4712\n"
    "\n"
    "Exit codes: 0 done, 2 wrong arguments, 3 a dump that cannot be read or "
    "an\n"
    "output that cannot be written.\n";

struct arguments {
  struct hp_open_options open;
  struct hp_report_options report;
  const char *output; /* NULL: standard output */
  const char *before; /* NULL: no earlier run */
  const char *const *dumps;
  size_t dump_count;
};

static const char *read_size(const struct hp_option *option, void *arguments,
                             const char *value) {
  struct arguments *a = arguments;
  char *end;
  errno = 0;
  unsigned long mebibytes = strtoul(value, &end, 10);
  a->report.max_bytes = (uint64_t)mebibytes << 20;
  return *value >= '0' && *value <= '9' && !*end && !errno && mebibytes >= 1 &&
                 mebibytes <= 1024
             ? NULL
             : option->must_be;
}

#define OF struct arguments
static const struct hp_option rows[] = {
    HP_OUTPUT_OPTION(OF, output),
    HP_TEXT_OPTION("filter", OF, report.filter),
    HP_TEXT_OPTION("before", OF, before),
    HP_TEXT_OPTION("sets", OF, report.sets_file),
    HP_FLAG_OPTION("json", OF, report.document_only),
    HP_OWN_OPTION("max-size", read_size, OF, report, "1 to 1024, in MiB"),
    HP_DIR_OPTION("source-dir", OF, report.source_dir),
    HP_FLAG_OPTION("no-sources", OF, report.no_sources)};
#undef OF

/* True: *A is complete.  Else *EXIT_CODE is what to end with. */
static bool parse(struct arguments *a, int argc, char **argv, int *exit_code) {
  static const struct hp_command_options options = {
      .rows = rows, .count = sizeof rows / sizeof *rows, .help = help};
  if (!hp_command_parse(&options, a, &a->open, argc, argv, exit_code))
    return false;
  if (optind >= argc) {
    *exit_code = hp_command_fail(HP_EXIT_USAGE, "no dump given; see %s --help",
                                 hp_command_name);
    return false;
  }
  if (!a->output)
    a->output = a->report.document_only ? "-" : "heapprof-report.html";
  if (strcmp(a->output, "-") == 0)
    a->output = NULL;
  a->dumps = (const char *const *)(argv + optind);
  a->dump_count = (size_t)(argc - optind);
  return true;
}

static int write_text(const char *text, size_t size, const char *output) {
  FILE *out = hp_command_open_output(output);
  if (!out)
    return HP_EXIT_INPUT_OUTPUT;
  fwrite(text, 1, size, out);
  return hp_command_close_output(out, output, HP_EXIT_DONE);
}

static int write_page(const struct arguments *a, hp_profile *profile,
                      const struct hp_report_before *before) {
  struct hp_report_options o = a->report;
  struct hp_error error;
  char *text = NULL;
  size_t size = 0;
  o.before = before;
  FILE *memory = open_memstream(&text, &size);
  hp_status status =
      memory ? hp_report_write(memory, profile, &o, &error) : HP_OK;
  bool whole = memory && !ferror(memory);
  whole = memory && fclose(memory) == 0 && whole;
  int code = status != HP_OK ? hp_command_fail_status(&error)
             : !whole ? hp_command_fail(HP_EXIT_INPUT_OUTPUT, "out of memory")
                      : write_text(text, size, a->output);
  free(text);
  return code;
}

static int write_both(const struct arguments *a, hp_profile *profile) {
  struct hp_report_before before = {0};
  struct hp_error error;
  hp_profile *old = NULL;
  int code = HP_EXIT_DONE;
  if (hp_profile_open(&old, &a->before, 1, &a->open, &error) != HP_OK ||
      hp_before_make(&before, old, profile, &a->report, &error) != HP_OK)
    code = hp_command_fail_status(&error);
  if (code == HP_EXIT_DONE)
    code = write_page(a, profile, &before);
  hp_before_free(&before);
  hp_profile_close(old);
  return code;
}

/* The output is opened last: what fails before leaves an old report as it
   is. */
static int report(const struct arguments *a) {
  struct hp_error error;
  hp_profile *profile;
  if (hp_profile_open(&profile, a->dumps, a->dump_count, &a->open, &error) !=
      HP_OK)
    return hp_command_fail_status(&error);
  hp_command_progress("making the page", 0, 0);
  const int code =
      a->before ? write_both(a, profile) : write_page(a, profile, NULL);
  hp_profile_close(profile);
  return code;
}

int main(int argc, char **argv) {
  struct arguments a = {.open = {.sz = sizeof a.open},
                        .report = {.sz = sizeof a.report}};
  int code = HP_EXIT_DONE;
  signal(SIGPIPE, SIG_IGN);
  return parse(&a, argc, argv, &code) ? report(&a) : code;
}
