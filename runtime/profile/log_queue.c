/* log_queue.c - see log_queue.h: one piece of memory, used round and round.
   Its lock is held for a copy in memory at most.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/log_queue.h"

#include "profile/log_parts.h"
#include "system/limit.h"
#include "system/memory.h"
#include "system/real_libc.h"

/* The entries lie from `head` to `tail`; or, where `tail` is below `head`, from `head`
   to `wrap` and from 0 to `tail`.  `touched`: bytes that were ever in use. */
static struct {
  struct hp_lock lock;
  uint8_t *bytes;
  size_t size, head, tail, wrap, touched;
} queue;

/* Where SIZE bytes fit in one piece; SIZE_MAX: nowhere now. */
static size_t find_room(size_t size) {
  if (queue.head == queue.tail)
    queue.head = queue.tail = 0;
  if (queue.tail < queue.head)
    return queue.head - queue.tail > size ? queue.tail : SIZE_MAX;
  if (queue.size - queue.tail >= size)
    return queue.tail;
  return queue.head > size ? 0 : SIZE_MAX;
}

bool hp_log_queue_put(const struct hp_bytes *entry) {
  hp_lock_take(&queue.lock);
  size_t at = find_room(entry->size);
  if (at != SIZE_MAX) {
    if (at < queue.tail)
      queue.wrap = queue.tail;
    hp_real_memcpy(queue.bytes + at, entry->data, entry->size);
    queue.tail = at + entry->size;
    if (queue.touched < queue.tail)
      queue.touched = queue.tail;
  }
  hp_lock_release(&queue.lock);
  return at != SIZE_MAX;
}

bool hp_log_queue_first(struct hp_bytes *entry) {
  hp_lock_take(&queue.lock);
  if (queue.tail < queue.head && queue.head == queue.wrap)
    queue.head = 0;
  bool any = queue.head != queue.tail;
  if (any) {
    entry->data = queue.bytes + queue.head;
    entry->size = hp_log_entry_size(entry->data);
  }
  hp_lock_release(&queue.lock);
  return any;
}

void hp_log_queue_leave(size_t size) {
  hp_lock_take(&queue.lock);
  queue.head += size;
  hp_lock_release(&queue.lock);
}

bool hp_log_queue_start(void) {
  if (!queue.bytes) {
    queue.size = hp_memory_is_limited() ? HP_LOG_QUEUE_LIMITED : HP_LOG_QUEUE;
    queue.bytes = hp_sys_map(queue.size);
  }
  return queue.bytes != NULL;
}

void hp_log_queue_reset(void) {
  if (queue.bytes)
    hp_sys_unmap(queue.bytes, queue.size);
  queue.bytes = NULL;
  queue.head = queue.tail = queue.wrap = queue.touched = 0;
}

size_t hp_log_queue_memory(void) { return queue.touched; }

void hp_log_queue_lock(void) { hp_lock_take(&queue.lock); }
void hp_log_queue_unlock(void) { hp_lock_release(&queue.lock); }
