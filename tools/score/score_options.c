/* score_options.c - the command line of heapprof-score.
   One table of long options; the help text beside it is what --help prints.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_options.h"

#include <stdlib.h>
#include <string.h>

#define HP_DEFAULT_ROWS 20u

static const char help[] =
    "Usage: heapprof-score [options] DUMP...\n"
    "Scores the allocation points of heapprof dumps, the worst first.\n"
    "DUMP is a dump directory, or a directory that holds some.\n"
    "\n"
    "What is shown:\n"
    "  --sort KEY        severity (default), bytes, chunks, peak, live, "
    "lifetime,\n"
    "                    usage, useful_lifetime, reads, writes or site\n"
    "  --reverse         the other way round\n"
    "  --limit N         at most N rows; 0 = all (table: 20, JSON and CSV: "
    "all)\n"
    "  --filter EXPR     terms that must all hold: function=P file=P module=P\n"
    "                    type=P flag=NAME, or P in any of them; * and ? are\n"
    "                    wildcards, ! in front negates\n"
    "  --by WHAT         point (default), site, function, file, module or "
    "type\n"
    "  --findings        what to change, in words, instead of the table\n"
    "  --stacks          more numbers and the whole call stack under each row\n"
    "\n"
    "How it is shown:\n"
    "  --json            one JSON document (docs/heapprof.score.schema.json)\n"
    "  --csv             one line per point, RFC 4180\n"
    "  --color=WHEN      auto (default), always or never; NO_COLOR is obeyed\n"
    "  -o, --output FILE write there instead of to standard output\n"
    "\n"
    "How it is scored:\n"
    "  --memoro-compat   by the rules of the published Memoro tool\n"
    "  --weight WHAT     global means weigh each point equally (points, the\n"
    "                    default) or by its bytes (bytes)\n"
    "  --exclude-live    leave chunks that were never freed out of the scores\n"
    "  --group-gap P     gap that parts lifetime groups, in (0, 1) of the\n"
    "                    window (0.001; with --memoro-compat 0.01)\n"
    "  --short DURATION  short-lived means less than this: 500us, 1ms, 2s "
    "(1ms)\n"
    "\n" HP_SYMBOL_HELP "\n"
    "  --help, --version\n"
    "\n"
    "Exit codes: 0 done, 2 wrong arguments, 3 a dump that cannot be read or "
    "an\n"
    "output that cannot be written.\n";

enum score_option {
  OPT_SORT = 256,
  OPT_REVERSE,
  OPT_LIMIT,
  OPT_FILTER,
  OPT_BY,
  OPT_FINDINGS,
  OPT_STACKS,
  OPT_JSON,
  OPT_CSV,
  OPT_COLOR,
  OPT_MEMORO,
  OPT_WEIGHT,
  OPT_EXCLUDE_LIVE,
  OPT_GROUP_GAP,
  OPT_SHORT
};

static const struct option long_options[] = {
    {"sort", required_argument, NULL, OPT_SORT},
    {"reverse", no_argument, NULL, OPT_REVERSE},
    {"limit", required_argument, NULL, OPT_LIMIT},
    {"filter", required_argument, NULL, OPT_FILTER},
    {"by", required_argument, NULL, OPT_BY},
    {"findings", no_argument, NULL, OPT_FINDINGS},
    {"stacks", no_argument, NULL, OPT_STACKS},
    {"json", no_argument, NULL, OPT_JSON},
    {"csv", no_argument, NULL, OPT_CSV},
    {"color", required_argument, NULL, OPT_COLOR},
    {"output", required_argument, NULL, 'o'},
    {"memoro-compat", no_argument, NULL, OPT_MEMORO},
    {"weight", required_argument, NULL, OPT_WEIGHT},
    {"exclude-live", no_argument, NULL, OPT_EXCLUDE_LIVE},
    {"group-gap", required_argument, NULL, OPT_GROUP_GAP},
    {"short", required_argument, NULL, OPT_SHORT},
    HP_SYMBOL_OPTIONS,
    HP_LAST_OPTIONS};

static bool parse_fraction(const char *s, double *out) {
  char *end;
  *out = strtod(s, &end);
  return end != s && !*end && *out > 0 && *out < 1;
}

/* The unit is required: a bare "5" would be taken for any of them. */
static bool parse_duration(const char *s, uint64_t *ns) {
  static const struct {
    const char *name;
    double ns;
  } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  char *end;
  double value = strtod(s, &end);
  if (end == s)
    return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (strcmp(end, units[i].name) != 0)
      continue;
    value *= units[i].ns;
    if (!(value >= 1 && value < 0x1p63))
      return false;
    *ns = (uint64_t)value;
    return true;
  }
  return false;
}

