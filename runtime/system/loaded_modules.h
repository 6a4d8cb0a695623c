/* loaded_modules.h - what the dynamic linker has loaded: modules, their segments,
   and their tables for unwinding.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOADED_MODULES_H
#define HP_LOADED_MODULES_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hp_sys_module {
  const char *path;
  uintptr_t bias, start, end; /* as in heapprof_format.def */
  const uint8_t *build_id;
  size_t build_id_size;
  bool is_program; /* else a library, or the kernel's */
};
/* Calls EACH for every loaded ELF module (dl_iterate_phdr), [vdso] included. */
void hp_sys_modules(void (*each)(const struct hp_sys_module *module, void *arg),
                    void *arg);
/* The segment of a loaded module that ADDRESS lies in; false: there is none. */
bool hp_sys_segment(uintptr_t address, uintptr_t *begin, uintptr_t *end);

/* The module that PC is in, and its sorted table of functions. */
struct hp_sys_unwind_table {
  const uint8_t *begin, *end; /* of all that is loaded of it */
  const uint8_t *header;      /* .eh_frame_hdr; NULL: it has none */
};
bool hp_sys_unwind_table(uintptr_t pc, struct hp_sys_unwind_table *table);

#ifdef __cplusplus
}
#endif
#endif
