/* score_map.c - see score_map.h: a character for each cell, lines that repeat left out.
   The numbers are those of the JSON document, rounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_map.h"

#include "heapprof_map.h"
#include "map_json.h"
#include "number_text.h"
#include "profile_json.h"
#include "score_summary.h"
#include "site_text.h"
#include "text_column.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_CELLS 64u
#define LETTERS 26u

/* ---- making ---------------------------------------------------------------- */

hp_status hp_score_maps_make(struct hp_map ***maps,
                             const struct hp_score_options *o,
                             const hp_profile *profile,
                             struct hp_error *error) {
  const struct hp_map_when end = {.name = "end"};
  const struct hp_map_options options = {.sz = sizeof options,
                                         .cell_bytes = o->cell_bytes};
  const size_t count = hp_process_count(profile);
  size_t made = 0;
  hp_status status = HP_OK, first = HP_OK;
  struct hp_error other;
  *maps = calloc(count + 1, sizeof **maps);
  for (size_t i = 0; *maps && status == HP_OK && i < count; i++) {
    bool any;
    const hp_status has =
        hp_map_check(profile, i, &any, first == HP_OK ? error : &other);
    if (has == HP_OK) {
      status = hp_map_make(
          &(*maps)[i], profile, i, o->moment_count ? o->moments : &end,
          o->moment_count ? o->moment_count : 1, &options, error);
      made++;
    } else if (first == HP_OK) {
      first = has;
    }
  }
  if (!*maps)
    return hp_command_no_memory(error);
  return status == HP_OK && !made ? first : status;
}

void hp_score_maps_free(struct hp_map **maps, const hp_profile *profile) {
  for (size_t i = 0; maps && i < hp_process_count(profile); i++)
    hp_map_free(maps[i]);
  free(maps);
}

/* ---- a cell ---------------------------------------------------------------- */

/* What letters stand for, most cells first. */
struct legend {
  enum hp_map_letters letters;
  struct name {
    const struct hp_point *point; /* or the first of its type */
    size_t cells;
  } *names;
  size_t count;
};

static bool is_alike(const struct legend *legend, const struct hp_point *a,
                     const struct hp_point *b) {
  if (a == b || legend->letters != HP_MAP_BY_TYPE)
    return a == b;
  return a->type == b->type ||
         (a->type && b->type && strcmp(a->type, b->type) == 0);
}

static size_t name_of(const struct legend *legend,
                      const struct hp_point *point) {
  size_t i = 0;
  while (i < legend->count && !is_alike(legend, legend->names[i].point, point))
    i++;
  return i;
}

static int by_cells(const void *left, const void *right) {
  const struct name *a = left, *b = right;
  if (a->cells != b->cells)
    return a->cells < b->cells ? 1 : -1;
  return (a->point->id > b->point->id) - (a->point->id < b->point->id);
}

/* Without memory there are no letters. */
static void make_legend(struct legend *legend, const struct hp_map *map,
                        const struct hp_map_moment *moment) {
  legend->names = calloc(map->point_count + 1, sizeof *legend->names);
  if (!legend->names)
    return;
  for (size_t i = 0; i < map->cell_count; i++) {
    const struct hp_point *point = moment->cells[i].point;
    if (!point)
      continue;
    const size_t at = name_of(legend, point);
    if (at == legend->count)
      legend->names[legend->count++].point = point;
    legend->names[at].cells++;
  }
  qsort(legend->names, legend->count, sizeof *legend->names, by_cells);
}

static int tenths(double share) {
  return share < 0 ? 0 : share < 1 ? (int)(10 * share) : 9;
}

static char cell_character(const struct hp_map *map,
                           const struct hp_map_moment *moment,
                           const struct legend *legend,
                           const struct hp_map_cell *cell) {
  const double full = (double)cell->live_bytes / (double)map->cell_bytes;
  if (!cell->chunks)
    return cell->taken_bytes ? ',' : '.';
  switch (legend->letters) {
  case HP_MAP_BY_TYPE:
  case HP_MAP_BY_POINT: {
    const size_t name = name_of(legend, cell->point);
    return name < LETTERS && name < legend->count ? (char)('a' + name) : '*';
  }
  case HP_MAP_BY_AGE:
    return (char)('0' + tenths(1 - cell->begun_ns / (double)moment->at_ns));
  default:
    break;
  }
  const int digit = tenths(full);
  return full >= 0.95 ? '#' : (char)('0' + (digit ? digit : 1));
}

/* ---- lines ----------------------------------------------------------------- */

static void put_repeats(FILE *out, size_t lines, bool is_empty,
                        uint64_t line_bytes) {
  if (!lines)
    return;
  fprintf(out, "  ... %zu more line%s %s, %s\n", lines, lines == 1 ? "" : "s",
          is_empty ? "without a chunk" : "like this one",
          hp_bytes_text(lines * line_bytes).s);
}

static void put_stretch(FILE *out, const struct hp_map *map,
                        const struct hp_map_moment *moment,
                        const struct legend *legend,
                        const struct hp_map_stretch *stretch) {
  const uint64_t line_bytes = LINE_CELLS * map->cell_bytes;
  char line[LINE_CELLS + 1], before[LINE_CELLS + 1] = "";
  size_t repeats = 0;
  for (size_t i = 0; i < stretch->cell_count; i += LINE_CELLS) {
    const size_t rest = stretch->cell_count - i;
    const size_t count = rest < LINE_CELLS ? rest : LINE_CELLS;
    for (size_t k = 0; k < count; k++)
      line[k] = cell_character(map, moment, legend,
                               &moment->cells[stretch->first_cell + i + k]);
    line[count] = '\0';
    if (strcmp(line, before) == 0) {
      repeats++;
      continue;
    }
    put_repeats(out, repeats, strspn(before, ".") == LINE_CELLS, line_bytes);
    repeats = 0;
    fprintf(out, "0x%012" PRIx64 " %s\n", stretch->begin + i * map->cell_bytes,
            line);
    memcpy(before, line, sizeof line);
  }
  put_repeats(out, repeats, strspn(before, ".") == LINE_CELLS, line_bytes);
}

