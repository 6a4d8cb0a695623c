/* aggregate_fixture.h - a dump of one point whose aggregates are changed in one field.
   Opens it, or requires that reading refuses it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_FIXTURE_H
#define HP_AGGREGATE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dump_builder.h"
#include "heapprof.h"

enum { NUMBERS = 66 };

struct field {
  unsigned tag;
  size_t count;
  uint64_t numbers[NUMBERS];
};

/* What is changed of the file, each NULL: nothing. */
struct changes {
  const struct field *point, *interval, *freed, *mapping, *global, *totals;
  uint32_t points;   /* records; 0: 1 */
  uint32_t frees;    /* the same */
  uint32_t mappings; /* the same */
  uint32_t globals;  /* the same */
  bool has_end;      /* the file end, of tick 100 */
  bool no_totals;
  const struct field *list; /* one more field of the totals */
  bool cut_list;            /* without its last byte */
};

/* Two chunks of 8 bytes of point 1 in a window of 100 ticks: one lived for 5
   ticks and was used for 2.5, the other is live. */
hp_status open_changed(const struct changes *changes,
                       const struct hp_open_options *options,
                       hp_profile **profile, struct hp_error *error);

extern const struct hp_open_options plain;

/* Reading says TEXT. */
void require_refused(const struct changes *changes, const char *text);

#endif
