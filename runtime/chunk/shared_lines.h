/* shared_lines.h - which threads write where in one cache line of a chunk, with
   members=1: lines that a thread writes which did not allocate the chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SHARED_LINES_H
#define HP_SHARED_LINES_H

#include "chunk/member_table.h"

#define HP_LINE_BYTES 64u
#define HP_LINE_WRITERS 8u /* those that come later are not told */

/* One thread that writes to a line. */
struct hp_line_side {
  uint32_t thread; /* its number; 0: none */
  uint32_t times;  /* hooks that wrote there, */
  uint32_t common; /* and that were at bytes which other writers had written */
  uint32_t writes; /* accesses of the former */
  uint64_t bytes;  /* of the line that it wrote, bit 0 the first */
};

/* Of one chunk.  Lines begin where its first record does, at OFFSET. */
struct hp_line_state {
  uint64_t offset;
  uint32_t turns; /* so often another thread wrote than the one before */
  uint32_t last;  /* that wrote */
  struct hp_line_side writers[HP_LINE_WRITERS];
};

/* An access of the chunk of LIFE (member_table.h).  IS_FOREIGN: by another thread
   than allocated it, whose writes alone begin a line. */
struct hp_line_use {
  uint64_t life, offset, bytes;
  uint32_t reads, writes;
  bool is_foreign;
};
void hp_shared_line_note(struct hp_member_point *of,
                         const struct hp_line_use *use);

/* Calls TAKE for each line of OF that several threads wrote. */
void hp_shared_line_each(const struct hp_member_point *of,
                         void (*take)(const struct hp_line_state *line,
                                      void *arg),
                         void *arg);

void hp_shared_lines_start(void); /* empty */

#endif
