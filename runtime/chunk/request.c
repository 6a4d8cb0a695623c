/* request.c - see request.h: counts of the window, and one message.
   Called where the program goes wrong, or memory ends.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/request.h"

#include "chunk/window_totals.h"
#include "heap/chunk.h"
#include "system/message.h"

bool hp_access_hooked = true;
bool hp_access_began_unhooked;
bool hp_recording;
bool hp_allocate_asks;

static uint64_t failed_requests, failed_bytes, invalid_frees, unrecorded_frees;

void hp_count_failed(size_t size) {
  __atomic_fetch_add(&failed_requests, 1, __ATOMIC_RELAXED);
  uint64_t bytes = __atomic_load_n(&failed_bytes, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&failed_bytes, &bytes,
                                      hp_add_saturated(bytes, size), true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

HP_COLD void hp_count_unrecorded_free(void) {
  __atomic_fetch_add(&unrecorded_frees, 1, __ATOMIC_RELAXED);
}

HP_COLD void hp_report_invalid(const void *p, const char *what,
                               const struct hp_caller *caller) {
  __atomic_fetch_add(&invalid_frees, 1, __ATOMIC_RELAXED);
  hp_sys_warn_with_stack(caller,
                         "%s of %p, which is no live heap chunk (freed "
                         "before, or never allocated); ignored",
                         what, p);
}

void hp_requests_start_window(void) {
  failed_requests = failed_bytes = invalid_frees = unrecorded_frees = 0;
}

void hp_request_totals(struct hp_dump_totals *totals) {
  totals->failed_requests = failed_requests;
  totals->failed_bytes = failed_bytes;
  totals->invalid_frees = invalid_frees;
  totals->unrecorded_frees = unrecorded_frees;
}
