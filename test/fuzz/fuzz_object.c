/* fuzz_object.c - libFuzzer target: any bytes as the ELF file, with its DWARF, of a module that a dump names.
   Every address of its code is asked for, and what is answered is read.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resolve/symbolize.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Those of object_seed.c, and some more on either side. */
enum { FIRST = 0x160, LAST = 0x1c0 };

static void require(bool good) {
  if (!good)
    abort();
}

static size_t length_of(const char *text) { return text ? strlen(text) : 0; }

static size_t ask(hp_symbolizer *symbolizer,
                  const struct hp_symbol_module *module, uint64_t address) {
  const struct hp_frame *frames;
  size_t count, length = 0;
  struct hp_error error;
  require(hp_symbolizer_frames(symbolizer, module, address, &frames, &count,
                               &error) == HP_OK);
  require(count > 0 && !frames[count - 1].inlined);
  for (size_t i = 0; i < count; i++)
    length += length_of(frames[i].function) + length_of(frames[i].file) +
              length_of(frames[i].linkage_name);
  return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[32];
  hp_symbolizer *symbolizer;
  struct hp_error error;
  int file = memfd_create("object", 0);
  require(file >= 0 && write(file, data, size) == (ssize_t)size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const struct hp_symbol_module module = {.path = path};
  require(hp_symbolizer_open(&symbolizer, NULL, NULL, &error) == HP_OK);
  for (uint64_t address = FIRST; address < LAST; address++)
    ask(symbolizer, &module, address);
  ask(symbolizer, &module, 0);
  ask(symbolizer, &module, UINT64_MAX);
  for (size_t i = 0; i < hp_symbolizer_note_count(symbolizer); i++)
    require(length_of(hp_symbolizer_note(symbolizer, i)) > 0);
  hp_symbolizer_close(symbolizer);
  close(file);
  return 0;
}
