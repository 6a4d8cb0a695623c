// early_allocator.cpp - see early_allocator.h: sanitizer_common's allocator for
// what dlsym allocates, asked by name only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/early_allocator.h"

#include "sanitizer_common/sanitizer_allocator_dlsym.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __sanitizer;

namespace {
struct EarlyAllocator : DlSymAllocator<EarlyAllocator> {
  static bool UseImpl() { return true; }
};
} // namespace

extern "C" {

// The lock of sanitizer_common's allocator may be taken in a forked child.
static uptr early_chunks;

void *hp_early_allocate(size_t size, size_t alignment) {
  __atomic_fetch_add(&early_chunks, 1, __ATOMIC_RELAXED);
  void *p = EarlyAllocator::Allocate(size, alignment);
  internal_memset(p, 0, size);
  return p;
}

bool hp_early_owns(const void *p) {
  return __atomic_load_n(&early_chunks, __ATOMIC_RELAXED) &&
         EarlyAllocator::PointerIsMine(p);
}

size_t hp_early_size(const void *p) {
  return EarlyAllocator::GetSize(const_cast<void *>(p));
}

void hp_early_free(void *p) { EarlyAllocator::Free(p); }

} // extern "C"
