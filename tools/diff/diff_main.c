/* diff_main.c - heapprof-diff: what changed between two runs.
   Options, open both, query both, pair, print.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"
#include "diff.h"

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
    "  --by WHAT         point (default), type, site, function, file or "
    "module\n"
    "  --filter EXPR     only points for which it holds, see heapprof-score\n"
    "  --threshold P     changes below P percent of the totals are noise (1)\n"
    "  --all             show noise too, in grey\n"
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

enum {
  OPTION_SORT = 256,
  OPTION_BY,
  OPTION_FILTER,
  OPTION_THRESHOLD,
  OPTION_ALL,
  OPTION_LIMIT,
  OPTION_JSON,
  OPTION_COLOR
};
static const struct option long_options[] = {
    {"sort", required_argument, NULL, OPTION_SORT},
    {"by", required_argument, NULL, OPTION_BY},
    {"filter", required_argument, NULL, OPTION_FILTER},
    {"threshold", required_argument, NULL, OPTION_THRESHOLD},
    {"all", no_argument, NULL, OPTION_ALL},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"color", required_argument, NULL, OPTION_COLOR},
    {"output", required_argument, NULL, 'o'},
    HP_SYMBOL_OPTIONS,
    HP_LAST_OPTIONS};

struct arguments {
  struct hp_open_options open;
  struct hp_query query;
  enum hp_diff_metric metric;
  double threshold;
  size_t limit;
  enum hp_color color;
  bool all, json;
  const char *output;
  const char *const *dumps; /* two */
};

static bool parse_metric(const char *s, enum hp_diff_metric *metric) {
  for (int i = 0; i < HP_DIFF_METRIC_COUNT; i++)
    if (strcmp(s, hp_diff_metric_name((enum hp_diff_metric)i)) == 0) {
      *metric = (enum hp_diff_metric)i;
      return true;
    }
  return false;
}

static bool parse_percent(const char *s, double *percent) {
  char *end;
  *percent = strtod(s, &end);
  return end != s && !*end && *percent >= 0 && *percent <= 100;
}

/* NULL, or what the argument of CODE must be. */
static const char *take(void *arguments, int code, const char *value) {
  struct arguments *a = arguments;
  switch (code) {
  case OPTION_SORT:
    return parse_metric(value, &a->metric) ? NULL
                                           : "bytes, chunks, peak or live";
  case OPTION_BY:
    a->query.by = value;
    return NULL;
  case OPTION_FILTER:
    a->query.filter = value;
    return NULL;
  case OPTION_THRESHOLD:
    return parse_percent(value, &a->threshold) ? NULL
                                               : "a number from 0 to 100";
  case OPTION_ALL:
    a->all = true;
    return NULL;
  case OPTION_LIMIT:
    return hp_command_parse_rows(value, &a->limit)
               ? NULL
               : "a number of rows, 0 = all";
  case OPTION_JSON:
    a->json = true;
    return NULL;
  case OPTION_COLOR:
    return hp_command_parse_color(value, &a->color) ? NULL
                                                    : "auto, always or never";
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
  if (argc - optind != 2) {
    *exit_code = hp_command_fail(HP_EXIT_USAGE,
                                 "two dumps are needed, OLD and NEW; see %s "
                                 "--help",
                                 hp_command_name);
    return false;
  }
  if (a->query.by && strcmp(a->query.by, "point") == 0)
    a->query.by = NULL;
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
    hp_diff_table(out, d, a->all, a->limit, hp_command_width(out),
                  hp_command_colored(a->color, out));
  return hp_command_close_output(out, a->output, HP_EXIT_DONE);
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
  for (int i = 0; i < 2; i++)
    if (hp_profile_query(profiles[i], &a->query, &points[i].points,
                         &points[i].count, &error) != HP_OK)
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
