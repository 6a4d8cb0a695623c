/* fuzz_sets.c - libFuzzer target: a line that is a set, and behind it a file of sets, asked of a real dump.
   What parses has each chunk, or its opposite has it: never both, never neither.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "query/filter.h"
#include "query/set_chunk.h"
#include "query/set_names.h"

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

static void require_message(hp_status status, const struct hp_error *error) {
  require(status == HP_E_ARGUMENT && strlen(error->text) > 0);
}

static bool is_in(struct hp_filter *filter, struct hp_set_asker *asker,
                  const struct hp_dump_point *raw, const struct hp_point *point,
                  const struct hp_chunk_log *chunk) {
  const enum hp_set_answer answer = hp_filter_answers(filter, point);
  return answer == HP_SET_DEPENDS ? hp_set_has_chunk(asker, raw, chunk)
                                  : answer == HP_SET_YES;
}

static void ask(hp_profile *profile, struct hp_filter filters[2],
                struct hp_set_asker askers[2]) {
  for (size_t i = 0; i < profile->point_count; i++) {
    const struct hp_profile_point *point = &profile->points[i];
    const struct hp_dump *dump = point->process->dump;
    const struct hp_dump_point *raw =
        &dump->points[i + 1 < dump->point_count ? i + 1 : 0];
    struct hp_chunk_reader reader = hp_chunks_read(point->chunks);
    struct hp_chunk_log chunk;
    while (hp_chunks_next(&reader, &chunk)) {
      bool in[2];
      /* Both may share sets, which hold what they were asked last. */
      for (int k = 0; k < 2; k++)
        in[k] = is_in(&filters[k], &askers[k], raw, &point->view, &chunk);
      require(in[0] != in[1]);
    }
  }
}

/* TEXT and its opposite; the names are parsed for each, since they hold answers. */
static void ask_both(hp_profile *profile, const char *text, char *file) {
  struct hp_store store = {0};
  struct hp_set_names names[2];
  struct hp_filter filters[2];
  struct hp_set_asker askers[2];
  struct hp_error error = {0};
  hp_status status = HP_OK;
  char *opposite = hp_store_take(&store, strlen(text) + 4, 1);
  require(opposite);
  strcat(strcat(strcpy(opposite, "!("), text), ")");
  for (int k = 0; k < 2; k++) {
    FILE *in = fmemopen(file, strlen(file) + !*file, "r");
    require(in);
    hp_set_names_begin(&names[k], &store);
    if (status == HP_OK && *file)
      status = hp_set_names_take(&names[k], "a.sets", in, &error);
    fclose(in);
    if (status == HP_OK)
      status = hp_set_names_check(&names[k], &error);
    if (status == HP_OK)
      status = hp_filter_parse_named(&filters[k], k ? opposite : text,
                                     &names[k], &store, &error);
    askers[k] = (struct hp_set_asker){.profile = profile,
                                      .root = filters[k].root,
                                      .place = {.what = "filter"},
                                      .error = &error};
    if (status == HP_OK)
      status = hp_set_ask_process(&askers[k], profile->processes);
    if (status != HP_OK)
      require_message(status, &error);
  }
  if (status == HP_OK)
    ask(profile, filters, askers);
  for (int k = 0; k < 2; k++)
    hp_set_asker_end(&askers[k]);
  hp_store_free(&store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static hp_profile *profile;
  if (!profile)
    profile = open_golden();
  char *text = calloc(1, size + 1);
  require(text);
  if (size > 0)
    memcpy(text, data, size);
  char *file = strchr(text, '\n');
  if (file)
    *file++ = '\0';
  ask_both(profile, text, file ? file : text + strlen(text));
  free(text);
  return 0;
}
