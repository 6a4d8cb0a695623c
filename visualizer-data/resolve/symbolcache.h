/* symbolcache.h - answers of the symboliser kept in a file beside the dump.
   Keyed by build id and address; a damaged file counts as none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SYMBOLCACHE_H
#define HP_SYMBOLCACHE_H

#include "heapprof.h"
#include "resolve/symbol_module.h"

typedef struct hp_symbolcache hp_symbolcache;

/* Reads PATH, which is also where it is written to, if it is there.  NULL: no
   memory. */
hp_symbolcache *hp_symbolcache_open(const char *path);

/* Reads one more file; what CACHE has already stays.  False: no memory. */
bool hp_symbolcache_read(hp_symbolcache *cache, const char *path);

/* The same, and what it had is written too when CACHE is closed. */
bool hp_symbolcache_adopt(hp_symbolcache *cache, const char *path);

/* The frames kept for VADDR of the module with this build id (module and
   address of the frames are not set), or NULL.  Owned by the cache. */
const struct hp_frame *hp_symbolcache_find(hp_symbolcache *cache,
                                           const struct hp_symbol_module *m,
                                           uint64_t vaddr, size_t *count);

/* Whether anything is kept of the module with this build id. */
bool hp_symbolcache_knows(const hp_symbolcache *cache,
                          const struct hp_symbol_module *m);

/* Each has a function and a file: no debug file could say more. */
bool hp_frames_have_lines(const struct hp_frame *frames, size_t count);

/* Copies FRAMES; of frames without lines that were kept before, those with them
   take the place.  What cannot be kept for want of memory is asked again. */
void hp_symbolcache_add(hp_symbolcache *cache, const struct hp_symbol_module *m,
                        uint64_t vaddr, const struct hp_frame *frames,
                        size_t count);

/* Replaces the file by rename if anything was added; silently keeps nothing
   where the directory is read-only.  NULL is allowed. */
void hp_symbolcache_close(hp_symbolcache *cache);

#endif
