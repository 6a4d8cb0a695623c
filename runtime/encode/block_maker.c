/* block_maker.c - headers, checksums and zlib streams of blocks.
   A block that does not get smaller is stored as it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "encode/block_maker.h"

#include <errno.h>
#include <libdeflate.h>

#include "system/memory.h"
#include "system/real_libc.h"

/* A compressor takes its memory in one piece, which is mapped with its size in
   front. */
#define SIZE_ROOM ((size_t)16)

static bool keeps;
static size_t *kept;

static void *take(size_t size) {
  size_t *mapped = __atomic_exchange_n(&kept, NULL, __ATOMIC_ACQ_REL);
  if (mapped && *mapped != size + SIZE_ROOM) {
    hp_sys_unmap(mapped, *mapped);
    mapped = NULL;
  }
  if (!mapped)
    mapped = hp_sys_map(size + SIZE_ROOM);
  if (!mapped)
    return NULL;
  *mapped = size + SIZE_ROOM;
  return (char *)mapped + SIZE_ROOM;
}

static void give(void *p) {
  size_t *mapped = (size_t *)(void *)((char *)p - SIZE_ROOM);
  if (__atomic_load_n(&keeps, __ATOMIC_ACQUIRE))
    mapped = __atomic_exchange_n(&kept, mapped, __ATOMIC_ACQ_REL);
  if (mapped)
    hp_sys_unmap(mapped, *mapped);
}

void hp_block_makers_keep(bool on) {
  __atomic_store_n(&keeps, on, __ATOMIC_RELEASE);
  size_t *mapped =
      on ? NULL : __atomic_exchange_n(&kept, NULL, __ATOMIC_ACQ_REL);
  if (mapped)
    hp_sys_unmap(mapped, *mapped);
}

void hp_block_maker_start(struct hp_block_maker *maker, int level) {
  maker->level = level < 9 ? level : 9;
}

/* NULL: blocks are stored as they are. */
static struct libdeflate_compressor *
get_compressor(struct hp_block_maker *maker) {
  if (maker->level > 0 && !maker->compressor) {
    libdeflate_set_memory_allocator(take, give);
    maker->compressor = libdeflate_alloc_compressor(maker->level);
  }
  return maker->compressor;
}

void hp_block_maker_rest(struct hp_block_maker *maker) {
  struct libdeflate_compressor *compressor = maker->compressor;
  __atomic_store_n(&maker->compressor, NULL, __ATOMIC_RELEASE);
  if (compressor)
    libdeflate_free_compressor(compressor);
}

int hp_block_make(struct hp_block_maker *maker, enum hp_block_kind kind,
                  size_t items, const struct hp_bytes *payload,
                  struct hp_bytes *to) {
  struct hp_block_header header = {
      .magic = HP_BLOCK_MAGIC,
      .version = HP_FORMAT_VERSION,
      .kind = (uint16_t)kind,
      .items = (uint32_t)items,
      .raw_size = (uint32_t)payload->size,
  };
  if (payload->failed)
    return -ENOMEM;
  if (payload->size > HP_BLOCK_RAW_MAX)
    return -EFBIG;
  if (!hp_bytes_reserve(to, sizeof header + payload->size))
    return -ENOMEM;
  uint8_t *block = to->data + to->size, *contents = block + sizeof header;
  size_t stored = 0; /* also if it did not get smaller */
  if (get_compressor(maker))
    stored = libdeflate_zlib_compress(maker->compressor, payload->data,
                                      payload->size, contents, payload->size);
  if (stored) {
    header.flags = HP_BLOCK_ZLIB;
  } else {
    stored = payload->size;
    hp_real_memcpy(contents, payload->data, stored);
  }
  header.stored_size = (uint32_t)stored;
  header.stored_crc = libdeflate_crc32(0, contents, stored);
  header.header_crc = libdeflate_crc32(
      0, &header, offsetof(struct hp_block_header, header_crc));
  hp_real_memcpy(block, &header, sizeof header);
  to->size += sizeof header + stored;
  return 0;
}
