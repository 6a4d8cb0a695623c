/* reachability.c - see reachability.h: a mark for each slot of both ranges, and
   a stack of chunks whose words are still to be looked at.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/reachability.h"

#include "chunk/sample.h"
#include "heapprof_format.h"
#include "leak/ahead_words.h"
#include "leak/beside_index.h"
#include "leak/kernel_roots.h"
#include "leak/leak_hint.h"
#include "leak/leak_slot.h"
#include "leak/mapped_roots.h"
#include "leak/readable.h"
#include "leak/word_at_byte.h"
#include "options/options.h"
#include "origin/module.h"
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

#define TAG_BITS 3u

/* How a chunk is marked, one after the other:
     REACHED   from a root
     HELD      by a chunk that no root reaches
     LEADER    lost, and held by nothing; or one of a ring that nothing holds
     HANGING   from a leader of that second kind
     COUNTED   for the leader that it hangs from
     AHEAD     by a word that points ahead of it
     DOUBTED   that such a word may mean, or another chunk */
enum mark { UNSEEN, REACHED, HELD, LEADER, HANGING, COUNTED, AHEAD, DOUBTED };
#define ONE(mark) (1u << (mark))

struct span {
  uintptr_t begin, end;
};

static struct walk {
  struct hp_held *held; /* by point */
  uint8_t *linkers;     /* by point; 0: not asked yet, 1: no, 2: yes */
  uint32_t points;
  struct span *pending; /* a stack */
  size_t pending_count, pending_size;
  struct span globals[GLOBALS_MAX]; /* behind them the threads' own */
  size_t global_count, thread_count;
  struct hp_sys_image image;
  struct hp_readable readable;
  int pid;
  const char *trouble;         /* NULL: none yet */
  uint64_t deadline;           /* ns */
  size_t until_clock;          /* bytes */
  size_t looked_at;            /* bytes, some of them twice */
  struct hp_ahead_words ahead; /* in the memory of PENDING, while nothing is */
  bool has_unseen, has_reached;
  bool is_bytewise; /* a word is looked at at each byte */
  bool is_own;      /* a thread's, what is looked at */
} *walk;

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

static HP_NOINLINE void look_at_slot(const struct slot *slot,
                                     const struct look *look) {
  uint8_t *mark = &slot->region->marks[slot->index];
  if (!(look->from & ONE(*mark)) || slot->start == look->self)
    return;
  *mark = (uint8_t)look->to;
  if (look->to != HELD)
    push(slot);
  if (look->to == COUNTED)
    count_held(slot, look->leader);
}

static void look_at_one(uint64_t word, const struct look *look) {
  struct slot slot;
  if (hp_leak_find(&slot, word))
    look_at_slot(&slot, look);
}

HP_INLINE void look_at_word(uint64_t word, const struct look *look) {
  struct slot slot;
  if (HP_UNLIKELY(find(&slot, word)))
    look_at_slot(&slot, look);
}

/* An interpreter may keep an address as one of its numbers, whose lowest bits are a tag, as
   Chez Scheme does and so Racket.  It must be where a chunk begins. */
static void look_at_numbers(uintptr_t begin, uintptr_t end,
                            const struct look *look) {
  for (uintptr_t at = (begin + 7) & ~(uintptr_t)7; at + 8 <= end; at += 8) {
    const uint64_t number = *(const uint64_t *)at;
    if (HP_LIKELY(number < HP_HEAP_BASE) && !hp_is_beside()) /* most are */
      continue;
    for (unsigned bits = 1; bits <= TAG_BITS; bits++) {
      struct slot slot;
      const uint64_t address = number >> bits;
      if (hp_leak_find(&slot, address) && slot.start == address)
        look_at_slot(&slot, look);
    }
  }
}

static void look_at_loose_word(uint64_t word, const void *look) {
  look_at_word(word, look);
}

