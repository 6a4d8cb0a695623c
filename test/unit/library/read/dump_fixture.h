/* dump_fixture.h - a small dump in a scratch directory, for tests that change it.
   Its files are named, and can be replaced by one block of any payload.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_FIXTURE_H
#define HP_DUMP_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dump_builder.h"
#include "read/dump_reader.h"

/* Two modules, two points, and four chunks that have something of everything. */
extern const struct hp_build small;
extern const uint64_t stack_one[3];
extern const struct hp_chunk_log small_chunks[4];

/* The files of an image, by name. */
enum { FILE_COUNT = 5 };
extern const char *const file_names[FILE_COUNT];
struct hp_bytes *image_file(struct hp_image *image, int i);

/* Opens without symbols; a failure must have been said, in one line. */
hp_status open_dump(const char *path, hp_profile **profile,
                    struct hp_error *error);
hp_status status_of(const char *path, struct hp_error *error);

/* A scratch directory with the dump of BUILD in it, and its image. */
struct fixture {
  char *scratch, dump[4096];
  struct hp_image image;
};
void begin(struct fixture *f, const struct hp_build *build);
void finish(struct fixture *f);

/* DUMP/NAME, in a buffer that the next call uses again. */
char *path_in(const struct fixture *f, const char *name);

/* Writes file I of the small dump as one block of PAYLOAD, with the checksums
   right, and opens it. */
hp_status with_payload(int i, uint16_t kind, uint32_t items,
                       struct hp_bytes *payload, struct hp_error *error);

#endif
