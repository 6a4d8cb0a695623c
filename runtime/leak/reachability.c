/* reachability.c - see reachability.h: a mark for each slot of both ranges, and
   a stack of chunks whose words are still to be looked at.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/reachability.h"

#include "chunk/plain.h"
#include "chunk/sample.h"
#include "heap/bare.h"
#include "heap/beside_table.h"
#include "heap/owner.h"
#include "heapprof_format.h"
#include "leak/beside_index.h"
#include "leak/kernel_roots.h"
#include "leak/leak_hint.h"
#include "leak/mapped_roots.h"
#include "leak/readable.h"
#include "options/options.h"
#include "origin/point.h"
#include "system/memory.h"
#include "system/process_facts.h"
#include "system/waiting.h"

/* What libc keeps of a thread from its pointer on is less. */
#define THREAD_BLOCK ((uintptr_t)4096)
#define GLOBALS_MAX ((size_t)16384)     /* writable segments */
#define LOOK_AT_CLOCK ((size_t)1 << 20) /* after so many bytes */
/* Of no more is each byte looked at, not each word. */
#define BYTEWISE_MOST ((size_t)256 << 20)

/* A word is a pointer whatever its upper 16 bits hold, where programs put tags
   and counters. */
#define ADDRESS_MASK (((uint64_t)1 << 48) - 1)

/* How a chunk is marked, one after the other:
     REACHED   from a root
     HELD      by a chunk that no root reaches
     LEADER    lost, and held by nothing; or one of a ring that nothing holds
     HANGING   from a leader of that second kind
     COUNTED   for the leader that it hangs from */
enum mark { UNSEEN, REACHED, HELD, LEADER, HANGING, COUNTED };
#define ONE(mark) (1u << (mark))

/* The slots of one size class that were ever used. */
enum kind { PROFILED, PLAIN_SMALL, PLAIN_LARGE, BARE };
struct region {
  uintptr_t base; /* of the first slot */
  uint64_t slots;
  size_t slot; /* bytes */
  enum kind kind;
  uint8_t *marks; /* enum mark of each slot */
};
#define LARGE_PLAIN_FIRST HP_ALL_CLASS_COUNT
#define SMALL_PLAIN_FIRST (2 * (size_t)HP_ALL_CLASS_COUNT)
#define PLAIN_REGIONS_END ((HP_PLAIN_BASE + HP_PLAIN_SIZE) >> HP_REGION_SHIFT)
#define BARE_FIRST (SMALL_PLAIN_FIRST + HP_PLAIN_CLASS_COUNT)
#define REGION_COUNT (BARE_FIRST + HP_BARE_CLASS_COUNT)

struct span {
  uintptr_t begin, end;
};

static struct {
  struct region regions[REGION_COUNT];
  struct hp_held *held; /* by point */
  uint8_t *linkers;     /* by point; 0: not asked yet, 1: no, 2: yes */
  uint32_t points;
  struct span *pending; /* a stack */
  size_t pending_count, pending_size;
  struct span globals[GLOBALS_MAX];
  size_t global_count;
  struct hp_sys_image image;
  struct hp_readable readable;
  int pid;
  const char *trouble; /* NULL: none yet */
  uint64_t deadline;   /* ns */
  size_t until_clock;  /* bytes */
  size_t looked_at;    /* bytes, some of them twice */
  size_t step;         /* bytes from one word to the next */
  bool has_unseen;
} *walk;

/* ---- slots --------------------------------------------------------------- */

struct slot {
  struct region *region;
  uint64_t index;
  uintptr_t start; /* of the chunk */
  uint64_t size;
};

HP_INLINE bool take_large(struct slot *slot, uintptr_t at,
                          const struct hp_cold *cold) {
  const uint64_t word = cold->word;
  slot->start = at + hp_front_of(word);
  slot->size = word & HP_SIZE_MAX;
  return word & HP_RECORD_LIVE;
}

