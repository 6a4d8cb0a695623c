/* fuzz_symbols.c - libFuzzer target: any bytes as the file of symbols that is kept beside a dump.
   Its checksum is put right here; what was read is asked for and read once more.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "resolve/symbolcache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
  if (!good)
    abort();
}

static void write_all(int file, const void *data, size_t size) {
  require(write(file, data, size) == (ssize_t)size);
}

/* The first byte says whether the file is as it is, or whole. */
static int make_file(const uint8_t *data, size_t size) {
  int file = memfd_create("symbols", 0);
  require(file >= 0);
  const bool whole = size > 0 && data[0] % 8 > 0;
  if (size > 0)
    write_all(file, data + 1, size - 1);
  if (whole) {
    char last[16];
    int n = snprintf(last, sizeof last, "#\t%08lx\n",
                     crc32_z(0, data + 1, size - 1));
    write_all(file, last, (size_t)n);
  }
  return file;
}

static size_t ask(hp_symbolcache *cache) {
  static const uint8_t id[] = {0xab, 0xcd};
  size_t length = 0;
  for (uint64_t address = 0; address < 32; address++) {
    const struct hp_symbol_module m = {.build_id = id, .build_id_size = 2};
    size_t count;
    const struct hp_frame *f = hp_symbolcache_find(cache, &m, address, &count);
    require((count > 0) == (f != NULL));
    for (size_t i = 0; i < count; i++)
      length += (f[i].function ? strlen(f[i].function) : 0) +
                (f[i].file ? strlen(f[i].file) : 0) +
                (f[i].linkage_name ? strlen(f[i].linkage_name) : 0);
  }
  return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  int file = make_file(data, size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  hp_symbolcache *cache = hp_symbolcache_open(path);
  require(cache);
  const size_t length = ask(cache);
  require(hp_symbolcache_read(cache, path) && ask(cache) == length);
  hp_symbolcache_close(cache);
  close(file);
  return 0;
}
