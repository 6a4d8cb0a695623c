/* score_options.h - the command line of heapprof-score.
   Parsing never exits and opens nothing; docs/heapprof-score.md explains.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_OPTIONS_H
#define HP_SCORE_OPTIONS_H

#include "command.h"

enum hp_score_form {
  HP_FORM_TABLE,
  HP_FORM_FINDINGS,
  HP_FORM_JSON,
  HP_FORM_CSV
};
enum hp_score_action { HP_ACTION_SCORE, HP_ACTION_HELP, HP_ACTION_VERSION };

struct hp_score_options {
  enum hp_score_action action;
  struct hp_open_options open;
  struct hp_query query;
  enum hp_score_form form;
  enum hp_color color;
  size_t limit; /* rows; SIZE_MAX = all */
  bool stacks;
  const char *output; /* NULL: standard output */
  const char *const *dumps;
  size_t dump_count;
  char *debug_dirs; /* owned; what open.debug_dir points to */
};

extern const char hp_score_help[];

/* False: TEXT is one line that says what is wrong with the arguments. */
bool hp_score_parse(struct hp_score_options *o, int argc, char **argv,
                    char *text, size_t size);
void hp_score_options_free(struct hp_score_options *o);

#endif
