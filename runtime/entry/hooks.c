/* hooks.c - the functions that instrumented code calls at each access
   (hook_abi.h). An access outside the heap ends at one comparison.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access.h"
#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "chunk/growth.h"
#include "entry/pieces.h"
#include "entry/start.h"
#include "heap/owner.h"
#include "hook_abi.h"
#include "sanitizer/heapprof_interface.h"
#include "system/real_libc.h"

/* What functions that keep their frames say to one another; no use of it here.
 */
HP_EXPORT HP_THREAD_LOCAL uint64_t __heapprof_kept_frame;

HP_EXPORT void __heapprof_read(const void *p, size_t n);
HP_EXPORT void __heapprof_write(const void *p, size_t n);
HP_EXPORT void __heapprof_read_write(const void *p, size_t n);
HP_EXPORT void __heapprof_many(const void *p, size_t n, uint64_t reads,
                               uint64_t writes);
HP_EXPORT int __heapprof_hull(const void *p, size_t n, uint64_t reads,
                              uint64_t writes);
HP_EXPORT __attribute__((preserve_most)) void *
__heapprof_slow(const void *p, uint32_t accesses);
HP_EXPORT void __heapprof_touch(const void *p);
HP_EXPORT void __heapprof_masked(const char *p, size_t lane, uint64_t mask,
                                 int kind);
HP_EXPORT void __heapprof_strided(const char *p, int64_t stride, size_t lane,
                                  uint64_t mask, int kind);
HP_EXPORT void __heapprof_lanes(const char *const *pointers, uint32_t n,
                                size_t lane, uint64_t mask, int kind);

HP_INLINE void access(const void *p, size_t n, int kind) {
  /* Said to be rare, so that the two conditions stay apart. */
  struct hp_chunk *chunk = hp_owner_by_mask(p);
  if (HP_UNLIKELY(chunk) && HP_LIKELY(n)) {
    if (hp_access_is_usual(chunk, (uintptr_t)p, n)) {
      hp_access_count(chunk, kind);
      return;
    }
    if (HP_UNLIKELY(hp_members_of))
      hp_members_range(p, n, kind, HP_ACCESS_PC);
    hp_access_many(chunk, (uintptr_t)p, n, (kind & HP_ACCESS_READ) != 0,
                   (kind & HP_ACCESS_WRITE) != 0, HP_ACCESS_PC);
  }
}

void __heapprof_read(const void *p, size_t n) { access(p, n, HP_ACCESS_READ); }

void __heapprof_write(const void *p, size_t n) {
  access(p, n, HP_ACCESS_WRITE);
}

void __heapprof_read_write(const void *p, size_t n) {
  access(p, n, HP_ACCESS_BOTH);
}

/* Rows of matrices come here, one after the other: where all is usual, what is
   kept apart from the chunk is not looked at. */
void __heapprof_many(const void *p, size_t n, uint64_t reads, uint64_t writes) {
  struct hp_chunk *chunk = hp_owner_by_mask(p);
  if (!chunk || !n || !(reads | writes))
    return;
  if (HP_LIKELY((reads | writes | n) <= HP_STEP_MAX) &&
      hp_access_is_usual(chunk, (uintptr_t)p, n))
    hp_access_count_many(chunk, (uint32_t)reads, (uint32_t)writes);
  else
    hp_access_many(chunk, (uintptr_t)p, n, reads, writes, HP_ACCESS_PC);
}

/* What begins and ends outside of the heap is in none of its regions, each of which
   is longer. */
int __heapprof_hull(const void *p, size_t n, uint64_t reads, uint64_t writes) {
  struct hp_chunk *chunk = hp_owner_by_mask(p);
  if (!(reads | writes))
    return 1;
  if (!chunk)
    return n >> HP_REGION_SHIFT == 0 &&
           !hp_owner_by_mask((const char *)p + n - 1);
  if ((reads | writes) > HP_STEP_MAX ||
      !hp_access_is_usual(chunk, (uintptr_t)p, n))
    return 0;
  hp_access_count_many(chunk, (uint32_t)reads, (uint32_t)writes);
  return 1;
}

