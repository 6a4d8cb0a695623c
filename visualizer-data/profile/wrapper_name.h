/* wrapper_name.h - whether a function only does what one of libc does, by its name.
   What xmalloc makes, and what xrealloc or xasprintf frees, is its caller's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_PROFILE_WRAPPER_NAME_H
#define HEAPPROF_PROFILE_WRAPPER_NAME_H

#include <stdbool.h>

#include "text/member_name.h"

/* FUNCTION without arguments and what a compiler made of it; of C++ the member's name,
   without its template's arguments. */
struct hp_text_part hp_bare_name(const char *function);

/* NAME is one of libc's that allocate, with whatever in front or, of a few letters,
   behind: xmalloc, emalloc_real, xmlStrndup; or allocates and ends in array. */
bool hp_is_wrapper_name(struct hp_text_part name);

/* FUNCTION, of C, says itself what it does, such as safe_malloc, or strbuf_grow: it makes
   room for others. */
bool hp_says_it_makes_room(const char *function);

/* FUNCTION, of C++, says that it allocates, and is given sizes alone. */
bool hp_is_size_allocator_name(const char *function);

/* A is a member of the class that B, which may be NULL, is one of; or both of a namespace. */
bool hp_is_same_scope(const char *a, const char *b);

/* FUNCTION is called as those of Numerical Recipes that make arrays: dvector, matrix. */
bool hp_is_array_name(const char *function);

/* So it is, or it is no member and says of itself that it allocates. */
bool hp_is_array_maker_name(const char *function);

/* SCOPE is a class template whose name ends as that of a container does, SmallVector<int,
   4>: all that it allocates and frees is for who has one. */
bool hp_is_container_name(struct hp_text_part scope);

/* So does the name of a class, template or not, or of what it has its insides in. */
bool hp_ends_as_container(struct hp_text_part scope);

/* It is the latter, ByteVectorPrivate: what it allocates is for a ByteVector. */
bool hp_is_inside_container(struct hp_text_part scope);

#endif