static const struct hp_bare *bare_of(const struct slot *slot) {
  return hp_bare_records((unsigned)((slot->region->base - HP_BARE_BASE) >>
                                    HP_PLAIN_REGION_SHIFT)) +
         slot->index;
}

/* Fills in the chunk of the slot; false: there is none. */
HP_INLINE bool look_at(struct slot *slot) {
  const uintptr_t at = slot->region->base + slot->index * slot->region->slot;
  if (slot->region->kind == PROFILED) {
    const bool is_live = take_large(slot, at, hp_cold_at(at));
    slot->start = hp_chunk_place((const struct hp_chunk *)at);
    return is_live;
  }
  if (slot->region->kind == PLAIN_LARGE)
    return take_large(
        slot, at,
        hp_large_record((const struct hp_chunk *)(at - HP_PLAIN_BASE),
                        HP_PLAIN));
  slot->start = at;
  if (slot->region->kind == BARE) {
    const uint64_t bare = bare_of(slot)->word;
    slot->size = hp_bare_size_of(bare);
    return bare & HP_RECORD_LIVE;
  }
  const uint16_t word = *hp_plain_size_word(at - HP_PLAIN_BASE);
  slot->size = word - (uint64_t)1;
  return word;
}

/* The region of an address in either range; NULL: none. */
HP_INLINE struct region *region_of(uintptr_t address) {
  const uintptr_t number = address >> HP_REGION_SHIFT;
  if (HP_LIKELY(number - HP_REGION_FIRST >=
                PLAIN_REGIONS_END - HP_REGION_FIRST)) /* most words */
    return NULL;
  if (number - HP_REGION_FIRST < HP_ALL_CLASS_COUNT)
    return &walk->regions[number - HP_REGION_FIRST];
  if (number < HP_BARE_FIRST + (HP_BARE_DATA >> HP_REGION_SHIFT)) {
    const uintptr_t bare = (address - HP_BARE_BASE) >> HP_PLAIN_REGION_SHIFT;
    return bare < HP_BARE_CLASS_COUNT ? &walk->regions[BARE_FIRST + bare]
                                      : NULL;
  }
  const uintptr_t offset = address - HP_PLAIN_BASE;
  if (offset >> HP_PLAIN_REGION_SHIFT < HP_PLAIN_CLASS_COUNT)
    return &walk->regions[SMALL_PLAIN_FIRST +
                          (offset >> HP_PLAIN_REGION_SHIFT)];
  const uintptr_t size_class = (offset >> HP_REGION_SHIFT) - HP_REGION_FIRST;
  if (size_class < HP_ALL_CLASS_COUNT)
    return &walk->regions[LARGE_PLAIN_FIRST + size_class];
  return NULL;
}

/* Of the program's own allocator: the slot is that of the chunk's record. */
static bool find_beside(struct slot *slot, uintptr_t address) {
  const struct hp_chunk *record = hp_beside_index_find(address);
  if (HP_LIKELY(!record))
    return false;
  slot->region = region_of((uintptr_t)record);
  slot->index = ((uintptr_t)record - slot->region->base) / slot->region->slot;
  return look_at(slot) && address - slot->start <= slot->size;
}

/* The live chunk that WORD points to: to any of its bytes, or right behind the
   last one, as iterators do. */
HP_INLINE bool find(struct slot *slot, uint64_t word) {
  const uintptr_t address = word & ADDRESS_MASK;
  if (HP_UNLIKELY(hp_beside))
    return find_beside(slot, address);
  struct region *region = region_of(address);
  if (HP_LIKELY(!region) || address < region->base)
    return false;
  const uint64_t index =
      region->kind == PLAIN_SMALL || region->kind == BARE
          ? (address - region->base) / region->slot
          : (address - region->base) >>
                (unsigned)__builtin_ctzll((uint64_t)region->slot);
  if (index >= region->slots)
    return false;
  slot->region = region;
  slot->index = index;
  return look_at(slot) && address - slot->start <= slot->size;
}

