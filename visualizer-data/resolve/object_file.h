/* object_file.h - the ELF files behind a module of a dump: code and debug file.
   A file whose build id is not the dump's is never used: no wrong lines.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OBJECT_FILE_H
#define HP_OBJECT_FILE_H

#include "heapprof.h"
#include "resolve/symbol_module.h"

#include <gelf.h>

typedef struct hp_object hp_object;

/* Where to look: NULL or as in struct hp_open_options. */
struct hp_object_paths {
  const char *debug_dir, *sysroot;
  bool names_kept; /* some are known without the files */
};

/* Finds MODULE's own file, or below the sysroot, and its separate debug file
   (build-id directory, then .gnu_debuglink).  NULL: no memory.  An object
   without any file is valid and answers nothing; *NOTE (to be freed; NULL if
   all is well) is then a line that says why. */
hp_object *hp_object_open(const struct hp_symbol_module *module,
                          const struct hp_object_paths *paths, char **note);
void hp_object_close(hp_object *object);

/* The next section behind AFTER (NULL: the first) that has a name, with its
   header; NULL: there is none. */
Elf_Scn *hp_object_section(Elf *elf, Elf_Scn *after, GElf_Shdr *header,
                           const char **name);

/* The module's own file; NULL if there is none. */
Elf *hp_object_code(const hp_object *object);

/* The file with .debug_info; NULL if there is none. */
Elf *hp_object_debug(const hp_object *object);

/* A line, to be freed, where that file's .debug_info is compressed in a way that
   not every libdw can read; NULL if it is not, or memory is out. */
char *hp_object_compressed(const hp_object *object,
                           const struct hp_symbol_module *module);

/* Name of the function symbol that holds VADDR, or NULL; owned by OBJECT. */
const char *hp_object_symbol(hp_object *object, uint64_t vaddr);

#endif
