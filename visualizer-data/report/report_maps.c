/* report_maps.c - see report_maps.h: the peak, marks, the end, and moments evenly between.
   A cell takes some 45 bytes of the document.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_maps.h"

#include <string.h>

#include "base/failure.h"
#include "map_json.h"

#define CELL_BYTES 45u
#define PART_OF_PAGE 8u /* one in so many bytes */
#define MOMENTS_MOST 16u
#define MOMENTS_FEW 6u
#define MARKS_MOST 5u
#define CELLS_MOST 2048u
#define CELLS_LEAST 256u

static size_t within(uint64_t number, size_t least, size_t most) {
  return number < least ? least : number > most ? most : (size_t)number;
}

/* How many cells, and at how many moments, for one of COUNT maps: cells of a small
   page get larger before it has few moments. */
static size_t cells_of(uint64_t max_bytes, size_t count, size_t *moments) {
  const uint64_t room =
      max_bytes / PART_OF_PAGE / CELL_BYTES / (count ? count : 1);
  *moments = within(room / CELLS_MOST, 1, MOMENTS_MOST);
  if (*moments < MOMENTS_FEW)
    *moments = within(room / CELLS_LEAST, 1, MOMENTS_FEW);
  return within(room / *moments, CELLS_LEAST, CELLS_MOST);
}

static size_t choose(struct hp_map_when *when, const struct hp_process *process,
                     bool any, size_t most) {
  size_t count = 0;
  when[count++] = (struct hp_map_when){.name = "end"};
  if (!any || most < 2)
    return count;
  when[count++] = (struct hp_map_when){.name = "peak"};
  for (size_t i = 0; i < process->mark_count && i < MARKS_MOST && count < most;
       i++)
    when[count++] = (struct hp_map_when){.name = process->marks[i].name};
  const size_t between = most - count;
  for (size_t i = 1; i <= between; i++)
    when[count++] = (struct hp_map_when){
        .at_ns = (uint64_t)((double)process->window_ns * (double)i /
                            (double)(between + 1))};
  return count;
}

hp_status hp_report_maps_make(struct hp_report_maps *maps,
                              const hp_profile *profile, uint64_t max_bytes,
                              struct hp_error *error) {
  const size_t processes = hp_process_count(profile);
  size_t able = 0, moments;
  bool any;
  *maps = (struct hp_report_maps){0};
  for (size_t i = 0; i < processes; i++) {
    struct hp_error why;
    if (hp_map_check(profile, i, &any, &why) == HP_OK)
      able++;
    else if (!maps->why.status)
      maps->why = why;
  }
  const size_t shown = able < HP_REPORT_MAPS ? able : HP_REPORT_MAPS;
  maps->left_out = able - shown;
  const struct hp_map_options o = {
      .sz = sizeof o, .most_cells = cells_of(max_bytes, shown, &moments)};
  for (size_t i = 0; i < processes && maps->count < shown; i++) {
    struct hp_map_when when[MOMENTS_MOST];
    if (hp_map_check(profile, i, &any, error) != HP_OK)
      continue;
    const size_t count = choose(when, hp_process_at(profile, i), any, moments);
    HP_TRY(hp_map_make(&maps->maps[maps->count], profile, i, when, count, &o,
                       error));
    maps->processes[maps->count++] = i;
  }
  return HP_OK;
}

void hp_report_maps_put(struct hp_json *j, const struct hp_report_maps *maps) {
  hp_json_begin_array(j, "maps");
  for (size_t i = 0; i < maps->count; i++)
    hp_json_map(j, maps->maps[i], maps->processes[i], false);
  hp_json_end_array(j);
  hp_json_integer(j, "maps_left_out", maps->left_out);
  if (maps->count || !maps->why.status)
    hp_json_null(j, "no_map");
  else
    hp_json_string(j, "no_map", maps->why.text);
}

void hp_report_maps_free(struct hp_report_maps *maps) {
  for (size_t i = 0; i < maps->count; i++)
    hp_map_free(maps->maps[i]);
  *maps = (struct hp_report_maps){0};
}