static const struct hp_chunk *record_of(const struct slot *slot) {
  return (const struct hp_chunk *)(slot->region->base +
                                   slot->index * slot->region->slot);
}

/* ---- the walk ------------------------------------------------------------ */

static void give_up(const char *trouble) {
  if (!walk->trouble)
    walk->trouble = trouble;
}

static void push(const struct slot *slot) {
  if (slot->size < sizeof(uintptr_t))
    return;
  if (walk->pending_count == walk->pending_size)
    give_up("the allocator does not rest"); /* a thread was in the allocator all
                                               the time */
  else
    walk->pending[walk->pending_count++] =
        (struct span){slot->start, slot->start + slot->size};
}

/* What is known of the chunk of a slot; all 0 where it has no record. */
static struct hp_cold facts_of(const struct slot *slot) {
  struct hp_cold facts = {0};
  if (slot->region->kind == PROFILED)
    return *hp_cold_of(record_of(slot));
  if (slot->region->kind == BARE) {
    const struct hp_bare *bare = bare_of(slot);
    facts = (struct hp_cold){
        .t0 = hp_bare_t0(bare),
        .word = (bare->word & HP_RECORD_FLAGS) | hp_bare_size_of(bare->word),
        .point = hp_bare_point_of(bare->word),
        .thread = hp_bare_thread_of(bare->when, bare->word)};
  }
  return facts;
}

static bool has_facts(const struct slot *slot) {
  return slot->region->kind == PROFILED || slot->region->kind == BARE;
}

static void count_held(const struct slot *slot, uint32_t leader) {
  if (!has_facts(slot) || leader >= walk->points)
    return;
  struct hp_held *held = &walk->held[leader];
  const uint32_t weight = hp_sample_weight(facts_of(slot).word);
  held->chunks += weight;
  held->bytes = hp_add_saturated(held->bytes, weight * slot->size);
}

/* What is done to a chunk that a word points to: one of the marks FROM becomes
   TO.  Not to that which begins at SELF, since no chunk holds itself. */
struct look {
  unsigned from; /* bits, ONE() */
  enum mark to;
  uintptr_t self;
  uint32_t leader; /* of COUNTED: its point */
};

HP_INLINE void look_at_word(uint64_t word, const struct look *look) {
  struct slot slot;
  if (HP_LIKELY(!find(&slot, word)))
    return;
  uint8_t *mark = &slot.region->marks[slot.index];
  if (!(look->from & ONE(*mark)) || slot.start == look->self)
    return;
  *mark = (uint8_t)look->to;
  if (look->to != HELD)
    push(&slot);
  if (look->to == COUNTED)
    count_held(&slot, look->leader);
}

static void look_at_words(uintptr_t begin, uintptr_t end, void *arg) {
  typedef uintptr_t word __attribute__((aligned(1), may_alias));
  const struct look *look = arg;
  const size_t step = walk->step;
  uintptr_t at = (begin + step - 1) & ~(uintptr_t)(step - 1);
  walk->looked_at += end - begin;
  for (; at + sizeof(word) <= end; at += step)
    look_at_word(*(const word *)at, look);
}

static bool is_in_time(size_t bytes) {
  if (HP_LIKELY(walk->until_clock > bytes)) {
    walk->until_clock -= bytes;
  } else {
    walk->until_clock = LOOK_AT_CLOCK;
    if (hp_sys_monotonic_ns() > walk->deadline)
      give_up("it took longer than leak_check_ms");
  }
  return !walk->trouble;
}

static void look_at_span(struct span span, struct look *look) {
  if (is_in_time(span.end - span.begin + 64))
    hp_readable_each(&walk->readable, span.begin, span.end, look_at_words,
                     look);
}

