/* content.c - see content.h: words of the accessed bytes, page by page.
   A page other than that of the record may be shut, or have no memory: the kernel
   is asked first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/content.h"

#include "chunk/accessed_bytes.h"
#include "contents_measure.h"
#include "heap/heap_pages.h"
#include "system/memory.h"
#include "system/process_facts.h"

#define PAGE ((uintptr_t)4096)
#define WORD sizeof(uint64_t)
/* Of what is large: so many parts, the first bytes and the last among them.  The
   others are in one page each, where a chunk begins as most do: the kernel is
   asked about each page. */
#define PARTS 16u
#define PART (PAGE - 2 * HP_FRONT)
#define PAGES_MAX (HP_CONTENTS_WHOLE / PAGE + 2)

#define BYTES(byte) ((uint64_t)(byte) * 0x0101010101010101u)

static uint64_t run_key;
static uint64_t copied[PAGE / WORD]; /* of chunks that live */

struct look {
  uintptr_t begin, end; /* the accessed bytes */
  uintptr_t own;        /* the page of the record, which the runtime writes */
  bool is_live;
  uint64_t hash, zero, seen;
  uint64_t pattern; /* its first byte, repeated */
  bool is_uniform;
};

void hp_content_start(void) { run_key = hp_sys_random(); }

/* ---- words --------------------------------------------------------------- */

