/* mallocx_family.c - jemalloc's own functions, which give the chunks that malloc gives: a program frees those of one by the other.
   In the preloaded library alone.  What mallctl is asked, jemalloc tells of itself, but where a chunk of ours would be looked for.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "entry/mallocx_family.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "chunk/beside.h"
#include "entry/entry.h"
#include "entry/foreign_malloc.h"
#include "entry/start.h"
#include "heap/beside_table.h"
#include "system/early_allocator.h"
#include "system/real_libc.h"
#include "system/symbol_lookup.h"

/* The version is of this library, and hidden: calls that are linked find these names
   here first, and dlsym does not.  So a program that has it ask whether jemalloc is
   there hears what is so; interceptors_symbol.cpp gives it ours then. */
#define FAMILY(result, name, ...)                                              \
  HP_EXPORT result hp_##name(__VA_ARGS__);                                     \
  __asm__(".symver hp_" #name ", " #name "@HEAPPROF_PRELOAD");                 \
  result hp_##name(__VA_ARGS__)

/* Flags: of the alignment the power of two, and above it numbers of a cache, which
   means nothing here, and of an arena, both 0 for none. */
#define ALIGNMENT_BITS 0x3f
#define ZERO 0x40
#define ARENA_SHIFT 20
#define ARENAS 4096

static size_t alignment_of(int flags) {
  return (size_t)1 << (flags & ALIGNMENT_BITS);
}

static bool is(const char *text, const char *name) {
  while (*name && *text == *name)
    text++, name++;
  return *text == *name;
}

/* ---- theirs -------------------------------------------------------------- */

/* NULL: there is none. */
#define THEIRS(result, name, ...)                                              \
  static result (*their_##name(void))(__VA_ARGS__) {                           \
    static void *cache;                                                        \
    return (result (*)(__VA_ARGS__))hp_foreign_find(#name, &cache);            \
  }
THEIRS(void *, mallocx, size_t, int)
THEIRS(void *, rallocx, void *, size_t, int)
THEIRS(size_t, xallocx, void *, size_t, size_t, int)
THEIRS(size_t, sallocx, const void *, int)
THEIRS(void, dallocx, void *, int)
THEIRS(size_t, nallocx, size_t, int)
THEIRS(int, mallctl, const char *, void *, size_t *, void *, size_t)
THEIRS(int, mallctlnametomib, const char *, size_t *, size_t *)

static void *extent_hooks_of(unsigned arena) {
  char name[] = "arena.0000.extent_hooks";
  void *hooks = NULL;
  size_t size = sizeof hooks;
  int (*theirs)(const char *, void *, size_t *, void *, size_t) =
      their_mallctl();
  for (unsigned i = 0; i < 4; i++, arena /= 10)
    name[sizeof "arena.0000" - 2 - i] = (char)('0' + arena % 10);
  if (theirs)
    HP_ASK_FOREIGN(theirs(name, &hooks, &size, NULL, 0));
  return hooks;
}

/* An arena that takes its memory where the program says: there it is to lie.  Arena 0
   is one as all are. */
static bool is_placed(int flags) {
  static uint8_t seen[ARENAS]; /* 0: not yet; 1 + whether it is one */
  const unsigned number = (unsigned)flags >> ARENA_SHIFT;
  if (HP_LIKELY(!number))
    return false;
  uint8_t *known = &seen[number - 1];
  if (!__atomic_load_n(known, __ATOMIC_RELAXED))
    __atomic_store_n(known,
                     1 + (extent_hooks_of(number - 1) != extent_hooks_of(0)),
                     __ATOMIC_RELAXED);
  return *known == 2;
}

/* Whose chunk P is: theirs, if it is nothing of ours. */
static bool is_theirs(const void *p) {
  return HP_UNLIKELY(hp_start_is_others()) ||
         (HP_UNLIKELY(hp_entry_is_elsewhere(p)) && !hp_beside &&
          !hp_early_owns(p));
}

/* ---- where the allocator, or all of malloc, is theirs --------------------- */

/* Of what has no such functions, but malloc. */
static void *new_of_others(size_t size, int flags) {
  void *(*theirs)(size_t, int) = their_mallocx();
  void *p = NULL;
  if (theirs)
    HP_ASK_FOREIGN(p = theirs(size, flags));
  else if ((p = memalign(alignment_of(flags), size)) && flags & ZERO)
    hp_real_memset(p, 0, size);
  return p;
}

static void *resized_of_others(void *p, size_t size, int flags) {
  void *(*theirs)(void *, size_t, int) = their_rallocx();
  void *moved = NULL;
  if (theirs)
    HP_ASK_FOREIGN(moved = theirs(p, size, flags));
  else
    moved = realloc(p, size);
  return moved;
}

static size_t size_of_others(const void *p, int flags) {
  size_t (*theirs)(const void *, int) = their_sallocx();
  size_t size = 0;
  if (theirs)
    HP_ASK_FOREIGN(size = theirs(p, flags));
  else
    size = malloc_usable_size((void *)p);
  return size;
}

static size_t grown_of_others(void *p, size_t size, size_t extra, int flags) {
  size_t (*theirs)(void *, size_t, size_t, int) = their_xallocx();
  size_t grown = 0;
  if (theirs)
    HP_ASK_FOREIGN(grown = theirs(p, size, extra, flags));
  else
    grown = size_of_others(p, flags);
  return grown;
}

static void free_of_others(void *p, int flags) {
  void (*theirs)(void *, int) = their_dallocx();
  if (theirs)
    HP_ASK_FOREIGN(theirs(p, flags));
  else
    free(p);
}

static void *ask_new(void *p, const struct hp_request *request, int flags) {
  (void)p;
  return new_of_others(request->size, flags);
}

static void *ask_resized(void *p, const struct hp_request *request, int flags) {
  return resized_of_others(p, request->size, flags);
}

static void *ask_same(void *p, const struct hp_request *request, int flags) {
  (void)request, (void)flags;
  return p;
}

static void *ask_none(void *p, const struct hp_request *request, int flags) {
  (void)request;
  free_of_others(p, flags);
  return NULL;
}

/* ---- what programs call --------------------------------------------------- */

size_t hp_malloc_usable_size(void *p);

static struct hp_request request_of(size_t size, int flags, enum hp_entry entry,
                                    const struct hp_caller *caller) {
  const size_t alignment = alignment_of(flags);
  if (entry == HP_ENTRY_MALLOC && alignment > 16)
    entry = HP_ENTRY_ALIGNED;
  else if (entry == HP_ENTRY_MALLOC && flags & ZERO)
    entry = HP_ENTRY_CALLOC;
  return (struct hp_request){.size = size,
                             .alignment = alignment > 16 ? alignment : 0,
                             .zeroed = (flags & ZERO) != 0,
                             .entry = entry,
                             .caller = *caller};
}

FAMILY(void *, mallocx, size_t size, int flags) {
  const struct hp_caller caller = HP_CALLER();
  const struct hp_request request =
      request_of(size, flags, HP_ENTRY_MALLOC, &caller);
  if (HP_UNLIKELY(hp_beside))
    return hp_beside_allocate_by(ask_new, &request, flags);
  if (HP_UNLIKELY(hp_start_is_others()) || HP_UNLIKELY(is_placed(flags)))
    return new_of_others(size, flags);
  return hp_entry_allocate(&request);
}

/* No function resizes to an alignment. */
static void *move_aligned(void *p, size_t old,
                          const struct hp_request *request) {
  void *moved = hp_entry_allocate(request);
  if (!moved)
    return NULL;
  hp_real_memcpy(moved, p, old < request->size ? old : request->size);
  hp_entry_free(p, &request->caller);
  return moved;
}

/* A size of 0 is none that it may have, and no free. */
FAMILY(void *, rallocx, void *p, size_t size, int flags) {
  const struct hp_caller caller = HP_CALLER();
  const struct hp_request request =
      request_of(size ? size : 1, flags, HP_ENTRY_REALLOC, &caller);
  if (HP_UNLIKELY(is_theirs(p)))
    return resized_of_others(p, size, flags);
  if (HP_UNLIKELY(hp_beside) && !hp_early_owns(p))
    return hp_beside_reallocate_by(ask_resized, p, &request, flags);
  const int saved = errno;
  const size_t old = hp_malloc_usable_size(p);
  void *moved = request.alignment ? move_aligned(p, old, &request)
                                  : hp_entry_realloc(p, request.size, &caller);
  if (moved && flags & ZERO && size > old)
    hp_real_memset((char *)moved + old, 0, size - old);
  errno = saved; /* which the others set */
  return moved;
}

/* The chunk at P stayed, and its ALL bytes, BEFORE it, are those of one of up to MOST: as
   a realloc, if that is what it became. */
static void note_resized(void *p, size_t before, size_t all, size_t most,
                         const struct hp_caller *caller) {
  const struct hp_chunk *old = hp_beside_find((uintptr_t)p);
  const struct hp_request request = {.size = all < most ? all : most,
                                     .entry = HP_ENTRY_REALLOC,
                                     .caller = *caller};
  if (old && (all != before || request.size > hp_chunk_size(old)))
    hp_beside_reallocate_by(ask_same, p, &request, 0);
}

/* Up to EXTRA more than SIZE, but only where it is.  Ours stay as they are, which is an
   answer that every caller expects. */
FAMILY(size_t, xallocx, void *p, size_t size, size_t extra, int flags) {
  const struct hp_caller caller = HP_CALLER();
  const bool beside = hp_beside && !hp_early_owns(p);
  if (HP_LIKELY(!beside) && HP_LIKELY(!is_theirs(p)))
    return hp_malloc_usable_size(p);
  const size_t before = beside ? size_of_others(p, flags) : 0;
  const size_t all = grown_of_others(p, size, extra, flags);
  if (beside && all >= size)
    note_resized(p, before, all,
                 size > SIZE_MAX - extra ? SIZE_MAX : size + extra, &caller);
  return all;
}

FAMILY(size_t, sallocx, const void *p, int flags) {
  if (HP_UNLIKELY(is_theirs(p)) || (hp_beside && !hp_early_owns(p)))
    return size_of_others(p, flags);
  return hp_malloc_usable_size((void *)p);
}

HP_INLINE void deallocate(void *p, int flags, const struct hp_caller *caller) {
  if (HP_UNLIKELY(is_theirs(p)))
    free_of_others(p, flags);
  else if (HP_UNLIKELY(hp_beside) && !hp_early_owns(p))
    hp_beside_free_by(ask_none, p, caller, flags);
  else
    hp_entry_free(p, caller);
}

FAMILY(void, dallocx, void *p, int flags) {
  const struct hp_caller caller = HP_CALLER();
  deallocate(p, flags, &caller);
}

FAMILY(void, sdallocx, void *p, size_t size, int flags) {
  const struct hp_caller caller = HP_CALLER();
  (void)size; /* to be found sooner, elsewhere */
  deallocate(p, flags, &caller);
}

/* What sallocx would say; 0: mallocx would give nothing. */
FAMILY(size_t, nallocx, size_t size, int flags) {
  if (hp_beside || HP_UNLIKELY(hp_start_is_others()) || is_placed(flags)) {
    size_t (*theirs)(size_t, int) = their_nallocx();
    if (theirs)
      HP_ASK_FOREIGN(size = theirs(size, flags));
    return size;
  }
  return size <= hp_allocator_max_size() ? size : 0;
}

/* ---- questions ------------------------------------------------------------- */

/* It would be looked for in tables where only its own are. */
static bool asks_of_chunk(const char *name) {
  static const char *const names[] = {"arenas.lookup",
                                      "experimental.utilization.query",
                                      "experimental.utilization.batch_query"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is(name, names[i]))
      return !hp_beside && !hp_start_is_others();
  return false;
}

static bool has_ours(void *const *list, size_t bytes) {
  for (size_t i = 0; list && i < bytes / sizeof *list; i++)
    if (!is_theirs(list[i]))
      return true;
  return false;
}

/* Where there is no jemalloc nothing is known, and who does not look at the result
   finds 0. */
FAMILY(int, mallctl, const char *name, void *old, size_t *size, void *new,
       size_t bytes) {
  int (*theirs)(const char *, void *, size_t *, void *, size_t) =
      their_mallctl();
  int result = ENOENT;
  if (theirs && asks_of_chunk(name) && has_ours(new, bytes))
    return EINVAL; /* as of any place that is no chunk's */
  if (theirs)
    HP_ASK_FOREIGN(result = theirs(name, old, size, new, bytes));
  else if (old && size)
    hp_real_memset(old, 0, *size);
  return result;
}

/* For mallctlbymib, which is theirs: it has no name by which to tell the questions. */
FAMILY(int, mallctlnametomib, const char *name, size_t *mib, size_t *length) {
  int (*theirs)(const char *, size_t *, size_t *) = their_mallctlnametomib();
  int result = ENOENT;
  if (theirs && !asks_of_chunk(name))
    HP_ASK_FOREIGN(result = theirs(name, mib, length));
  return result;
}

/* ---- dlsym ----------------------------------------------------------------- */

static void *ours_of(const char *name) {
#define OURS(function)                                                         \
  {                                                                            \
    #function, (void *)hp_##function                                           \
  }
  static const struct {
    const char *name;
    void *function;
  } family[] = {OURS(mallocx), OURS(rallocx), OURS(xallocx),
                OURS(sallocx), OURS(dallocx), OURS(sdallocx),
                OURS(nallocx), OURS(mallctl), OURS(mallctlnametomib)};
  for (size_t i = 0; i < sizeof family / sizeof *family; i++)
    if (is(name, family[i].name))
      return family[i].function;
  return NULL;
}

static hp_dlsym *real_dlsym;

/* Where jemalloc is; but of a handle it is the library's own, as its malloc is.  The real
   one goes by its return address: hence the jump. */
static void *find(void *handle, const char *name) {
  void *ours =
      !hp_beside && name && (handle == RTLD_DEFAULT || handle == RTLD_NEXT)
          ? ours_of(name)
          : NULL;
  if (ours && !hp_start_is_others() && hp_symbol_beside_libc(name))
    return ours;
  __attribute__((musttail)) return real_dlsym(handle, name);
}

void hp_intercept_mallocx(hp_dlsym **dlsym) {
  real_dlsym = *dlsym;
  *dlsym = find;
}
