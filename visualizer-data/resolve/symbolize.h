/* symbolize.h - from module and ELF virtual address to frames, with inlined.
   One symbolizer per profile; answers last until it is closed; has a cache.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SYMBOLIZE_H
#define HP_SYMBOLIZE_H

#include "heapprof.h"
#include "resolve/symbol_module.h"

typedef struct hp_symbolizer hp_symbolizer;

/* CACHE_PATH is a file; NULL = no cache.  O may be NULL. */
hp_status hp_symbolizer_open(hp_symbolizer **out, const char *cache_path,
                             const struct hp_open_options *o,
                             struct hp_error *error);

/* Reads one more cache, of another dump of the same profile; it is not
   written to.  Does nothing if O said no cache or no symbols. */
hp_status hp_symbolizer_read_cache(hp_symbolizer *s, const char *cache_path,
                                   struct hp_error *error);

/* The frames at VADDR (ELF virtual address of the call) of MODULE, innermost
   inlined first, the last one not inlined; at least one.  Owned by S. */
hp_status hp_symbolizer_frames(hp_symbolizer *s,
                               const struct hp_symbol_module *module,
                               uint64_t vaddr, const struct hp_frame **frames,
                               size_t *count, struct hp_error *error);

/* The files of MODULE, S's; *OBJECT is NULL if no symbols are asked for. */
struct hp_object;
hp_status hp_symbolizer_object(hp_symbolizer *s,
                               const struct hp_symbol_module *module,
                               struct hp_object **object,
                               struct hp_error *error);

/* Answers the COUNT requests of record_index.h that have no layout yet by the debug
   information of MODULE, if it has any.  Layouts are STORE's. */
struct hp_layout_request;
struct hp_store;
hp_status hp_symbolizer_layouts(hp_symbolizer *s,
                                const struct hp_symbol_module *module,
                                struct hp_store *store,
                                struct hp_layout_request *requests,
                                size_t count, struct hp_error *error);

/* Why a module gave no symbols (gone, rebuilt since the run, ...): one line
   each, one per module, owned by S. */
size_t hp_symbolizer_note_count(const hp_symbolizer *s);
const char *hp_symbolizer_note(const hp_symbolizer *s, size_t i);

/* Writes the cache if it grew.  NULL is allowed. */
void hp_symbolizer_close(hp_symbolizer *s);

#endif
