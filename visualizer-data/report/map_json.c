/* map_json.c - see map_json.h: cells without a chunk are left out, the others are rows of numbers.
   Addresses are strings, as JSON numbers may lose bits.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "map_json.h"

#include "profile_json.h"

#include <inttypes.h>
#include <string.h>

static void put_address(struct hp_json *j, const char *key, uint64_t address) {
  char text[24];
  snprintf(text, sizeof text, "0x%" PRIx64, address);
  hp_json_string(j, key, text);
}

static void put_use(struct hp_json *j, const struct hp_map_use *use) {
  hp_json_integer(j, "chunks", use->chunks);
  hp_json_integer(j, "live_bytes", use->live_bytes);
  hp_json_integer(j, "taken_bytes", use->taken_bytes);
  hp_json_integer(j, "span_bytes", use->span_bytes);
  hp_json_integer(j, "mapped_bytes", use->mapped_bytes);
  hp_json_score(j, "fragmentation", hp_map_fragmentation(use));
  hp_json_score(j, "internal", hp_map_internal(use));
  hp_json_score(j, "external", hp_map_external(use));
  hp_json_score(j, "utilisation", hp_map_utilisation(use));
}

static void put_cell(struct hp_json *j, size_t number,
                     const struct hp_map_cell *cell) {
  hp_json_begin_array(j, NULL);
  hp_json_integer(j, NULL, number);
  hp_json_integer(j, NULL, cell->chunks);
  hp_json_integer(j, NULL, cell->live_bytes);
  hp_json_integer(j, NULL, cell->taken_bytes);
  hp_json_integer(j, NULL, cell->point ? cell->point->id : 0);
  hp_json_integer(j, NULL, (uint64_t)(cell->begun_ns + 0.5));
  hp_json_end_array(j);
}

static void put_moment(struct hp_json *j, const struct hp_map *map,
                       const struct hp_map_moment *moment) {
  hp_json_begin_object(j, NULL);
  hp_json_integer(j, "at_ns", moment->at_ns);
  if (moment->name)
    hp_json_string(j, "name", moment->name);
  else
    hp_json_null(j, "name");
  put_use(j, &moment->all);
  hp_json_score(j, "mean_fragmentation", moment->mean_fragmentation);
  hp_json_begin_array(j, "regions");
  for (size_t r = 0; r < map->region_count; r++) {
    hp_json_begin_object(j, NULL);
    put_use(j, &moment->uses[r]);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
  hp_json_begin_array(j, "cells");
  for (size_t i = 0; i < map->cell_count; i++)
    if (moment->cells[i].taken_bytes)
      put_cell(j, i, &moment->cells[i]);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

static void put_places(struct hp_json *j, const struct hp_map *map) {
  hp_json_begin_array(j, "regions");
  for (size_t r = 0; r < map->region_count; r++) {
    hp_json_begin_object(j, NULL);
    put_address(j, "begin", map->regions[r].begin);
    hp_json_integer(j, "slot_bytes", map->regions[r].slot_bytes);
    hp_json_bool(j, "apart", map->regions[r].apart);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
  hp_json_begin_array(j, "stretches");
  for (size_t i = 0; i < map->stretch_count; i++) {
    const struct hp_map_stretch *s = &map->stretches[i];
    hp_json_begin_object(j, NULL);
    put_address(j, "begin", s->begin);
    hp_json_integer(j, "region", s->region);
    hp_json_integer(j, "first_cell", s->first_cell);
    hp_json_integer(j, "cells", s->cell_count);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}

static void put_points(struct hp_json *j, const struct hp_map *map) {
  hp_json_begin_array(j, "points");
  for (size_t i = 0; i < map->point_count; i++) {
    const struct hp_point *p = map->points[i];
    hp_json_begin_object(j, NULL);
    hp_json_integer(j, "id", p->id);
    if (p->type)
      hp_json_string(j, "type", p->type);
    else
      hp_json_null(j, "type");
    hp_json_frame(j, "site", p->site, false);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}

/* Whether anything is not as at the moment before. */
static bool changes(const struct hp_map *map, size_t moment) {
  const struct hp_map_moment *m = &map->moments[moment];
  return memcmp(m->cells, m[-1].cells, map->cell_count * sizeof *m->cells) !=
             0 ||
         memcmp(&m->all, &m[-1].all, sizeof m->all) != 0;
}

void hp_json_map(struct hp_json *j, const struct hp_map *map, size_t process,
                 bool is_whole) {
  hp_json_begin_object(j, NULL);
  hp_json_integer(j, "process", process);
  hp_json_integer(j, "cell_bytes", map->cell_bytes);
  hp_json_integer(j, "cell_count", map->cell_count);
  put_places(j, map);
  if (is_whole)
    put_points(j, map);
  hp_json_begin_array(j, "moments");
  for (size_t m = 0; m < map->moment_count; m++)
    if (is_whole || !m || map->moments[m].name || changes(map, m))
      put_moment(j, map, &map->moments[m]);
  hp_json_end_array(j);
  hp_json_begin_array(j, "notes");
  for (size_t i = 0; i < map->note_count; i++)
    hp_json_string(j, NULL, map->notes[i]);
  hp_json_end_array(j);
  hp_json_end_object(j);
}
