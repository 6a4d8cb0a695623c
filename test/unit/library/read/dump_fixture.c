/* dump_fixture.c - see dump_fixture.h.
   Of its chunks one is exact, one coarse, one live, and one larger than 4 GiB.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_fixture.h"

#include <stdio.h>
#include <string.h>

const uint64_t stack_one[3] = {0x401005, 0x402007, 0x7f0000001009};
static const uint64_t stack_two[] = {0x401105, 0x402007};
static const struct hp_build_module modules[] = {
    {"/bin/app", 0x400000, 0x400000, 0x410000, 0, 0},
    {"/lib/lib.so", 0x7f0000000000, 0x7f0000000000, 0x7f0000010000, 1, 900}};
static const struct hp_build_point points[] = {
    {1, stack_one, 3, "struct node", HP_PROVENANCE_ARGUMENT},
    {2, stack_two, 2, NULL, 0}};
/* One that took over from no other. */
#define CHUNK(...) {__VA_ARGS__, 1, 0, 0, 0, 0, 0, 0, 0, 0}
const struct hp_chunk_log small_chunks[4] = {
    CHUNK(10, 90, 12, 80, 32, 0, 32, 3, 2, 0x401200, 1, 1, 1, HP_CHUNK_EXACT,
          0),
    CHUNK(20, 500, 30, 400, 48, 8, 16, 1, 1, 0x401200, 1, 1, 2, 0, 0),
    CHUNK(5, 1000, 0, 0, 7, 0, 0, 0, 0, 0, 2, 1, 0, HP_CHUNK_LIVE, 0),
    CHUNK(40, 45, 41, 44, 5ull << 32, 0, 64, UINT64_MAX, 1, 0x401300, 2, 2, 1,
          HP_CHUNK_MULTITHREAD, 7)};

const struct hp_build small = {.window = 1000,
                               .tick_max = 3,
                               .peak_bytes = (5ull << 32) + 87,
                               .modules = modules,
                               .module_count = 2,
                               .points = points,
                               .point_count = 2,
                               .chunks = small_chunks,
                               .chunk_count = 4};

const char *const file_names[FILE_COUNT] = {"header", "modules", "points",
                                            "chunks/0", "end"};
struct hp_bytes *image_file(struct hp_image *image, int i) {
  struct hp_bytes *const files[FILE_COUNT] = {&image->header, &image->modules,
                                              &image->points, &image->chunks,
                                              &image->end};
  return files[i];
}

hp_status open_dump(const char *path, hp_profile **profile,
                    struct hp_error *error) {
  const struct hp_open_options o = {.sz = sizeof o, .no_symbols = true};
  error->status = HP_OK;
  error->text[0] = 0;
  const hp_status status = hp_profile_open(profile, &path, 1, &o, error);
  if (status != HP_OK) {
    assert_null(*profile);
    assert_int_equal(error->status, status);
    assert_true(strlen(error->text) > 10);
    assert_null(strchr(error->text, '\n'));
  }
  return status;
}

hp_status status_of(const char *path, struct hp_error *error) {
  hp_profile *profile;
  const hp_status status = open_dump(path, &profile, error);
  hp_profile_close(profile);
  return status;
}

void begin(struct fixture *f, const struct hp_build *build) {
  f->scratch = hp_scratch_make();
  snprintf(f->dump, sizeof f->dump, "%s/heapprof.app.1", f->scratch);
  hp_build_image(build, &f->image);
  hp_image_write(&f->image, f->dump);
}

void finish(struct fixture *f) {
  hp_image_free(&f->image);
  hp_scratch_remove(f->scratch);
}

char *path_in(const struct fixture *f, const char *name) {
  static char path[4096 + 64];
  snprintf(path, sizeof path, "%s/%s", f->dump, name);
  return path;
}

hp_status with_payload(int i, uint16_t kind, uint32_t items,
                       struct hp_bytes *payload, struct hp_error *error) {
  struct fixture f;
  struct hp_bytes file = {0};
  begin(&f, &small);
  hp_put_block(&file, kind, items, payload, false);
  hp_file_write(path_in(&f, file_names[i]), file.data, file.size);
  const hp_status status = status_of(f.dump, error);
  hp_bytes_free(&file);
  hp_bytes_free(payload);
  finish(&f);
  return status;
}
