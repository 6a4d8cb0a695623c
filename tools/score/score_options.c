/* score_options.c - the command line of heapprof-score.
   One table of long options; the help text beside it is what --help prints.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "score_options.h"

#include "command_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HP_DEFAULT_ROWS 20u

static const char help[] =
    "Usage: heapprof-score [options] DUMP...\n"
    "Scores the allocation points of heapprof dumps, the worst first.\n"
    "DUMP is a dump directory, or a directory that holds some.\n"
    "\n"
    "What is shown:\n"
    "  --sort KEY        worth (of the table: how bad, times how much), "
    "severity,\n"
    "                    bytes, chunks, peak, live, lifetime, usage, "
    "reads, writes,\n"
    "                    useful_lifetime or site\n"
    "  --reverse         the other way round\n"
    "  --limit N         at most N rows; 0 = all (table: 20, CSV: all, JSON: "
    "all\n"
    "                    that 256 MiB of text hold)\n"
    "  --json-bytes N    of --json: rows of so many bytes at most, such as 1G\n"
    "  --filter SET      only chunks that are in it: function=P file=P "
    "module=P\n"
    "                    type=P flag=NAME point=N,N, or P in any of the first "
    "four\n"
    "                    (* and ? are wildcards); size>=64 lifetime<1ms "
    "live_at(end)\n"
    "                    and more, with & | ! ( ), as docs/sets.md has them\n"
    "  --sets FILE       names for sets, a line each: leak = live_at(end) & "
    "size>=64\n"
    "  --by WHAT         place (of the table), point (of JSON, CSV and "
    "--stacks),\n"
    "                    site, function, file, module, type;\n"
    "                    thread, or call: allocation functions and their "
    "times;\n"
    "                    mapping: what mmap and its kin mapped, by call "
    "stack;\n"
    "                    global: modules and their variables, resident at the "
    "end;\n"
    "                    object: chunks of one size, allocating and freeing "
    "caller;\n"
    "                    member: of each record type, where its chunks are "
    "accessed\n"
    "                    generation: born between two marks, live at later "
    "ones\n"
    "  --type P          of --by member: types like P, with * and ?\n"
    "  --findings        what to change, in words, instead of the table\n"
    "  --process         where all resident memory of each process was\n"
    "  --excessive HOW   which objects are made and freed too often: iqr "
    "(outliers\n"
    "                    of frequency over lifetime) or clusters (k-means)\n"
    "  --mu X            of iqr: so many IQRs above the third quartile (3)\n"
    "  --k N             of clusters: so many at most, 2 to 64 (3)\n"
    "  --min-frequency N leave rarer objects out of it (0)\n"
    "  --key WHAT        objects are told apart by caller (default) or stack\n"
    "  --map[=WHAT]      where live chunks lie, a character for so many bytes: "
    "its\n"
    "                    share (default), or by type, point or age\n"
    "  --at WHEN         of --map: end (default), peak, a mark's name, or a "
    "time\n"
    "                    since the start such as 250ms; may repeat\n"
    "  --cell BYTES      of --map: bytes of a character, such as 64 or 4K\n"
    "  --stacks          more numbers and the call stack under each row\n"
    "  --all-frames      the same, with frames of libraries one by one\n"
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

static const char *read_fraction(const struct hp_option *option, void *options,
                                 const char *value) {
  struct hp_score_options *o = options;
  return parse_fraction(value, &o->open.group_gap) ? NULL : option->must_be;
}

static const char *read_duration(const struct hp_option *option, void *options,
                                 const char *value) {
  struct hp_score_options *o = options;
  return parse_duration(value, &o->open.short_ns) ? NULL : option->must_be;
}

static const char *read_weight(const struct hp_option *option, void *options,
                               const char *value) {
  struct hp_score_options *o = options;
  o->open.weight_by_bytes = strcmp(value, "bytes") == 0;
  return o->open.weight_by_bytes || strcmp(value, "points") == 0
             ? NULL
             : option->must_be;
}

static const char *read_by(const struct hp_option *option, void *options,
                           const char *value) {
  static const char *const kinds[] = {
      "place",  "point",  "site",   "function",  "file",
      "module", "type",   "thread", "call",      "mapping",
      "global", "object", "member", "generation"};
  struct hp_score_options *o = options;
  o->query.by = value;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(value, kinds[i]) == 0)
      return NULL;
  return option->must_be;
}

static const char *read_excess(const struct hp_option *option, void *options,
                               const char *value) {
  struct hp_score_options *o = options;
  o->wants_excess = o->by_object = true;
  if (strcmp(value, "iqr") == 0)
    o->excess.method = HP_EXCESS_IQR;
  else if (strcmp(value, "clusters") == 0)
    o->excess.method = HP_EXCESS_CLUSTERS;
  else
    return option->must_be;
  return NULL;
}

static const char *read_mu(const struct hp_option *option, void *options,
                           const char *value) {
  struct hp_score_options *o = options;
  char *end;
  o->excess.mu = strtod(value, &end);
  o->has_mu = true;
  return end != value && !*end && o->excess.mu >= 0 && o->excess.mu < 1e9
             ? NULL
             : option->must_be;
}

static bool parse_count(const char *s, uint64_t most, uint64_t *out) {
  char *end;
  if (*s < '0' || *s > '9')
    return false;
  errno = 0;
  *out = strtoull(s, &end, 10);
  return !*end && errno == 0 && *out <= most;
}

static const char *read_k(const struct hp_option *option, void *options,
                          const char *value) {
  struct hp_score_options *o = options;
  uint64_t k;
  if (!parse_count(value, 64, &k) || k < 2)
    return option->must_be;
  o->excess.k = (unsigned)k;
  o->has_k = true;
  return NULL;
}

static const char *read_least(const struct hp_option *option, void *options,
                              const char *value) {
  struct hp_score_options *o = options;
  o->has_least = true;
  return parse_count(value, UINT64_MAX, &o->excess.min_frequency)
             ? NULL
             : option->must_be;
}

static const char *read_key(const struct hp_option *option, void *options,
                            const char *value) {
  struct hp_score_options *o = options;
  o->by_stack = strcmp(value, "stack") == 0;
  o->has_key = true;
  return o->by_stack || strcmp(value, "caller") == 0 ? NULL : option->must_be;
}

static const char *read_map(const struct hp_option *option, void *options,
                            const char *value) {
  static const char *const words[] = {"share", "type", "point", "age"};
  struct hp_score_options *o = options;
  o->wants_map = true;
  for (size_t i = 0; value && i < sizeof words / sizeof *words; i++)
    if (strcmp(value, words[i]) == 0) {
      o->letters = (enum hp_map_letters)i;
      return NULL;
    }
  return value ? option->must_be : NULL;
}

static const char *read_at(const struct hp_option *option, void *options,
                           const char *value) {
  struct hp_score_options *o = options;
  if (o->moment_count == HP_MAP_MOMENTS_MAX)
    return option->must_be;
  struct hp_map_when *when = &o->moments[o->moment_count++];
  if (!parse_duration(value, &when->at_ns))
    when->name = value;
  return NULL;
}

/* 0: it is not a number of bytes. */
static uint64_t parse_bytes(const char *value) {
  static const char units[] = "KMG";
  char *end;
  errno = 0;
  uint64_t bytes =
      *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
  if (!bytes || errno || bytes >> 32)
    return 0;
  const char *unit = *end ? strchr(units, *end) : NULL;
  if (unit) {
    bytes <<= 10 * (unit - units + 1);
    end++;
  }
  return *end ? 0 : bytes;
}

