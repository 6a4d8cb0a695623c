/* program_file.c - see program_file.h: the file is mapped for as long as it is looked at.
   Where the program has forbidden itself system calls nothing is found out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/program_file.h"

#if HEAPPROF_PRELOADED

#include <errno.h>

#include "foreign_program.h"
#include "system/files.h"
#include "system/forbidden_calls.h"
#include "system/memory.h"

#define SCRIPTS_MAX 5   /* that interpret each other, as in Linux */
#define FIRST_LINE 256u /* bytes of a script's first line that count */

static bool is_elf(const struct hp_program_image *image) {
  return image->size > SELFMAG && image->bytes[0] == ELFMAG0 &&
         hp_program_begins((const char *)image->bytes + 1, "ELF");
}

/* The path behind "#!" into NEXT. */
static bool read_script(const struct hp_program_image *image,
                        char next[FIRST_LINE]) {
  size_t i = 2, length = 0;
  if (image->size < i || image->bytes[0] != '#' || image->bytes[1] != '!')
    return false;
  while (i < image->size && (image->bytes[i] == ' ' || image->bytes[i] == '\t'))
    i++;
  while (i < image->size && image->bytes[i] > ' ' && length + 1 < FIRST_LINE)
    next[length++] = (char)image->bytes[i++];
  next[length] = '\0';
  return length > 0;
}

bool hp_sys_program_is_foreign(const char *path) {
  char next[FIRST_LINE];
  if (hp_program_is_confined(hp_sys_limit(HP_SYS_LIMIT_SPACE),
                             hp_sys_limit(HP_SYS_LIMIT_DATA)))
    return true;
  if (!hp_sys_readable((uintptr_t)path & ~(uintptr_t)7))
    return false; /* the kernel says so */
  for (int i = 0; i < SCRIPTS_MAX && !hp_forbids_any(); i++) {
    size_t size = 0;
    if (hp_program_takes_malloc(path))
      return true;
    void *bytes = hp_sys_map_file(path, false, &size);
    if (!bytes)
      return false;
    const struct hp_program_image image = {bytes, size};
    const bool is_program = is_elf(&image);
    const bool is_foreign =
        is_program &&
        hp_program_judge(&image, EM_X86_64).kind == HP_PROGRAM_FOREIGN;
    const bool is_script = !is_program && read_script(&image, next);
    hp_sys_unmap(bytes, size);
    if (!is_script)
      return is_foreign;
    path = next;
  }
  return false;
}

bool hp_sys_library_is_missing(const char *path) {
  if (path[0] != '/' || hp_forbids_any())
    return false;
  const int fd = hp_sys_open(path);
  if (fd >= 0)
    hp_sys_close(fd);
  return fd == -ENOENT || fd == -ENOTDIR || fd == -EACCES;
}

#else

/* A program with this runtime has none to lose by LD_PRELOAD. */
bool hp_sys_program_is_foreign(const char *path) {
  (void)path;
  return false;
}

bool hp_sys_library_is_missing(const char *path) {
  (void)path;
  return false;
}

#endif
