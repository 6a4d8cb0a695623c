/* unnamed.h - pairs what is left alone because one of the programs has no lines, or no names.
   A program that was built without -g has no lines, a stripped one addresses alone.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UNNAMED_H
#define HP_UNNAMED_H

#include "align.h"
#include "names.h"

/* What is known of the program's own frames: of one at least not even the
   function, of all that, of one the line, too. */
enum hp_naming { HP_ADDRESSES, HP_FUNCTIONS, HP_LINES };
enum hp_naming hp_naming_of(const struct hp_point *point);

/* Of a module that has other functions, which HAS_FUNCTIONS names, nobody knows that it is
   stripped: a library's own ones have no names. */
bool hp_is_of_stripped(const struct hp_names *has_functions,
                       const struct hp_point *point);

/* PAIRS are those of OLD_POINTS and NEW_POINTS, all of them points.  False
   without memory. */
bool hp_pair_unnamed(struct hp_points old_points, struct hp_points new_points,
                     struct hp_pairs *pairs);

#endif
