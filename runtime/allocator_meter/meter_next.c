/* meter_next.c - see meter_next.h: dlsym(RTLD_NEXT).
   The first call comes before there is a second thread.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocator_meter/meter_next.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#define EARLY_BYTES 65536u
#define EARLY_HEAD 16u /* a chunk's size stands before it */

struct hp_next hp_next;
static enum { NOT_YET, LOOKING, READY } state;
static _Alignas(64) unsigned char early[EARLY_BYTES];
static size_t early_used;

static void look_up(void *member, const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(member, &found, sizeof found);
}

/* FORM with what follows its first three letters, _Zn, of new and of new[]. */
static void look_up_two(void *members, const char *form, const char *of_array) {
  look_up(members, form);
  look_up((char *)members + sizeof(void *), of_array);
}

static void look_up_operators(void) {
  look_up_two(hp_next.new_plain, "_Znwm", "_Znam");
  look_up_two(hp_next.new_nothrow, "_ZnwmRKSt9nothrow_t",
              "_ZnamRKSt9nothrow_t");
  look_up_two(hp_next.new_aligned, "_ZnwmSt11align_val_t",
              "_ZnamSt11align_val_t");
  look_up_two(hp_next.new_aligned_nothrow, "_ZnwmSt11align_val_tRKSt9nothrow_t",
              "_ZnamSt11align_val_tRKSt9nothrow_t");
  look_up_two(hp_next.delete_plain, "_ZdlPv", "_ZdaPv");
  look_up_two(hp_next.delete_sized, "_ZdlPvm", "_ZdaPvm");
  look_up_two(hp_next.delete_nothrow, "_ZdlPvRKSt9nothrow_t",
              "_ZdaPvRKSt9nothrow_t");
  look_up_two(hp_next.delete_aligned, "_ZdlPvSt11align_val_t",
              "_ZdaPvSt11align_val_t");
  look_up_two(hp_next.delete_sized_aligned, "_ZdlPvmSt11align_val_t",
              "_ZdaPvmSt11align_val_t");
  look_up_two(hp_next.delete_aligned_nothrow,
              "_ZdlPvSt11align_val_tRKSt9nothrow_t",
              "_ZdaPvSt11align_val_tRKSt9nothrow_t");
}

bool hp_next_ready(void) {
  if (state != NOT_YET)
    return state == READY;
  state = LOOKING;
  look_up(&hp_next.malloc, "malloc");
  look_up(&hp_next.free, "free");
  look_up(&hp_next.calloc, "calloc");
  look_up(&hp_next.realloc, "realloc");
  look_up(&hp_next.reallocarray, "reallocarray");
  look_up(&hp_next.aligned_alloc, "aligned_alloc");
  look_up(&hp_next.memalign, "memalign");
  look_up(&hp_next.posix_memalign, "posix_memalign");
  look_up(&hp_next.valloc, "valloc");
  look_up(&hp_next.pvalloc, "pvalloc");
  look_up(&hp_next.malloc_usable_size, "malloc_usable_size");
  look_up(&hp_next.mallinfo2, "mallinfo2");
  look_up(&hp_next.malloc_info, "malloc_info");
  look_up_operators();
  state = READY;
  return true;
}

const char *hp_next_library(void) {
  Dl_info info;
  void *address;
  memcpy(&address, &hp_next.malloc, sizeof address);
  return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}

void *hp_early_take(size_t size, size_t alignment) {
  if (alignment < EARLY_HEAD)
    alignment = EARLY_HEAD;
  if (size > EARLY_BYTES || alignment > EARLY_BYTES)
    return NULL;
  size_t at = (early_used + EARLY_HEAD + alignment - 1) / alignment * alignment;
  if (at + size > EARLY_BYTES)
    return NULL;
  memcpy(early + at - sizeof size, &size, sizeof size);
  early_used = at + size;
  return early + at;
}

bool hp_early_has(const void *chunk) {
  return (uintptr_t)chunk - (uintptr_t)early < EARLY_BYTES;
}

size_t hp_early_size(const void *chunk) {
  size_t size;
  memcpy(&size, (const char *)chunk - sizeof size, sizeof size);
  return size;
}
