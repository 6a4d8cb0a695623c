/* dump_origin.h - where a dump came from, by its header, or its end, alone, which is quickly read.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_ORIGIN_H
#define HP_DUMP_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which process left it, and of which run of heapprof-run, by the option run_name; "": of
   none. */
struct hp_dump_origin {
  uint64_t pid, parent;
  char *run; /* free() */
};
/* Of the dump PATH; false: it cannot be read. */
bool hp_dump_origin_read(struct hp_dump_origin *origin, const char *path);
/* The dump PATH ends where its process executed another program. */
bool hp_dump_executed(const char *path);

#ifdef __cplusplus
}
#endif
#endif
