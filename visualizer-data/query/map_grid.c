/* map_grid.c - see map_grid.h: two passes over chunks, so that none of them is kept but those apart.
   A cell's sums are of whole chunks' parts; no chunk is drawn by itself.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/map_grid.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/failure.h"
#include "base/growing_array.h"
#include "read/record.h"

#define REGION_NUMBERS 5u
#define PAGE ((uint64_t)4096)
#define CELL_LEAST ((uint64_t)16)
#define GAP_CELLS 16u /* a gap of more is left out */

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* ---- regions --------------------------------------------------------------- */

static bool take_region(struct hp_map_grid *grid, struct hp_cursor *at) {
  uint64_t n[REGION_NUMBERS], past;
  for (size_t i = 0; i < REGION_NUMBERS; i++)
    if (!hp_take_varint(at, &n[i]))
      return false;
  const size_t count = grid->region_count;
  const uint64_t behind =
      count ? grid->regions[count - 1].begin + grid->used[count - 1] : 1;
  if (n[0] < behind || __builtin_add_overflow(n[0], n[1], &past) || !n[2] ||
      n[2] % CELL_LEAST || n[1] % n[2])
    return false;
  grid->regions[count] = (struct hp_map_region){
      .begin = n[0], .slot_bytes = n[2], .apart = n[3] & HP_REGION_APART};
  grid->used[count] = n[1];
  grid->slots[count] = n[4];
  grid->region_count++;
  return true;
}

hp_status hp_map_take_regions(struct hp_map_grid *grid,
                              const struct hp_dump_end *end, bool *good,
                              struct hp_error *error) {
  struct hp_cursor at = {end->heap_regions_list,
                         end->heap_regions_list + end->heap_regions_list_size};
  const size_t most = end->heap_regions_list_size / REGION_NUMBERS + 1;
  grid->regions = hp_store_take(grid->store, most, sizeof *grid->regions);
  grid->used = hp_store_take(grid->store, most, sizeof *grid->used);
  grid->slots = hp_store_take(grid->store, most, sizeof *grid->slots);
  if (!grid->regions || !grid->used || !grid->slots)
    return hp_fail_memory(error);
  *good = true;
  while (*good && hp_left(&at))
    *good = take_region(grid, &at);
  grid->counts =
      hp_store_take(grid->store, grid->moment_count * (grid->region_count + 1),
                    sizeof *grid->counts);
  return grid->counts ? HP_OK : hp_fail_memory(error);
}

bool hp_map_place(const struct hp_map_grid *grid,
                  const struct hp_chunk_log *chunk,
                  struct hp_map_extent *extent) {
  const uint64_t address = chunk->address;
  size_t i = grid->region_count;
  while (i && grid->regions[i - 1].begin > address)
    i--;
  if (!i || !address)
    return false;
  i--;
  if (address - grid->regions[i].begin >= grid->used[i])
    return false;
  const struct hp_map_region *region = &grid->regions[i];
  const uint64_t from = address - region->begin;
  const uint64_t slot = from - from % region->slot_bytes;
  if (chunk->size > region->slot_bytes - (from - slot))
    return false;
  *extent =
      (struct hp_map_extent){.begin = region->begin + slot,
                             .end = region->begin + slot + region->slot_bytes,
                             .live_begin = address,
                             .live_end = address + chunk->size,
                             .region = i};
  if (region->apart) {
    extent->begin = greater(extent->begin, address & -PAGE);
    extent->end = lesser(extent->end, (extent->live_end + PAGE - 1) & -PAGE);
  }
  return true;
}

/* ---- counting -------------------------------------------------------------- */

static struct hp_map_count *count_at(const struct hp_map_grid *grid,
                                     size_t moment, size_t region) {
  return &grid->counts[moment * grid->region_count + region];
}

static bool keep_apart(struct hp_map_grid *grid,
                       const struct hp_map_extent *extent) {
  if (grid->apart_count == grid->apart_room) {
    const size_t room = grid->apart_room ? 2 * grid->apart_room : 256;
    struct hp_map_extent *apart =
        reallocarray(grid->apart, room, sizeof *apart);
    if (!apart)
      return false;
    grid->apart = apart;
    grid->apart_room = room;
  }
  grid->apart[grid->apart_count++] = *extent;
  return true;
}

