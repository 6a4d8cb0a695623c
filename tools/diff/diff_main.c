/* diff_main.c - heapprof-diff: what changed between two runs.
   Options, open both, query both, pair, print.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command_options.h"
#include "diff.h"
#include "sides.h"

#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define HP_DEFAULT_ROWS 20u

const char hp_command_name[] = "heapprof-diff";

static const char help[] =
    "Usage: heapprof-diff [options] OLD NEW\n"
    "Shows what changed between two runs, the greatest change first.\n"
    "OLD and NEW are each a dump directory, or a directory that holds some.\n"
    "\n"
    "  --sort METRIC     bytes (default), chunks, peak or live\n"
    "  --by WHAT         point (default), place, site, function, file, module "
    "or type\n"
    "  --filter SET      only chunks that are in it, see heapprof-score\n"
    "  --sets FILE       names for sets, see heapprof-score\n"
    "  --threshold P     changes below P percent of the totals are noise (1)\n"
    "  --all             show noise too, in grey\n"
    "  --stacks          under each point its numbers and its call stack\n"
    "  --limit N         at most N rows; 0 = all (20)\n"
    "  --json            one JSON document with every row\n"
    "  --color=WHEN      auto (default), always or never; NO_COLOR is obeyed\n"
    "  -o, --output FILE write there instead of to standard output\n"
    "\n" HP_SYMBOL_HELP "\n"
    "  --help, --version\n"
    "\n"
    "Examples:\n"
    "  heapprof-diff before/heapprof.app.12 after/heapprof.app.34\n"
    "  heapprof-diff --by type --sort peak before after\n"
    "\n"
    "Exit codes: 0 done, 2 wrong arguments, 3 a dump that cannot be read or "
    "an\n"
    "output that cannot be written.\n";

struct arguments {
  struct hp_open_options open;
  struct hp_query query;
  const char *sets_file;
  enum hp_diff_metric metric;
  double threshold;
  size_t limit;
  enum hp_color color;
  bool all, json, stacks;
  const char *output;
  const char *const *dumps; /* two */
};

static const char *read_metric(const struct hp_option *option, void *arguments,
                               const char *value) {
  struct arguments *a = arguments;
  for (int i = 0; i < HP_DIFF_METRIC_COUNT; i++)
    if (strcmp(value, hp_diff_metric_name((enum hp_diff_metric)i)) == 0) {
      a->metric = (enum hp_diff_metric)i;
      return NULL;
    }
  return option->must_be;
}

static const char *read_percent(const struct hp_option *option, void *arguments,
                                const char *value) {
  struct arguments *a = arguments;
  char *end;
  a->threshold = strtod(value, &end);
  return end != value && !*end && a->threshold >= 0 && a->threshold <= 100
             ? NULL
             : option->must_be;
}

#define OF struct arguments
static const struct hp_option rows[] = {
    HP_OWN_OPTION("sort", read_metric, OF, metric,
                  "bytes, chunks, peak or live"),
    HP_TEXT_OPTION("by", OF, query.by),
    HP_TEXT_OPTION("filter", OF, query.filter),
    HP_TEXT_OPTION("sets", OF, sets_file),
    HP_OWN_OPTION("threshold", read_percent, OF, threshold,
                  "a number from 0 to 100"),
    HP_FLAG_OPTION("all", OF, all),
    HP_FLAG_OPTION("stacks", OF, stacks),
    HP_ROWS_OPTION("limit", OF, limit),
    HP_FLAG_OPTION("json", OF, json),
    HP_COLOR_OPTION("color", OF, color),
    HP_OUTPUT_OPTION(OF, output)};
#undef OF

/* True: *A is complete.  Else *EXIT_CODE is what to end with. */
static bool parse(struct arguments *a, int argc, char **argv, int *exit_code) {
  static const struct hp_command_options options = {
      .rows = rows, .count = sizeof rows / sizeof *rows, .help = help};
  if (!hp_command_parse(&options, a, &a->open, argc, argv, exit_code))
    return false;
  if (argc - optind != 2) {
    *exit_code = hp_command_fail(HP_EXIT_USAGE,
                                 "two dumps are needed, OLD and NEW; see %s "
                                 "--help",
                                 hp_command_name);
    return false;
  }
  if (a->query.by && strcmp(a->query.by, "point") == 0)
    a->query.by = NULL;
  if (a->stacks && (a->query.by || a->json)) {
    *exit_code = hp_command_fail(HP_EXIT_USAGE,
                                 "--stacks is for the table of points; leave "
                                 "--by and --json out; see %s --help",
                                 hp_command_name);
    return false;
  }
  a->dumps = (const char *const *)(argv + optind);
  return true;
}

