/* unwind_table.c - see unwind_table.h: a binary search in .eh_frame_hdr; libgcc
   is asked for what programs register and for tables of other kinds.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/unwind_table.h"
#include "system/loaded_modules.h"

/* libgcc's and libunwind's; not in a header. */
struct hp_unwind_bases {
  void *text, *data, *function;
};
extern const void *_Unwind_Find_FDE(void *pc, struct hp_unwind_bases *bases)
    __attribute__((weak));
extern void __register_frame_info_bases(void) __attribute__((weak));
extern void __register_frame_info_table_bases(void) __attribute__((weak));
extern void __deregister_frame_info_bases(void) __attribute__((weak));

/* .eh_frame_hdr, as all linkers write it:
     +0   u8  version 1
     +1   u8  encoding of +4
     +2   u8  encoding of the count: u32
     +3   u8  encoding of the table: i32 from the header
     +4   i32 to .eh_frame
     +8   u32 count
     +12  {i32 start of a function, i32 its entry} [count], ascending */
#define HEADER_BYTES 12
enum { VERSION = 1, RELATIVE_I32 = 0x1b, U32 = 0x03, FROM_HEADER_I32 = 0x3b };

static int32_t signed_at(const uint8_t *p) {
  uint32_t value = 0;
  for (unsigned i = 0; i < sizeof value; i++)
    value |= (uint32_t)p[i] << 8 * i;
  return (int32_t)value;
}

bool hp_table_search(const uint8_t *header, const uint8_t *begin,
                     const uint8_t *end, uintptr_t address,
                     const uint8_t **entry) {
  if (header < begin || header >= end || end - header < HEADER_BYTES ||
      header[0] != VERSION || header[1] != RELATIVE_I32 || header[2] != U32 ||
      header[3] != FROM_HEADER_I32)
    return false;
  uint32_t count = (uint32_t)signed_at(header + 8);
  const uint8_t *table = header + HEADER_BYTES;
  if (count > (size_t)(end - table) / 8)
    return false;
  *entry = NULL;
  uint32_t low = 0,
           high = count; /* the last that starts at ADDRESS or before */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if ((uintptr_t)header + (uintptr_t)signed_at(table + 8 * (size_t)middle) <=
        address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low)
    *entry = header + signed_at(table + 8 * (size_t)(low - 1) + 4);
  return true;
}

static bool has(const struct hp_fde *fde, uintptr_t address) {
  return fde->start <= address && address < fde->end;
}

/* libgcc may allocate while it sorts what was registered, with its lock. */
static HP_THREAD_LOCAL bool asks_libgcc;

static enum hp_table_answer ask_libgcc(struct hp_fde *fde, uintptr_t address) {
  if (!_Unwind_Find_FDE || asks_libgcc)
    return HP_TABLE_NONE;
  struct hp_unwind_bases bases;
  asks_libgcc = true;
  const uint8_t *entry = _Unwind_Find_FDE((void *)address, &bases);
  asks_libgcc = false;
  return entry &&
                 hp_fde_read(fde, entry, (const uint8_t *)1,
                             (const uint8_t *)UINTPTR_MAX) &&
                 has(fde, address)
             ? HP_TABLE_FOUND
             : HP_TABLE_NONE;
}

bool hp_table_is_locked_by(const struct hp_fde *fde) {
  const uintptr_t start = fde->start;
  return start == (uintptr_t)&_Unwind_Find_FDE ||
         start == (uintptr_t)&__register_frame_info_bases ||
         start == (uintptr_t)&__register_frame_info_table_bases ||
         start == (uintptr_t)&__deregister_frame_info_bases;
}

enum hp_table_answer hp_table_find(struct hp_fde *fde, uintptr_t address,
                                   enum hp_table_way way, bool *stays) {
  struct hp_sys_unwind_table table;
  const uint8_t *entry;
  *stays = hp_sys_unwind_table(address, &table);
  if (*stays &&
      hp_table_search(table.header, table.begin, table.end, address, &entry)) {
    return entry && hp_fde_read(fde, entry, table.begin, table.end) &&
                   has(fde, address)
               ? HP_TABLE_FOUND
               : HP_TABLE_NONE;
  }
  /* A nested question gets no answer, which must not be remembered. */
  *stays = *stays && !asks_libgcc && way == HP_TABLE_OF_ALL;
  return way == HP_TABLE_OF_ALL ? ask_libgcc(fde, address) : HP_TABLE_NONE;
}
