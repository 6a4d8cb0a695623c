/* allocators_page.h - the page around a comparison, made of page/ by the build.
   The document goes between head and tail.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ALLOCATORS_PAGE_H
#define HP_ALLOCATORS_PAGE_H

#include <stddef.h>

extern const unsigned char hp_allocators_page_head[], hp_allocators_page_tail[];
extern const size_t hp_allocators_page_head_size, hp_allocators_page_tail_size;

#endif
