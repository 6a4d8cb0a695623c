/* written_pages.h - which pages of a range were written since they were last asked
   for: by write-protection that the kernel lifts itself, from Linux 6.7 on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WRITTEN_PAGES_H
#define HP_WRITTEN_PAGES_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of [BEGIN, END), all of which is mapped, writes are to be known.  False: the
   kernel does not offer that, or refuses it. */
bool hp_sys_written_open(uintptr_t begin, uintptr_t end);
/* They are not any more: in a forked child, which has no such pages. */
void hp_sys_written_close(void);

/* Calls EACH for the pages of a part of it that were written, by the program or by
   the kernel for it, or first touched, since the last such call.  False: it is not known. */
bool hp_sys_written_take(uintptr_t begin, uintptr_t end,
                         void (*each)(uintptr_t begin, uintptr_t end));

#ifdef __cplusplus
}
#endif
#endif
