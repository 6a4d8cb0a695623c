/* member_name.h - takes the demangled name of a C++ function apart.
   Enough to tell constructors, copies and the class; foreign text stays
   foreign.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMBER_NAME_H
#define HP_MEMBER_NAME_H

#include <stdbool.h>

#include "text/text_part.h"

/* Parts of the text that was parsed:
     Point& std::vector<Point>::emplace_back<Point>(Point&&)
            scope              member               parameters             */
struct hp_member_name {
  struct hp_text_part scope, member, parameters;
};

struct hp_member_name hp_member_parse(const char *function);

bool hp_member_is_constructor(const struct hp_member_name *name);

/* operator=, or what a container has beside it. */
bool hp_member_is_assignment(const struct hp_member_name *name);

/* Takes its own class by const reference: a copy constructor or assignment. */
bool hp_member_copies(const struct hp_member_name *name);

/* An operator that makes a new value of its operands, as + does: not +=, nor << and >>,
   which mostly are a stream's. */
bool hp_member_is_arithmetic(const struct hp_member_name *name);

/* FUNCTION, which may be NULL, is the operator + of two texts of the C++ library, of which
   one may be a character or a char *. */
bool hp_joins_texts(const char *function);

/* The compiler wrote it: the constructor of a lambda, which copies or moves it. */
bool hp_member_is_of_lambda(const struct hp_member_name *name);

#endif
