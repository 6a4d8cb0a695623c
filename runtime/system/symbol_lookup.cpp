// symbol_lookup.cpp - libc's functions behind ours: what dlsym(RTLD_NEXT) would
// find, found without libc. dlsym allocates where it finds nothing, so a
// program's own malloc would run before anything is ready.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/symbol_lookup.h"

#include "system/library_symbols.h"

#include "sanitizer_common/sanitizer_libc.h"

#include <link.h>

using namespace __sanitizer;

const ElfW(Sym) * hp_symbols_of_libc;

// Of the dynamic linker, which nothing is to be linked with for it: that may have
// another name where it runs.
extern r_debug _r_debug __attribute__((weak));

namespace {

enum Where { ANYWHERE, IN_LIBC, BESIDE_LIBC };

struct Search {
  const char *name, *version; // version NULL: the default one
  uint32_t hash;
  Where where;
  bool is_behind;
  uptr found;
};

uint32_t hash_of(const char *name) {
  uint32_t hash = 5381;
  for (; *name; name++)
    hash = hash * 33 + (uint8_t)*name;
  return hash;
}

// libc relocates these pointers, but in a library whose dynamic section cannot
// be written.
uptr pointer_of(const ElfW(Dyn) * entry, uptr bias) {
  uptr p = entry->d_un.d_ptr;
  return p < bias ? p + bias : p;
}

const ElfW(Dyn) * dynamic_section(const dl_phdr_info *info) {
  static const ElfW(Dyn) none = {DT_NULL, {0}};
  const ElfW(Dyn) *section = &none;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      section = reinterpret_cast<const ElfW(Dyn) *>(info->dlpi_addr +
                                                    info->dlpi_phdr[i].p_vaddr);
  return section;
}

HP_INLINE hp_library describe(const dl_phdr_info *info) {
  hp_library library = {};
  library.bias = info->dlpi_addr;
  const ElfW(Dyn) *entry = dynamic_section(info);
  for (; entry->d_tag != DT_NULL; entry++) {
    const uptr p = pointer_of(entry, library.bias);
    if (entry->d_tag == DT_SYMTAB)
      library.symbols = reinterpret_cast<const ElfW(Sym) *>(p);
    else if (entry->d_tag == DT_STRTAB)
      library.names = reinterpret_cast<const char *>(p);
    else if (entry->d_tag == DT_GNU_HASH)
      library.hash = reinterpret_cast<const uint32_t *>(p);
    else if (entry->d_tag == DT_VERSYM)
      library.versions = reinterpret_cast<const uint16_t *>(p);
    else if (entry->d_tag == DT_VERDEF)
      library.definitions = reinterpret_cast<const char *>(p);
  }
  return library;
}

HP_INLINE bool holds(const dl_phdr_info *info, uptr address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD &&
        address - info->dlpi_addr - part.p_vaddr < part.p_memsz)
      return true;
  }
  return false;
}

const uint16_t kHidden = 0x8000; // not the default version

bool is_version(const hp_library &library, uint16_t index,
                const char *version) {
  const char *at = library.definitions;
  while (at) {
    const auto *definition = reinterpret_cast<const ElfW(Verdef) *>(at);
    const auto *name =
        reinterpret_cast<const ElfW(Verdaux) *>(at + definition->vd_aux);
    if (definition->vd_ndx == (index & ~kHidden))
      return internal_strcmp(library.names + name->vda_name, version) == 0;
    at = definition->vd_next ? at + definition->vd_next : nullptr;
  }
  return false;
}

bool is_wanted(const hp_library &library, uint32_t number,
               const Search &search) {
  const ElfW(Sym) &symbol = library.symbols[number];
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  if (symbol.st_shndx == SHN_UNDEF || !symbol.st_value || type == STT_TLS ||
      internal_strcmp(library.names + symbol.st_name, search.name) != 0)
    return false;
  const uint16_t version = library.versions ? library.versions[number] : 0;
  return search.version ? is_version(library, version, search.version)
                        : !(version & kHidden);
}

// The address; of a function that chooses among several, its choice.
uptr address_of(const hp_library &library, const ElfW(Sym) & symbol) {
  uptr address = library.bias + symbol.st_value;
  if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
    address = reinterpret_cast<uptr (*)()>(address)();
  return address;
}

// Whether a name of HASH can be in the library at all: start-up asks each one for
// some hundred names, of which it has few.
bool may_hold(const dl_phdr_info *info, uint32_t hash) {
  const ElfW(Dyn) *entry = dynamic_section(info);
  while (entry->d_tag != DT_GNU_HASH)
    if (entry++->d_tag == DT_NULL)
      return false;
  const auto *table =
      reinterpret_cast<const uint32_t *>(pointer_of(entry, info->dlpi_addr));
  const uint32_t words = table[2], shift = table[3]; // a power of two of them
  const auto *filter = reinterpret_cast<const uint64_t *>(table + 4);
  const uint64_t word = filter[hash / 64 & (words - 1)];
  return word >> hash % 64 & word >> (hash >> shift) % 64 & 1;
}

