/* merge_codes.c - see merge_codes.h: which of a field's numbers are code.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "merge/merge_codes.h"

#include "heapprof_format.h"
#include "initialised_measure.h"
#include "teardown_measure.h"

/* From the number FIRST on, one in STEP, up to before END. */
static const struct coded {
  uint64_t tag;
  size_t first, step, end;
} coded[] = {{HP_AGGREGATE_overrun, 1, 1, 3},
             {HP_AGGREGATE_teardown, HP_TEARDOWN_COUNT - HP_TEARDOWN_READERS, 1,
              HP_TEARDOWN_COUNT},
             {HP_AGGREGATE_initialised,
              HP_INITIALISED_COUNT - HP_INITIALISED_READERS, 1,
              HP_INITIALISED_COUNT},
             {HP_AGGREGATE_members, 8, 7, SIZE_MAX}};

static const struct coded *coded_of(uint64_t tag) {
  for (size_t i = 0; i < sizeof coded / sizeof *coded; i++)
    if (coded[i].tag == tag)
      return &coded[i];
  return NULL;
}

bool hp_merge_has_codes(enum hp_block_kind kind, uint64_t tag) {
  return kind == HP_BLOCK_AGGREGATES && coded_of(tag) != NULL;
}

static bool is_code(const struct coded *of, size_t number) {
  return number >= of->first && number < of->end &&
         (number - of->first) % of->step == 0;
}

size_t hp_merge_codes(struct hp_cursor fields, uint64_t *codes) {
  struct hp_field field;
  uint64_t number;
  size_t count = 0;
  while (fields.at != fields.end && hp_take_field(&fields, &field)) {
    const struct coded *of = coded_of(field.tag);
    for (size_t i = 0; hp_take_varint(&field.contents, &number); i++)
      if (is_code(of, i))
        codes[count++] = number;
  }
  return count;
}

void hp_merge_codes_put(struct hp_buffer *record, struct hp_cursor fields,
                        const uint64_t *codes) {
  struct hp_field field;
  uint64_t number;
  while (fields.at != fields.end && hp_take_field(&fields, &field)) {
    const struct coded *of = coded_of(field.tag);
    struct hp_buffer put = {0};
    for (size_t i = 0; hp_take_varint(&field.contents, &number); i++) {
      const uint64_t code = is_code(of, i) ? *codes++ : 0;
      hp_buffer_varint(&put, code && number ? code : number);
    }
    record->failed |= put.failed;
    hp_buffer_field(record, field.tag, put.data, put.size);
    hp_buffer_free(&put);
  }
}
