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
hp_status hp_dump_read_telling(struct hp_dump **out, const char *path,
                               hp_progress *progress, struct hp_error *error);
#endif
