// loaded_modules.cpp - see loaded_modules.h: each is asked of the dynamic linker,
// whose lock is held meanwhile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/loaded_modules.h"

#include "system/forbidden_calls.h"
#include "system/library_symbols.h"
#include "system/process_facts.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <elf.h>
#include <link.h>

using namespace __sanitizer;

extern "C" {

static void find_build_id(const dl_phdr_info *info, const ElfW(Phdr) * header,
                          hp_sys_module *module) {
  const char *note =
      reinterpret_cast<const char *>(info->dlpi_addr + header->p_vaddr);
  const char *end = note + header->p_memsz;
  while (note + sizeof(ElfW(Nhdr)) <= end) {
    const ElfW(Nhdr) *head = reinterpret_cast<const ElfW(Nhdr) *>(note);
    const char *name = note + sizeof *head;
    const char *contents = name + RoundUpTo(head->n_namesz, 4);
    if (contents + head->n_descsz > end)
      return;
    if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 &&
        internal_memcmp(name, "GNU", 4) == 0) {
      module->build_id = reinterpret_cast<const uint8_t *>(contents);
      module->build_id_size = head->n_descsz;
      return;
    }
    note = contents + RoundUpTo(head->n_descsz, 4);
  }
}

struct hp_module_visit {
  void (*each)(const struct hp_sys_module *module, void *arg);
  void *arg;
  const char *main_path;
};

static int visit_module(dl_phdr_info *info, size_t, void *arg) {
  hp_module_visit *visit = static_cast<hp_module_visit *>(arg);
  hp_sys_module module = {};
  module.path =
      info->dlpi_name && *info->dlpi_name ? info->dlpi_name : visit->main_path;
  module.is_program = module.path == visit->main_path;
  if (!module.is_program && !internal_strchr(module.path, '/'))
    module.path = "[vdso]"; // every file is named by a path
  module.bias = info->dlpi_addr;
  module.start = ~(uptr)0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uptr from = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_LOAD) {
      module.start = Min(module.start, from);
      module.end = Max(module.end, from + header->p_memsz);
    } else if (header->p_type == PT_NOTE && !module.build_id) {
      find_build_id(info, header, &module);
    }
  }
  if (module.start < module.end)
    visit->each(&module, visit->arg);
  return 0;
}

void hp_sys_modules(void (*each)(const struct hp_sys_module *module, void *arg),
                    void *arg) {
  if (hp_forbids_linker())
    return;
  hp_module_visit visit;
  visit.each = each;
  visit.arg = arg;
  visit.main_path = hp_sys_executable_path();
  if (!visit.main_path)
    visit.main_path = hp_sys_started_as();
  if (!visit.main_path)
    visit.main_path = "[program]"; // no path: whoever reads it has another one
  hp_libraries_visit(visit_module, &visit);
}

struct hp_segment_search {
  uptr address, begin, end;
};

static int visit_segments(dl_phdr_info *info, size_t, void *arg) {
  hp_segment_search *search = static_cast<hp_segment_search *>(arg);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uptr from = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_LOAD && search->address >= from &&
        search->address - from < header->p_memsz) {
      search->begin = from;
      search->end = from + header->p_memsz;
      return 1;
    }
  }
  return 0;
}

bool hp_sys_segment(uintptr_t address, uintptr_t *begin, uintptr_t *end) {
  hp_segment_search search = {address, 0, 0};
  hp_libraries_visit(visit_segments, &search);
  *begin = search.begin;
  *end = search.end;
  return search.end != 0;
}

// libc's answer without a lock, from 2.35 on; not in the headers of older ones.
struct hp_found_object {
  unsigned long long flags;
  void *map_start, *map_end, *link_map, *eh_frame;
  unsigned long long reserved[7];
};
extern int find_object(void *pc,
                       hp_found_object *found) __asm__("_dl_find_object")
    __attribute__((weak));

struct hp_table_visit {
  uptr pc;
  struct hp_sys_unwind_table table;
};

static int visit_table(dl_phdr_info *info, size_t, void *arg) {
  hp_table_visit *visit = static_cast<hp_table_visit *>(arg);
  uptr start = ~(uptr)0, end = 0, header = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uptr from = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD) {
      start = Min(start, from);
      end = Max(end, from + segment->p_memsz);
    } else if (segment->p_type == PT_GNU_EH_FRAME) {
      header = from;
    }
  }
  if (visit->pc < start || visit->pc >= end)
    return 0;
  visit->table = {reinterpret_cast<const uint8_t *>(start),
                  reinterpret_cast<const uint8_t *>(end),
                  reinterpret_cast<const uint8_t *>(header)};
  return 1;
}

bool hp_sys_unwind_table(uintptr_t pc, struct hp_sys_unwind_table *table) {
  if (find_object) {
    hp_found_object found;
    if (find_object(reinterpret_cast<void *>(pc), &found) != 0)
      return false;
    *table = {static_cast<const uint8_t *>(found.map_start),
              static_cast<const uint8_t *>(found.map_end),
              static_cast<const uint8_t *>(found.eh_frame)};
    return true;
  }
  hp_table_visit visit = {pc, {}};
  if (hp_forbids_linker() || !hp_libraries_visit(visit_table, &visit))
    return false;
  *table = visit.table;
  return true;
}

} // extern "C"