static const char *set_form(struct hp_score_options *o,
                            enum hp_score_form form) {
  o->is_ambiguous =
      o->is_ambiguous || (o->form != HP_FORM_TABLE && o->form != form);
  o->form = form;
  return NULL;
}

/* NULL if CODE was understood, else what its argument should have been. */
static const char *take(void *options, int code, const char *value) {
  struct hp_score_options *o = options;
  switch (code) {
  case OPT_SORT:
    o->query.sort = value;
    break;
  case OPT_REVERSE:
    o->query.reverse = true;
    break;
  case OPT_LIMIT:
    return hp_command_parse_rows(value, &o->limit)
               ? NULL
               : "a number of rows, 0 = all";
  case OPT_FILTER:
    o->query.filter = value;
    break;
  case OPT_BY:
    o->query.by = value;
    break;
  case OPT_FINDINGS:
    return set_form(o, HP_FORM_FINDINGS);
  case OPT_STACKS:
    o->stacks = true;
    break;
  case OPT_JSON:
    return set_form(o, HP_FORM_JSON);
  case OPT_CSV:
    return set_form(o, HP_FORM_CSV);
  case OPT_COLOR:
    return hp_command_parse_color(value, &o->color) ? NULL
                                                    : "auto, always or never";
  case 'o':
    o->output = value;
    break;
  case OPT_MEMORO:
    o->open.memoro_compat = true;
    break;
  case OPT_WEIGHT:
    o->open.weight_by_bytes = strcmp(value, "bytes") == 0;
    return o->open.weight_by_bytes || strcmp(value, "points") == 0
               ? NULL
               : "points or bytes";
  case OPT_EXCLUDE_LIVE:
    o->open.exclude_live = true;
    break;
  case OPT_GROUP_GAP:
    return parse_fraction(value, &o->open.group_gap)
               ? NULL
               : "a number between 0 and 1, both excluded";
  case OPT_SHORT:
    return parse_duration(value, &o->open.short_ns)
               ? NULL
               : "a time such as 500us, 1ms or 2s";
  }
  return NULL;
}

static bool fail(int *exit_code, const char *what) {
  *exit_code = hp_command_fail(HP_EXIT_USAGE, "%s; see %s --help", what,
                               hp_command_name);
  return false;
}

bool hp_score_is_grouped(const struct hp_score_options *o) {
  return o->query.by && strcmp(o->query.by, "point") != 0;
}

bool hp_score_parse(struct hp_score_options *o, int argc, char **argv,
                    int *exit_code) {
  const struct hp_command_options options = {long_options, help, take};
  *o = (struct hp_score_options){.open = {.sz = sizeof o->open},
                                 .query = {.sz = sizeof o->query}};
  if (!hp_command_parse(&options, o, &o->open, argc, argv, exit_code))
    return false;
  if (o->is_ambiguous)
    return fail(exit_code, "--json, --csv and --findings exclude each other");
  if (o->form == HP_FORM_FINDINGS && o->query.by)
    return fail(exit_code, "--findings are made of points; leave --by out");
  if (optind >= argc)
    return fail(exit_code, "no dump given");
  if (!o->limit)
    o->limit = o->form == HP_FORM_TABLE || o->form == HP_FORM_FINDINGS
                   ? HP_DEFAULT_ROWS
                   : SIZE_MAX;
  o->dumps = (const char *const *)(argv + optind);
  o->dump_count = (size_t)(argc - optind);
  return true;
}
