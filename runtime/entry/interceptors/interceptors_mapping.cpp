// interceptors_mapping.cpp - the program maps memory itself: by which call stack.
// What libc maps for itself, and raw system calls, do not come here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chunk/mapping.h"
#include "system/platform.h"

#include "entry/interceptors/libc_ranges.h"

#include <sys/types.h>

// <sys/mman.h> declares mremap as one of a varying number of arguments; all five
// are handed on as they came.
namespace {
const int kShared = 1, kFixed = 16, kAnonymous = 32,
          kNoReplace = 0x100000;                    // MAP_*
const int kRemapFixed = 2, kDontUnmap = 4;          // MREMAP_*
void *const kFailed = reinterpret_cast<void *>(-1); // MAP_FAILED
} // namespace

static unsigned kind_of(int protection, int flags) {
  return (flags & kAnonymous ? 0 : HP_MAPPING_FILE) |
         (flags & kShared ? HP_MAPPING_SHARED : 0) |
         (protection ? 0 : HP_MAPPING_RESERVED);
}

static void count(enum hp_mapped_total which, bool done) {
  hp_mapping_count(which);
  if (!done)
    hp_mapping_count(HP_MAPPED_failed);
}

// ---- mmap and munmap -------------------------------------------------------

#define HP_MMAP(name, offset_type)                                             \
  INTERCEPTOR(void *, name, void *at, size_t size, int protection, int flags,  \
              int fd, offset_type offset) {                                    \
    const struct hp_caller caller = HP_CALLER();                               \
    HP_ENTER();                                                                \
    struct hp_mapping_list there = {0, 0};                                     \
    if (flags & kFixed)                                                        \
      there = hp_mapping_end(at, size);                                        \
    if (!(flags & (kFixed | kNoReplace)))                                      \
      at = hp_mapping_hint(at);                                                \
    void *const p = REAL(name)(at, size, protection, flags, fd, offset);       \
    const bool done = p != kFailed;                                            \
    hp_mapping_ended(there, done);                                             \
    count(HP_MAPPED_maps, done);                                               \
    if (done)                                                                  \
      hp_mapping_begin(p, size, HP_MAPPER_MMAP, kind_of(protection, flags),    \
                       &caller);                                               \
    return p;                                                                  \
  }
HP_MMAP(mmap, off_t)
HP_MMAP(mmap64, off64_t)

INTERCEPTOR(int, munmap, void *p, size_t size) {
  HP_ENTER();
  const struct hp_mapping_list there = hp_mapping_end(p, size);
  const int result = REAL(munmap)(p, size);
  hp_mapping_ended(there, result == 0);
  count(HP_MAPPED_unmaps, result == 0);
  return result;
}

// ---- mremap ----------------------------------------------------------------

// What is moved ends, and begins where it is now, as a chunk does by realloc.
// Shared pages of which 0 bytes are moved are there twice then.
INTERCEPTOR(void *, mremap, void *old, size_t old_size, size_t size, int flags,
            void *at) {
  const struct hp_caller caller = HP_CALLER();
  HP_ENTER();
  struct hp_mapping_list moved = {0, 0}, there = {0, 0};
  const unsigned kind = hp_mapping_kind_at(old);
  if (!(flags & kDontUnmap))
    moved = hp_mapping_end(old, old_size);
  if (flags & kRemapFixed)
    there = hp_mapping_end(at, size);
  void *const p = REAL(mremap)(old, old_size, size, flags, at);
  const bool done = p != kFailed;
  hp_mapping_ended(there, done);
  hp_mapping_ended(moved, done);
  count(HP_MAPPED_remaps, done);
  if (done)
    hp_mapping_begin(p, size, HP_MAPPER_MREMAP, kind, &caller);
  return p;
}

// ---- brk -------------------------------------------------------------------

static uintptr_t page_behind(const void *p) {
  return ((uintptr_t)p + 4095) & ~(uintptr_t)4095;
}

// The kernel maps whole pages: many a small step maps none.
static void moved_break(const void *before, const void *now,
                        enum hp_mapper function,
                        const struct hp_caller *caller) {
  const uintptr_t from = page_behind(before), to = page_behind(now);
  if (to > from)
    hp_mapping_begin((const void *)from, to - from, function, 0, caller);
  else if (to < from)
    hp_mapping_ended(hp_mapping_end((const void *)to, from - to), true);
}

INTERCEPTOR(void *, sbrk, intptr_t more) {
  const struct hp_caller caller = HP_CALLER();
  HP_ENTER();
  void *const before = REAL(sbrk)(more);
  if (more == 0)
    return before;
  count(HP_MAPPED_breaks, before != kFailed);
  if (before != kFailed)
    moved_break(before, static_cast<char *>(before) + more, HP_MAPPER_SBRK,
                &caller);
  return before;
}

INTERCEPTOR(int, brk, void *at) {
  const struct hp_caller caller = HP_CALLER();
  HP_ENTER();
  const void *const before = REAL(sbrk)(0);
  const int result = REAL(brk)(at);
  count(HP_MAPPED_breaks, result == 0);
  if (result == 0)
    moved_break(before, REAL(sbrk)(0), HP_MAPPER_BRK, &caller);
  return result;
}

void hp_intercept_mappings(void) {
  INTERCEPT_FUNCTION(mmap);
  INTERCEPT_FUNCTION(mmap64);
  INTERCEPT_FUNCTION(munmap);
  INTERCEPT_FUNCTION(mremap);
  INTERCEPT_FUNCTION(sbrk);
  INTERCEPT_FUNCTION(brk);
}
