/* process_memory.c - see process_memory.h: every range of /proc/self/smaps is
   somebody's; the heap's are told apart by its own records.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/process_memory.h"

#include "dump/beside_memory.h"
#include "dump/globals.h"
#include "dump/mappings.h"
#include "dump/thread_stacks.h"
#include "heap/beside_table.h"
#include "heap/heap_pages.h"
#include "heap/warm_slots.h"
#include "heapprof_format.h"
#include "origin/module.h"
#include "profile/resident_series.h"
#include "system/clock.h"
#include "system/files.h"
#include "system/forbidden_calls.h"
#include "system/memory.h"
#include "system/process_facts.h"
#include "system/resident.h"
#include "system/resident_total.h"
#include "system/smaps.h"
#include "thread/thread_state.h"

/* Of one moment, by HP_MEMORY number; rss_bytes 0: nothing is known. */
struct moment {
  uint64_t bytes[HP_MEMORY_COUNT];
};

static struct {
  struct moment last, peak;
  uint64_t heap, heap_shared; /* bytes, while looking */
  uint64_t seen;              /* of mapping_bytes, whose mmap was */
  uint64_t due;               /* ticks; not to be looked at again before */
  uint64_t higher;            /* bytes; in use, they are worth a look */
} memory;

/* To look takes one part in so many of the time at most. */
#define LOOK_SHARE 10u
/* So often it is begun anew where memory changed too much meanwhile. */
#define LOOKS_MOST 4u

#define PAGE HP_RESIDENT_PAGE
/* What libc has behind the thread pointer. */
#define THREAD_BLOCK ((uintptr_t)4096)

void hp_process_memory_start(void) {
  memory.last = memory.peak = (struct moment){0};
  hp_globals_start();
  hp_thread_stacks_start();
  hp_resident_series_start();
  __atomic_store_n(&memory.due, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&memory.higher, 0, __ATOMIC_RELAXED);
}

/* ---- whose is a range? --------------------------------------------------- */

/* The runtime's library, if it was preloaded. */
static bool is_runtimes(const struct hp_module *module) {
  static const char inside;
  const uintptr_t at = (uintptr_t)&inside;
  return module->start <= at && at < module->end;
}

/* The thread whose stack lies in the range; NULL: there is none. */
static const struct hp_thread *thread_in(const struct hp_smaps_range *range) {
  for (const struct hp_thread *t = hp_threads_all(); t; t = t->next) {
    const uintptr_t at = __atomic_load_n(&t->stack_end, __ATOMIC_RELAXED);
    if (range->begin <= at && at < range->end)
      return t;
  }
  return NULL;
}

static void add_anonymous(struct moment *to,
                          const struct hp_smaps_range *range) {
  const struct hp_thread *thread = thread_in(range);
  const uintptr_t at =
      thread ? __atomic_load_n(&thread->stack_end, __ATOMIC_RELAXED) : 0;
  uintptr_t end = at ? ((at + PAGE - 1) & ~(PAGE - 1)) + THREAD_BLOCK : 0;
  uint64_t stack = end ? range->resident : 0;
  if (end && end < range->end) { /* there is something else behind it */
    const uint64_t bytes = hp_resident_bytes(range->begin, end);
    stack = bytes < stack ? bytes : stack;
  }
  end = end < range->end ? end : range->end;
  if (at)
    hp_thread_stacks_add(thread->number, range->begin, end, stack);
  to->bytes[HP_MEMORY_stack_bytes] += stack;
  to->bytes[HP_MEMORY_mapping_bytes] += range->resident - stack;
  hp_beside_memory_add(range->begin, range->end, range->resident - stack);
  memory.seen += hp_mappings_add_resident(at ? end : range->begin, range->end,
                                          range->resident - stack);
}

/* Which the kernel made, for the first thread. */
static void add_first_stack(struct moment *to,
                            const struct hp_smaps_range *range) {
  const struct hp_thread *t = hp_threads_all();
  while (t && t->id != hp_sys_pid())
    t = t->next;
  hp_thread_stacks_add(t ? t->number : 1, range->begin, range->end,
                       range->resident);
  to->bytes[HP_MEMORY_stack_bytes] += range->resident;
}