static void look_at_words(uintptr_t begin, uintptr_t end, void *arg) {
  const struct look *look = arg;
  walk->looked_at += end - begin;
  if (walk->is_bytewise) {
    hp_each_word_at_byte(begin, end, look_at_loose_word, look);
    look_at_numbers(begin, end, look);
    return;
  }
  for (uintptr_t at = (begin + 7) & ~(uintptr_t)7; at + 8 <= end; at += 8)
    look_at_word(*(const uint64_t *)at, look);
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
  look_at_one(word, &look);
  follow(&look);
}

/* ---- roots --------------------------------------------------------------- */

static void note_global(uintptr_t begin, uintptr_t end, void *arg) {
  struct walk *prepared = arg;
  if (prepared->global_count == GLOBALS_MAX)
    prepared->trouble = "too many modules";
  else
    prepared->globals[prepared->global_count++] = (struct span){begin, end};
}

/* Looked at once more, but not byte by byte. */
static void reach_own(uintptr_t begin, uintptr_t end) {
  const size_t number = walk->global_count + walk->thread_count;
  if (number < GLOBALS_MAX) {
    walk->globals[number] = (struct span){begin, end};
    walk->thread_count++;
  }
  reach(begin, end);
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
    reach_own(thread->sp, least(here->end, block_end));
    return;
  }
  if (here)
    reach_own(thread->sp, here->end);
  if (is_main && readable->main_stack && here != readable->main_stack)
    reach_own(readable->main_stack->begin, readable->main_stack->end);
  if (block)
    reach_own(is_main ? pointer - walk->image.static_block : block->begin,
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
  else if (hp_leak_find(&slot, begin_at) && slot.start == begin_at &&
           (!has_facts(&slot) || facts_of(&slot).t0 == t0))
    reach_word(begin_at);
}

/* ---- the verdict --------------------------------------------------------- */

