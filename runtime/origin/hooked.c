/* hooked.c - see hooked.h: from records to a list of ranges in ascending order.
   Once for each load of a module; a library takes its records with it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/hooked.h"

#include <errno.h>

#include "encode/encode.h"
#include "hook_abi.h"
#include "origin/module.h"
#include "system/loaded_modules.h"
#include "system/real_libc.h"
#include "system/signal_mask.h"

struct range {
  uintptr_t begin, end;
};

/* Whether a record of SIZE bytes that end by WORD begins at AT and ends by END. */
static bool is_record(const uint8_t *at, const uint8_t *end, size_t size,
                      uint32_t word) {
  return (size_t)(end - at) >= size &&
         hp_word_at(at + size - sizeof word) == word;
}

/* Bytes of the record that begins at AT, before END; 0: there is none. */
static size_t size_at(const uint8_t *at, const uint8_t *end) {
  if (is_record(at, end, HP_HOOKED_NEAR_SIZE, HP_HOOKED_NEAR_WORD))
    return HP_HOOKED_NEAR_SIZE;
  return is_record(at, end, HP_HOOKED_FAR_SIZE, HP_HOOKED_FAR_WORD)
             ? HP_HOOKED_FAR_SIZE
             : 0;
}

/* Bytes of the record that ends at AT, behind BEGIN; 0: there is none. */
static size_t size_before(const uint8_t *begin, const uint8_t *at) {
  const size_t room = (size_t)(at - begin);
  if (room < HP_HOOKED_NEAR_SIZE)
    return 0;
  const uint32_t word = hp_word_at(at - sizeof word);
  if (word == HP_HOOKED_NEAR_WORD)
    return HP_HOOKED_NEAR_SIZE;
  return word == HP_HOOKED_FAR_WORD && room >= HP_HOOKED_FAR_SIZE
             ? HP_HOOKED_FAR_SIZE
             : 0;
}

/* A linker may drop a function and leave its record, which is of nothing in the
   module then; the mark is of none from the start. */
static void add(struct hp_bytes *ranges, const struct hp_module *within,
                const uint8_t *record, size_t record_size) {
  int64_t far;
  int32_t near;
  if (record_size == HP_HOOKED_FAR_SIZE) {
    hp_real_memcpy(&far, record, sizeof far);
  } else {
    hp_real_memcpy(&near, record, sizeof near);
    far = near;
  }
  const uint32_t size = hp_word_at(record + record_size - 2 * sizeof size);
  uintptr_t begin = (uintptr_t)record + (uintptr_t)far;
  struct range range = {begin, begin + size};
  if (size && begin >= within->start && begin < within->end &&
      range.end <= within->end)
    hp_put_bytes(ranges, &range, sizeof range);
}

/* The records lie in one segment with MARK, which may end where they do. */
static void add_all(struct hp_bytes *ranges, const struct hp_module *within,
                    const uint8_t *mark) {
  uintptr_t begin, end;
  if (!hp_sys_segment((uintptr_t)mark, &begin, &end))
    return;
  const uint8_t *record = mark;
  size_t size;
  while ((size = size_before((const uint8_t *)begin, record)) != 0)
    record -= size;
  for (; (size = size_at(record, (const uint8_t *)end)) != 0; record += size)
    add(ranges, within, record, size);
}

static void sink(struct range *of, size_t i, size_t count) {
  for (size_t child; (child = 2 * i + 1) < count; i = child) {
    child += child + 1 < count && of[child].begin < of[child + 1].begin;
    if (of[i].begin >= of[child].begin)
      return;
    struct range moved = of[i];
    of[i] = of[child];
    of[child] = moved;
  }
}

/* Linkers put records in the order of their functions; some do not know. */
static void sort(struct range *ranges, size_t count) {
  size_t i = 1;
  while (i < count && ranges[i - 1].begin <= ranges[i].begin)
    i++;
  if (i >= count)
    return;
  for (i = count / 2; i-- > 0;)
    sink(ranges, i, count);
  for (i = count; i-- > 1;) {
    struct range last = ranges[i];
    ranges[i] = ranges[0];
    ranges[0] = last;
    sink(ranges, 0, i);
  }
}

/* As HP_MODULE_hooked has them: each the bytes from the end of the one before,
   then its own.  Functions that were folded are one. */
static void encode(struct hp_bytes *list, uintptr_t from,
                   const struct range *ranges, size_t count) {
  for (size_t i = 0, next; i < count; i = next) {
    struct range range = ranges[i];
    for (next = i + 1; next < count && ranges[next].begin <= range.end; next++)
      if (ranges[next].end > range.end)
        range.end = ranges[next].end;
    hp_put_varint(list, range.begin - from);
    hp_put_varint(list, range.end - range.begin);
    from = range.end;
  }
}

void hp_hooked_add(const void *mark) {
  int saved_errno = errno;
  uint64_t saved_signals;
  hp_sys_block_signals(&saved_signals);
  hp_modules_lock();
  struct hp_module *module = hp_modules_at((uintptr_t)mark);
  if (module && !module->hooked_functions) {
    struct hp_bytes ranges = {0}, list = {0};
    add_all(&ranges, module, mark);
    struct range *all = (void *)ranges.data;
    size_t count = ranges.size / sizeof *all;
    sort(all, count);
    encode(&list, module->start, all, count);
    hp_module_set_hooked(module, &list, ranges.failed ? 0 : count);
    hp_bytes_free(&ranges);
    hp_bytes_free(&list);
  }
  hp_modules_unlock();
  hp_sys_restore_signals(&saved_signals);
  errno = saved_errno;
}