static int print(const struct arguments *a, const struct hp_diff *d) {
  FILE *out = hp_command_open_output(a->output);
  if (!out)
    return HP_EXIT_INPUT_OUTPUT;
  if (a->json)
    hp_diff_json(out, d);
  else
    hp_diff_table(
        out, d,
        &(struct hp_diff_look){.all = a->all,
                               .stacks = a->stacks,
                               .color = hp_command_colored(a->color, out),
                               .limit = a->limit,
                               .width = hp_command_width(out)});
  return hp_command_close_output(out, a->output, HP_EXIT_DONE);
}

/* Of points, as groups have no stack. */
static hp_status see_names(hp_profile *profile, bool *has,
                           struct hp_error *error) {
  const struct hp_query query = {.sz = sizeof query};
  struct hp_points points;
  const hp_status status =
      hp_profile_query(profile, &query, &points.points, &points.count, error);
  if (status != HP_OK)
    return status;
  struct hp_names has_functions;
  const bool ok = hp_names_of_modules(&has_functions, points);
  for (size_t i = 0; ok && i < points.count; i++) {
    const enum hp_naming naming = hp_naming_of(points.points[i]);
    if (naming != HP_ADDRESSES ||
        hp_is_of_stripped(&has_functions, points.points[i]))
      has[naming] = true;
  }
  hp_names_free(&has_functions);
  return ok ? HP_OK : hp_command_no_memory(error);
}

static int compare(const struct arguments *a, hp_profile *const profiles[2]) {
  struct hp_diff d = {.old_profile = profiles[0],
                      .new_profile = profiles[1],
                      .by = a->query.by,
                      .metric = a->metric,
                      .threshold = a->threshold};
  struct hp_points points[2];
  struct hp_error error;
  int code;
  struct hp_sides sides = {.profiles = profiles, .sets_file = a->sets_file};
  const struct hp_set_options set = {.sz = sizeof set,
                                     .filter = a->query.filter,
                                     .sets_file = a->sets_file,
                                     .find_side = hp_sides_find,
                                     .context = &sides};
  hp_status status = HP_OK;
  for (int i = 0; i < 2 && status == HP_OK; i++) {
    sides.of_new = i == 1;
    status = hp_profile_keep(profiles[i], &set, &error);
    if (status == HP_OK)
      status = see_names(profiles[i], d.has[i], &error);
    if (status == HP_OK)
      status = hp_profile_query(profiles[i], &a->query, &points[i].points,
                                &points[i].count, &error);
  }
  hp_sides_free(&sides);
  if (status != HP_OK)
    return hp_command_fail_status(&error);
  code = hp_diff_make(&d, points[0], points[1])
             ? print(a, &d)
             : hp_command_fail(HP_EXIT_INPUT_OUTPUT, "out of memory");
  hp_diff_free(&d);
  return code;
}

int main(int argc, char **argv) {
  struct arguments a = {.open = {.sz = sizeof a.open},
                        .query = {.sz = sizeof a.query},
                        .threshold = 1,
                        .limit = HP_DEFAULT_ROWS};
  hp_profile *profiles[2] = {NULL, NULL};
  struct hp_error error;
  int code = HP_EXIT_DONE;
  setlocale(LC_CTYPE, "");
  signal(SIGPIPE, SIG_IGN);
  if (!parse(&a, argc, argv, &code))
    return code;
  for (int i = 0; i < 2 && code == HP_EXIT_DONE; i++)
    if (hp_profile_open(&profiles[i], &a.dumps[i], 1, &a.open, &error) != HP_OK)
      code = hp_command_fail_status(&error);
  if (code == HP_EXIT_DONE)
    code = compare(&a, profiles);
  hp_profile_close(profiles[0]);
  hp_profile_close(profiles[1]);
  return code;
}
