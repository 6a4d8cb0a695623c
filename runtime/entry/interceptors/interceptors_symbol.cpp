// interceptors_symbol.cpp - dlsym: who asks for the malloc behind his own gets
// ours, not libc's. So a program may wrap malloc, or a part of its kin, and all
// chunks are of one heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/platform.h"

#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/libc_ranges.h"
#include "entry/mallocx_family.h"
#include "system/symbol_lookup.h"

#include <dlfcn.h>

using namespace __sanitizer;

extern "C" {
void hp_malloc(), hp_calloc(), hp_free(), hp_realloc(), hp_reallocarray();
void hp_memalign(), hp_posix_memalign(), hp_valloc(), hp_pvalloc();
void hp_malloc_usable_size(), hp_malloc_trim(), hp_mallopt();
void hp_mallinfo(), hp_mallinfo2(), hp_malloc_stats(), hp_malloc_info();
}

struct hp_own_function {
  const char *name;
  void (*function)();
};
static const hp_own_function own_functions[] = {
    {"malloc", hp_malloc},
    {"calloc", hp_calloc},
    {"free", hp_free},
    {"cfree", hp_free},
    {"realloc", hp_realloc},
    {"reallocarray", hp_reallocarray},
    {"memalign", hp_memalign},
    {"aligned_alloc", hp_memalign},
    {"posix_memalign", hp_posix_memalign},
    {"valloc", hp_valloc},
    {"pvalloc", hp_pvalloc},
    {"malloc_usable_size", hp_malloc_usable_size},
    {"malloc_trim", hp_malloc_trim},
    {"mallopt", hp_mallopt},
    {"mallinfo", hp_mallinfo},
    {"mallinfo2", hp_mallinfo2},
    {"malloc_stats", hp_malloc_stats},
    {"malloc_info", hp_malloc_info},
};

// Ours of malloc's kin, by any of libc's names; NULL: NAME is none of these.
static void *own_function(const char *name) {
  const char prefix[] = "__libc_";
  if (internal_strncmp(name, prefix, sizeof prefix - 1) == 0)
    name += sizeof prefix - 1;
  for (const hp_own_function &own : own_functions)
    if (internal_strcmp(name, own.name) == 0)
      return reinterpret_cast<void *>(own.function);
  return nullptr;
}

// What was found as NAME behind HANDLE; ours if it is libc's.  Libraries that
// have a malloc of their own keep it, and so has dlmopen's second libc.
static void *ours_for_libcs(void *found, const char *name) {
  void *own = found ? own_function(name) : nullptr;
  return own && found == hp_symbol_of_libc(name) ? own : found;
}

__attribute__((weak)) void hp_intercept_mallocx(hp_dlsym **) {}

// RTLD_NEXT goes by the return address: hence the jumps.  It is looked up all
// the same where ours is given, so that dlerror() has nothing to say.
INTERCEPTOR(void *, dlsym, void *handle, const char *name) {
  HP_ENTER();
  hp_read_text(name, ~(size_t)0);
  if (HP_LIKELY(!name || !own_function(name)) || handle == RTLD_DEFAULT)
      __attribute__
    ((musttail)) return REAL(dlsym)(handle, name);
  if (handle != RTLD_NEXT)
    return ours_for_libcs(REAL(dlsym)(handle, name), name);
  return REAL(dlsym)(RTLD_DEFAULT, name) ? own_function(name) : nullptr;
}

INTERCEPTOR(void *, dlvsym, void *handle, const char *name,
            const char *version) {
  HP_ENTER();
  hp_read_text(name, ~(size_t)0);
  hp_read_text(version, ~(size_t)0);
  if (HP_LIKELY(!name || !own_function(name))) __attribute__
    ((musttail)) return REAL(dlvsym)(handle, name, version);
  if (handle !=
      RTLD_NEXT) // ours has no version, so that RTLD_DEFAULT finds libc's
    return ours_for_libcs(REAL(dlvsym)(handle, name, version), name);
  void *found = hp_symbol_next(name, version);
  if (!found) // with what dlerror() says then
      __attribute__
    ((musttail)) return REAL(dlvsym)(handle, name, version);
  return own_function(name);
}

void hp_intercept_symbols(void) {
  INTERCEPT_FUNCTION(dlsym);
  hp_intercept_mallocx(&REAL(dlsym));
  INTERCEPT_FUNCTION(dlvsym);
}
