/* leak_record.c - see leak_record.h.  Suppressions are copied as they are: only
   the tools know functions by name.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/leak_record.h"

#include "heapprof_format.h"
#include "leak/leak_hint.h"
#include "leak/reachability.h"
#include "options/options.h"
#include "system/error_text.h"
#include "system/files.h"
#include "system/memory.h"
#include "system/message.h"

#define SUPPRESSIONS_MAX ((size_t)256 << 10) /* bytes of a file */

/* Odd: it ended, and is only an event. */
uint32_t hp_leak_flags(const void *chunk) {
  return (uintptr_t)chunk & 1 ? 0 : hp_reachability_flags(chunk);
}

void hp_leak_put_held(struct hp_bytes *record, uint32_t point) {
  const struct hp_held held = hp_reachability_held(point);
  uint8_t list[2 * HP_VARINT_MAX];
  uint8_t *end = hp_varint_at(hp_varint_at(list, held.chunks), held.bytes);
  if (held.chunks)
    hp_put_bytes_field(record, HP_AGGREGATE_held, list, (size_t)(end - list));
}

/* Bytes of the file at TEXT, or a negative errno. */
static long read_file(const char *path, char *text) {
  long n = hp_sys_open(path), size = 0;
  const int fd = (int)n;
  while (n > 0 && size < (long)SUPPRESSIONS_MAX) {
    n = hp_sys_read(fd, text + size, SUPPRESSIONS_MAX - (size_t)size);
    size += n > 0 ? n : 0;
  }
  if (fd >= 0)
    hp_sys_close(fd);
  return n < 0 ? n : size;
}

/* Two files of a dump have an END record; once is enough. */
static void say_once(const char *path, long size) {
  static bool said;
  if (said || (size >= 0 && size < (long)SUPPRESSIONS_MAX))
    return;
  said = true;
  if (size < 0)
    hp_sys_warn("suppressions=%s: cannot be read: %s; no leak is suppressed "
                "by it",
                path, hp_sys_error_text((int)size));
  else
    hp_sys_warn("suppressions=%s: has more than %d bytes; the rest is left "
                "out",
                path, (int)SUPPRESSIONS_MAX);
}

static size_t put_file(struct hp_bytes *payload, const char *path) {
  char *text = hp_sys_map(SUPPRESSIONS_MAX);
  const long size = text ? read_file(path, text) : -12; /* ENOMEM */
  say_once(path, size);
  if (size > 0)
    hp_put_bytes_field(payload, HP_END_suppression, text, (size_t)size);
  if (text)
    hp_sys_unmap(text, SUPPRESSIONS_MAX);
  return size > 0;
}

size_t hp_leak_put_end(struct hp_bytes *payload, const char *answer) {
  const char *text = hp_leak_hint_suppressions();
  size_t fields = 1;
  if (!answer)
    return 0;
  hp_put_text_field(payload, HP_END_leak_check, answer);
  if (text && *text) {
    hp_put_text_field(payload, HP_END_suppression, text);
    fields++;
  }
  if (*hp_options.suppressions)
    fields += put_file(payload, hp_options.suppressions);
  return fields;
}