static void follow(struct look *look) {
  while (walk->pending_count && !walk->trouble)
    look_at_span(walk->pending[--walk->pending_count], look);
}

static const struct look reaching = {.from = ~ONE(REACHED), .to = REACHED};

static void reach(uintptr_t begin, uintptr_t end) {
  struct look look = reaching;
  look_at_span((struct span){begin, end}, &look);
  follow(&look);
}

static void reach_word(uint64_t word) {
  struct look look = reaching;
  look_at_word(word, &look);
  follow(&look);
}

/* ---- roots --------------------------------------------------------------- */

static void note_global(uintptr_t begin, uintptr_t end, void *arg) {
  (void)arg;
  if (walk->global_count == GLOBALS_MAX)
    give_up("too many modules");
  else
    walk->globals[walk->global_count++] = (struct span){begin, end};
}

static uintptr_t least(uintptr_t a, uintptr_t b) { return a < b ? a : b; }

/* libc has a thread's block and variables at the top of the stack it made; the
   first thread's lie apart from its stack.  A thread on another stack, such as
   a coroutine's or a handler's, may go back to its own. */
static void reach_stack(const struct hp_sys_stopped *thread) {
  const struct hp_readable *readable = &walk->readable;
  const struct hp_sys_mapping *here = hp_readable_at(readable, thread->sp);
  const uintptr_t pointer = thread->thread_pointer;
  const struct hp_sys_mapping *block = hp_readable_at(readable, pointer);
  const uintptr_t block_end = pointer + THREAD_BLOCK;
  const bool is_main = thread->id == walk->pid;
  if (here && here == block && thread->sp < pointer) {
    reach(thread->sp, least(here->end, block_end));
    return;
  }
  if (here)
    reach(thread->sp, here->end);
  if (is_main && readable->main_stack && here != readable->main_stack)
    reach(readable->main_stack->begin, readable->main_stack->end);
  if (block)
    reach(is_main ? pointer - walk->image.static_block : block->begin,
          least(block->end, block_end));
}

static void begin(void) {
  if (!hp_readable_fill(&walk->readable))
    give_up("/proc/self/maps cannot be read");
  walk->deadline =
      hp_sys_monotonic_ns() + hp_options.leak_check_ms * (uint64_t)1000000;
}

static void reach_thread(const struct hp_sys_stopped *thread, void *arg) {
  (void)arg;
  if (!walk->readable.count)
    begin();
  reach_word(thread->sp);
  for (size_t i = 0; i < thread->register_count; i++)
    reach_word(thread->registers[i]);
  reach_stack(thread);
}

static void reach_hinted(uintptr_t begin_at, uintptr_t end, uint64_t t0) {
  struct slot slot;
  if (end)
    reach(begin_at, end);
  else if (find(&slot, begin_at) && slot.start == begin_at &&
           (!has_facts(&slot) || facts_of(&slot).t0 == t0))
    reach_word(begin_at);
}

/* ---- the verdict --------------------------------------------------------- */

/* Calls EACH for every chunk that has this mark. */
static void each_marked(enum mark mark, void (*each)(struct slot *slot)) {
  for (unsigned r = 0; r < REGION_COUNT; r++) {
    struct region *region = &walk->regions[r];
    for (uint64_t i = 0; i < region->slots && !walk->trouble; i++) {
      struct slot slot = {.region = region, .index = i};
      if (region->marks[i] == mark && look_at(&slot))
        each(&slot);
    }
  }
}

/* The dynamic linker keeps thread-local blocks of threads that ended for the
   next ones, where nobody else looks. */
static bool is_of_linker(uint32_t point) {
  uint64_t pc[HP_STACK_MAX];
  bool truncated;
  if (!point || point >= walk->points)
    return false;
  uint8_t *known = &walk->linkers[point];
  if (!*known) {
    const size_t depth =
        hp_stack_frames(hp_point_get(point)->stack, pc, &truncated);
    const bool is = depth && pc[0] > walk->image.linker_begin &&
                    pc[0] <= walk->image.linker_end;
    *known = is ? 2 : 1;
  }
  return *known == 2;
}

