/* real_libc.h - functions of libc as they are without our interceptors.
   The interceptors, which look them up, say what they found.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REAL_LIBC_H
#define HP_REAL_LIBC_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sigaction;

/* Each is libc's once it is found: before that memory's are sanitizer_common's,
   and the others NULL. */
struct hp_real_libc {
  void *(*memcpy)(void *to, const void *from, size_t n);
  void *(*memmove)(void *to, const void *from, size_t n);
  void *(*memset)(void *p, int value, size_t n);
  int (*memcmp)(const void *a, const void *b, size_t n);
  int (*sigaction)(int number, const struct sigaction *act,
                   struct sigaction *old);
  int (*sigaltstack)(const void *stack, void *old); /* take and fill stack_t */
  int (*clock_gettime)(uint32_t clock, void *time);
};
extern HP_HIDDEN struct hp_real_libc hp_real_libc;

/* Memory's and the clock's from libc itself, not from a library in front of it:
   that may use thread-local variables, of which the runtime's threads have none,
   and its clock may show what the program is to believe. */
void hp_real_libc_find(void);

/* Calls of these, with names that no compiler takes for libc's own. */
void *hp_real_memcpy(void *to, const void *from, size_t n);
void *hp_real_memmove(void *to, const void *from, size_t n);
void *hp_real_memset(void *p, int value, size_t n);
int hp_real_memcmp(const void *a, const void *b, size_t n);
int hp_real_sigaction(int number, const struct sigaction *act,
                      struct sigaction *old);
int hp_real_sigaltstack(const void *stack, void *old);

#ifdef __cplusplus
}
#endif
#endif