/* Of no bytes and counts: only the time is renewed. */
void __heapprof_touch(const void *p) {
  if (hp_heap_holds(p))
    hp_access_many(hp_owner_of(p).chunk, (uintptr_t)p, 0, 0, 0, 0);
}

/* What instrumented code takes for granted. */
#define AT(member, at)                                                         \
  _Static_assert(offsetof(struct hp_chunk, member) == (at), #member)
AT(last, HP_CHUNK_LAST);
AT(reads_guard, HP_CHUNK_READS);
AT(thread_writes, HP_CHUNK_WRITES);
AT(lo, HP_CHUNK_LO);
AT(hi, HP_CHUNK_HI);
AT(thread, HP_CHUNK_THREAD);
_Static_assert(HP_ONE_READ == (uint64_t)1 << HP_CHUNK_READS_SHIFT &&
                   HP_ONE_WRITE == (uint64_t)1 << HP_CHUNK_WRITES_SHIFT,
               "one");
_Static_assert(HP_NOT_KNOWN < 0, "no record's address");
#define HP_NOT_KNOWN_RECORD ((void *)(intptr_t)HP_NOT_KNOWN)

/* The answer where this thread counts in BY, which does not become exact later
   nor another one; NULL: in none. */
HP_INLINE void *open_record(struct hp_chunk *by) {
  return by && !(by->thread & HP_THREAD_EXACT) ? by : HP_NOT_KNOWN_RECORD;
}

/* The ways to __heapprof_slow where all registers are kept, from p in r10 and an i32 at
   ACCESSES: what kept.c has not counted. */
#define KEEPING_ALL(name, back, begin, save, accesses, restore)                \
  extern const char back[] __attribute__((visibility("hidden")));              \
  __asm__(".pushsection .text." #name ",\"ax\",@progbits\n"                     \
          "  .globl " #name ", " #back "\n"                                    \
          "  .hidden " #name ", " #back "\n"                                   \
          "  .type " #name ", @function\n" #name ":\n"                         \
          "  .cfi_startproc\n" begin PUSH("q %rdi") PUSH("q %rsi")             \
              PUSH("q %r11") save "  movq %r10, %rdi\n"                        \
          "  movl " accesses ", %esi\n"                                        \
          "  call __heapprof_slow\n" #back ":\n" restore POP("popq %r11")      \
              POP("popq %rsi") POP("popq %rdi")
#define END_KEEPING(name) "  ret\n" END(#name) ".popsection\n")
/* clang-format off */
KEEPING_ALL(hp_slow_kept, hp_slow_kept_back, "", "", "%edx", "")
END_KEEPING(hp_slow_kept);
KEEPING_ALL(hp_slow_pushed, hp_slow_pushed_back,
            "  .cfi_adjust_cfa_offset 8\n", PUSH("q %r10"), "32(%rsp)",
            POP("popq %r10"))
  POP("addq $8, %rsp") END_KEEPING(hp_slow_pushed);
/* clang-format on */

/* Those of vectors, which no code of this file uses (runtime/CMakeLists.txt). */
#define VECTORS(each)                                                          \
  each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8)      \
      each(9) each(10) each(11) each(12) each(13) each(14) each(15)
#define VECTOR_OUT(number) "movups %%xmm" #number ", 16*" #number "(%0)\n"
#define VECTOR_IN(number) "movups 16*" #number "(%0), %%xmm" #number "\n"

/* What is not usual in any way.  The registers of the caller stay as they are,
   so that the code around an inline record does not have to save them for what
   rarely happens.  Assembly may call from ahead of its function's prologue, which
   the code generator puts off to where a frame is needed: the stack is aligned here. */
__attribute__((preserve_most, noinline, force_align_arg_pointer)) static void *
unusual(const void *p, uint32_t accesses) {
  struct hp_chunk *chunk = hp_owner_of(p).chunk;
  uintptr_t pc = HP_ACCESS_PC;
  const bool is_pushed = pc == (uintptr_t)hp_slow_pushed_back;
  const bool keeps_all = is_pushed || pc == (uintptr_t)hp_slow_kept_back;
  char vectors[16 * 16];
  if (keeps_all) { /* rbp, that, r11, rsi, rdi, the program's; or two words more */
    pc = ((const uintptr_t *)__builtin_frame_address(0))[is_pushed ? 7 : 5];
    __asm__ volatile(VECTORS(VECTOR_OUT) : : "r"(vectors) : "memory");
  }
  hp_access_seldom(chunk, (uintptr_t)p, HP_SLOW_BYTES(accesses),
                   HP_SLOW_READS(accesses), HP_SLOW_WRITES(accesses), pc);
  if (keeps_all)
    __asm__ volatile(VECTORS(VECTOR_IN) : : "r"(vectors) : "memory");
  return open_record(hp_access_own(chunk, (uintptr_t)p));
}

/* The first access of a chunk, or one that makes its interval longer, by the
   thread that allocated it. */
HP_INLINE bool grow(const void *p, uint32_t accesses, bool is_exact) {
  struct hp_chunk *chunk = hp_owner_of(p).chunk;
  return HP_LIKELY(hp_access_growing(
      chunk, chunk, is_exact, (uintptr_t)p, HP_SLOW_BYTES(accesses),
      HP_SLOW_READS(accesses), HP_SLOW_WRITES(accesses)));
}

__attribute__((preserve_most, noinline)) static void *
growing_otherwise(const void *p, uint32_t accesses) {
  if (grow(p, accesses, false))
    return hp_owner_of(p).chunk;
  __attribute__((musttail)) return unusual(p, accesses);
}

/* One that is not ahead of the interval. */
__attribute__((preserve_most, noinline)) static void *
growing(const void *p, uint32_t accesses) {
  struct hp_chunk *chunk = hp_owner_of(p).chunk;
  if (HP_LIKELY(hp_access_goes_on(chunk, (uintptr_t)p, HP_SLOW_BYTES(accesses),
                                  HP_SLOW_READS(accesses),
                                  HP_SLOW_WRITES(accesses))))
    return chunk;
  __attribute__((musttail)) return growing_otherwise(p, accesses);
}

__attribute__((preserve_most, noinline)) static void *
growing_exactly(const void *p, uint32_t accesses) {
  if (grow(p, accesses, true))
    return HP_NOT_KNOWN_RECORD;
  __attribute__((musttail)) return unusual(p, accesses);
}

/* One to another thread's chunk. */
__attribute__((preserve_most, noinline)) static void *
frequent(const void *p, uint32_t accesses) {
  struct hp_chunk *by = hp_access_frequent(
      hp_owner_of(p).chunk, (uintptr_t)p, HP_SLOW_BYTES(accesses),
      HP_SLOW_READS(accesses), HP_SLOW_WRITES(accesses));
  if (HP_LIKELY(by != NULL))
    return open_record(by);
  __attribute__((musttail)) return unusual(p, accesses);
}

/* One to an exact chunk that this thread allocated. */
__attribute__((preserve_most, noinline)) static void *exact(const void *p,
                                                            uint32_t accesses) {
  struct hp_chunk *chunk = hp_owner_of(p).chunk;
  if (!hp_access_is_covered(chunk, (uintptr_t)p, HP_SLOW_BYTES(accesses)))
      __attribute__
    ((musttail)) return growing_exactly(p, accesses);
  if (HP_LIKELY(hp_access_simple(chunk, chunk, true, HP_SLOW_READS(accesses),
                                 HP_SLOW_WRITES(accesses))))
    return HP_NOT_KNOWN_RECORD;
  __attribute__((musttail)) return unusual(p, accesses);
}

/* Without asking which of the two kinds there are. */
HP_INLINE void count_all(struct hp_chunk *by, uint32_t accesses) {
  hp_access_step(&by->reads_guard, HP_SLOW_READS(accesses) * HP_ONE_READ);
  hp_access_step(&by->thread_writes, HP_SLOW_WRITES(accesses) * HP_ONE_WRITE);
  by->last = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
}

/* One to the heap that does not go on where this thread has last written.  A
   program may consist of accesses to what another thread allocated, within the
   bytes that this one has accessed before: they are done here. */
__attribute__((preserve_most, noinline)) static void *
not_extending(const void *p, uint32_t accesses) {
  const struct hp_chunk *chunk = hp_owner_by_mask(p);
  const uint16_t thread = chunk->thread;
  if (thread == hp_thread_self_tag) {
    if (chunk->lo <= (uint32_t)(uintptr_t)p) __attribute__
      ((musttail)) return growing(p, accesses);
    __attribute__((musttail)) return growing_otherwise(p, accesses);
  }
  if (thread == (hp_thread_self_tag | HP_THREAD_EXACT)) __attribute__
    ((musttail)) return exact(p, accesses);
  const uintptr_t area = hp_share_own_area;
  struct hp_chunk *share = area ? hp_share_in(area, (uintptr_t)p) : NULL;
  if (!share || share->thread != HP_SHARE_CLAIMED ||
      !hp_access_is_covered(share, (uintptr_t)p, HP_SLOW_BYTES(accesses)))
      __attribute__
    ((musttail)) return frequent(p, accesses);
  count_all(share, accesses);
  return share;
}

/* As inline code asks, whose word ACCESSES is; and nothing that is asked here is
   kept in a register for later. */
HP_INLINE bool is_own_and_covered(struct hp_chunk *chunk, const void *p,
                                  uint32_t accesses) {
  const uint32_t from = (uint32_t)(uintptr_t)p;
  if (chunk->lo <= from && chunk->hi >= from + HP_SLOW_BYTES(accesses) - 1 &&
      chunk->thread == hp_thread_self_tag)
    return true;
  __asm__("" : "+m"(*chunk));
  return false;
}

/* What is frequent but not usual.  The kinds that are most frequent in programs are
   done here, with few registers: to append to a chunk; and to go on with one that
   was exact when its function, which may be a program's main loop, saw it first.

   From entry to return, no call and no lock among them: at most 50 instructions
   then; at most 16 instructions if the address is not in the heap. */
__attribute__((preserve_most)) void *__heapprof_slow(const void *p,
                                                     uint32_t accesses) {
  const uintptr_t mask = hp_owner_mask(p);
  if (!mask)
    return NULL;
  struct hp_chunk *chunk = (struct hp_chunk *)((uintptr_t)p & mask);
  if (!is_own_and_covered(chunk, p, accesses) &&
      !hp_access_extends(chunk, mask, (uintptr_t)p, HP_SLOW_BYTES(accesses)))
      __attribute__
    ((musttail)) return not_extending(p, accesses);
  count_all(chunk, accesses);
  return chunk;
}

HP_EXPORT void __heapprof_record_read(const void *p, size_t size) {
  hp_access_range(p, size, HP_ACCESS_READ);
}

HP_EXPORT void __heapprof_record_write(const void *p, size_t size) {
  hp_access_range(p, size, HP_ACCESS_WRITE);
}

void __heapprof_masked(const char *p, size_t lane, uint64_t mask, int kind) {
  if (!mask)
    return;
  size_t first = (size_t)__builtin_ctzll(mask);
  size_t end = 64 - (size_t)__builtin_clzll(mask);
  access(p + first * lane, (end - first) * lane, kind);
}

/* One access to each chunk that a lane touches, over the span of its lanes.
   Lanes of one chunk are gathered by a search over those still open: vectors
   are short and mostly lie in one chunk. */
void __heapprof_lanes(const char *const *pointers, uint32_t n, size_t lane,
                      uint64_t mask, int kind) {
  while (mask) {
    unsigned i = (unsigned)__builtin_ctzll(mask);
    mask &= mask - 1;
    if (i >= n)
      return;
    if (!hp_heap_holds(pointers[i]))
      continue;
    struct hp_owner owner = hp_owner_of(pointers[i]);
    uint64_t lo = owner.offset, hi = owner.offset + lane;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
      unsigned j = (unsigned)__builtin_ctzll(rest);
      if (j >= n || !hp_heap_holds(pointers[j]))
        continue;
      struct hp_owner its = hp_owner_of(pointers[j]);
      if (its.chunk != owner.chunk)
        continue;
      mask &= ~((uint64_t)1 << j);
      lo = its.offset < lo ? its.offset : lo;
      hi = its.offset + lane > hi ? its.offset + lane : hi;
    }
    const uintptr_t from = (uintptr_t)pointers[i] - owner.offset + lo;
    if (HP_UNLIKELY(hp_members_of))
      hp_members_range((const void *)from, hi - lo, kind, HP_ACCESS_PC);
    hp_access(owner.chunk, from, hi - lo, kind, HP_ACCESS_PC);
  }
}

