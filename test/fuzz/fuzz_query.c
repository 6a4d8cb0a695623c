/* fuzz_query.c - libFuzzer target: any three lines as filter, order and grouping of a query.
   The first line is also taken apart as a function's name.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "function_text.h"
#include "heapprof.h"
#include "text/member_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
  if (!good)
    abort();
}

static hp_profile *open_golden(void) {
  const char *const paths[] = {HP_GOLDEN_DUMP};
  const struct hp_open_options o = {.sz = sizeof o, .no_symbols = true};
  hp_profile *profile;
  struct hp_error error;
  require(hp_profile_open(&profile, paths, 1, &o, &error) == HP_OK);
  return profile;
}

static void require_within(const char *text, struct hp_text_part part) {
  if (part.length > 0)
    require(part.begin >= text &&
            part.begin + part.length <= text + strlen(text));
}

static void take_apart(const char *function) {
  struct hp_member_name name = hp_member_parse(function);
  require_within(function, name.scope);
  require_within(function, name.member);
  require_within(function, name.parameters);
  hp_member_is_constructor(&name);
  hp_member_copies(&name);
  char *text = hp_function_short(function);
  require(text && strlen(text) < SIZE_MAX);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static hp_profile *profile;
  if (!profile)
    profile = open_golden();
  char *text = calloc(1, size + 1);
  require(text);
  if (size > 0)
    memcpy(text, data, size);
  char *line[3] = {text};
  for (int i = 1; i < 3; i++) {
    line[i] = line[i - 1] ? strchr(line[i - 1], '\n') : NULL;
    if (line[i])
      *line[i]++ = '\0';
  }
  take_apart(line[0]);
  const struct hp_query query = {
      .sz = sizeof query, .filter = line[0], .sort = line[1], .by = line[2]};
  const struct hp_point *const *points;
  size_t count;
  struct hp_error error;
  if (hp_profile_query(profile, &query, &points, &count, &error) == HP_OK)
    for (size_t i = 0; i < count; i++)
      require(points[i]->chunks > 0);
  else
    require(error.status == HP_E_ARGUMENT && strlen(error.text) > 0);
  free(text);
  return 0;
}
