/* path_text.h - what people call a file.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PATH_TEXT_H
#define HP_PATH_TEXT_H

/* The part of PATH behind the last slash; all of it if nothing is. */
const char *hp_base_name(const char *path);

#endif
