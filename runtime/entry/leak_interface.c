/* leak_interface.c - the functions of sanitizer/lsan_interface.h: what a program
   says of its leaks.  Each keeps errno.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/leak_hint.h"
#include "process/own_profile.h"

/* A program that is built without a sanitizer may define them itself. */
#define HP_WEAK_EXPORT HP_EXPORT __attribute__((weak))
HP_WEAK_EXPORT void __lsan_disable(void);
HP_WEAK_EXPORT void __lsan_enable(void);
HP_WEAK_EXPORT void __lsan_ignore_object(const void *p);
HP_WEAK_EXPORT void __lsan_register_root_region(const void *p, size_t size);
HP_WEAK_EXPORT void __lsan_unregister_root_region(const void *p, size_t size);
HP_WEAK_EXPORT void __lsan_do_leak_check(void);
HP_WEAK_EXPORT int __lsan_do_recoverable_leak_check(void);

void __lsan_disable(void) {
  if (hp_profile_is_ours())
    hp_leak_hint_disable();
}

void __lsan_enable(void) { hp_leak_hint_enable(); }

void __lsan_ignore_object(const void *p) {
  if (hp_profile_is_ours() && p)
    hp_leak_hint_ignore(p);
}

void __lsan_register_root_region(const void *p, size_t size) {
  if (hp_profile_is_ours() && size)
    hp_leak_hint_add_roots(p, size);
}

void __lsan_unregister_root_region(const void *p, size_t size) {
  if (size)
    hp_leak_hint_remove_roots(p, size);
}

/* Leaks are looked for when the process ends, and told of by the tools. */
void __lsan_do_leak_check(void) {}
int __lsan_do_recoverable_leak_check(void) { return 0; }