/* Two factors' product, both halves of it: each bit of both is in each bit. */
static uint64_t mix(uint64_t a, uint64_t b) {
  const unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static void add_word(struct look *l, uint64_t word) {
  l->hash = mix(l->hash ^ word, 0x9e3779b97f4a7c15u);
}

/* Of the heap, or where Linux has programs, their libraries and stacks. */
static bool is_address(uint64_t word) {
  const uint64_t top = word >> 40;
  return hp_heap_is_data(word) || top == 0x55 || top == 0x56 || top == 0x7f;
}

/* Nobody can save those of an address. */
static uint64_t zero_bytes(uint64_t word) {
  if (!word)
    return WORD;
  if (is_address(word))
    return 0;
  uint64_t bits = word | word >> 4;
  bits |= bits >> 2;
  bits |= bits >> 1;
  return WORD - ((bits & BYTES(1)) * BYTES(1) >> 56);
}

/* The bytes of the word at ADDRESS that were accessed. */
static uint64_t mask_of(const struct look *l, uintptr_t address) {
  uint64_t mask = UINT64_MAX;
  if (address < l->begin)
    mask <<= 8 * (l->begin - address);
  if (address + WORD > l->end)
    mask &= UINT64_MAX >> 8 * (address + WORD - l->end);
  return mask;
}

static void add_edge(struct look *l, uintptr_t address, uint64_t word) {
  const uint64_t mask = mask_of(l, address);
  const unsigned first = (unsigned)__builtin_ctzll(mask);
  if (!l->seen)
    l->pattern = BYTES(word >> first & 0xff);
  l->is_uniform = l->is_uniform && !((word ^ l->pattern) & mask);
  l->zero += zero_bytes(word | ~mask);
  l->seen += (uint64_t)__builtin_popcountll(mask) / 8;
  add_word(l, word & mask);
}

/* The words of [FROM, TO) are at WORDS. */
static void add_words(struct look *l, uintptr_t from, uintptr_t to,
                      const uint64_t *words) {
  uint64_t differ = 0, zero = 0;
  uintptr_t at = from;
  if (at < to && (at < l->begin || !l->seen)) {
    add_edge(l, at, *words++);
    at += WORD;
  }
  const uintptr_t whole = to <= l->end ? to : to - WORD;
  const uintptr_t first = at;
  for (; at < whole; at += WORD) {
    const uint64_t word = *words++;
    differ |= word ^ l->pattern;
    zero += zero_bytes(word);
    add_word(l, word);
  }
  l->is_uniform = l->is_uniform && !differ;
  l->zero += zero;
  l->seen += at - first;
  if (at < to)
    add_edge(l, at, *words);
}

/* There is no memory at [FROM, TO), which reads as zeros. */
static void add_absent(struct look *l, uintptr_t from, uintptr_t to) {
  const uint64_t nothing = 0, zero = l->zero;
  for (uintptr_t at = from; at < to; at += WORD)
    add_words(l, at, at + WORD, &nothing);
  l->zero = zero;
}

/* ---- pages --------------------------------------------------------------- */

/* All of [FROM, TO) is in one page. */
static bool read_page(struct look *l, uintptr_t from, uintptr_t to,
                      bool has_memory) {
  const uintptr_t page = from & ~(PAGE - 1);
  if (page == l->own) {
    add_words(l, from, to, (const uint64_t *)from);
    return true;
  }
  if (!has_memory) {
    add_absent(l, from, to);
    return true;
  }
  if (!l->is_live) {
    if (!hp_sys_readable(from))
      return false;
    add_words(l, from, to, (const uint64_t *)from);
    return true;
  }
  if (!hp_sys_read_own(copied, from, to - from))
    return false;
  add_words(l, from, to, copied);
  return true;
}

/* FROM and TO are those of words. */
static bool read_part(struct look *l, uintptr_t from, uintptr_t to) {
  uint8_t in_memory[PAGES_MAX];
  const uintptr_t first = from & ~(PAGE - 1);
  const size_t pages = (to - first + PAGE - 1) / PAGE;
  if (first + PAGE >= to && first == l->own)
    return read_page(l, from, to, true);
  if (!hp_sys_in_memory((void *)first, pages * PAGE, in_memory))
    return false;
  for (size_t i = 0; i < pages; i++) {
    const uintptr_t page = first + i * PAGE;
    const bool has_memory = in_memory[i] & 1;
    if (!has_memory && page != l->own && hp_sys_has_swap())
      return false; /* it may be there */
    if (!read_page(l, page > from ? page : from,
                   page + PAGE < to ? page + PAGE : to, has_memory))
      return false;
  }
  return true;
}

static bool read_all(struct look *l) {
  const uintptr_t from = l->begin & ~(WORD - 1);
  const uintptr_t to = (l->end + WORD - 1) & ~(WORD - 1);
  const uint64_t size = to - from;
  if (size <= HP_CONTENTS_WHOLE)
    return read_part(l, from, to);
  if (!read_part(l, from, from + PART))
    return false;
  for (uint64_t i = 1; i < PARTS - 1; i++) {
    const uint64_t pages = (size - PART) / (PARTS - 1) * i / PAGE + 1;
    const uintptr_t at = from + pages * PAGE - HP_FRONT;
    if (!read_part(l, at, at + PART))
      return false;
  }
  return read_part(l, to - PART, to);
}

/* ---- a chunk ------------------------------------------------------------- */

static bool look_at(const struct hp_chunk *chunk, uint64_t word, bool is_live,
                    struct hp_content *content) {
  const uint64_t size = word & HP_SIZE_MAX;
  const uintptr_t start = (uintptr_t)chunk + hp_front_of(word);
  uint64_t lo, hi;
  hp_accessed_bytes_of(chunk, word, &lo, &hi);
  if (lo >= hi || hi > size)
    return false;
  struct look l = {.begin = start + lo,
                   .end = start + hi,
                   .own = (uintptr_t)chunk & ~(PAGE - 1),
                   .is_live = is_live,
                   .hash = mix(run_key ^ size, lo * 0xff51afd7ed558ccdu ^ hi),
                   .is_uniform = true};
  if (!read_all(&l))
    return false;
  const bool is_parts = l.seen < hi - lo;
  const unsigned __int128 zeros = (unsigned __int128)l.zero * (hi - lo);
  *content = (struct hp_content){
      .hash = mix(l.hash, run_key | 1),
      .size = size,
      /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): some word was seen */
      .zero = is_parts ? (uint64_t)(zeros / l.seen) : l.zero,
      .is_uniform = l.is_uniform,
      .is_parts = is_parts};
  return true;
}

bool hp_content_look(const struct hp_chunk *chunk, uint64_t word,
                     struct hp_content *content) {
  return look_at(chunk, word, false, content);
}

void hp_content_add_bits(struct hp_content_bits *to,
                         const struct hp_chunk *chunk, uint64_t word) {
  const uintptr_t start = (uintptr_t)chunk + hp_front_of(word);
  const uint64_t size = word & HP_SIZE_MAX;
  struct look l;
  if (start % WORD || size > sizeof to->words ||
      (start + size - 1) / PAGE != (uintptr_t)chunk / PAGE)
    return; /* the sums have more chunks, so that these bits say nothing */
  hp_accessed_bytes_of(chunk, word, &l.begin, &l.end);
  l.begin += start;
  l.end += start;
  for (uintptr_t at = l.begin & ~(WORD - 1); at < l.end; at += WORD)
    __atomic_fetch_or(&to->words[(at - start) / WORD],
                      *(const uint64_t *)at & mask_of(&l, at),
                      __ATOMIC_RELAXED);
  __atomic_fetch_add(&to->chunks, 1, __ATOMIC_RELAXED);
}

bool hp_content_look_live(const struct hp_chunk *chunk, uint64_t word,
                          struct hp_content *content) {
  return look_at(chunk, word, true, content);
}
