/* program_file.h - looks into the file of a program that is to be executed, and whatever interprets it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PROGRAM_FILE_H
#define HP_PROGRAM_FILE_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With our library ahead of its own it would not run: its loader is for another
   processor or of another libc, or has too little memory for both, or it has
   another tool's runtime.  False if that cannot be found out. */
bool hp_sys_program_is_foreign(const char *path);

/* The loader would not find the library PATH, as behind a chroot, and say so. */
bool hp_sys_library_is_missing(const char *path);

#ifdef __cplusplus
}
#endif
#endif