static void add_module(struct moment *to, const struct hp_module *module,
                       const struct hp_smaps_range *range) {
  enum hp_memory part = HP_MEMORY_code_bytes;
  if (is_runtimes(module) && !hp_modules_is_program(module)) {
    part = HP_MEMORY_own_bytes;
  } else if (range->is_writable) {
    hp_globals_add(module, range);
    part = HP_MEMORY_global_bytes;
  }
  to->bytes[part] += range->resident;
}

static void add_range(const struct hp_smaps_range *range, void *arg) {
  struct moment *to = arg;
  const struct hp_module *module = hp_modules_at(range->begin);
  const bool is_data = hp_heap_is_data(range->begin) && !hp_beside;
  const bool is_heaps =
      hp_heap_is_data(range->begin) || hp_heap_is_kept(range->begin);
  to->bytes[HP_MEMORY_rss_bytes] += range->resident;
  if (module && !is_heaps)
    add_module(to, module, range); /* also where nothing is resident */
  if (!range->resident || (module && !is_heaps))
    return;
  if (is_data) {
    memory.heap += range->resident;
    memory.heap_shared += range->shared;
  } else if (is_heaps) {
    to->bytes[HP_MEMORY_own_bytes] += range->resident;
  } else if (range->kind == HP_SMAPS_STACK) {
    add_first_stack(to, range);
  } else if (range->kind == HP_SMAPS_FILE) {
    to->bytes[HP_MEMORY_code_bytes] += range->resident;
    hp_mappings_add_resident(range->begin, range->end, range->resident);
  } else if (range->kind == HP_SMAPS_KERNEL) {
    to->bytes[HP_MEMORY_other_bytes] += range->resident;
  } else {
    add_anonymous(to, range);
  }
}

/* ---- a look -------------------------------------------------------------- */

static void add_heap(struct moment *to) {
  if (hp_beside) {
    const struct hp_beside_memory heap = hp_beside_memory_end();
    to->bytes[HP_MEMORY_live_bytes] = heap.live;
    to->bytes[HP_MEMORY_retained_bytes] = heap.retained;
    to->bytes[HP_MEMORY_mapping_bytes] -= heap.live + heap.retained;
    return;
  }
  hp_resident_only_own(memory.heap_shared == 0);
  const struct hp_heap_pages pages = hp_heap_pages(memory.heap);
  to->bytes[HP_MEMORY_live_bytes] = pages.live;
  to->bytes[HP_MEMORY_slack_bytes] = pages.slack;
  to->bytes[HP_MEMORY_retained_bytes] = pages.retained;
  to->bytes[HP_MEMORY_own_bytes] += pages.own;
}

/* Linked into the program, the runtime has its large variables among the
   program's. */
static void move_own_variables(struct moment *to) {
  uint64_t bytes = hp_globals_own();
  if (bytes > to->bytes[HP_MEMORY_global_bytes])
    bytes = to->bytes[HP_MEMORY_global_bytes];
  to->bytes[HP_MEMORY_global_bytes] -= bytes;
  to->bytes[HP_MEMORY_own_bytes] += bytes;
}

/* What lies between two looks at a page, or was read twice, is in no part or in
   two: parts add up to the whole all the same. */
static void settle(struct moment *to) {
  uint64_t sum = 0;
  for (unsigned i = HP_MEMORY_live_bytes; i < HP_MEMORY_COUNT; i++)
    sum += to->bytes[i];
  if (sum <= to->bytes[HP_MEMORY_rss_bytes]) {
    to->bytes[HP_MEMORY_other_bytes] += to->bytes[HP_MEMORY_rss_bytes] - sum;
    return;
  }
  uint64_t excess = sum - to->bytes[HP_MEMORY_rss_bytes];
  static const uint8_t from[] = {HP_MEMORY_retained_bytes, HP_MEMORY_live_bytes,
                                 HP_MEMORY_slack_bytes, HP_MEMORY_own_bytes};
  for (unsigned i = 0; excess && i < sizeof from; i++) {
    uint64_t *bytes = &to->bytes[from[i]];
    const uint64_t taken = excess < *bytes ? excess : *bytes;
    *bytes -= taken;
    excess -= taken;
  }
}

/* The heap's pages, which may be many, are looked at without the load map's
   lock. */
