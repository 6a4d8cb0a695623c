/* put_members.c - see put_members.h: an entry of the table is a row for each place of
   its group, or two where that reaches into the next record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/put_members.h"

#include "chunk/member_table.h"
#include "chunk/members.h"
#include "chunk/shared_lines.h"
#include "hook_abi.h"
#include "system/clock.h"

#define ROW_NUMBERS 7

/* Those of one point, while they are written. */
struct rows {
  struct hp_bytes list, uses;
  uint64_t record; /* bytes */
  uint64_t chunks; /* that were counted: others may have begun since */
  uint64_t count;
  uint64_t counted; /* accesses */
  uint64_t burst;   /* number of the last one */
};

struct row {
  uint64_t offset, bytes, reads, writes, together;
};

void hp_put_members_add_live(struct hp_live_members *sum,
                             const struct hp_chunk_log *chunk) {
  if (!hp_members_of || !(chunk->flags & (HP_CHUNK_EXACT | HP_CHUNK_AGED)))
    return;
  sum->chunks++;
  sum->accesses += chunk->reads + chunk->writes;
}

static void put_row(struct rows *rows, const struct hp_member_entry *entry,
                    const struct row *row) {
  const uint64_t chunks =
      entry->chunks < rows->chunks ? entry->chunks : rows->chunks;
  const uint64_t bytes = row->bytes < UINT32_MAX ? row->bytes : UINT32_MAX;
  const uint64_t numbers[ROW_NUMBERS] = {row->offset,  bytes,  row->reads,
                                         row->writes,  chunks, entry->key.pc,
                                         row->together};
  for (unsigned i = 0; i < ROW_NUMBERS; i++)
    hp_put_varint(&rows->list, numbers[i]);
  const uint64_t first = hp_clock_in_window(entry->first_use);
  const uint64_t last = hp_clock_in_window(entry->last_use);
  hp_put_varint(&rows->uses, first);
  hp_put_varint(&rows->uses, last > first ? last - first : 0);
  rows->count++;
}

/* What begins in one record may end in the next. */
static void put_place(struct rows *rows, const struct hp_member_entry *entry,
                      struct row row) {
  const uint64_t record =
      entry->key.kind & HP_MEMBER_IN_RECORD ? rows->record : 0;
  if (row.offset > UINT32_MAX || !row.bytes || !(row.reads | row.writes))
    return; /* of no chunk, or just being counted */
  rows->counted += row.reads + row.writes;
  if (!record || row.offset + row.bytes <= record) {
    put_row(rows, entry, &row);
    return;
  }
  if (row.bytes >= record) {
    row.offset = 0;
    row.bytes = record;
    put_row(rows, entry, &row);
    return;
  }
  struct row next = row;
  row.bytes = record - row.offset;
  next.bytes -= row.bytes;
  next.offset = 0;
  put_row(rows, entry, &row);
  put_row(rows, entry, &next);
}

static void put_group(struct rows *rows, const struct hp_member_entry *entry) {
  const uint32_t *group = entry->key.group;
  const uint32_t places = group[HP_GROUP_PLACES];
  const uint64_t together = places > 1 ? ++rows->burst : 0;
  for (uint32_t i = 0; i < places; i++) {
    const uint32_t *place = &group[HP_GROUP_HEAD + i * HP_GROUP_PLACE];
    uint64_t offset = (uint64_t)entry->key.offset + place[0];
    if (entry->key.kind & HP_MEMBER_IN_RECORD)
      offset %= rows->record;
    put_place(rows, entry,
              (struct row){offset, (uint64_t)place[1] + entry->key.bytes,
                           place[2] * entry->times, place[3] * entry->times,
                           together});
  }
}

static void put_entry(const struct hp_member_entry *entry, void *arg) {
  struct rows *rows = arg;
  if (entry->key.group) {
    put_group(rows, entry);
    return;
  }
  put_place(rows, entry,
            (struct row){entry->key.offset, entry->key.bytes,
                         entry->key.kind & HP_ACCESS_READ ? entry->times : 0,
                         entry->key.kind & HP_ACCESS_WRITE ? entry->times : 0,
                         0});
}

/* ---- lines --------------------------------------------------------------- */

/* Of one point: their number is ahead of the list. */
struct lines {
  struct hp_bytes list;
  uint64_t count;
};

static void put_line(const struct hp_line_state *line, void *arg) {
  struct lines *all = arg;
  uint64_t writers = 0;
  for (uint32_t i = 0; i < HP_LINE_WRITERS; i++)
    writers += line->writers[i].bytes != 0;
  if (writers < 2)
    return; /* the others are just being noted */
  all->count++;
  hp_put_varint(&all->list, line->offset);
  hp_put_varint(&all->list, line->turns);
  hp_put_varint(&all->list, writers);
  for (uint32_t i = 0; i < HP_LINE_WRITERS; i++) {
    const struct hp_line_side *one = &line->writers[i];
    if (!one->bytes)
      continue;
    hp_put_varint(&all->list, one->thread);
    hp_put_varint(&all->list, one->times);
    hp_put_varint(&all->list, one->common);
    hp_put_varint(&all->list, one->writes);
    hp_put_varint(&all->list, one->bytes);
  }
}

static void put_lines(struct hp_bytes *part, const struct hp_member_point *of) {
  struct lines all = {0};
  hp_shared_line_each(of, put_line, &all);
  if (all.count) {
    struct hp_bytes field = {0};
    hp_put_varint(&field, all.count);
    hp_put_bytes(&field, all.list.data, all.list.size);
    part->failed |= field.failed | all.list.failed;
    hp_put_bytes_field(part, HP_AGGREGATE_shared_lines, field.data, field.size);
    hp_bytes_free(&field);
  }
  hp_bytes_free(&all.list);
}

void hp_put_members(struct hp_bytes *part, uint32_t point,
                    const struct hp_live_members *live) {
  const struct hp_member_point *of =
      hp_members_of ? hp_member_point(point, false) : NULL;
  const uint64_t chunks = (of ? of->chunks : 0) + live->chunks;
  if (!chunks)
    return;
  struct rows rows = {.record = of ? of->record : 0, .chunks = chunks};
  if (of)
    hp_member_each(of, put_entry, &rows);
  const uint64_t accesses = (of ? of->accesses : 0) + live->accesses;
  const uint64_t lost = accesses > rows.counted ? accesses - rows.counted : 0;
  struct hp_bytes field = {0};
  hp_put_varint(&field, chunks);
  hp_put_varint(&field, lost);
  hp_put_varint(&field, rows.count);
  hp_put_bytes(&field, rows.list.data, rows.list.size);
  part->failed |= field.failed | rows.list.failed;
  hp_put_bytes_field(part, HP_AGGREGATE_members, field.data, field.size);
  if (of)
    put_lines(part, of);
  part->failed |= rows.uses.failed;
  if (rows.count)
    hp_put_bytes_field(part, HP_AGGREGATE_member_uses, rows.uses.data,
                       rows.uses.size);
  hp_bytes_free(&rows.list);
  hp_bytes_free(&rows.uses);
  hp_bytes_free(&field);
}
