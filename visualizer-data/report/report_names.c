/* report_names.c - two tables, of texts and of frames.
   Texts are cut at a length that no reader wants to pass.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_names.h"

#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/numbered_text.h"
#include "base/store.h"
#include "function_text.h"
#include "resolve/frame_role.h"

#define HP_TEXT_MAX 600u /* bytes of a name; templates can have thousands */

struct frame_key {
  int64_t function, brief, file, module;
  uint32_t line, column;
  uint32_t inlined, library, near;
  uint32_t unused; /* 0: keys are compared whole, so without padding */
};

struct frame {
  UT_hash_handle hh;
  int64_t number;
  struct frame_key key;
};

struct hp_report_names {
  struct hp_store store;
  struct hp_numbered texts;
  struct frame *frames;
};

hp_report_names *hp_report_names_new(void) {
  return calloc(1, sizeof(hp_report_names));
}

void hp_report_names_free(hp_report_names *names) {
  if (!names)
    return;
  hp_numbered_free(&names->texts);
  HASH_CLEAR(hh, names->frames);
  hp_store_free(&names->store);
  free(names);
}

/* Of an over-long name both ends tell something; no character is cut. */
static void shorten(char *to, const char *text, size_t length) {
  static const char gap[] = " ... ";
  size_t half = HP_TEXT_MAX / 2, end = length - half;
  while (half > 0 && ((unsigned char)text[half] & 0xc0) == 0x80)
    half--;
  while (end < length && ((unsigned char)text[end] & 0xc0) == 0x80)
    end++;
  memcpy(to, text, half);
  memcpy(to + half, gap, sizeof gap - 1);
  strcpy(to + half + sizeof gap - 1, text + end);
}

int64_t hp_report_text(hp_report_names *names, const char *text) {
  char brief[HP_TEXT_MAX + 16];
  if (!text)
    return HP_NO_NAME;
  size_t length = strlen(text);
  if (length > HP_TEXT_MAX) {
    shorten(brief, text, length);
    text = brief;
  }
  size_t number = hp_number_of(&names->texts, text);
  return number == HP_NO_NUMBER ? HP_NAME_FULL : (int64_t)number;
}

int64_t hp_report_frame(hp_report_names *names, const struct hp_frame *frame) {
  struct frame *known;
  bool failed = false;
  char where[64];
  if (!frame)
    return HP_NO_NAME;
  snprintf(where, sizeof where, "0x%llx", (unsigned long long)frame->address);
  char *brief = hp_function_short(frame->function ? frame->function : where);
  if (!brief)
    return HP_NAME_FULL;
  struct frame_key key = {.function = hp_report_text(
                              names, frame->function ? frame->function : where),
                          .brief = hp_report_text(names, brief),
                          .file = hp_report_text(names, frame->file),
                          .module = hp_report_text(names, frame->module),
                          .line = frame->line,
                          .column = frame->column,
                          .inlined = frame->inlined,
                          .near = frame->line_is_near,
                          .library = !hp_frame_is_of_program(frame)};
  free(brief);
  if (key.function == HP_NAME_FULL || key.brief == HP_NAME_FULL ||
      key.file == HP_NAME_FULL || key.module == HP_NAME_FULL)
    return HP_NAME_FULL;
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no padding */
  HASH_FIND(hh, names->frames, &key, sizeof key, known);
  if (known)
    return known->number;
  known = hp_store_take(&names->store, 1, sizeof *known);
  if (!known)
    return HP_NAME_FULL;
  known->key = key;
  known->number = HASH_COUNT(names->frames);
  HASH_ADD(hh, names->frames, key, sizeof key, known);
  return failed ? HP_NAME_FULL : known->number;
}

static void put_number(struct hp_json *j, int64_t number) {
  if (number < 0)
    hp_json_null(j, NULL);
  else
    hp_json_integer(j, NULL, (uint64_t)number);
}

static void put_string(void *json, const char *text) {
  hp_json_string(json, NULL, text);
}

void hp_report_names_put(const hp_report_names *names, struct hp_json *j) {
  hp_json_begin_object(j, "frames");
#define COLUMN(name, put)                                                      \
  hp_json_begin_array(j, name);                                                \
  for (const struct frame *f = names->frames; f; f = f->hh.next)               \
    put;                                                                       \
  hp_json_end_array(j)
  COLUMN("function", put_number(j, f->key.function));
  COLUMN("short", put_number(j, f->key.brief));
  COLUMN("file", put_number(j, f->key.file));
  COLUMN("line", put_number(j, f->key.line ? (int64_t)f->key.line : -1));
  COLUMN("line_is_near", hp_json_integer(j, NULL, f->key.near));
  COLUMN("column", put_number(j, f->key.column ? (int64_t)f->key.column : -1));
  COLUMN("module", put_number(j, f->key.module));
  COLUMN("inlined", hp_json_integer(j, NULL, f->key.inlined));
  COLUMN("library", hp_json_integer(j, NULL, f->key.library));
#undef COLUMN
  hp_json_end_object(j);
  hp_json_begin_array(j, "strings");
  hp_numbered_each(&names->texts, put_string, j);
  hp_json_end_array(j);
}