hp_status hp_map_count_extent(struct hp_map_grid *grid,
                              const struct hp_map_extent *extent, size_t first,
                              size_t last, struct hp_error *error) {
  const struct hp_map_region *region = &grid->regions[extent->region];
  const uint64_t span = extent->live_end - region->begin;
  const uint64_t from = extent->begin - region->begin;
  const uint64_t ever = from - from % region->slot_bytes + region->slot_bytes;
  if (first < grid->moment_count) {
    struct hp_map_count *count = count_at(grid, first, extent->region);
    count->ever = greater(count->ever, ever);
  }
  for (size_t m = first; m < last; m++) {
    struct hp_map_use *use = &count_at(grid, m, extent->region)->use;
    use->chunks++;
    use->live_bytes += extent->live_end - extent->live_begin;
    use->taken_bytes += extent->end - extent->begin;
    use->span_bytes = region->apart
                          ? use->span_bytes + extent->live_end - extent->begin
                          : greater(use->span_bytes, span);
  }
  if (region->apart && first < last && !keep_apart(grid, extent))
    return hp_fail_memory(error);
  return HP_OK;
}

/* ---- cells ----------------------------------------------------------------- */

static int by_begin(const void *left, const void *right) {
  const struct hp_map_extent *a = left, *b = right;
  if (a->begin != b->begin)
    return a->begin < b->begin ? -1 : 1;
  return (a->end > b->end) - (a->end < b->end);
}

/* What is to be covered of a region whose slots are not apart. */
static uint64_t span_of(const struct hp_map_grid *grid, size_t region) {
  uint64_t span = 0;
  for (size_t m = 0; m < grid->moment_count; m++)
    span = greater(span, count_at(grid, m, region)->use.span_bytes);
  return span;
}

/* A row of stretches that is being made; without TO they are counted only. */
struct laying {
  struct hp_map_stretch *to;
  size_t count, cells;
  uint64_t cell_bytes;
};

static void lay(struct laying *laying, uint64_t begin, uint64_t end,
                size_t region) {
  const uint64_t cells = (end - begin) / laying->cell_bytes +
                         ((end - begin) % laying->cell_bytes != 0);
  if (laying->to)
    laying->to[laying->count] =
        (struct hp_map_stretch){.begin = begin,
                                .region = region,
                                .first_cell = laying->cells,
                                .cell_count = (size_t)cells};
  laying->count++;
  laying->cells += (size_t)cells;
}

static size_t lay_apart(struct laying *laying, const struct hp_map_grid *grid,
                        size_t region, size_t next) {
  const struct hp_map_extent *all = grid->apart;
  while (next < grid->apart_count && all[next].region == region) {
    const uint64_t begin = all[next].begin;
    uint64_t end = all[next].end;
    for (next++; next < grid->apart_count && all[next].region == region &&
                 (all[next].begin <= end ||
                  (all[next].begin - end) / GAP_CELLS <= laying->cell_bytes);
         next++)
      end = greater(end, all[next].end);
    lay(laying, begin, end, region);
  }
  return next;
}

static void lay_all(struct laying *laying, const struct hp_map_grid *grid) {
  size_t next = 0;
  for (size_t r = 0; r < grid->region_count; r++) {
    const struct hp_map_region *region = &grid->regions[r];
    const uint64_t span = region->apart ? 0 : span_of(grid, r);
    if (region->apart)
      next = lay_apart(laying, grid, r, next);
    else if (span)
      lay(laying, region->begin, region->begin + span, r);
  }
}

