/* growth.c - see growth.h.
   What a run copied is what a reserve of its last size would have saved.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "growth.h"

void hp_growth_end_run(struct hp_growth_runs *r) {
  if (r->run_length < HP_GROWING_RUN)
    return;
  r->chunks += r->run_length;
  r->bytes =
      hp_add_saturated(r->bytes, hp_add_saturated(r->run_copied, r->run_last));
  if (r->run_length > r->length ||
      (r->run_length == r->length && r->run_copied > r->copied)) {
    r->length = r->run_length;
    r->first = r->run_first;
    r->last = r->run_last;
    r->copied = r->run_copied;
  }
}

void hp_growth_go_on(struct hp_growth_runs *r, uint64_t size) {
  if (size == 0)
    return;
  if (r->run_length && size > r->run_last) {
    r->run_copied = hp_add_saturated(r->run_copied, r->run_last);
    r->run_last = size;
    r->run_length++;
    return;
  }
  hp_growth_end_run(r);
  r->run_length = 1;
  r->run_first = r->run_last = size;
  r->run_copied = 0;
}