static bool look(struct moment *to, bool has_modules) {
  if (!has_modules && !hp_modules_try_lock())
    return false;
  memory.heap = memory.heap_shared = memory.seen = 0;
  hp_mappings_look();
  hp_beside_memory_start();
  hp_globals_look();
  hp_thread_stacks_look();
  const bool seen = hp_smaps_each(add_range, to);
  hp_globals_end();
  hp_mappings_set_unseen(to->bytes[HP_MEMORY_mapping_bytes] - memory.seen);
  if (seen)
    move_own_variables(to);
  if (!has_modules)
    hp_modules_unlock();
  if (!seen)
    return false;
  add_heap(to);
  settle(to);
  return true;
}

/* Ranges are read one after another.  A busy machine may stop us between two:
   what the program freed in the one and allocated in the other would be there
   twice, and that moment the peak for good. */
static bool look_at_once(struct moment *now, bool has_modules) {
  for (unsigned i = 0; i < LOOKS_MOST; i++) {
    const enum hp_resident_way way = i ? HP_RESIDENT_EXACT : HP_RESIDENT_QUICK;
    const uint64_t before = hp_resident_total(way);
    *now = (struct moment){.bytes[HP_MEMORY_time] = hp_clock_now()};
    if (!look(now, has_modules))
      return false;
    if (hp_resident_may_be(now->bytes[HP_MEMORY_rss_bytes], before,
                           hp_resident_total(way)))
      return true;
  }
  return false;
}

/* Of RESIDENT bytes, but for what free large slots keep: that is used again without
   a trace in the sum. */
static uint64_t in_use(uint64_t resident) {
  const uint64_t kept = hp_warm_bytes();
  return resident > kept ? resident - kept : 0;
}

static void note(const struct moment *now) {
  const uint64_t rss = now->bytes[HP_MEMORY_rss_bytes];
  memory.last = *now;
  if (now->bytes[HP_MEMORY_live_bytes] >=
      memory.peak.bytes[HP_MEMORY_live_bytes])
    memory.peak = *now;
  hp_resident_note(hp_clock_in_window(now->bytes[HP_MEMORY_time]), rss);
  const uint64_t higher = hp_resident_much_more(in_use(rss));
  if (higher > __atomic_load_n(&memory.higher, __ATOMIC_RELAXED))
    __atomic_store_n(&memory.higher, higher, __ATOMIC_RELAXED);
}

void hp_process_memory_look(bool has_modules) {
  const uint64_t start = hp_clock_now();
  struct moment now;
  memory.last = (struct moment){0};
  if (hp_forbids_any())
    return;
  if (hp_resident_open() && look_at_once(&now, has_modules))
    note(&now);
  hp_resident_close();
  const uint64_t end = hp_clock_now();
  __atomic_store_n(&memory.due, end + (end - start) * LOOK_SHARE,
                   __ATOMIC_RELAXED);
}

/* ---- when is it worth a look? -------------------------------------------- */

bool hp_process_memory_watch(void) {
  static struct hp_resident_seen seen; /* by the one thread that watches */
  if (hp_forbids_any())
    return false;
  const uint64_t now = hp_clock_now(), most = hp_sys_most_resident();
  if (hp_resident_may_differ(&seen, now, most, hp_resident_series_step())) {
    hp_resident_see(&seen, now, most, hp_resident_total(HP_RESIDENT_QUICK));
    hp_resident_note(hp_clock_in_window(now), seen.resident);
  }
  return now >= __atomic_load_n(&memory.due, __ATOMIC_RELAXED) &&
         in_use(seen.resident) >
             __atomic_load_n(&memory.higher, __ATOMIC_RELAXED);
}

/* ---- the dump ------------------------------------------------------------ */

static size_t put_moment(struct hp_bytes *payload, enum hp_end_tag tag,
                         const struct moment *moment) {
  uint8_t list[HP_MEMORY_COUNT * HP_VARINT_MAX], *end = list;
  if (!moment->bytes[HP_MEMORY_rss_bytes])
    return 0;
  end = hp_varint_at(end, hp_clock_in_window(moment->bytes[HP_MEMORY_time]));
  for (unsigned i = HP_MEMORY_time + 1; i < HP_MEMORY_COUNT; i++)
    end = hp_varint_at(end, moment->bytes[i]);
  hp_put_bytes_field(payload, tag, list, (size_t)(end - list));
  return 1;
}

size_t hp_process_memory_put(struct hp_bytes *payload) {
  return put_moment(payload, HP_END_memory_at_end, &memory.last) +
         put_moment(payload, HP_END_memory_at_peak, &memory.peak) +
         hp_thread_stacks_put(payload);
}