static const char *read_cell(const struct hp_option *option, void *options,
                             const char *value) {
  struct hp_score_options *o = options;
  o->cell_bytes = parse_bytes(value);
  return o->cell_bytes < 16 || (o->cell_bytes & (o->cell_bytes - 1))
             ? option->must_be
             : NULL;
}

static const char *read_json_bytes(const struct hp_option *option,
                                   void *options, const char *value) {
  struct hp_score_options *o = options;
  o->json_bytes = parse_bytes(value);
  return o->json_bytes ? NULL : option->must_be;
}

static const char *set_form(struct hp_score_options *o,
                            enum hp_score_form form) {
  o->is_ambiguous =
      o->is_ambiguous || (o->form != HP_FORM_TABLE && o->form != form);
  o->form = form;
  return NULL;
}

static const char *read_findings(const struct hp_option *option, void *options,
                                 const char *value) {
  (void)option, (void)value;
  return set_form(options, HP_FORM_FINDINGS);
}

static const char *read_process(const struct hp_option *option, void *options,
                                const char *value) {
  (void)option, (void)value;
  return set_form(options, HP_FORM_PROCESS);
}

static const char *read_json(const struct hp_option *option, void *options,
                             const char *value) {
  (void)option, (void)value;
  return set_form(options, HP_FORM_JSON);
}

static const char *read_csv(const struct hp_option *option, void *options,
                            const char *value) {
  (void)option, (void)value;
  return set_form(options, HP_FORM_CSV);
}

/* Also asks for the stacks that it is of. */
static const char *read_all_frames(const struct hp_option *option,
                                   void *options, const char *value) {
  struct hp_score_options *o = options;
  (void)option, (void)value;
  o->stacks = o->all_frames = true;
  return NULL;
}

