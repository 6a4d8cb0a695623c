/* platform.h - words the whole runtime shares, and the caller's frame.
   No libc header with functions: the runtime may not call malloc or stdio.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PLATFORM_H
#define HP_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HP_LIKELY(x) __builtin_expect(!!(x), 1)
#define HP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define HP_NOINLINE __attribute__((noinline))
#define HP_NORETURN __attribute__((noreturn))
/* Of what a program in assembly may call with a stack that is 8 bytes off, as libc's
   function of that name does not notice. */
#define HP_ALIGNS_STACK __attribute__((force_align_arg_pointer))
#define HP_COLD __attribute__((noinline, cold))
/* The function saves what registers it uses, so that a caller that rarely comes
   to it need not.  Other compilers build the runtime for tests. */
#ifdef __clang__
#define HP_PRESERVE_MOST __attribute__((preserve_most))
#else
#define HP_PRESERVE_MOST
#endif
#define HP_INLINE static inline __attribute__((always_inline))
/* Of a function that is called at several places, and seldom runs but in programs
   without hooks: it is written once, and at each of them in the library that is
   preloaded, for which such files are compiled once more. */
#ifdef HEAPPROF_PRELOADED
#define HP_ONCE inline __attribute__((always_inline))
#else
#define HP_ONCE HP_NOINLINE
#endif
#define HP_EXPORT __attribute__((visibility("default")))
/* Data that other files of the runtime read at each allocation: the flag that
   hides all the rest is one for definitions, and declarations without this are
   reached by way of a table. */
#define HP_HIDDEN __attribute__((visibility("hidden")))
/* Data that instrumented code of any module uses: no other definition than the
   runtime's can win, so that its own code reaches it directly. */
#define HP_SHARED __attribute__((visibility("protected")))
/* The runtime is linked into executables only, so its thread-local variables
   lie in the static block; general-dynamic access could call malloc. */
#define HP_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))
#define HP_CACHE_LINE 64

/* Where an allocation function was called from: the registers of the caller as
   they will be when the call returns.  Every entry point of the allocator
   takes them itself, in its outermost frame. */
struct hp_type_descriptor; /* hook_abi.h */
struct hp_caller {
  uintptr_t pc; /* return address */
  uintptr_t bp; /* frame pointer of the caller */
  uintptr_t sp; /* stack pointer of the caller */
  /* What it says that it allocates; NULL: nothing. */
  struct hp_type_descriptor *type;
};

/* Gives the function that asks a frame pointer; others here have none. */
#define HP_CALLER() HP_TYPED_CALLER(NULL)
#define HP_TYPED_CALLER(descriptor)                                            \
  ((struct hp_caller){(uintptr_t)__builtin_return_address(0),                  \
                      *(const uintptr_t *)__builtin_frame_address(0),          \
                      (uintptr_t)__builtin_frame_address(0) +                  \
                          2 * sizeof(uintptr_t),                               \
                      (descriptor)})

HP_INLINE uint64_t hp_add_saturated(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* A lock that may be taken before libc is ready and around fork. */
#ifdef __cplusplus
extern "C" {
#endif
struct hp_lock {
  uint32_t state; /* 0 free, 1 taken, 2 taken and waited for */
};
void hp_lock_take(struct hp_lock *lock);
bool hp_lock_try(struct hp_lock *lock); /* false: it is taken */
void hp_lock_release(struct hp_lock *lock);

/* Who waits for a lock calls LOOK from time to time. */
void hp_lock_when_long(void (*look)(void));

/* The same for a lock that an allocation may need.  A handler that allocates
   could wait for ever for what it interrupted, so once the program has handlers
   all signals are held back.  TAKE returns what RELEASE needs. */
uint64_t hp_lock_take_held(struct hp_lock *lock);
void hp_lock_release_held(struct hp_lock *lock, uint64_t mask);

/* For a handler of the runtime's that would end the process: whether the thread has
   such a lock with signals let in.  Then no signal of MASK, which is the thread's
   when the handler returns, is let in before all are released. */
bool hp_lock_hold_back(uint64_t *mask);

/* The program is about to have a handler.  True: the first one; who took a lock
   before may still have it with signals let in. */
bool hp_lock_expect_handlers(void);
#ifdef __cplusplus
}
#endif

#endif
