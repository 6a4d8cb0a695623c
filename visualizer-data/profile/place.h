/* place.h - the line where a person can change what a point allocates.
   Not an xmalloc, nor what a class or a container does inside itself.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PLACE_H
#define HP_PLACE_H

#include "profile/profile_inside.h"
#include "text/member_name.h"

/* Sets the place of each point by the stacks of all points. */
hp_status hp_places_find(struct hp_profile *profile, struct hp_error *error);

/* What libc made for its caller, who can have it otherwise. */
enum hp_libc_text {
  HP_LIBC_NONE,
  HP_LIBC_FORMATTED, /* asprintf */
  HP_LIBC_LINE,      /* getline */
  HP_LIBC_PATH,      /* realpath */
  HP_LIBC_COPY       /* strdup, in a library that has no hooks */
};

enum hp_libc_text hp_place_libc_text(const struct hp_point *point);

/* The program called libc for it, no library in between: free gives it back. */
bool hp_place_called_libc(const struct hp_point *point);

/* FUNCTION, whose name is NAME, is a member of a class template and makes room for
   elements, or takes one in. */
bool hp_place_is_container(const char *function,
                           const struct hp_member_name *name);

/* The innermost frame that belongs neither to the allocator nor to the C or
   C++ library nor to start-up code, nor, of a text that libc made, to a library
   of the system that only calls libc; the stack's size if there is none. */
size_t hp_place_innermost(const struct hp_point *point);

/* Where POINT's place is in its stack; the stack's size if it has none. */
size_t hp_place_depth(const struct hp_point *point);

#endif
