/* short_name.h - what a finding calls a class.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SHORT_NAME_H
#define HP_SHORT_NAME_H

#include "heapprof.h"

#include "base/store.h"
#include "text/text_part.h"

/* As people say NAME (type_text.h); STORE owns the text. */
hp_status hp_short_name(const char **out, struct hp_text_part name,
                        struct hp_store *store, struct hp_error *error);

#endif
