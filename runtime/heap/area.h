/* area.h - areas of shares are given to threads: as many as there are, and as
   memory allows.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AREA_H
#define HP_AREA_H

#include "system/platform.h"

/* A new area; 0 if there are HP_SHARE_AREAS already, or no memory. */
uintptr_t hp_share_new_area(void);

/* With the locks of all classes; as hp_primary_tighten(). */
void hp_share_tighten(void);

#endif
