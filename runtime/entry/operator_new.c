/* operator_new.c - all forms of C++17's operators new and delete.
   In C, since the archive must also link into programs without a C++ library.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entry/operator_new.h"

#include <errno.h>

#include "chunk/plain.h"
#include "entry/replaced.h"
#include "system/exception_guard.h"
#include "system/message.h"

/* The forms that a program may replace are weak, and each form that C++ defines
   by another one calls that one if the program replaced it:

     new[](n, nothrow) -> new[](n) -> new(n) <- new(n, nothrow)
     delete[](p, n), delete[](p, nothrow) -> delete[](p) -> delete(p)
                        delete(p, n), delete(p, nothrow) -> delete(p)

   and the same among those with an alignment.

   Mangled: nw new, na new[], dl delete, da delete[]; m size, Pv pointer,
   St11align_val_t alignment, RKSt9nothrow_t nothrow.                         */

typedef const void *hp_nothrow;

#define HP_OPERATOR(result, mangled, name, ...)                                \
  HP_EXPORT result hp_##name(__VA_ARGS__);                                     \
  __attribute__((weak, alias("hp_" #name))) HP_EXPORT result name(             \
      __VA_ARGS__) __asm__(mangled);                                           \
  result hp_##name(__VA_ARGS__)

/* The C++ library, if there is one. */
typedef void hp_new_handler(void);
__attribute__((weak)) hp_new_handler *
hp_get_new_handler(void) __asm__("_ZSt15get_new_handlerv");
__attribute__((weak)) HP_NORETURN void
hp_throw_bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv");

/* The same, or it goes to malloc, which is replaced. */
#define HP_IS_ELSEWHERE(name)                                                  \
  (HP_UNLIKELY(hp_replaced_any) &&                                             \
   (&name != &hp_##name || hp_malloc_is_replaced()))

/* ---- new ----------------------------------------------------------------- */

static hp_new_handler *new_handler(void) {
  return hp_get_new_handler ? hp_get_new_handler() : NULL;
}

HP_COLD void *hp_entry_new_again(const struct hp_request *request) {
  for (;;) {
    hp_new_handler *handler = new_handler();
    if (!handler) {
      errno = ENOMEM;
      if (hp_throw_bad_alloc)
        hp_throw_bad_alloc();
      hp_sys_die("operator new: %zu bytes cannot be allocated, and there is "
                 "no C++ library to throw std::bad_alloc",
                 request->size);
    }
    handler();
    void *p = hp_entry_try_new(request);
    if (p)
      return p;
  }
}

static void call_handler(void *handler) { ((hp_new_handler *)handler)(); }

HP_COLD void *hp_entry_new_nothrow_again(const struct hp_request *request) {
  for (;;) {
    hp_new_handler *handler = new_handler();
    if (!handler || !hp_sys_call_guarded(call_handler, (void *)handler)) {
      errno = ENOMEM;
      return NULL;
    }
    void *p = hp_entry_try_new(request);
    if (p)
      return p;
  }
}

/* As C++ libraries do it by malloc, which is the program's.  Readers know the
   frame of the runtime by the beginning of its name. */
static HP_COLD void *__heapprof_new_by_malloc(size_t size, size_t alignment) {
  const size_t least = size ? size : 1;
  const size_t rounded = (least + alignment - 1) & ~(alignment - 1);
  for (;;) {
    void *p = alignment ? hp_replaced_aligned_alloc(alignment, rounded)
                        : hp_replaced_malloc(least);
    if (p)
      return p;
    hp_new_handler *handler = new_handler();
    if (!handler) {
      if (hp_throw_bad_alloc)
        hp_throw_bad_alloc();
      hp_sys_die("operator new: malloc of the program has no %zu bytes, and "
                 "there is no C++ library to throw std::bad_alloc",
                 size);
    }
    handler();
  }
}

/* A replaced throwing form called by a form that may not throw. */
struct hp_replaced_call {
  void *(*plain)(size_t size);
  void *(*aligned)(size_t size, size_t alignment);
  size_t size, alignment;
  void *result;
};

static void call_replaced(void *arg) {
  struct hp_replaced_call *call = arg;
  call->result = call->plain ? call->plain(call->size)
                             : call->aligned(call->size, call->alignment);
}

static HP_COLD void *replaced_or_null(struct hp_replaced_call call) {
  return hp_sys_call_guarded(call_replaced, &call) ? call.result : NULL;
}

#define HP_REQUEST(number, kind, power)                                        \
  (&(struct hp_request){.size = (number),                                      \
                        .alignment = (power),                                  \
                        .entry = (kind),                                       \
                        .caller = HP_CALLER()})

HP_OPERATOR(void *, "_Znwm", new, size_t size) {
  void *p = hp_plain_quick_if(hp_plain_in_operators, size, NULL);
  if (p)
    return p;
  if (HP_UNLIKELY(hp_replaced_any) && hp_malloc_is_replaced())
    return __heapprof_new_by_malloc(size, 0);
  return hp_entry_new(HP_REQUEST(size, HP_ENTRY_NEW, 0));
}

HP_OPERATOR(void *, "_Znam", new_array, size_t size) {
  void *p = hp_plain_quick_if(hp_plain_in_operators, size, NULL);
  if (p)
    return p;
  if (HP_IS_ELSEWHERE(new))
    return new(size);
  return hp_entry_new(HP_REQUEST(size, HP_ENTRY_NEW_ARRAY, 0));
}

HP_OPERATOR(void *, "_ZnwmRKSt9nothrow_t", new_nothrow, size_t size,
            hp_nothrow tag) {
  (void)tag;
  if (HP_IS_ELSEWHERE(new))
    return replaced_or_null(
        (struct hp_replaced_call){.plain = new, .size = size});
  return hp_entry_new_nothrow(HP_REQUEST(size, HP_ENTRY_NEW, 0));
}

HP_OPERATOR(void *, "_ZnamRKSt9nothrow_t", new_array_nothrow, size_t size,
            hp_nothrow tag) {
  (void)tag;
  if (HP_IS_REPLACED(new_array) || HP_IS_ELSEWHERE(new))
    return replaced_or_null(
        (struct hp_replaced_call){.plain = new_array, .size = size});
  return hp_entry_new_nothrow(HP_REQUEST(size, HP_ENTRY_NEW_ARRAY, 0));
}

HP_OPERATOR(void *, "_ZnwmSt11align_val_t", new_aligned, size_t size,
            size_t alignment) {
  if (HP_UNLIKELY(hp_replaced_any) && hp_malloc_is_replaced())
    return __heapprof_new_by_malloc(size, alignment);
  return hp_entry_new(HP_REQUEST(size, HP_ENTRY_NEW, alignment));
}

HP_OPERATOR(void *, "_ZnamSt11align_val_t", new_array_aligned, size_t size,
            size_t alignment) {
  if (HP_IS_ELSEWHERE(new_aligned))
    return new_aligned(size, alignment);
  return hp_entry_new(HP_REQUEST(size, HP_ENTRY_NEW_ARRAY, alignment));
}

HP_OPERATOR(void *, "_ZnwmSt11align_val_tRKSt9nothrow_t", new_aligned_nothrow,
            size_t size, size_t alignment, hp_nothrow tag) {
  (void)tag;
  if (HP_IS_ELSEWHERE(new_aligned))
    return replaced_or_null((struct hp_replaced_call){
        .aligned = new_aligned, .size = size, .alignment = alignment});
  return hp_entry_new_nothrow(HP_REQUEST(size, HP_ENTRY_NEW, alignment));
}

HP_OPERATOR(void *, "_ZnamSt11align_val_tRKSt9nothrow_t",
            new_array_aligned_nothrow, size_t size, size_t alignment,
            hp_nothrow tag) {
  (void)tag;
  if (HP_IS_REPLACED(new_array_aligned) || HP_IS_ELSEWHERE(new_aligned))
    return replaced_or_null((struct hp_replaced_call){
        .aligned = new_array_aligned, .size = size, .alignment = alignment});
  return hp_entry_new_nothrow(HP_REQUEST(size, HP_ENTRY_NEW_ARRAY, alignment));
}

/* ---- delete -------------------------------------------------------------- */

/* All forms jump here, and none of them has a frame of its own. */
static HP_NOINLINE void free_object(void *p) {
  if (hp_plain_quick_free_of(p, hp_plain_operator_classes))
    return;
  if (HP_UNLIKELY(hp_replaced_any) && hp_free_is_replaced()) {
    hp_replaced_free(p);
    return;
  }
  struct hp_caller caller = HP_CALLER();
  hp_entry_delete(p, &caller);
}

#define HP_FREE_UNLESS(name, p)                                                \
  do {                                                                         \
    if (HP_IS_REPLACED(name))                                                  \
      name(p);                                                                 \
    else                                                                       \
      free_object(p);                                                          \
  } while (false)

#define HP_FREE_ALIGNED_UNLESS(name, p, alignment)                             \
  do {                                                                         \
    if (HP_IS_REPLACED(name))                                                  \
      name(p, alignment);                                                      \
    else                                                                       \
      free_object(p);                                                          \
  } while (false)

HP_OPERATOR(void, "_ZdlPv", delete, void *p) { free_object(p); }

HP_OPERATOR(void, "_ZdaPv", delete_array, void *p) {
  HP_FREE_UNLESS(delete, p);
}

HP_OPERATOR(void, "_ZdlPvm", delete_sized, void *p, size_t size) {
  (void)size;
  HP_FREE_UNLESS(delete, p);
}

HP_OPERATOR(void, "_ZdaPvm", delete_array_sized, void *p, size_t size) {
  (void)size;
  if (HP_IS_REPLACED(delete_array))
    delete_array(p);
  else
    HP_FREE_UNLESS(delete, p);
}

HP_OPERATOR(void, "_ZdlPvRKSt9nothrow_t", delete_nothrow, void *p,
            hp_nothrow tag) {
  (void)tag;
  HP_FREE_UNLESS(delete, p);
}

HP_OPERATOR(void, "_ZdaPvRKSt9nothrow_t", delete_array_nothrow, void *p,
            hp_nothrow tag) {
  (void)tag;
  if (HP_IS_REPLACED(delete_array))
    delete_array(p);
  else
    HP_FREE_UNLESS(delete, p);
}

HP_OPERATOR(void, "_ZdlPvSt11align_val_t", delete_aligned, void *p,
            size_t alignment) {
  (void)alignment;
  free_object(p);
}

HP_OPERATOR(void, "_ZdaPvSt11align_val_t", delete_array_aligned, void *p,
            size_t alignment) {
  HP_FREE_ALIGNED_UNLESS(delete_aligned, p, alignment);
}

HP_OPERATOR(void, "_ZdlPvmSt11align_val_t", delete_sized_aligned, void *p,
            size_t size, size_t alignment) {
  (void)size;
  HP_FREE_ALIGNED_UNLESS(delete_aligned, p, alignment);
}

HP_OPERATOR(void, "_ZdaPvmSt11align_val_t", delete_array_sized_aligned, void *p,
            size_t size, size_t alignment) {
  (void)size;
  if (HP_IS_REPLACED(delete_array_aligned))
    delete_array_aligned(p, alignment);
  else
    HP_FREE_ALIGNED_UNLESS(delete_aligned, p, alignment);
}

HP_OPERATOR(void, "_ZdlPvSt11align_val_tRKSt9nothrow_t", delete_aligned_nothrow,
            void *p, size_t alignment, hp_nothrow tag) {
  (void)tag;
  HP_FREE_ALIGNED_UNLESS(delete_aligned, p, alignment);
}

HP_OPERATOR(void, "_ZdaPvSt11align_val_tRKSt9nothrow_t",
            delete_array_aligned_nothrow, void *p, size_t alignment,
            hp_nothrow tag) {
  (void)tag;
  if (HP_IS_REPLACED(delete_array_aligned))
    delete_array_aligned(p, alignment);
  else
    HP_FREE_ALIGNED_UNLESS(delete_aligned, p, alignment);
}

bool hp_operators_are_replaced(void) {
  return HP_DIFFERS(new) || HP_DIFFERS(new_array) || HP_DIFFERS(new_nothrow) ||
         HP_DIFFERS(new_array_nothrow) || HP_DIFFERS(new_aligned) ||
         HP_DIFFERS(new_array_aligned) || HP_DIFFERS(new_aligned_nothrow) ||
         HP_DIFFERS(new_array_aligned_nothrow) || HP_DIFFERS(delete) ||
         HP_DIFFERS(delete_array) || HP_DIFFERS(delete_aligned) ||
         HP_DIFFERS(delete_array_aligned);
}
