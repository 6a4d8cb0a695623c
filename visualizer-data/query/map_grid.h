/* map_grid.h - inside of an address map: regions as a dump has them, and cells laid over what lives in them.
   Works on ticks and addresses; map.c gives it the chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MAP_GRID_H
#define HP_MAP_GRID_H

#include "base/store.h"
#include "heapprof_map.h"
#include "read/raw_dump.h"

/* What is counted of a region at a moment, besides what is shown. */
struct hp_map_count {
  struct hp_map_use use;
  uint64_t ever; /* bytes of slots used by then */
};

/* Where a chunk lies: its slot, or what is mapped for it, and in it the bytes
   requested. */
struct hp_map_extent {
  uint64_t begin, end, live_begin, live_end;
  size_t region;
};

/* While it is counted which point has most of a cell, points come one by one. */
struct hp_map_rival {
  const struct hp_point *point;
  uint64_t bytes, most;
};

struct hp_map_grid {
  struct hp_store *store;
  struct hp_map_region *regions;
  uint64_t *used;  /* bytes of each region, at the end */
  uint64_t *slots; /* chunks in each region, at the end, known or not */
  size_t region_count;
  size_t moment_count;
  struct hp_map_count *counts; /* [moment][region] */
  struct hp_map_extent *apart; /* those of regions with memory by slot */
  size_t apart_count, apart_room;
  uint64_t cell_bytes;
  struct hp_map_stretch *stretches;
  size_t stretch_count, cell_count;
  struct hp_map_cell *cells; /* [moment][cell] */
  struct hp_map_rival *rivals;
};

/* Takes the list of regions; false in *GOOD if it cannot be one. */
hp_status hp_map_take_regions(struct hp_map_grid *grid,
                              const struct hp_dump_end *end, bool *good,
                              struct hp_error *error);

/* False: CHUNK lies in no region. */
bool hp_map_place(const struct hp_map_grid *grid,
                  const struct hp_chunk_log *chunk,
                  struct hp_map_extent *extent);

/* First all chunks are counted: EXTENT lives at the moments [first, last), and
   was used from FIRST on. */
hp_status hp_map_count_extent(struct hp_map_grid *grid,
                              const struct hp_map_extent *extent, size_t first,
                              size_t last, struct hp_error *error);

/* Then cells are laid out: of CELL_BYTES, or no more than MOST. */
hp_status hp_map_lay_out(struct hp_map_grid *grid, uint64_t cell_bytes,
                         size_t most, struct hp_error *error);

/* Then they are filled, the chunks of a POINT one after the other. */
void hp_map_fill(struct hp_map_grid *grid, const struct hp_map_extent *extent,
                 size_t first, size_t last, const struct hp_point *point,
                 uint64_t begun_ns);
void hp_map_finish_cells(struct hp_map_grid *grid);

void hp_map_grid_end(struct hp_map_grid *grid);

#endif
