/* error_text.h - what an error of the kernel's is called.
   A table of its own: libc's strerror may allocate and follows the locale.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ERROR_TEXT_H
#define HP_ERROR_TEXT_H

/* ERROR is a negative errno, as hp_sys_* return it.  One that nobody here expects is
   NULL, and "unknown error". */
const char *hp_sys_known_error(int error);
const char *hp_sys_error_text(int error);

#endif
