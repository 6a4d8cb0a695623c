/* log_parts.c - see log_parts.h: numbers and names of files, and blocks that wait
   together.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/log_parts.h"

#include "encode/block_maker.h"
#include "system/message.h"
#include "system/real_libc.h"

#define FIRST_OWN (1 + HP_LOG_SHARED_FILES)

static struct {
  uint32_t points[HP_LOG_FILES - FIRST_OWN]; /* who has a file, in turn */
  uint32_t count;
} own;

static uint32_t own_file_of(uint32_t point) {
  for (uint32_t i = 0; i < own.count; i++)
    if (own.points[i] == point)
      return FIRST_OWN + i;
  if (own.count == HP_LOG_FILES - FIRST_OWN)
    return 0;
  own.points[own.count++] = point;
  return FIRST_OWN + own.count - 1;
}

uint32_t hp_log_file_of(uint32_t point, size_t count, size_t batch_count) {
  if (batch_count < HP_LOG_PARTED)
    return 0;
  const uint32_t file = count < HP_LOG_OWN ? 0 : own_file_of(point);
  return file ? file : 1 + point % HP_LOG_SHARED_FILES;
}

void hp_log_forget_files(void) { own.count = 0; }

void hp_log_file_name(char name[HP_LOG_NAME_SIZE], uint32_t file) {
  if (file == 0)
    hp_sys_format(name, HP_LOG_NAME_SIZE, "chunks/log");
  else if (file < FIRST_OWN)
    hp_sys_format(name, HP_LOG_NAME_SIZE, "chunks/" HP_LOG_SHARED_PREFIX "%u",
                  file - 1);
  else
    hp_sys_format(name, HP_LOG_NAME_SIZE, "chunks/%u",
                  own.points[file - FIRST_OWN]);
}

/* ---- blocks that wait ----------------------------------------------------- */

static void put_word(struct hp_bytes *to, uint32_t word) {
  hp_put_bytes(to, &word, sizeof word);
}

void hp_log_entry_begin(struct hp_bytes *entry) {
  entry->size = 0;
  put_word(entry, 0);
}

void hp_log_entry_add(struct hp_bytes *entry, uint32_t file) {
  put_word(entry, file);
}

void hp_log_entry_end(struct hp_bytes *entry) {
  const uint32_t size = (uint32_t)entry->size;
  hp_real_memcpy(entry->data, &size, sizeof size);
}

size_t hp_log_entry_size(const uint8_t *entry) { return hp_word_at(entry); }

bool hp_log_next_part(const struct hp_bytes *entry, size_t *at,
                      struct hp_log_part *part) {
  if (*at == 0)
    *at = sizeof(uint32_t);
  if (*at >= entry->size)
    return false;
  part->file = hp_word_at(entry->data + *at);
  uint8_t *block = entry->data + *at + sizeof(uint32_t);
  part->block = (struct hp_bytes){.data = block, .size = hp_block_size(block)};
  *at += sizeof(uint32_t) + part->block.size;
  return true;
}