static void put_share(FILE *out, const char *name, double share) {
  if (share < 0)
    fprintf(out, "%s -", name);
  else
    fprintf(out, "%s %.1f %%", name, 100 * share);
}

static void put_use(FILE *out, const struct hp_map_use *use) {
  fprintf(out, "%s chunk%s, live %s, ", hp_count_text(use->chunks).s,
          use->chunks == 1 ? "" : "s", hp_bytes_text(use->live_bytes).s);
  fprintf(out, "span %s, ", hp_bytes_text(use->span_bytes).s);
  fprintf(out, "mapped %s\n    ", hp_bytes_text(use->mapped_bytes).s);
  put_share(out, "fragmentation", hp_map_fragmentation(use));
  put_share(out, ", internal", hp_map_internal(use));
  put_share(out, ", external", hp_map_external(use));
  put_share(out, ", utilisation", hp_map_utilisation(use));
  putc('\n', out);
}

static void put_region(FILE *out, const struct hp_map *map,
                       const struct hp_map_moment *moment,
                       const struct legend *legend, size_t region) {
  const struct hp_map_region *r = &map->regions[region];
  const struct hp_map_stretch *before = NULL;
  fprintf(out, "\nslots of %s%s: ", hp_bytes_text(r->slot_bytes).s,
          r->apart ? ", mapped one by one" : "");
  put_use(out, &moment->uses[region]);
  for (size_t i = 0; i < map->stretch_count; i++) {
    const struct hp_map_stretch *s = &map->stretches[i];
    if (s->region != region)
      continue;
    if (before)
      fprintf(out, "  ... %s of addresses without a chunk\n",
              hp_bytes_text(s->begin - before->begin -
                            before->cell_count * map->cell_bytes)
                  .s);
    put_stretch(out, map, moment, legend, s);
    before = s;
  }
}

/* ---- a map ----------------------------------------------------------------- */

static void put_key(FILE *out, const struct hp_map *map,
                    const struct legend *legend) {
  fprintf(out, "  a character is %s: . no chunk, , none but its slot, ",
          hp_bytes_text(map->cell_bytes).s);
  switch (legend->letters) {
  case HP_MAP_BY_AGE:
    fputs("0 begun just now ... 9 when the window began\n", out);
    return;
  case HP_MAP_BY_TYPE:
  case HP_MAP_BY_POINT:
    fputs("a letter who has most of it\n", out);
    break;
  default:
    fputs("1 to 9 tenths of it requested, # 95 % or more\n", out);
    return;
  }
  for (size_t i = 0; i < legend->count && i < LETTERS; i++) {
    const struct hp_point *p = legend->names[i].point;
    fprintf(out, "  %c ", (char)('a' + i));
    if (legend->letters == HP_MAP_BY_TYPE)
      hp_text_put(out, p->type ? p->type : "(type not known)");
    else if (p->site)
      hp_site_brief(out, p->site);
    else
      fputs("-", out);
    if (legend->letters == HP_MAP_BY_POINT)
      fprintf(out, " #%" PRIu64, p->id);
    putc('\n', out);
  }
  if (legend->count > LETTERS)
    fprintf(out, "  * %zu others\n", legend->count - LETTERS);
}

static void put_moment(FILE *out, const struct hp_map *map,
                       const struct hp_map_moment *moment,
                       enum hp_map_letters letters) {
  struct legend legend = {.letters = letters};
  if (letters == HP_MAP_BY_TYPE || letters == HP_MAP_BY_POINT)
    make_legend(&legend, map, moment);
  fprintf(out, "  at %s", hp_duration_text((double)moment->at_ns).s);
  if (moment->name) {
    fputs(" (", out);
    hp_text_put(out, moment->name);
    putc(')', out);
  }
  fputs(": ", out);
  put_use(out, &moment->all);
  if (moment->mean_fragmentation >= 0)
    fprintf(out, "    mean fragmentation of its regions %.1f %%\n",
            100 * moment->mean_fragmentation);
  put_key(out, map, &legend);
  for (size_t r = 0; r < map->region_count; r++)
    if (moment->uses[r].chunks)
      put_region(out, map, moment, &legend, r);
  putc('\n', out);
  free(legend.names);
}

void hp_score_maps(FILE *out, const struct hp_score_options *o,
                   const hp_profile *profile, struct hp_map *const *maps,
                   size_t width) {
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const struct hp_map *map = maps[i];
    struct hp_error error;
    bool any;
    hp_score_program(out, hp_process_at(profile, i), width);
    if (!map && hp_map_check(profile, i, &any, &error) != HP_OK)
      hp_text_wrap(out, "note: ", error.text, width);
    for (size_t m = 0; map && m < map->moment_count; m++)
      put_moment(out, map, &map->moments[m], o->letters);
    for (size_t n = 0; map && n < map->note_count; n++)
      hp_text_wrap(out, "note: ", map->notes[n], width);
  }
}

void hp_score_maps_json(FILE *out, const hp_profile *profile,
                        struct hp_map *const *maps) {
  struct hp_json j = {.out = out, .first = true};
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "schema", "heapprof.map/1");
  hp_json_processes(&j, profile);
  hp_json_begin_array(&j, "maps");
  for (size_t i = 0; i < hp_process_count(profile); i++)
    if (maps[i])
      hp_json_map(&j, maps[i], i, true);
  hp_json_end_array(&j);
  hp_json_end_object(&j);
}
