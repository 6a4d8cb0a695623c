/* merge_main.c - heapprof-merge: the dumps of many processes into one.
   Says on standard error what it wrote; nothing goes to standard output.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command_options.h"
#include "heapprof_merge.h"

#include <signal.h>

const char hp_command_name[] = "heapprof-merge";

static const char help[] =
    "Usage: heapprof-merge -o OUT DUMP...\n"
    "Puts the dumps of many processes, such as the ranks of an MPI program, "
    "into\n"
    "one that every heapprof command reads.  DUMP is a dump directory, one "
    "that\n"
    "was merged before, or a directory that holds some.\n"
    "\n"
    "  -o, --output OUT  the new directory; it must not exist\n"
    "  --rank RANKS      only dumps of these MPI ranks, such as 0,3-5\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "Examples:\n"
    "  heapprof-merge -o run1 dumps/heapprof.app.*\n"
    "  heapprof-merge -o week run1 run2\n"
    "\n"
    "Exit codes: 0 done, 2 wrong arguments, 3 a dump that cannot be read or "
    "an\n"
    "output that cannot be written.\n";

struct arguments {
  const char *output, *ranks;
};
static const struct hp_option rows[] = {
    HP_OUTPUT_OPTION(struct arguments, output),
    HP_TEXT_OPTION("rank", struct arguments, ranks)};

int main(int argc, char **argv) {
  static const struct hp_command_options options = {
      .rows = rows, .count = sizeof rows / sizeof *rows, .help = help};
  struct arguments a = {0};
  struct hp_merge_totals totals;
  struct hp_error error;
  int code;
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is an error to tell */
  if (!hp_command_parse(&options, &a, NULL, argc, argv, &code))
    return code;
  if (!a.output)
    return hp_command_fail(HP_EXIT_USAGE, "no -o OUT given; see %s --help",
                           hp_command_name);
  if (hp_merge(a.output, a.ranks, (const char *const *)(argv + optind),
               (size_t)(argc - optind), &totals, &error) != HP_OK)
    return hp_command_fail_status(&error);
  if (totals.left_out)
    fprintf(stderr,
            "%s: %zu dump%s left out: what is in there is in others, too\n",
            hp_command_name, totals.left_out, totals.left_out == 1 ? "" : "s");
  if (totals.other_ranks)
    fprintf(stderr, "%s: %zu dump%s of other ranks left out\n", hp_command_name,
            totals.other_ranks, totals.other_ranks == 1 ? "" : "s");
  return HP_EXIT_DONE;
}