static void reach_if_excused(struct slot *slot) {
  if (!has_facts(slot))
    return;
  const struct hp_cold facts = facts_of(slot);
  if (hp_leak_hint_covers(facts.thread, facts.t0) || is_of_linker(facts.point))
    reach_word(slot->start);
}

static void hold(struct slot *slot) {
  struct look look = {.from = ONE(UNSEEN), .to = HELD, .self = slot->start};
  look_at_span((struct span){slot->start, slot->start + slot->size}, &look);
}

static void make_leader(struct slot *slot) {
  slot->region->marks[slot->index] = LEADER;
}

/* The first of a ring; who was taken for one hangs from it, too, if the ring
   leads there. */
static void elect(struct slot *slot) {
  struct look look = {
      .from = ONE(HELD) | ONE(LEADER), .to = HANGING, .self = slot->start};
  make_leader(slot);
  push(slot);
  follow(&look);
}

static void count_for(struct slot *slot) {
  struct look look = {.from = ONE(HELD) | ONE(HANGING),
                      .to = COUNTED,
                      .self = slot->start,
                      .leader = UINT32_MAX};
  if (has_facts(slot))
    look.leader = facts_of(slot).point;
  push(slot);
  follow(&look);
}

static void reach_roots(void) {
  for (size_t i = 0; i < walk->global_count; i++)
    reach(walk->globals[i].begin, walk->globals[i].end);
  hp_leak_hint_each(reach_hinted);
  hp_mapped_roots_each(&walk->readable, reach);
}

static void note_unseen(struct slot *slot) {
  walk->has_unseen |= slot->region->kind == PROFILED;
}

static void reach_from(struct slot *slot) {
  reach(slot->start, slot->start + slot->size);
}

/* What nothing points to by now may be pointed to from a packed structure.  Where that would take
   long it is not asked. */
static void reach_bytewise(void) {
  each_marked(UNSEEN, note_unseen);
  if (!walk->has_unseen || walk->looked_at > BYTEWISE_MOST)
    return;
  walk->step = 1;
  reach_roots();
  each_marked(REACHED, reach_from);
}

static void judge(void *arg) {
  (void)arg;
  reach_roots();
  hp_kernel_roots_each(walk->pid, reach_word);
  reach_bytewise();
  each_marked(UNSEEN, reach_if_excused);
  each_marked(UNSEEN, hold);
  each_marked(HELD, hold);
  each_marked(UNSEEN, make_leader);
  each_marked(LEADER, count_for);
  each_marked(HELD, elect);
  each_marked(LEADER, count_for);
}

/* ---- the whole ----------------------------------------------------------- */

static bool add_region(unsigned number, enum kind kind, uintptr_t base,
                       uint64_t bytes, size_t slot) {
  struct region *region = &walk->regions[number];
  *region = (struct region){
      .base = base, .slots = bytes / slot, .slot = slot, .kind = kind};
  walk->pending_size += region->slots;
  if (region->slots)
    region->marks = hp_sys_map(region->slots);
  return region->marks || !region->slots;
}

static bool add_regions(void) {
  bool good = true;
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++) {
    const size_t slot = (size_t)1 << hp_heap_slot_shift(c);
    const uintptr_t base = hp_heap_class_base(c);
    good &= add_region(c, PROFILED, base, hp_owner_slots(c) * slot, slot);
    good &= add_region(
        LARGE_PLAIN_FIRST + c, PLAIN_LARGE, base + HP_PLAIN_BASE,
        c >= HP_CLASS_COUNT ? hp_secondary_bytes(c, HP_PLAIN) : 0, slot);
  }
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++)
    good &=
        add_region(SMALL_PLAIN_FIRST + c, PLAIN_SMALL, hp_plain_class_base(c),
                   hp_primary_bytes(c, HP_PLAIN), hp_plain_slot_size(c));
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++)
    good &= add_region((unsigned)BARE_FIRST + c, BARE, hp_bare_class_base(c),
                       hp_primary_bytes(c, HP_BARE), hp_plain_slot_size(c));
  return good;
}