hp_status hp_map_lay_out(struct hp_map_grid *grid, uint64_t cell_bytes,
                         size_t most, struct hp_error *error) {
  struct laying laying = {.cell_bytes = cell_bytes ? cell_bytes : CELL_LEAST};
  if (grid->apart_count)
    qsort(grid->apart, grid->apart_count, sizeof *grid->apart, by_begin);
  lay_all(&laying, grid);
  while (laying.cells > (cell_bytes ? HP_MAP_CELLS_MAX : most) &&
         laying.cell_bytes < (uint64_t)1 << 62) {
    laying = (struct laying){.cell_bytes = 2 * laying.cell_bytes};
    lay_all(&laying, grid);
  }
  if (cell_bytes && laying.cell_bytes != cell_bytes)
    return hp_fail(error, HP_E_ARGUMENT,
                   "cells of %" PRIu64
                   " bytes are too many; they may have %" PRIu64 " or more",
                   cell_bytes, laying.cell_bytes);
  grid->cell_bytes = laying.cell_bytes;
  grid->stretches =
      hp_store_take(grid->store, laying.count, sizeof *grid->stretches);
  grid->cells = hp_store_take(grid->store, grid->moment_count * laying.cells,
                              sizeof *grid->cells);
  grid->rivals =
      calloc(grid->moment_count * laying.cells + 1, sizeof *grid->rivals);
  if (!grid->stretches || !grid->cells || !grid->rivals)
    return hp_fail_memory(error);
  laying = (struct laying){grid->stretches, 0, 0, grid->cell_bytes};
  lay_all(&laying, grid);
  grid->stretch_count = laying.count;
  grid->cell_count = laying.cells;
  return HP_OK;
}

/* ---- filling --------------------------------------------------------------- */

/* The stretch that ADDRESS lies in. */
static const struct hp_map_stretch *stretch_at(const struct hp_map_grid *grid,
                                               uint64_t address) {
  size_t low = 0, high = grid->stretch_count;
  while (low + 1 < high) {
    const size_t middle = low + (high - low) / 2;
    if (grid->stretches[middle].begin <= address)
      low = middle;
    else
      high = middle;
  }
  return &grid->stretches[low];
}

static uint64_t common(uint64_t begin, uint64_t end, uint64_t from,
                       uint64_t to) {
  const uint64_t low = greater(begin, from), high = lesser(end, to);
  return high > low ? high - low : 0;
}

/* The point that had most so far keeps the cell unless the one that comes now
   gets more. */
static void compete(struct hp_map_cell *cell, struct hp_map_rival *rival,
                    const struct hp_point *point, uint64_t bytes) {
  if (rival->point != point) {
    rival->point = point;
    rival->bytes = 0;
  }
  rival->bytes += bytes;
  if (rival->bytes > rival->most || !cell->point) {
    rival->most = rival->bytes;
    cell->point = point;
  }
}

void hp_map_fill(struct hp_map_grid *grid, const struct hp_map_extent *extent,
                 size_t first, size_t last, const struct hp_point *point,
                 uint64_t begun_ns) {
  if (first >= last)
    return;
  const struct hp_map_stretch *stretch = stretch_at(grid, extent->begin);
  const uint64_t size = grid->cell_bytes;
  const uint64_t from = (extent->begin - stretch->begin) / size;
  for (uint64_t i = from; i < stretch->cell_count; i++) {
    const uint64_t begin = stretch->begin + i * size, end = begin + size;
    if (begin >= extent->end)
      break;
    const uint64_t taken = common(extent->begin, extent->end, begin, end);
    const uint64_t live =
        common(extent->live_begin, extent->live_end, begin, end);
    const bool has_it =
        live || (extent->live_begin == extent->live_end &&
                 extent->live_begin >= begin && extent->live_begin < end);
    for (size_t m = first; m < last; m++) {
      const size_t at = m * grid->cell_count + stretch->first_cell + (size_t)i;
      struct hp_map_cell *cell = &grid->cells[at];
      cell->taken_bytes += taken;
      cell->live_bytes += live;
      cell->begun_ns += (double)live * (double)begun_ns;
      cell->chunks += has_it;
      if (has_it)
        compete(cell, &grid->rivals[at], point, live);
    }
  }
}

void hp_map_finish_cells(struct hp_map_grid *grid) {
  for (size_t i = 0; i < grid->moment_count * grid->cell_count; i++)
    if (grid->cells[i].live_bytes)
      grid->cells[i].begun_ns /= (double)grid->cells[i].live_bytes;
  for (size_t r = 0; r < grid->region_count; r++) {
    uint64_t ever = 0;
    for (size_t m = 0; m < grid->moment_count; m++) {
      struct hp_map_count *count = count_at(grid, m, r);
      ever = count->ever = greater(ever, count->ever);
      count->use.mapped_bytes =
          grid->regions[r].apart ? count->use.taken_bytes : ever;
    }
  }
}

void hp_map_grid_end(struct hp_map_grid *grid) {
  free(grid->apart);
  free(grid->rivals);
}
