/* member_json.c - see member_json.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "member_json.h"

#include "profile_json.h"

static void put_lines(struct hp_json *j, const struct hp_member_type *t) {
  hp_json_begin_array(j, "false_lines");
  for (size_t i = 0; i < t->false_line_count; i++) {
    const struct hp_false_line *line = &t->false_lines[i];
    hp_json_begin_object(j, NULL);
    hp_json_integer(j, "offset", line->offset);
    hp_json_integer(j, "turns", line->turns);
    hp_json_integer(j, "chunks", line->chunks);
    hp_json_begin_array(j, "parts");
    for (size_t k = 0; k < line->count; k++) {
      hp_json_begin_object(j, NULL);
      hp_json_string(j, "name", line->parts[k].name);
      hp_json_integer(j, "offset", line->parts[k].offset);
      hp_json_integer(j, "size", line->parts[k].size);
      hp_json_integer(j, "thread", line->parts[k].thread);
      hp_json_integer(j, "writes", line->parts[k].writes);
      hp_json_end_object(j);
    }
    hp_json_end_array(j);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}

static void put_type(struct hp_json *j, const struct hp_member_type *t) {
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "type", t->type);
  hp_json_bool(j, "has_layout", t->has_layout);
  hp_json_bool(j, "ambiguous", t->is_ambiguous);
  hp_json_bool(j, "incomplete", t->is_incomplete);
  hp_json_bool(j, "by_library", t->by_library);
  hp_json_string(j, "file", t->file);
  hp_json_known(j, "line", t->line);
  hp_json_known(j, "size", t->size);
  hp_json_known(j, "align", t->align);
  hp_json_integer(j, "hole_bytes", t->hole_bytes);
  hp_json_known(j, "reordered_size", t->has_layout ? t->reordered_size : 0);
  hp_json_string(j, "order", t->order);
  hp_json_integer(j, "chunks", t->chunks);
  hp_json_integer(j, "bytes", t->bytes);
  hp_json_integer(j, "bytes_at_global_peak", t->peak_bytes);
  hp_json_known(j, "elements", t->elements);
  hp_json_integer(j, "chunks_counted", t->chunks_counted);
  hp_json_score(j, "weight", t->weight);
  hp_json_integer(j, "reads", t->reads);
  hp_json_integer(j, "writes", t->writes);
  hp_json_integer(j, "lost", t->lost);
  put_lines(j, t);
  hp_json_begin_array(j, "points");
  for (size_t i = 0; i < t->point_count; i++)
    hp_json_integer(j, NULL, t->points[i]->id);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

static void put_codes(struct hp_json *j, const struct hp_member *m) {
  hp_json_begin_array(j, "code");
  for (size_t i = 0; i < HP_MEMBER_CODES && m->codes[i].frame; i++) {
    hp_json_begin_object(j, NULL);
    hp_json_frame(j, "frame", m->codes[i].frame, false);
    hp_json_integer(j, "reads", m->codes[i].reads);
    hp_json_integer(j, "writes", m->codes[i].writes);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}

/* Of what was not counted nothing is known. */
static void put_counts(struct hp_json *j, const struct hp_member_type *t,
                       const struct hp_member *m) {
  if (t->chunks_counted == 0) {
    static const char *const names[] = {
        "reads",          "writes",      "whole_reads",
        "bytes_accessed", "side_writes", "first_use_ns",
        "last_use_ns",    "chunks",      "chunks_most"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      hp_json_null(j, names[i]);
    return;
  }
  hp_json_integer(j, "reads", m->reads);
  hp_json_integer(j, "writes", m->writes);
  hp_json_integer(j, "whole_reads", m->whole_reads);
  hp_json_integer(j, "bytes_accessed", m->bytes_accessed);
  hp_json_integer(j, "side_writes", m->side_writes);
  if (m->last_use_ns)
    hp_json_integer(j, "first_use_ns", m->first_use_ns);
  else
    hp_json_null(j, "first_use_ns");
  hp_json_known(j, "last_use_ns", m->last_use_ns);
  hp_json_integer(j, "chunks", m->chunks);
  if (m->chunks_most == UINT64_MAX)
    hp_json_null(j, "chunks_most");
  else
    hp_json_integer(j, "chunks_most", m->chunks_most);
}

static void put_member(struct hp_json *j, const struct hp_member_type *t,
                       const struct hp_member *m) {
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "type", t->type);
  hp_json_string(j, "member", m->name);
  hp_json_string(j, "kind", hp_member_kind_name(m->kind));
  hp_json_string(j, "base", m->base);
  hp_json_string(j, "member_type", m->type);
  hp_json_integer(j, "offset", m->offset);
  hp_json_integer(j, "size", m->size);
  hp_json_integer(j, "count", m->count);
  hp_json_known(j, "stride", m->stride);
  if (m->bits)
    hp_json_integer(j, "bit", m->bit);
  else
    hp_json_null(j, "bit");
  hp_json_known(j, "bits", m->bits);
  hp_json_bool(j, "overlaps", m->overlaps);
  hp_json_bool(j, "flexible", m->is_flexible);
  put_counts(j, t, m);
  hp_json_score(j, "share", m->share);
  hp_json_integer(j, "chunks_counted", t->chunks_counted);
  hp_json_score(j, "weight", t->weight);
  put_codes(j, m);
  hp_json_end_object(j);
}

void hp_json_members(struct hp_json *j, const hp_member_types *types,
                     size_t limit) {
  const size_t count = hp_member_types_count(types);
  const size_t shown = count < limit ? count : limit;
  if (!types)
    return;
  hp_json_begin_array(j, "member_types");
  for (size_t i = 0; i < shown; i++)
    put_type(j, hp_member_types_at(types, i));
  hp_json_end_array(j);
  hp_json_integer(j, "member_types_not_shown", count - shown);
  hp_json_begin_array(j, "members");
  for (size_t i = 0; i < shown; i++) {
    const struct hp_member_type *t = hp_member_types_at(types, i);
    for (size_t k = 0; k < t->count; k++)
      put_member(j, t, &t->members[k]);
  }
  hp_json_end_array(j);
}
