// library_symbols.h - what a loaded library says of its symbols, for the files
// that look them up and that change them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HP_LIBRARY_SYMBOLS_H
#define HP_LIBRARY_SYMBOLS_H

#include <link.h>
#include <stdint.h>

// By the pointers of its dynamic section.
struct hp_library {
  uintptr_t bias;
  const ElfW(Sym) * symbols;
  const char *names;
  const uint32_t *hash; // DT_GNU_HASH: 4 numbers, filter, buckets, chains
  const uint16_t *versions;
  const char *definitions; // ElfW(Verdef), each with the offset of the next
};

typedef int hp_library_visit(dl_phdr_info *info, size_t size, void *arg);
typedef int hp_libraries_visitor(hp_library_visit *visit, void *arg);

// Libc's dl_iterate_phdr, whoever else has a function of that name.
int hp_libraries_visit(hp_library_visit *visit, void *arg);

hp_library hp_library_describe(const dl_phdr_info *info);
bool hp_library_holds(const dl_phdr_info *info, uintptr_t address);
bool hp_library_is_libc(const dl_phdr_info *info);
// What is NAME, by default; 0: nothing.
uintptr_t hp_library_find(const hp_library &library, const char *name);

// Libc's as they were, where they have been changed; else NULL.
extern const ElfW(Sym) * hp_symbols_of_libc;

#endif
