/* dump_builder.h - writes valid dumps from C structs, for tests and golden
   dumps. A second writer beside the runtime's: it shares the format definition
   only. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_BUILDER_H
#define HP_DUMP_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heapprof_format.h"

/* Bytes that grow; {0} is empty. */
struct hp_bytes {
  uint8_t *data;
  size_t size, capacity;
};
void hp_put_bytes(struct hp_bytes *to, const void *data, size_t size);
void hp_put_varint(struct hp_bytes *to, uint64_t value);
void hp_put_zigzag(struct hp_bytes *to, int64_t value);
void hp_put_u64_field(struct hp_bytes *to, uint64_t tag, uint64_t value);
void hp_put_text_field(struct hp_bytes *to, uint64_t tag, const char *text);
void hp_put_bytes_field(struct hp_bytes *to, uint64_t tag, const void *data,
                        size_t size);
/* Appends a block of PAYLOAD to the file image TO. */
void hp_put_block(struct hp_bytes *to, uint16_t kind, uint32_t items,
                  const struct hp_bytes *payload, bool compress);
void hp_bytes_free(struct hp_bytes *bytes);

struct hp_build_module {
  const char *path;
  uint64_t bias, start, end, loaded, unloaded; /* unloaded 0: still loaded */
};

struct hp_build_point {
  uint64_t id;
  const uint64_t *stack; /* return addresses, leaf first */
  size_t stack_count;
  const char *type; /* NULL: unknown */
  uint64_t type_provenance;
};

/* A whole dump.  Zero means a default where one is named. */
struct hp_build {
  const char *program;     /* "app" */
  const char *const *args; /* NULL-terminated; NULL: none */
  const char *reason;      /* "exit" */
  const char *host;
  uint64_t pid;              /* 1 */
  uint64_t ticks_per_second; /* 10^9 */
  uint64_t start_unix_ns, exact_time, tick_max;
  uint64_t window; /* ticks */
  uint64_t peak_bytes, peak_time, failed_requests, dropped_points,
      dropped_chunks, late_events, late_bytes, last_fork, unsettled_chunks,
      unrecorded_frees, unprofiled_chunks, unprofiled_bytes, undescribed_chunks;
  const struct hp_build_module *modules;
  const struct hp_build_point *points;
  const struct hp_chunk_log
      *chunks; /* in any order; a run per change of point */
  size_t module_count, point_count, chunk_count;
  const uint64_t *regions; /* five numbers each; none: no list */
  size_t region_numbers;
  uint64_t thinned_chunks;
  const char *const *marks; /* their names, in the order of their times */
  const uint64_t *mark_times;
  size_t mark_count;
  bool no_end; /* as after a kill */
  bool uncompressed;
  bool strange; /* with unknown block kinds, tags and columns in between */
};

/* The file images of a dump. */
struct hp_image {
  struct hp_bytes header, modules, points, chunks, end;
  struct hp_bytes processes;  /* of a merged dump; left empty, too */
  struct hp_bytes aggregates; /* left empty: a test's own affair */
};
void hp_build_image(const struct hp_build *build, struct hp_image *image);
void hp_image_free(struct hp_image *image);

/* Writes to the directory PATH, which is made if missing.  Aborts the test on
   failure. */
void hp_image_write(const struct hp_image *image, const char *path);
void hp_build_write(const struct hp_build *build, const char *path);
void hp_file_write(const char *path, const void *data, size_t size);

/* A new empty directory below the test's temporary directory; removed with all
   that is in it by hp_scratch_remove. */
char *hp_scratch_make(void);
void hp_scratch_remove(char *path);

#endif
