/* joining.h - one cause is one finding, however many lines and rules tell of it.
   Verdicts are put together before they are ranked, and findings after.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_JOINING_H
#define HP_JOINING_H

#include "base/store.h"
#include "finding/finding_verdict.h"

/* Lines of one function with the same fault, such as arrays that grow side by
   side, become one verdict; *COUNT falls.  False without memory: VERDICTS are
   whole, and some were not joined. */
bool hp_join_lines(struct hp_verdict *verdicts, size_t *count);

/* Of the first *LARGE, which are ranked and have texts: what is said of one line
   or of the same points by several rules is told with the first of them. */
bool hp_join_rules(struct hp_verdict *verdicts, size_t *count, size_t *large,
                   struct hp_store *store);

#endif
