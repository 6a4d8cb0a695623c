/* score_main.c - heapprof-score: scores the allocation points of dumps.
   Options, open, query, print; every failure ends in one line and exit 2 or 3.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"
#include "heapprof_export.h"
#include "heapprof_set.h"
#include "score_callers.h"
#include "score_findings.h"
#include "score_generations.h"
#include "score_globals.h"
#include "score_json.h"
#include "score_map.h"
#include "score_mappings.h"
#include "score_members.h"
#include "score_objects.h"
#include "score_options.h"
#include "score_process.h"
#include "score_table.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>

const char hp_command_name[] = "heapprof-score";

/* What is asked of all points, however the rows are grouped. */
struct answers {
  hp_findings *findings;
  hp_objects *objects;
  hp_globals *globals;
  hp_member_types *members;
  hp_generations *generations;
  struct hp_excess_verdict verdict;
};

static void print(FILE *out, const struct hp_score_options *o,
                  const hp_profile *profile, const struct answers *answers,
                  const struct hp_point *const *points, size_t count) {
  const hp_findings *findings = answers->findings;
  const struct hp_excess_verdict *verdict =
      o->wants_excess ? &answers->verdict : NULL;
  if (o->form == HP_FORM_TABLE && o->by_object) {
    hp_score_objects(out, o, profile, answers->objects, verdict,
                     hp_command_width(out));
    return;
  }
  switch (o->form) {
  case HP_FORM_TABLE:
    hp_score_table(out, o, profile, points, count, hp_command_width(out),
                   hp_command_colored(o->color, out));
    break;
  case HP_FORM_FINDINGS:
    hp_score_findings(out, profile, findings, o->limit, hp_command_width(out),
                      hp_command_colored(o->color, out));
    break;
  case HP_FORM_PROCESS:
    hp_score_processes(out, profile, hp_command_width(out));
    break;
  case HP_FORM_THREADS:
    hp_score_threads(out, profile, o->limit, hp_command_width(out));
    break;
  case HP_FORM_CALLS:
    hp_score_calls(out, profile, hp_command_width(out));
    break;
  case HP_FORM_MAPPINGS:
    hp_score_mappings(out, profile, o->limit, o->stacks, hp_command_width(out));
    break;
  case HP_FORM_GLOBALS:
    hp_score_globals(out, profile, answers->globals, o->limit,
                     hp_command_width(out));
    break;
  case HP_FORM_MEMBERS:
    hp_score_members(out, answers->members, o->limit, hp_command_width(out));
    break;
  case HP_FORM_GENERATIONS:
    hp_score_generations(out, answers->generations, hp_command_width(out));
    break;
  case HP_FORM_JSON:
    hp_score_json(out, o, profile, findings, answers->objects, verdict,
                  answers->globals, answers->members, answers->generations,
                  points, count);
    break;
  case HP_FORM_CSV:
    if (o->by_generation)
      hp_score_generations_csv(out, answers->generations);
    else if (o->by_member)
      hp_export_members_csv(out, answers->members, o->limit);
    else if (o->by_object)
      hp_export_objects_csv(out, answers->objects, o->limit, verdict != NULL,
                            o->stacks);
    else
      hp_export_csv(out, points, count < o->limit ? count : o->limit,
                    o->stacks);
    break;
  }
}

/* Of the points that pass the filter, however the rows are grouped. */
static hp_status find(struct answers *answers, const struct hp_score_options *o,
                      hp_profile *profile, struct hp_error *error) {
  const struct hp_query query = {.sz = sizeof query, .filter = o->query.filter};
  const struct hp_point *const *points;
  size_t count;
  hp_status status = hp_profile_query(profile, &query, &points, &count, error);
  if (status == HP_OK)
    status =
        hp_findings_make(&answers->findings, profile, points, count, error);
  if (status == HP_OK)
    status =
        hp_objects_make(&answers->objects, points, count, o->by_stack, error);
  if (status == HP_OK && o->wants_excess)
    status = hp_objects_judge(answers->objects, &o->excess, &answers->verdict,
                              error);
  return status;
}

