/* type_text.h - names of types as people say them: without default arguments,
   nodes by their container.  JSON and CSV keep the compiler's names.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TYPE_TEXT_H
#define HP_TYPE_TEXT_H

/* "std::_Rb_tree_node<std::pair<const int, Q> >" gives "std::map<int, Q> node".
   Owned by the caller; NULL without memory. */
char *hp_type_short(const char *name);

#endif
