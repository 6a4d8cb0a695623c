/* option_path.h - paths that options name: what a "%" in them stands for, and the directories on their way.
   A path is put together in a buffer; what does not fit is left out, and said.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OPTION_PATH_H
#define HP_OPTION_PATH_H

#include "system/platform.h"

struct hp_option_path {
  char *text;
  size_t length, size;
  bool too_long;
};

void hp_option_path_add(struct hp_option_path *path, const char *text,
                        size_t length);
void hp_option_path_add_text(struct hp_option_path *path, const char *text);
void hp_option_path_add_number(struct hp_option_path *path, uint64_t number);

/* Adds what "%LETTER" stands for in every such option:
     %p pid   %H $HOME   %t $TMPDIR or /tmp   %% %
   False if that is nothing: another letter, or no $HOME. */
bool hp_option_path_expand(struct hp_option_path *path, char letter);

/* Makes every missing directory on the way to PATH[0..LENGTH), which included.
   Zero, or a negative errno: of one that exists it is EEXIST whatever its
   permissions are, so where the last cannot be made, the first other answer is
   the reason. */
int hp_option_path_make(char *path, size_t length);

#endif