/* The table is by place, unless it shows what only points have. */
static void set_defaults(struct hp_score_options *o) {
  if (o->form != HP_FORM_TABLE || o->by_object)
    return;
  if (!o->query.by && !o->stacks)
    o->query.by = "place";
  if (!o->query.sort)
    o->query.sort = "worth";
}

#define OF struct hp_score_options
static const struct hp_option rows[] = {
    HP_TEXT_OPTION("sort", OF, query.sort),
    HP_FLAG_OPTION("reverse", OF, query.reverse),
    HP_ROWS_OPTION("limit", OF, limit),
    HP_OWN_OPTION("json-bytes", read_json_bytes, OF, open,
                  "a number of bytes such as 100M"),
    HP_TEXT_OPTION("filter", OF, query.filter),
    HP_TEXT_OPTION("sets", OF, sets_file),
    HP_OWN_OPTION("by", read_by, OF, query.by,
                  "place, point, site, function, file, module, type, thread, "
                  "call, mapping, global, object, member or generation"),
    HP_TEXT_OPTION("type", OF, type),
    HP_OWN_OPTION("excessive", read_excess, OF, open, "iqr or clusters"),
    HP_OWN_OPTION("mu", read_mu, OF, open, "a number from 0 on"),
    HP_OWN_OPTION("k", read_k, OF, open, "a number of clusters, 2 to 64"),
    HP_OWN_OPTION("min-frequency", read_least, OF, open, "a number of chunks"),
    HP_OWN_OPTION("key", read_key, OF, open, "caller or stack"),
    {.name = "findings", .read = read_findings},
    {.name = "process", .read = read_process},
    {"map", NULL, 0, HP_VALUE_MAY, read_map, 0, "share, type, point or age"},
    HP_OWN_OPTION("at", read_at, OF, open, "one of at most 64 moments"),
    HP_OWN_OPTION("cell", read_cell, OF, open,
                  "a power of two of bytes, from 16 on, such as 64 or 4K"),
    HP_FLAG_OPTION("stacks", OF, stacks),
    {.name = "all-frames", .read = read_all_frames},
    {.name = "json", .read = read_json},
    {.name = "csv", .read = read_csv},
    HP_COLOR_OPTION("color", OF, color),
    HP_OUTPUT_OPTION(OF, output),
    HP_FLAG_OPTION("memoro-compat", OF, open.memoro_compat),
    HP_OWN_OPTION("weight", read_weight, OF, open, "points or bytes"),
    HP_FLAG_OPTION("exclude-live", OF, open.exclude_live),
    HP_OWN_OPTION("group-gap", read_fraction, OF, open,
                  "a number between 0 and 1, both excluded"),
    HP_OWN_OPTION("short", read_duration, OF, open,
                  "a time such as 500us, 1ms or 2s")};
#undef OF

static bool fail(int *exit_code, const char *what) {
  *exit_code = hp_command_fail(HP_EXIT_USAGE, "%s; see %s --help", what,
                               hp_command_name);
  return false;
}

/* Rows that are no points. */
static bool take_other_rows(struct hp_score_options *o, int *exit_code) {
  const char *by = o->query.by ? o->query.by : "";
  const bool threads = strcmp(by, "thread") == 0;
  const bool mappings = strcmp(by, "mapping") == 0;
  const bool globals = strcmp(by, "global") == 0;
  if (!threads && !mappings && !globals && strcmp(by, "call") != 0)
    return true;
  o->query.by = NULL;
  if (o->form == HP_FORM_JSON) /* has them anyway */
    return true;
  if (o->form != HP_FORM_TABLE || o->query.filter || o->query.sort ||
      o->sets_file)
    return fail(exit_code, "threads, calls, mappings and globals are tables of "
                           "their own; leave --csv, --findings, --process, "
                           "--filter and --sort out");
  o->form = threads    ? HP_FORM_THREADS
            : mappings ? HP_FORM_MAPPINGS
            : globals  ? HP_FORM_GLOBALS
                       : HP_FORM_CALLS;
  return true;
}

/* A term of a filter has no blanks; "?" stands for any character. */
static bool add_type(struct hp_score_options *o, int *exit_code) {
  const char *before = o->query.filter;
  char *filter = NULL;
  if (!o->type)
    return true;
  if (!o->by_member)
    return fail(exit_code, "--type is of --by member");
  if ((before ? asprintf(&filter, "(%s) & type=\"%s\"", before, o->type)
              : asprintf(&filter, "type=\"%s\"", o->type)) < 0)
    return fail(exit_code, "out of memory");
  o->query.filter = filter; /* to the end of the process */
  return true;
}