/* A table of something else than points, of all that the filter lets through. */
static hp_status find_table(struct answers *answers,
                            const struct hp_score_options *o,
                            hp_profile *profile, struct hp_error *error) {
  const struct hp_query query = {.sz = sizeof query, .filter = o->query.filter};
  const struct hp_point *const *points;
  size_t count;
  hp_status status = hp_profile_query(profile, &query, &points, &count, error);
  if (status == HP_OK && o->by_member)
    status = hp_member_types_make(&answers->members, profile, points, count, 0,
                                  error);
  if (status == HP_OK && o->by_generation)
    status = hp_generations_make(&answers->generations, profile, points, count,
                                 error);
  return status;
}

static void free_answers(struct answers *answers) {
  hp_findings_free(answers->findings);
  hp_objects_free(answers->objects);
  hp_globals_free(answers->globals);
  hp_member_types_free(answers->members);
  hp_generations_free(answers->generations);
}

/* As score() does, but nothing is asked of points. */
static int map(const struct hp_score_options *o) {
  struct hp_error error;
  hp_profile *profile;
  struct hp_map **maps = NULL;
  FILE *out = NULL;
  hp_status status =
      hp_profile_open(&profile, o->dumps, o->dump_count, &o->open, &error);
  if (status != HP_OK)
    return hp_command_fail_status(&error);
  status = hp_score_maps_make(&maps, o, profile, &error);
  int code = HP_EXIT_INPUT_OUTPUT;
  if (status != HP_OK)
    code = hp_command_fail_status(&error);
  else
    out = hp_command_open_output(o->output);
  if (out && o->form == HP_FORM_JSON)
    hp_score_maps_json(out, profile, maps);
  else if (out)
    hp_score_maps(out, o, profile, maps, hp_command_width(out));
  hp_score_maps_free(maps, profile);
  hp_profile_close(profile);
  return out ? hp_command_close_output(out, o->output, HP_EXIT_DONE) : code;
}

/* The output is opened last, so that a bad dump does not empty an old file. */
static int score(const struct hp_score_options *o) {
  struct hp_error error;
  hp_profile *profile;
  const struct hp_point *const *points;
  size_t count;
  FILE *out;
  struct answers answers = {0};
  const struct hp_set_options set = {
      .sz = sizeof set, .filter = o->query.filter, .sets_file = o->sets_file};
  hp_status status =
      hp_profile_open(&profile, o->dumps, o->dump_count, &o->open, &error);
  if (status != HP_OK)
    return hp_command_fail_status(&error);
  status = hp_profile_keep(profile, &set, &error);
  if (status == HP_OK &&
      (o->form == HP_FORM_FINDINGS || o->form == HP_FORM_JSON || o->by_object))
    status = find(&answers, o, profile, &error);
  if (status == HP_OK && (o->by_member || o->by_generation))
    status = find_table(&answers, o, profile, &error);
  if (status == HP_OK &&
      (o->form == HP_FORM_JSON || o->form == HP_FORM_GLOBALS))
    status = hp_globals_make(&answers.globals, profile, &error);
  if (status == HP_OK)
    status = hp_profile_query(profile, &o->query, &points, &count, &error);
  if (status != HP_OK) {
    free_answers(&answers);
    hp_profile_close(profile);
    return hp_command_fail_status(&error);
  }
  out = hp_command_open_output(o->output);
  if (out)
    print(out, o, profile, &answers, points, count);
  free_answers(&answers);
  hp_profile_close(profile);
  return out ? hp_command_close_output(out, o->output, HP_EXIT_DONE)
             : HP_EXIT_INPUT_OUTPUT;
}

int main(int argc, char **argv) {
  struct hp_score_options o;
  int code;
  setlocale(LC_CTYPE, ""); /* for wcwidth; numbers keep the C locale's point */
  signal(SIGPIPE, SIG_IGN);
  if (!hp_score_parse(&o, argc, argv, &code))
    return code;
  return o.wants_map ? map(&o) : score(&o);
}