// In a library that may hold it.
HP_INLINE uptr find(const hp_library &library, const Search &search) {
  if (!library.symbols || !library.names || !library.hash)
    return 0;
  const uint32_t buckets = library.hash[0], first = library.hash[1],
                 words = library.hash[2];
  const auto *filter = reinterpret_cast<const uint64_t *>(library.hash + 4);
  const auto *bucket = reinterpret_cast<const uint32_t *>(filter + words);
  const uint32_t *chain = bucket + buckets;
  uint32_t number = bucket[search.hash % buckets];
  if (number < first)
    return 0;
  for (;; number++) {
    const uint32_t hash = chain[number - first];
    if ((hash | 1) == (search.hash | 1) && is_wanted(library, number, search))
      return address_of(library, library.symbols[number]);
    if (hash & 1)
      return 0;
  }
}

bool begins_with(const char *file, const char *name) {
  return internal_strncmp(file, name, internal_strlen(name)) == 0;
}

const char *file_of(const dl_phdr_info *info) {
  return info->dlpi_name ? internal_strrchr(info->dlpi_name, '/') : nullptr;
}

bool is_libc(const char *file) { return begins_with(file, "/libc.so"); }

// The runtime's own library, where it was preloaded for a program that has a
// runtime already; what it has stands in for libc's as ours does.
bool is_runtime(const char *file) {
  return begins_with(file, "/libheapprof_preload.so");
}

// Behind the module that we are in, mostly the executable; a module without a
// path is the kernel's, where libc does not look.
int visit(dl_phdr_info *info, size_t, void *arg) {
  auto *search = static_cast<Search *>(arg);
  if (!search->is_behind) {
    search->is_behind = holds(info, reinterpret_cast<uptr>(&visit));
    return 0;
  }
  const char *file = may_hold(info, search->hash) ? file_of(info) : nullptr;
  if (!file || is_runtime(file))
    return 0;
  const bool libc = is_libc(file);
  if (search->where == (libc ? BESIDE_LIBC : IN_LIBC))
    return 0;
  hp_library library = describe(info);
  if (libc && hp_symbols_of_libc)
    library.symbols = hp_symbols_of_libc;
  search->found = find(library, *search);
  return search->found != 0;
}

// Another one's, of the program or preloaded, calls what is ours before that knows
// libc's, as fakechroot's does, or allocates. The linker's list says of each library
// where its dynamic section is, which is enough.
HP_COLD hp_libraries_visitor *visitor_of_libc() {
  Search search = {};
  search.name = "dl_iterate_phdr";
  search.hash = hash_of(search.name);
  search.where = IN_LIBC;
  search.is_behind = true;
  ElfW(Phdr) part = {};
  part.p_type = PT_DYNAMIC;
  dl_phdr_info info = {};
  info.dlpi_phdr = &part;
  info.dlpi_phnum = 1;
  for (const link_map *map = &_r_debug ? _r_debug.r_map : nullptr; map;
       map = map->l_next) {
    info.dlpi_addr = map->l_addr;
    info.dlpi_name = map->l_name;
    part.p_vaddr = reinterpret_cast<uptr>(map->l_ld) - map->l_addr;
    if (visit(&info, sizeof info, &search))
      return reinterpret_cast<hp_libraries_visitor *>(search.found);
  }
  return dl_iterate_phdr; // linked statically
}

void *run(const char *name, const char *version, Where where) {
  Search search = {};
  search.name = name;
  search.version = version;
  search.hash = hash_of(name);
  search.where = where;
  hp_libraries_visit(visit, &search);
  return reinterpret_cast<void *>(search.found);
}

} // namespace

int hp_libraries_visit(hp_library_visit *visit, void *arg) {
  static hp_libraries_visitor *visitor; // found as the first thing of start-up
  if (HP_UNLIKELY(!visitor))
    visitor = visitor_of_libc();
  return visitor(visit, arg);
}

hp_library hp_library_describe(const dl_phdr_info *info) {
  return describe(info);
}

bool hp_library_holds(const dl_phdr_info *info, uptr address) {
  return holds(info, address);
}

bool hp_library_is_libc(const dl_phdr_info *info) {
  const char *file = file_of(info);
  return file && is_libc(file);
}

uptr hp_library_find(const hp_library &library, const char *name) {
  Search search = {};
  search.name = name;
  search.hash = hash_of(name);
  return find(library, search);
}

void *hp_symbol_next(const char *name, const char *version) {
  return run(name, version, ANYWHERE);
}

void *hp_symbol_of_libc(const char *name) {
  return run(name, nullptr, IN_LIBC);
}

void *hp_symbol_beside_libc(const char *name) {
  return run(name, nullptr, BESIDE_LIBC);
}

bool hp_symbol_find_version(const char *name, const char *version,
                            void *found) {
  void *next = run(name, version, ANYWHERE);
  *static_cast<void **>(found) = next;
  return next;
}

bool hp_symbol_find(const char *name, void *found) {
  return hp_symbol_find_version(name, nullptr, found);
}
