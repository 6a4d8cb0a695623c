/* error_text.h - what an error of the kernel's is called.
   A table of its own: libc's strerror may allocate and follows the locale.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ERROR_TEXT_H
#define HP_ERROR_TEXT_H

/* ERROR is a negative errno, as hp_sys_* return it.  "unknown error", if nobody
   here expects it. */
const char *hp_sys_error_text(int error);

#endif
