/* filter.c - parses and applies hp_query.filter.
   Terms are separated by blanks; a point must satisfy all of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/pattern.h"
#include "rank_list.h"

enum term_field {
  ANY_TEXT,
  FUNCTION_TEXT,
  FILE_TEXT,
  MODULE_TEXT,
  TYPE_TEXT,
  FLAG,
  RANK,
  POINT
};

struct hp_filter_term {
  enum term_field field;
  bool negated;
  const char *pattern;
  enum hp_inference flag; /* of FLAG */
};

static const struct {
  const char *name;
  enum term_field field;
} fields[] = {{"function", FUNCTION_TEXT},
              {"file", FILE_TEXT},
              {"module", MODULE_TEXT},
              {"type", TYPE_TEXT},
              {"flag", FLAG},
              {"rank", RANK},
              {"point", POINT}};

static hp_status parse_flag(struct hp_filter_term *term,
                            struct hp_error *error) {
  for (int i = 0; i < HP_INF_COUNT; i++)
    if (strcmp(term->pattern, hp_inference_name((enum hp_inference)i)) == 0) {
      term->flag = (enum hp_inference)i;
      return HP_OK;
    }
  return hp_fail(error, HP_E_ARGUMENT,
                 "filter: no flag is named \"%s\"; flags are unused, "
                 "write_only, read_only, top_bytes, top_chunks, growing, "
                 "short_lived, allocated_early, freed_late, low_coverage, "
                 "multithread, freed_elsewhere, never_freed, zero_size, "
                 "overrun, lost, lost_indirectly, still_reachable",
                 term->pattern);
}

/* "608", "#608" or "2,3,4": the numbers that tables and findings show. */
static const char *next_point(const char *at, uint64_t *id) {
  char *end;
  at += *at == '#';
  if (*at < '0' || *at > '9')
    return NULL;
  errno = 0;
  *id = strtoull(at, &end, 10);
  if (errno || (*end && (*end != ',' || !end[1])))
    return NULL;
  return *end ? end + 1 : end;
}

static hp_status parse_points(const struct hp_filter_term *term,
                              struct hp_error *error) {
  uint64_t id;
  for (const char *at = term->pattern; *at;)
    if (!(at = next_point(at, &id)))
      return hp_fail(error, HP_E_ARGUMENT,
                     "filter: point= takes numbers of points, such as 608 or "
                     "2,3,4, not \"%s\"",
                     term->pattern);
  return HP_OK;
}

static bool is_among(const char *points, uint64_t wanted) {
  uint64_t id;
  for (const char *at = points; at && *at;)
    if ((at = next_point(at, &id)) && id == wanted)
      return true;
  return false;
}

static hp_status parse_term(struct hp_filter_term *term, char *text,
                            struct hp_error *error) {
  *term = (struct hp_filter_term){.field = ANY_TEXT};
  term->negated = *text == '!';
  text += term->negated;
  term->pattern = text;
  size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyz");
  if (name > 0 && text[name] == '=') {
    size_t i = 0, count = sizeof fields / sizeof *fields;
    while (i < count && (strlen(fields[i].name) != name ||
                         strncmp(fields[i].name, text, name) != 0))
      i++;
    if (i == count)
      return hp_fail(
          error, HP_E_ARGUMENT,
          "filter: \"%.*s=\" is unknown; terms are function=, "
          "file=, module=, type=, flag=, rank=, point=, or a pattern (write ? "
          "for a = in it)",
          (int)name, text);
    term->field = fields[i].field;
    term->pattern = text + name + 1;
  }
  if (!*term->pattern)
    return hp_fail(error, HP_E_ARGUMENT, "filter: a term has no pattern");
  if (term->field == RANK && !hp_rank_list_is_good(term->pattern))
    return hp_fail(error, HP_E_ARGUMENT,
                   "filter: rank=%s: not a list of ranks such as 0,3-5",
                   term->pattern);
  return term->field == FLAG    ? parse_flag(term, error)
         : term->field == POINT ? parse_points(term, error)
                                : HP_OK;
}

hp_status hp_filter_parse(struct hp_filter *filter, const char *text,
                          struct hp_store *store, struct hp_error *error) {
  *filter = (struct hp_filter){0};
  if (!text)
    return HP_OK;
  char *rest = hp_store_text(store, text, strlen(text));
  /* At most every second character begins a term. */
  filter->terms =
      hp_store_take(store, strlen(text) / 2 + 1, sizeof *filter->terms);
  if (!rest || !filter->terms)
    return hp_fail_memory(error);
  char *state, *term;
  for (; (term = strtok_r(rest, " \t\n", &state)); rest = NULL)
    HP_TRY(parse_term(&filter->terms[filter->count++], term, error));
  return HP_OK;
}

static bool frame_matches(const struct hp_filter_term *term,
                          const struct hp_frame *frame) {
  switch (term->field) {
  case FUNCTION_TEXT:
    return hp_pattern_finds(term->pattern, frame->function);
  case FILE_TEXT:
    return hp_pattern_finds(term->pattern, frame->file);
  case MODULE_TEXT:
    return hp_pattern_finds(term->pattern, frame->module);
  case ANY_TEXT:
    return hp_pattern_finds(term->pattern, frame->function) ||
           hp_pattern_finds(term->pattern, frame->file) ||
           hp_pattern_finds(term->pattern, frame->module);
  default:
    return false;
  }
}

static bool term_holds(const struct hp_filter_term *term,
                       const struct hp_point *point) {
  if (term->field == FLAG)
    return point->inferences[term->flag].flagged;
  if (term->field == RANK)
    return point->process && hp_rank_is_in(term->pattern, point->process->rank);
  if (term->field == POINT)
    return is_among(term->pattern, point->id);
  if ((term->field == TYPE_TEXT || term->field == ANY_TEXT) &&
      hp_pattern_finds(term->pattern, point->type))
    return true;
  for (size_t i = 0; i < point->stack_count; i++)
    if (frame_matches(term, point->stack[i]))
      return true;
  return false;
}

bool hp_filter_asks_for_ranks(const struct hp_filter *filter) {
  for (size_t i = 0; i < filter->count; i++)
    if (filter->terms[i].field == RANK)
      return true;
  return false;
}

bool hp_filter_passes(const struct hp_filter *filter,
                      const struct hp_point *point) {
  for (size_t i = 0; i < filter->count; i++)
    if (term_holds(&filter->terms[i], point) == filter->terms[i].negated)
      return false;
  return true;
}
