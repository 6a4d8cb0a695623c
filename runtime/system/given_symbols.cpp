// given_symbols.cpp - libc's symbols name our functions, in the preloaded library
// alone: so who is bound to libc itself, ahead of all others, gets ours as well.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/library_symbols.h"
#include "system/memory.h"
#include "system/symbol_lookup.h"
#include "system/system_call.h"

#include "sanitizer_common/sanitizer_libc.h"

#include <sys/mman.h>
#include <sys/syscall.h>

using namespace __sanitizer;

namespace {

struct Gift {
  hp_library own;
  bool is_given;
};

// How many symbols there are: those that can be found are the last ones.
uint32_t count(const hp_library &library) {
  const uint32_t buckets = library.hash[0], first = library.hash[1];
  const auto *bucket = library.hash + 4 + size_t{2} * library.hash[2];
  const auto *chain = bucket + buckets;
  uint32_t number = 0;
  for (uint32_t i = 0; i < buckets; i++)
    if (bucket[i] > number)
      number = bucket[i];
  if (number >= first)
    while (!(chain[number - first] & 1))
      number++;
  return number + 1;
}

void give(ElfW(Sym) * symbol, const hp_library &libc, const hp_library &own) {
  const unsigned type = ELF64_ST_TYPE(symbol->st_info);
  if ((type != STT_FUNC && type != STT_GNU_IFUNC) ||
      symbol->st_shndx == SHN_UNDEF)
    return;
  const uptr found = hp_library_find(own, libc.names + symbol->st_name);
  if (!found)
    return;
  symbol->st_info = ELF64_ST_INFO(ELF64_ST_BIND(symbol->st_info), STT_FUNC);
  symbol->st_value = found - libc.bias;
}

bool set_rights(const hp_library &libc, size_t size, int rights) {
  const uptr begin = reinterpret_cast<uptr>(libc.symbols);
  const uptr from = begin & ~static_cast<uptr>(4095);
  return !system_call(SYS_mprotect, from, begin + size - from, rights);
}

// Code would be without its right meanwhile, which other threads may execute.
bool is_only_read(const dl_phdr_info *info, const void *address) {
  const uptr at = reinterpret_cast<uptr>(address) - info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD && at - part.p_vaddr < part.p_memsz)
      return part.p_flags == PF_R;
  }
  return false;
}

bool give_all(const hp_library &libc, const hp_library &own) {
  const uint32_t symbols = count(libc);
  const size_t size = symbols * sizeof *libc.symbols;
  void *before = hp_sys_map(size);
  if (!before)
    return false;
  internal_memcpy(before, libc.symbols, size);
  if (!set_rights(libc, size, PROT_READ | PROT_WRITE)) {
    hp_sys_unmap(before, size);
    return false;
  }
  hp_symbols_of_libc = static_cast<const ElfW(Sym) *>(before);
  for (uint32_t i = 0; i < symbols; i++)
    give(const_cast<ElfW(Sym) *>(libc.symbols + i), libc, own);
  set_rights(libc, size, PROT_READ);
  return true;
}

// Ours comes before libc.
int visit(dl_phdr_info *info, size_t, void *arg) {
  auto *gift = static_cast<Gift *>(arg);
  if (hp_library_holds(info, reinterpret_cast<uptr>(&visit)))
    gift->own = hp_library_describe(info);
  if (!hp_library_is_libc(info))
    return 0;
  const hp_library libc = hp_library_describe(info);
  gift->is_given = hp_symbols_of_libc || (gift->own.hash && libc.hash &&
                                          is_only_read(info, libc.symbols) &&
                                          give_all(libc, gift->own));
  return 1;
}

} // namespace

bool hp_symbols_give_ours(void) {
  Gift gift = {};
  if (!hp_symbol_beside_libc("malloc"))
    hp_libraries_visit(visit, &gift);
  return gift.is_given;
}