static bool get_memory(void) {
  walk = hp_sys_map(sizeof *walk);
  if (!walk)
    return false;
  walk->image = hp_sys_globals(note_global, NULL);
  return true;
}

void hp_reachability_prepare(void) {
  if (!walk && !get_memory())
    walk = NULL;
}

/* All the memory there will be: afterwards a thread may be stopped with a lock
   that is needed to get any. */
static bool get_marks(void) {
  walk->pid = hp_sys_pid();
  walk->points = hp_point_count() + 1;
  walk->until_clock = LOOK_AT_CLOCK;
  walk->step = sizeof(uintptr_t);
  walk->held = hp_sys_map(walk->points * sizeof *walk->held);
  walk->linkers = hp_sys_map(walk->points);
  if (!walk->held || !walk->linkers || !add_regions() ||
      !hp_readable_start(&walk->readable))
    return false;
  walk->pending = hp_sys_map((walk->pending_size + 1) * sizeof(struct span));
  return walk->pending && hp_leak_hint_sort() &&
         (!hp_beside || hp_beside_index_start());
}

const char *hp_reachability_check(const struct hp_sys_stopped *self) {
  if (hp_beside_unrecorded) {
    hp_reachability_end();
    return "chunks without a record may hold others";
  }
  if (!walk || !get_marks()) {
    hp_reachability_end();
    return "there is no memory for it";
  }
  const enum hp_sys_stand stand =
      hp_sys_stand_still(self, reach_thread, judge, NULL);
  const char *answer = walk->trouble ? walk->trouble : HP_REACH_DONE;
  if (stand == HP_SYS_NO_PROC)
    answer = "/proc/self/task cannot be read";
  else if (stand == HP_SYS_NOT_STOPPED && !walk->trouble)
    answer = "threads that still run cannot be stopped by ptrace";
  if (stand != HP_SYS_STOOD_STILL || walk->trouble)
    hp_reachability_end();
  return answer;
}

uint32_t hp_reachability_flags(const struct hp_chunk *chunk) {
  static const uint32_t flags[COUNTED + 1] = {
      [REACHED] = HP_CHUNK_REFERRED,
      [LEADER] = HP_CHUNK_LOST,
      [COUNTED] = (uint32_t)HP_CHUNK_LOST | (uint32_t)HP_CHUNK_REFERRED};
  struct slot slot;
  if (!walk || !hp_heap_may_hold(chunk) ||
      !find(&slot,
            hp_bare_holds(chunk) ? (uintptr_t)chunk : hp_chunk_place(chunk)))
    return 0;
  return flags[slot.region->marks[slot.index]];
}

struct hp_held hp_reachability_held(uint32_t point) {
  return walk && point < walk->points ? walk->held[point]
                                      : (struct hp_held){0, 0};
}

void hp_reachability_end(void) {
  if (!walk)
    return;
  for (unsigned r = 0; r < REGION_COUNT; r++)
    if (walk->regions[r].marks)
      hp_sys_unmap(walk->regions[r].marks, walk->regions[r].slots);
  if (walk->pending)
    hp_sys_unmap(walk->pending, (walk->pending_size + 1) * sizeof(struct span));
  if (walk->held)
    hp_sys_unmap(walk->held, walk->points * sizeof *walk->held);
  if (walk->linkers)
    hp_sys_unmap(walk->linkers, walk->points);
  hp_readable_end(&walk->readable);
  hp_beside_index_end();
  hp_sys_unmap(walk, sizeof *walk);
  walk = NULL;
}
