/* export_main.c - heapprof-export: a dump in a format that other tools read.
   Options, open, query, write; the formats are the library's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command_options.h"
#include "heapprof_export.h"
#include "heapprof_set.h"

#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

const char hp_command_name[] = "heapprof-export";

static const char help_begin[] =
    "Usage: heapprof-export --format=FORMAT [options] DUMP...\n"
    "Writes the allocation points of heapprof dumps for other tools.\n"
    "DUMP is a dump directory, or a directory that holds some.\n"
    "\n"
    "Formats:\n";
static const char help_metrics[] =
    "\n"
    "Metrics (of formats with one number per stack; default bytes):\n";
static const char help_end[] =
    "\n"
    "  --format FORMAT   one of the formats above\n"
    "  --metric METRIC   one of the metrics above\n"
    "  --filter SET      only chunks that are in it, see heapprof-score\n"
    "  --sets FILE       names for sets, see heapprof-score\n"
    "  -o, --output FILE write there instead of to standard output\n"
    "\n" HP_SYMBOL_HELP "\n"
    "  --help, --version\n"
    "\n"
    "Examples:\n"
    "  heapprof-export --format=pprof -o heap.pb.gz heapprof.app.4711\n"
    "  heapprof-export --format=folded --metric=bytes_at_global_peak \\\n"
    "    heapprof.app.4711 | flamegraph.pl --colors mem > heap.svg\n"
    "\n"
    "Exit codes: 0 done, 2 wrong arguments, 3 a dump that cannot be read or "
    "an\n"
    "output that cannot be written.\n";

struct arguments {
  struct hp_open_options open;
  struct hp_query query;
  const char *format_name;
  const struct hp_export_format *format;
  const char *sets_file, *metric, *output;
  const char *const *dumps;
  size_t dump_count;
};

#define OF struct arguments
static const struct hp_option rows[] = {
    HP_TEXT_OPTION("format", OF, format_name),
    HP_TEXT_OPTION("metric", OF, metric),
    HP_TEXT_OPTION("filter", OF, query.filter),
    HP_TEXT_OPTION("sets", OF, sets_file), HP_OUTPUT_OPTION(OF, output)};
#undef OF

/* The table of the library is the only list of formats. */
static void put_help(FILE *out) {
  const struct hp_export_format *f;
  fputs(help_begin, out);
  for (size_t i = 0; (f = hp_export_format_at(i)) != NULL; i++)
    fprintf(out, "  %-18s%s\n", f->name, f->text);
  fputs(help_metrics, out);
  for (int i = 0; i < HP_EXPORT_METRIC_COUNT; i++)
    fprintf(out, "  %-22s%s\n", hp_export_metric_name((enum hp_export_metric)i),
            hp_export_metric_text((enum hp_export_metric)i));
  fputs(help_end, out);
}

static const struct hp_export_format *find_format(const char *name) {
  const struct hp_export_format *f;
  for (size_t i = 0; (f = hp_export_format_at(i)) != NULL; i++)
    if (strcmp(f->name, name) == 0)
      return f;
  return NULL;
}

static enum hp_export_metric find_metric(const char *name) {
  int i = 0;
  while (i < HP_EXPORT_METRIC_COUNT &&
         strcmp(name, hp_export_metric_name((enum hp_export_metric)i)) != 0)
    i++;
  return (enum hp_export_metric)i;
}

/* True: *A is complete.  Else *EXIT_CODE is what to end with. */
static bool parse(struct arguments *a, int argc, char **argv, int *exit_code) {
  static const struct hp_command_options options = {
      .rows = rows, .count = sizeof rows / sizeof *rows, .put_help = put_help};
  if (!hp_command_parse(&options, a, &a->open, argc, argv, exit_code))
    return false;
  a->dumps = (const char *const *)(argv + optind);
  a->dump_count = (size_t)(argc - optind);
  a->format = a->format_name ? find_format(a->format_name) : NULL;
  *exit_code = HP_EXIT_USAGE;
  if (!a->format_name)
    hp_command_fail(0, "no --format given; see %s --help", hp_command_name);
  else if (!a->format)
    hp_command_fail(0, "no format is named '%s'; see %s --help", a->format_name,
                    hp_command_name);
  else if (a->dump_count == 0)
    hp_command_fail(0, "no dump given; see %s --help", hp_command_name);
  else if (a->metric && !a->format->has_metric)
    hp_command_fail(0, "--metric: %s holds all of them; leave it out",
                    a->format->name);
  else if (a->metric && find_metric(a->metric) == HP_EXPORT_METRIC_COUNT)
    hp_command_fail(0, "no metric is named '%s'; see %s --help", a->metric,
                    hp_command_name);
  else if (a->format->binary && !a->output && isatty(STDOUT_FILENO))
    hp_command_fail(0, "%s is nothing for a terminal; give -o FILE",
                    a->format->name);
  else
    return true;
  return false;
}

/* Most formats have no place to say so. */
static void note_samples(const struct hp_export *e) {
  uint64_t samples = 0;
  for (size_t i = 0; i < e->count; i++)
    if (e->points[i]->estimated)
      samples += e->points[i]->samples;
  if (samples)
    fprintf(stderr,
            "%s: note: not all chunks were profiled: the numbers are estimates "
            "from %" PRIu64 " samples\n",
            hp_command_name, samples);
}

/* The output is opened last, so that a bad dump does not empty an old file. */
static int write_points(const struct arguments *a, hp_profile *profile) {
  struct hp_export e = {.profile = profile,
                        .is_filtered = a->query.filter != NULL,
                        .version = HEAPPROF_VERSION};
  struct hp_error error;
  FILE *out;
  int code = HP_EXIT_DONE;
  if (a->metric)
    e.metric = find_metric(a->metric);
  const struct hp_set_options set = {
      .sz = sizeof set, .filter = a->query.filter, .sets_file = a->sets_file};
  if (hp_profile_keep(profile, &set, &error) != HP_OK ||
      hp_profile_query(profile, &a->query, &e.points, &e.count, &error) !=
          HP_OK)
    return hp_command_fail_status(&error);
  out = hp_command_open_output(a->output);
  if (!out)
    return HP_EXIT_INPUT_OUTPUT;
  if (a->format->write(out, &e, &error) != HP_OK)
    code = hp_command_fail_status(&error);
  note_samples(&e);
  return hp_command_close_output(out, a->output, code);
}

int main(int argc, char **argv) {
  struct arguments a = {.open = {.sz = sizeof a.open},
                        .query = {.sz = sizeof a.query, .sort = "bytes"}};
  struct hp_error error;
  hp_profile *profile;
  int code;
  setlocale(LC_CTYPE, "");
  signal(SIGPIPE, SIG_IGN);
  if (!parse(&a, argc, argv, &code))
    return code;
  if (hp_profile_open(&profile, a.dumps, a.dump_count, &a.open, &error) !=
      HP_OK)
    return hp_command_fail_status(&error);
  code = write_points(&a, profile);
  hp_profile_close(profile);
  return code;
}
