/* score_options.c - the command line of heapprof-score.
   One table of long options; the help text beside it is what --help prints.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HP_DEFAULT_ROWS 20u

const char hp_score_help[] =
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
    "\n"
    "Symbols:\n"
    "  --no-symbols      leave frames as module+address\n"
    "  --debug-dir DIR   look there too for separate debug files; may repeat\n"
    "  --sysroot DIR     prefix of module paths that do not exist here\n"
    "  --no-cache        neither read nor write the symbol cache in the dump\n"
    "\n"
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
  OPT_SHORT,
  OPT_NO_SYMBOLS,
  OPT_DEBUG_DIR,
  OPT_SYSROOT,
  OPT_NO_CACHE,
  OPT_HELP,
  OPT_VERSION
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
    {"no-symbols", no_argument, NULL, OPT_NO_SYMBOLS},
    {"debug-dir", required_argument, NULL, OPT_DEBUG_DIR},
    {"sysroot", required_argument, NULL, OPT_SYSROOT},
    {"no-cache", no_argument, NULL, OPT_NO_CACHE},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0}};

static bool parse_limit(const char *s, size_t *out) {
  char *end;
  unsigned long long value;
  errno = 0;
  value = strtoull(s, &end, 10);
  if (*s < '0' || *s > '9' || *end || errno || value > SIZE_MAX)
    return false;
  *out = value ? (size_t)value : SIZE_MAX;
  return true;
}

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

static bool add_debug_dir(struct hp_score_options *o, const char *dir) {
  size_t old = o->debug_dirs ? strlen(o->debug_dirs) + 1 : 0;
  char *joined = realloc(o->debug_dirs, old + strlen(dir) + 1);
  if (!joined)
    return false;
  if (old)
    joined[old - 1] = ':';
  strcpy(joined + old, dir);
  o->debug_dirs = joined;
  o->open.debug_dir = joined;
  return true;
}

/* NULL if CODE was understood, else what its argument should have been. */
static const char *take(struct hp_score_options *o, int code,
                        const char *value) {
  switch (code) {
  case OPT_SORT:
    o->query.sort = value;
    break;
  case OPT_REVERSE:
    o->query.reverse = true;
    break;
  case OPT_LIMIT:
    return parse_limit(value, &o->limit) ? NULL : "a number of rows, 0 = all";
  case OPT_FILTER:
    o->query.filter = value;
    break;
  case OPT_BY:
    o->query.by = value;
    break;
  case OPT_FINDINGS:
    o->form = HP_FORM_FINDINGS;
    break;
  case OPT_STACKS:
    o->stacks = true;
    break;
  case OPT_JSON:
    o->form = HP_FORM_JSON;
    break;
  case OPT_CSV:
    o->form = HP_FORM_CSV;
    break;
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
  case OPT_NO_SYMBOLS:
    o->open.no_symbols = true;
    break;
  case OPT_DEBUG_DIR:
    return add_debug_dir(o, value) ? NULL : "shorter (out of memory)";
  case OPT_SYSROOT:
    o->open.sysroot = value;
    break;
  case OPT_NO_CACHE:
    o->open.no_cache = true;
    break;
  }
  return NULL;
}

static const char *name_of(int code) {
  for (const struct option *o = long_options; o->name; o++)
    if (o->val == code)
      return o->name;
  return "";
}

static bool fail(char *text, size_t size, const char *what,
                 const char *argument) {
  snprintf(text, size, "%s%s%s%s; see heapprof-score --help", what,
           argument ? " '" : "", argument ? argument : "", argument ? "'" : "");
  return false;
}

/* getopt_long's own word for what it did not understand. */
static bool fail_unknown(char **argv, char *text, size_t size, int code) {
  char letter[3] = {'-', (char)optopt, '\0'};
  const char *word = optopt > 0 && optopt < 256 ? letter : argv[optind - 1];
  return fail(text, size,
              code == ':'     ? "an argument is missing after"
              : optopt >= 256 ? "no argument is allowed in"
                              : "unknown or ambiguous option",
              word);
}

bool hp_score_parse(struct hp_score_options *o, int argc, char **argv,
                    char *text, size_t size) {
  bool limited = false, json = false, csv = false, findings = false;
  int code;
  *o = (struct hp_score_options){.open = {.sz = sizeof o->open},
                                 .query = {.sz = sizeof o->query}};
  opterr = 0;
  while ((code = getopt_long(argc, argv, ":o:", long_options, NULL)) != -1) {
    const char *wanted;
    if (code == '?' || code == ':')
      return fail_unknown(argv, text, size, code);
    if (code == OPT_HELP || code == OPT_VERSION) {
      o->action = code == OPT_HELP ? HP_ACTION_HELP : HP_ACTION_VERSION;
      return true;
    }
    wanted = take(o, code, optarg);
    if (wanted) {
      snprintf(text, size, "--%s '%s': must be %s", name_of(code), optarg,
               wanted);
      return false;
    }
    limited = limited || code == OPT_LIMIT;
    json = json || code == OPT_JSON;
    csv = csv || code == OPT_CSV;
    findings = findings || code == OPT_FINDINGS;
  }
  if (json + csv + findings > 1)
    return fail(text, size, "--json, --csv and --findings exclude each other",
                NULL);
  if (findings && o->query.by)
    return fail(text, size, "--findings are made of points; leave --by out",
                NULL);
  if (optind >= argc)
    return fail(text, size, "no dump given", NULL);
  if (!limited)
    o->limit = o->form == HP_FORM_TABLE || o->form == HP_FORM_FINDINGS
                   ? HP_DEFAULT_ROWS
                   : SIZE_MAX;
  o->dumps = (const char *const *)(argv + optind);
  o->dump_count = (size_t)(argc - optind);
  return true;
}

void hp_score_options_free(struct hp_score_options *o) {
  free(o->debug_dirs);
  o->debug_dirs = NULL;
}