/* --by WHAT, which is a table of its own and no group of points: *HAS says so. */
static bool take_table(struct hp_score_options *o, const char *what,
                       enum hp_score_form form, bool *has, int *exit_code) {
  if (!o->query.by || strcmp(o->query.by, what) != 0)
    return true;
  o->query.by = NULL;
  *has = true;
  if (o->form == HP_FORM_TABLE)
    o->form = form;
  else if (o->form != HP_FORM_JSON && o->form != HP_FORM_CSV) {
    *exit_code = hp_command_fail(HP_EXIT_USAGE,
                                 "%ss are a table of their own; leave "
                                 "--findings and --process out; see %s --help",
                                 what, hp_command_name);
    return false;
  }
  return true;
}

/* A map is of all chunks. */
static bool check_map(const struct hp_score_options *o, int *exit_code) {
  if (!o->wants_map)
    return (!o->moment_count && !o->cell_bytes) ||
           fail(exit_code, "--at and --cell are of --map");
  if ((o->form != HP_FORM_TABLE && o->form != HP_FORM_JSON) || o->query.by ||
      o->query.filter || o->query.sort || o->sets_file || o->by_object ||
      o->stacks || o->limit)
    return fail(exit_code, "--map is of all chunks, as text or --json; leave "
                           "what selects, sorts or shows points out");
  return true;
}

bool hp_score_is_grouped(const struct hp_score_options *o) {
  return o->query.by && strcmp(o->query.by, "point") != 0;
}

bool hp_score_parse(struct hp_score_options *o, int argc, char **argv,
                    int *exit_code) {
  static const struct hp_command_options options = {
      .rows = rows, .count = sizeof rows / sizeof *rows, .help = help};
  *o = (struct hp_score_options){
      .open = {.sz = sizeof o->open},
      .query = {.sz = sizeof o->query},
      .excess = {.mu = HP_EXCESS_MU, .k = HP_EXCESS_K}};
  if (!hp_command_parse(&options, o, &o->open, argc, argv, exit_code))
    return false;
  if (!check_map(o, exit_code) ||
      !take_table(o, "member", HP_FORM_MEMBERS, &o->by_member, exit_code) ||
      !add_type(o, exit_code) ||
      !take_table(o, "generation", HP_FORM_GENERATIONS, &o->by_generation,
                  exit_code) ||
      !take_other_rows(o, exit_code))
    return false;
  if (o->is_ambiguous)
    return fail(exit_code,
                "--json, --csv, --findings and --process exclude each other");
  if (o->query.by && strcmp(o->query.by, "object") == 0) {
    o->query.by = NULL;
    o->by_object = true;
  }
  if (o->by_object && o->query.by)
    return fail(exit_code, "--excessive is of objects; leave --by out");
  if (o->by_object &&
      (o->form == HP_FORM_FINDINGS || o->form == HP_FORM_PROCESS))
    return fail(exit_code, "objects are a table of their own; leave --findings "
                           "and --process out");
  if ((o->has_mu && (!o->wants_excess || o->excess.method != HP_EXCESS_IQR)) ||
      (o->has_k && (!o->wants_excess || o->excess.method == HP_EXCESS_IQR)))
    return fail(exit_code,
                "--mu is of --excessive=iqr, --k of --excessive=clusters");
  if (o->has_least && !o->wants_excess)
    return fail(exit_code, "--min-frequency is of --excessive");
  if (o->has_key && !o->by_object && o->form != HP_FORM_JSON)
    return fail(exit_code, "--key is of --by object, --excessive and --json");
  if (o->form == HP_FORM_FINDINGS &&
      (o->query.by || o->query.sort || o->query.reverse))
    return fail(exit_code, "--findings are made of points, and in order of "
                           "what they cost; leave --by, --sort and --reverse "
                           "out");
  if (o->json_bytes && o->form != HP_FORM_JSON)
    return fail(exit_code, "--json-bytes is of --json");
  if (optind >= argc)
    return fail(exit_code, "no dump given");
  set_defaults(o);
  o->open.point = hp_filter_only_point(o->query.filter);
  if (!o->json_bytes)
    o->json_bytes = o->limit ? UINT64_MAX : HP_DEFAULT_JSON_BYTES;
  if (!o->limit)
    o->limit = o->form == HP_FORM_TABLE || o->form == HP_FORM_FINDINGS ||
                       o->form == HP_FORM_THREADS ||
                       o->form == HP_FORM_MEMBERS ||
                       o->form == HP_FORM_MAPPINGS || o->form == HP_FORM_GLOBALS
                   ? HP_DEFAULT_ROWS
                   : SIZE_MAX;
  o->dumps = (const char *const *)(argv + optind);
  o->dump_count = (size_t)(argc - optind);
  return true;
}