void __heapprof_strided(const char *p, int64_t stride, size_t lane,
                        uint64_t mask, int kind) {
  const char *pointers[64];
  for (unsigned i = 0; i < 64; i++)
    pointers[i] = p + (int64_t)i * stride;
  __heapprof_lanes(pointers, 64, lane, mask, kind);
}

/* Of N bytes that libc is about to access: so the first of them, if any, is in
   a slot as that of any other hook. */
HP_INLINE void access_bytes(const void *p, size_t n, int kind) {
  if (!n)
    return;
  const uintptr_t mask = hp_owner_mask(p);
  if (HP_LIKELY(mask))
    hp_access_bytes((struct hp_chunk *)((uintptr_t)p & mask), p, n, kind,
                    HP_ACCESS_PC);
  else if (HP_UNLIKELY(hp_heap_may_hold(p)))
    hp_access_heap_range(p, n, kind, HP_ACCESS_PC);
}

/* A copy into new memory is never usual. */
HP_INLINE void access_copied(void *to, const void *from, size_t n) {
  if (!n)
    return;
  struct hp_chunk *source = hp_owner_by_mask(from);
  if (source) {
    hp_access_bytes(source, from, n, HP_ACCESS_READ, HP_ACCESS_PC);
  } else if (HP_UNLIKELY(hp_heap_may_hold(from))) {
    hp_access_heap_copy(to, from, n, HP_ACCESS_PC);
    return;
  }
  struct hp_chunk *chunk = hp_owner_by_mask(to);
  if (!chunk) {
    if (HP_UNLIKELY(hp_heap_may_hold(to)))
      hp_access_heap_range(to, n, HP_ACCESS_WRITE, HP_ACCESS_PC);
    return;
  }
  const bool is_covered = hp_access_is_covered(chunk, (uintptr_t)to, n);
  if (is_covered && HP_LIKELY(chunk->thread == hp_thread_self_tag)) {
    hp_access_count(chunk, HP_ACCESS_WRITE);
    return;
  }
  if (source && !is_covered)
    hp_growth_note_copy(chunk, source, n);
  hp_access_unusual_range(to, n, HP_ACCESS_WRITE, chunk, HP_ACCESS_PC);
}

/* These end in a jump: each call more is felt where a few bytes are copied. */
void *__heapprof_memcpy(void *to, const void *from, size_t n) {
  if (!hp_heap_are_elsewhere(to, from))
    access_copied(to, from, n);
  return hp_real_libc.memcpy(to, from, n);
}

void *__heapprof_memmove(void *to, const void *from, size_t n) {
  if (!hp_heap_are_elsewhere(to, from))
    access_copied(to, from, n);
  return hp_real_libc.memmove(to, from, n);
}

void *__heapprof_memset(void *p, int value, size_t n) {
  if (!hp_heap_is_elsewhere(p))
    access_bytes(p, n, HP_ACCESS_WRITE);
  return hp_real_libc.memset(p, value, n);
}

int hp_counted_memcmp(const void *a, const void *b, size_t n) {
  if (hp_heap_are_elsewhere(a, b))
    return hp_real_libc.memcmp(a, b, n);
  access_bytes(a, n, HP_ACCESS_READ);
  access_bytes(b, n, HP_ACCESS_READ);
  return hp_real_libc.memcmp(a, b, n);
}