/* Calls EACH for every chunk that has this mark. */
static void each_marked(enum mark mark, void (*each)(struct slot *slot)) {
  for (unsigned r = 0; r < REGION_COUNT; r++) {
    struct region *region = &hp_leak_regions[r];
    for (uint64_t i = 0; i < region->slots && !walk->trouble; i++) {
      struct slot slot = {.region = region, .index = i};
      if (region->marks[i] == mark && hp_leak_look_at(&slot))
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
  walk->has_unseen |= has_facts(slot);
}

static void reach_from(struct slot *slot) {
  reach(slot->start, slot->start + slot->size);
}

/* What nothing points to by now may be pointed to from a packed structure, or by a number.  Where
   that would take long it is not asked. */
static void reach_bytewise(void) {
  each_marked(UNSEEN, note_unseen);
  if (!walk->has_unseen || walk->looked_at > BYTEWISE_MOST)
    return;
  walk->is_bytewise = true;
  reach_roots();
  each_marked(REACHED, reach_from);
}

/* A structure may say where its parts are by how far they are from itself, as a
   pattern of fontconfig does.  A number that happens to be as large is none: it
   must lead to the beginning of a chunk that nothing else points to. */
#define DISTANCE_LEAST ((uint64_t)4096)
#define DISTANCE_MOST ((uint64_t)1 << 46)

static void look_at_distances(uintptr_t begin, uintptr_t end, void *arg) {
  const struct slot *from = arg;
  const struct look look = {.from = ONE(UNSEEN), .to = REACHED};
  walk->looked_at += end - begin;
  for (uintptr_t at = (begin + 7) & ~(uintptr_t)7; at + 8 <= end; at += 8) {
    const uint64_t distance = *(const uint64_t *)at,
                   size = (int64_t)distance < 0 ? 0 - distance : distance;
    struct slot to;
    if (size - DISTANCE_LEAST < DISTANCE_MOST &&
        hp_leak_find(&to, from->start + distance) &&
        to.start == from->start + distance)
      look_at_one(to.start, &look);
  }
}

static void reach_by_distance(struct slot *slot) {
  struct look look = reaching;
  if (slot->size < 8 || !is_in_time(slot->size))
    return;
  hp_readable_each(&walk->readable, slot->start, slot->start + slot->size,
                   look_at_distances, slot);
  walk->has_reached |= walk->pending_count != 0;
  follow(&look);
}

/* Once more where that reached something, which may have parts in turn. */
static void reach_by_distances(void) {
  do {
    walk->has_unseen = walk->has_reached = false;
    each_marked(UNSEEN, note_unseen);
    if (walk->has_unseen && walk->looked_at <= BYTEWISE_MOST)
      each_marked(REACHED, reach_by_distance);
  } while (walk->has_reached && !walk->trouble);
}

static void note_ahead(struct slot *slot) { hp_ahead_add(&walk->ahead, slot); }

/* The runtime points to a chunk's record, which begins with the slot, and on
   stacks it leaves pointers into it. */
static bool may_be_record(const struct slot *slot, uintptr_t address) {
  const uintptr_t record = (uintptr_t)record_of(slot);
  if (hp_is_beside())
    return false;
  return walk->is_own ? address >= record && address % 8 == 0
                      : address == record;
}

static void mark_ahead(const struct slot *slot, uintptr_t address,
                       bool is_known) {
  uint8_t *mark = &slot->region->marks[slot->index];
  if (!may_be_record(slot, address) &&
      (*mark == UNSEEN || (*mark == DOUBTED && is_known)))
    *mark = is_known ? AHEAD : DOUBTED;
}

static void look_ahead_in(uintptr_t begin, uintptr_t end) {
  if (is_in_time(end - begin + 64))
    hp_readable_each(&walk->readable, begin, end, hp_ahead_look, &walk->ahead);
}

static void look_ahead_from(struct slot *slot) {
  look_ahead_in(slot->start, slot->start + slot->size);
}

static void look_ahead_hinted(uintptr_t begin_at, uintptr_t end, uint64_t t0) {
  (void)t0;
  look_ahead_in(begin_at, end ? end : begin_at);
}

static void reach_found(struct slot *slot) {
  walk->has_reached = true;
  reach_word(slot->start);
}

static void doubt_what_hangs(struct slot *slot) {
  struct look look = {.from = ONE(UNSEEN), .to = DOUBTED};
  push(slot);
  follow(&look);
}

/* Once more where that reached something. */
static void reach_ahead(void) {
  _Static_assert(sizeof(struct hp_ahead) == sizeof(struct span), "one each");
  walk->ahead = (struct hp_ahead_words){
      .list = (struct hp_ahead *)walk->pending, .mean = mark_ahead};
  do {
    walk->has_reached = false;
    walk->ahead.count = 0;
    each_marked(UNSEEN, note_ahead);
    if (!walk->ahead.count)
      break;
    hp_ahead_sort(&walk->ahead);
    for (size_t i = 0; i < walk->global_count + walk->thread_count; i++) {
      walk->is_own = i >= walk->global_count;
      look_ahead_in(walk->globals[i].begin, walk->globals[i].end);
    }
    walk->is_own = false;
    hp_leak_hint_each(look_ahead_hinted);
    hp_mapped_roots_each(&walk->readable, look_ahead_in);
    each_marked(REACHED, look_ahead_from);
    each_marked(AHEAD, reach_found);
  } while (walk->has_reached && !walk->trouble);
  each_marked(DOUBTED, doubt_what_hangs);
}

static void judge(void *arg) {
  const struct hp_sys_stopped *self = arg;
  if (hp_sys_gettid() != self->id)
    walk->readable.own_frame = (uintptr_t)__builtin_frame_address(0);
  reach_roots();
  const bool is_all = hp_kernel_roots_each(walk->pid, reach_word);
  reach_bytewise();
  reach_by_distances();
  if (walk->has_unseen && !is_all)
    give_up("io_uring does not tell what it was given");
  each_marked(UNSEEN, reach_if_excused);
  reach_ahead();
  each_marked(UNSEEN, hold);
  each_marked(HELD, hold);
  each_marked(UNSEEN, make_leader);
  each_marked(LEADER, count_for);
  each_marked(HELD, elect);
  each_marked(LEADER, count_for);
}

/* ---- the whole ----------------------------------------------------------- */

/* Threads may exit at the same time: each takes down all, and one is heard. */
void hp_reachability_prepare(void) {
  struct walk *none = NULL, *prepared = hp_sys_map(sizeof *prepared);
  if (!prepared)
    return;
  uint64_t signals;
  hp_modules_hold(&signals);
  prepared->image = hp_sys_globals(note_global, prepared);
  hp_modules_let(&signals);
  if (!__atomic_compare_exchange_n(&walk, &none, prepared, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    hp_sys_unmap(prepared, sizeof *prepared);
}

static uint64_t size_of(const struct hp_chunk *record) {
  return hp_chunk_size(record);
}

/* All there will be: a thread may be stopped with a lock that it takes. */
static bool get_marks(void) {
  walk->pid = hp_sys_pid();
  walk->points = hp_point_count() + 1;
  walk->until_clock = LOOK_AT_CLOCK;
  walk->held = hp_sys_map(walk->points * sizeof *walk->held);
  walk->linkers = hp_sys_map(walk->points);
  if (!walk->held || !walk->linkers || !hp_leak_regions_start() ||
      !hp_readable_start(&walk->readable))
    return false;
  walk->pending_size = hp_leak_slots();
  walk->pending = hp_sys_map((walk->pending_size + 1) * sizeof(struct span));
  return walk->pending && hp_leak_hint_sort() &&
         (!hp_is_beside() || hp_beside_index_start(size_of));
}

/* The stack may be as large as all chunks' slots together; a dump follows, which takes
   memory for each live chunk, too. */
static void drop_pending(void) {
  if (walk->pending)
    hp_sys_unmap(walk->pending, (walk->pending_size + 1) * sizeof(struct span));
  walk->pending = NULL;
}

const char *hp_reachability_check(const struct hp_sys_stopped *self) {
  if (hp_is_beside() && hp_beside_unrecorded) {
    hp_reachability_end();
    return "chunks without a record may hold others";
  }
  if (!walk || !get_marks()) {
    hp_reachability_end();
    return "there is no memory for it";
  }
  const enum hp_sys_stand stand =
      hp_sys_stand_still(self, reach_thread, judge, (void *)self);
  const char *answer = walk->trouble ? walk->trouble : HP_REACH_DONE;
  if (stand == HP_SYS_NO_PROC)
    answer = "/proc/self/task cannot be read";
  else if (stand == HP_SYS_AMID_WORK)
    answer = "a thread waits in a write of which a part may be done";
  else if (stand == HP_SYS_NOT_STOPPED && !walk->trouble)
    answer = "threads that still run cannot be stopped by ptrace";
  if (stand != HP_SYS_STOOD_STILL || walk->trouble)
    hp_reachability_end();
  else
    drop_pending();
  return answer;
}

uint32_t hp_reachability_flags(const struct hp_chunk *chunk) {
  static const uint32_t flags[COUNTED + 1] = {
      [REACHED] = HP_CHUNK_REFERRED,
      [LEADER] = HP_CHUNK_LOST,
      [COUNTED] = (uint32_t)HP_CHUNK_LOST | (uint32_t)HP_CHUNK_REFERRED};
  struct slot slot;
  /* A dump that is taken between the walk and its preparation has no regions. */
  if (!hp_leak_regions || !hp_heap_may_hold(chunk) ||
      !hp_leak_find(&slot, hp_bare_holds(chunk) ? (uintptr_t)chunk
                                                : hp_chunk_place(chunk)))
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
  hp_leak_regions_end();
  drop_pending();
  if (walk->held)
    hp_sys_unmap(walk->held, walk->points * sizeof *walk->held);
  if (walk->linkers)
    hp_sys_unmap(walk->linkers, walk->points);
  hp_readable_end(&walk->readable);
  if (hp_is_beside())
    hp_beside_index_end();
  hp_sys_unmap(walk, sizeof *walk);
  walk = NULL;
}
