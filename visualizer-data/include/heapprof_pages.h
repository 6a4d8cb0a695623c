/* heapprof_pages.h - what the pages of a point's chunks say: to which memory was given,
   and which of large ones were long not written (option stale_pages).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_PAGES_H
#define HEAPPROF_PAGES_H

#include <stdint.h>

/* What the pages say that the system gave memory to, of chunks whoever accessed
   them; chunks is 0 if nothing is known. */
struct hp_pages {
  uint64_t chunks, bytes; /* known so, and requested by those */
  uint64_t touched;       /* bytes that may have been touched, by pages */
  uint64_t resident;      /* of the chunks live at the end, in memory then */
  uint64_t unused_chunks, unused_bytes; /* no page was ever touched */
  /* Others of which less than half was touched, and what was. */
  uint64_t sparse_chunks, sparse_bytes, sparse_touched;
};

/* Sums over the chunks of 128 KiB and more that live at the dump; chunks is 0 if
   nothing is known.  Bytes are in pages that are in memory. */
struct hp_stale {
  uint64_t chunks, resident;
  uint64_t stale; /* not written for the process's stale_ms or longer */
};

/* Those that documents with columns have: X(column, of, member); nothing is known
   where chunks of that is 0. */
#define HP_PAGE_COLUMNS(X)                                                     \
  X(page_chunks, pages, chunks)                                                \
  X(page_bytes, pages, bytes)                                                  \
  X(touched_bytes, pages, touched)                                             \
  X(resident_bytes, pages, resident)                                           \
  X(sampled_page_chunks, sampled_pages, chunks)                                \
  X(sampled_page_bytes, sampled_pages, bytes)                                  \
  X(sampled_touched_bytes, sampled_pages, touched)                             \
  X(sampled_unused_chunks, sampled_pages, unused_chunks)                       \
  X(stale_chunks, stale, chunks)                                               \
  X(stale_bytes, stale, stale)

#endif
