/* globals.c - see globals.h: a record for each module, of runs of pages.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/globals.h"

#include "heapprof_format.h"
#include "system/real_libc.h"
#include "system/resident.h"
#include "thread/thread_state.h"
#include "unwind/unwind_rule.h"

#define PAGE HP_RESIDENT_PAGE
/* Of a module that has more no page is looked at. */
#define LOOK_MAX ((uintptr_t)4 << 30)

/* Runs of pages, each by its distance from the end of the one before. */
struct runs {
  struct hp_bytes bytes;
  uintptr_t end;
};

static struct {
  struct hp_records records;
  struct hp_bytes part;
  const struct hp_module *module; /* whose ranges come; NULL: none */
  struct runs ranges, resident;
  uintptr_t size; /* bytes of the ranges */
  uint64_t bytes; /* resident */
  uint64_t own;
} look;

void hp_globals_start(void) {
  /* In a forked child its parent may have been changing these. */
  hp_real_memset(&look, 0, sizeof look);
}

/* ---- runs ---------------------------------------------------------------- */

static void put_run(struct runs *runs, uintptr_t first, uintptr_t pages) {
  hp_put_varint(&runs->bytes, first - runs->end);
  hp_put_varint(&runs->bytes, pages);
  runs->end = first + pages;
}

static void clear(struct runs *runs) {
  runs->bytes.size = 0;
  runs->end = 0;
}

static bool is_within(uintptr_t page, const void *p, size_t size) {
  const uintptr_t first = (uintptr_t)p & ~(PAGE - 1);
  return page - first < (uintptr_t)p + size - first;
}

/* A large variable of the runtime, linked into the program. */
static bool is_own(uintptr_t page) {
  return is_within(page, hp_heap_masks, sizeof hp_heap_masks) ||
         is_within(page, hp_rules, sizeof hp_rules);
}

/* Those of RANGE that are resident, no more than the system says. */
static void add_pages(const struct hp_smaps_range *range, uintptr_t bias) {
  uint64_t left = range->resident;
  uintptr_t first = 0, pages = 0;
  for (uintptr_t p = range->begin; p < range->end && left; p += PAGE) {
    const bool there = hp_resident_at(p), own = there && is_own(p);
    left -= there ? PAGE : 0;
    look.own += own ? PAGE : 0;
    if (there && !own) {
      first = pages++ ? first : (p - bias) / PAGE;
      continue;
    }
    if (pages)
      put_run(&look.resident, first, pages);
    pages = 0;
  }
  if (pages)
    put_run(&look.resident, first, pages);
}

/* ---- a look -------------------------------------------------------------- */

void hp_globals_look(void) {
  hp_records_free(&look.records);
  look.module = NULL;
  look.own = 0;
}

static void end_module(void) {
  const struct hp_module *module = look.module;
  struct hp_bytes *part = &look.part;
  if (!module)
    return;
  hp_put_text_field(part, HP_GLOBAL_FIELD_path, hp_module_path(module));
  if (module->build_id_size)
    hp_put_bytes_field(part, HP_GLOBAL_FIELD_build_id,
                       hp_module_build_id(module), module->build_id_size);
  if (look.bytes)
    hp_put_u64_field(part, HP_GLOBAL_FIELD_resident_bytes, look.bytes);
  hp_put_bytes_field(part, HP_GLOBAL_FIELD_ranges, look.ranges.bytes.data,
                     look.ranges.bytes.size);
  if (look.size <= LOOK_MAX)
    hp_put_bytes_field(part, HP_GLOBAL_FIELD_pages, look.resident.bytes.data,
                       look.resident.bytes.size);
  hp_records_add(&look.records, HP_BLOCK_GLOBALS, part);
  look.module = NULL;
}

static void begin_module(const struct hp_module *module) {
  look.module = module;
  clear(&look.ranges);
  clear(&look.resident);
  look.size = look.bytes = 0;
}

void hp_globals_add(const struct hp_module *module,
                    const struct hp_smaps_range *range) {
  const uint64_t own = look.own;
  if (module != look.module) {
    end_module();
    begin_module(module);
  }
  put_run(&look.ranges, (range->begin - module->bias) / PAGE,
          (range->end - range->begin) / PAGE);
  look.size += range->end - range->begin;
  /* A page of zeroes that was only read is there and not resident. */
  hp_resident_only_own(range->kind == HP_SMAPS_ANONYMOUS && !range->shared);
  if (look.size <= LOOK_MAX && range->resident)
    add_pages(range, module->bias);
  hp_resident_only_own(false);
  look.bytes += range->resident - (look.own - own);
}

/* Where there is no memory for all of it nothing is said. */
static void forget(void) {
  hp_records_free(&look.records);
  hp_bytes_free(&look.part);
  hp_bytes_free(&look.ranges.bytes);
  hp_bytes_free(&look.resident.bytes);
}

void hp_globals_end(void) {
  end_module();
  hp_records_end_block(&look.records, HP_BLOCK_GLOBALS);
  if (look.part.failed || look.ranges.bytes.failed ||
      look.resident.bytes.failed || hp_records_are_lost(&look.records))
    forget();
}

uint64_t hp_globals_own(void) { return look.own; }

const struct hp_records *hp_globals_records(void) { return &look.records; }
