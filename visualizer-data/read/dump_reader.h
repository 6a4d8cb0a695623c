/* dump_reader.h - reads a dump directory into memory.
   Nothing outside the directory is opened.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_READER_H
#define HP_DUMP_READER_H

#include "read/raw_dump.h"

/* Reads the dump directory PATH.  Without an end record whatever is there is
   read, and end.end is that of the last checkpoint, or else the latest time
   seen; with one, anything missing is HP_E_TRUNCATED. */
hp_status hp_dump_read(struct hp_dump **out, const char *path,
                       struct hp_error *error);

/* The same in two steps: all but the chunk log, which is read at once only where
   nothing else knows the end; then the log, once, of POINT alone or, if that is 0,
   of all.  Of one point it reads the files that may have chunks of it, and cannot
   tell whether others are missing.  What is much goes to SPILL, which may be NULL
   and must live longer than the dump. */
hp_status hp_dump_read_sums(struct hp_dump **out, const char *path,
                            hp_progress *progress, struct hp_spill *spill,
                            struct hp_error *error);
hp_status hp_dump_read_chunks(struct hp_dump *dump, uint64_t point,
                              struct hp_error *error);
#endif
