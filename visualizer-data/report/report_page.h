/* report_page.h - the page around the document, made of page/ by the build.
   The document goes between head and tail.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_PAGE_H
#define HP_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char hp_page_head[], hp_page_tail[];
extern const size_t hp_page_head_size, hp_page_tail_size;

#endif
