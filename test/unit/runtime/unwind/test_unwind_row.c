/* test_unwind_row.c - rows of unwind tables, made here byte by byte: good ones, and all their beginnings and neighbours.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system_double.h"
#include "unwind/unwind_expression.h"
#include "unwind/unwind_row.h"
#include "unwind/unwind_table.h"

#include <stdlib.h>
#include <string.h>

#define CODE 0x10000 /* where the function is */

/* An entry behind its shared part, in one buffer. */
static uint8_t bytes[256];
static size_t size, entry;

static void put(const void *from, size_t n) {
  assert_true(size + n <= sizeof bytes);
  memcpy(bytes + size, from, n);
  size += n;
}
static void put_u32(uint32_t value) { put(&value, sizeof value); }
static void put_u64(uint64_t value) { put(&value, sizeof value); }
static void close_record(size_t from) {
  uint32_t length = (uint32_t)(size - from - 4);
  memcpy(bytes + from, &length, sizeof length);
}

/* LETTERS: the augmentation, "zR" or "zRS"; absolute addresses. */
static void make(const char *letters, const void *shared, size_t shared_size,
                 const void *own, size_t own_size) {
  memset(bytes, 0, sizeof bytes);
  size = 0;
  put_u32(0); /* length */
  put_u32(0);
  put("\1", 1);
  put(letters, strlen(letters) + 1);
  put("\1\x78\x10\1\0", 5); /* factors 1, -8; pc; one byte: an address */
  put(shared, shared_size);
  close_record(0);
  entry = size;
  put_u32(0);
  put_u32((uint32_t)(entry + 4));
  put_u64(CODE);
  put_u64(100);
  put("\0", 1);
  put(own, own_size);
  close_record(entry);
}

/* CFA = sp + 8, the return address below it: so every function begins. */
#define SHARED "\x0c\x07\x08\x90\x01"
#define MAKE(own) make("zR", SHARED, 5, own, sizeof own - 1)

static struct hp_fde fde;
static struct hp_row row;
static bool read_entry(void) {
  return hp_fde_read(&fde, bytes + entry, bytes, bytes + size);
}
static bool read_at(uintptr_t offset) {
  return read_entry() && hp_row_read(&row, &fde, CODE + offset);
}
static void assert_rule(unsigned number, enum hp_row_how how, int32_t value) {
  assert_int_equal(row.registers[number].how, how);
  assert_int_equal(row.registers[number].value, value);
}
static void assert_cfa(unsigned number, int32_t value) {
  assert_int_equal(row.cfa.how, HP_ROW_REGISTER);
  assert_int_equal(row.cfa.reg, number);
  assert_int_equal(row.cfa.value, value);
}

/* push %rbp at 1, mov %rsp,%rbp at 4, pop and ret at 50. */
#define WITH_BP "\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x2e\x0c\x07\x08\xc6"

static void a_frame_pointer(void **state) {
  (void)state;
  MAKE(WITH_BP);
  assert_true(read_at(0));
  assert_int_equal(fde.start, CODE);
  assert_int_equal(fde.end, CODE + 100);
  assert_false(fde.is_signal);
  assert_cfa(HP_REGISTER_SP, 8);
  assert_rule(HP_REGISTER_PC, HP_ROW_AT, -8);
  assert_rule(HP_REGISTER_BP, HP_ROW_SAME, 0);
  assert_true(read_at(1));
  assert_cfa(HP_REGISTER_SP, 16);
  assert_rule(HP_REGISTER_BP, HP_ROW_AT, -16);
  assert_true(read_at(4));
  assert_cfa(HP_REGISTER_BP, 16);
  assert_true(read_at(49));
  assert_cfa(HP_REGISTER_BP, 16);
  assert_true(read_at(50));
  assert_cfa(HP_REGISTER_SP, 8);
  assert_rule(HP_REGISTER_BP, HP_ROW_SAME, 0);
}

static void states_kept_and_taken_back(void **state) {
  (void)state;
  MAKE("\x41\x0e\x10\x0a\x41\x0e\x08\x41\x0b");
  assert_true(read_at(2));
  assert_cfa(HP_REGISTER_SP, 8);
  assert_true(read_at(3));
  assert_cfa(HP_REGISTER_SP, 16);
  MAKE("\x0b"); /* none is kept */
  assert_false(read_at(0));
  MAKE("\x0a\x0a\x0a\x0a\x0a\x0a\x0a"); /* no compiler does that */
  assert_false(read_at(0));
}

static void every_way_to_say_where(void **state) {
  (void)state;
  MAKE("\x05\x06\x03"         /* offset_extended: bp at CFA - 24 */
       "\x11\x03\x7e"         /* offset_extended_sf: rbx at CFA + 16 */
       "\x14\x0c\x02"         /* val_offset: r12 is CFA - 16 */
       "\x15\x0d\x7f"         /* val_offset_sf: r13 is CFA + 8 */
       "\x09\x0e\x03"         /* register: r14 is in rbx */
       "\x07\x00"             /* undefined: rax */
       "\x10\x0f\x02\x76\x00" /* expression: r15 */
       "\x16\x07\x02\x77\x08" /* val_expression: rsp */
       "\x2e\x10"             /* size of arguments */
       "\x2f\x01\x02");       /* negative offset: rdx at CFA + 16 */
  assert_true(read_at(0));
  assert_rule(HP_REGISTER_BP, HP_ROW_AT, -24);
  assert_rule(3, HP_ROW_AT, 16);
  assert_rule(12, HP_ROW_IS, -16);
  assert_rule(13, HP_ROW_IS, 8);
  assert_int_equal(row.registers[14].how, HP_ROW_IN);
  assert_int_equal(row.registers[14].reg, 3);
  assert_rule(0, HP_ROW_UNDEFINED, 0);
  assert_rule(1, HP_ROW_AT, 16);
  assert_int_equal(row.registers[15].how, HP_ROW_AT_SUM);
  assert_int_equal(row.registers[7].how, HP_ROW_IS_SUM);
  size_t length;
  const uint8_t *expression =
      hp_row_expression(&fde, &row.registers[7], &length);
  assert_int_equal(length, 2);
  assert_memory_equal(expression, "\x77\x08", 2);
}

/* lea 8(%rsp),%r10 ... as gcc aligns a frame. */
static void a_frame_that_gcc_aligns(void **state) {
  (void)state;
  MAKE("\x45\x0c\x0a\x00\x49\x10\x06\x02\x76\x00\x44\x0f\x03\x76\x78\x06");
  assert_true(read_at(5));
  assert_cfa(10, 0);
  assert_true(read_at(30));
  assert_int_equal(row.cfa.how, HP_ROW_IS_SUM);
  assert_int_equal(row.registers[HP_REGISTER_BP].how, HP_ROW_AT_SUM);
}

static void a_signals_frame(void **state) {
  (void)state;
  make("zRS", SHARED, 5, "", 0);
  assert_true(read_entry());
  assert_true(fde.is_signal);
}

static void what_means_nothing(void **state) {
  (void)state;
  static const char *const bad[] = {
      "\x3f",                                     /* no such instruction */
      "\x86\x80\x80\x80\x80\x80\x80\x80\x80\x7f", /* no such offset */
      "\x0c\x11\x08", /* the CFA by a register that is none */
      "\x0f\x7f\x76", /* an expression beyond the end */
      "\x86",         /* cut in a number */
      "\x86\xff\xff",
      "\x0e",
      "\x04\x01", /* cut in an advance */
      "\x2d",     /* of another processor */
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    make("zR", SHARED, 5, bad[i], strlen(bad[i]));
    assert_true(read_entry());
    assert_false(hp_row_read(&row, &fde, CODE + 50));
  }
  make("zR", "", 0, "\x41", 1); /* no CFA */
  assert_false(read_at(0));
  make("eh", SHARED, 5, "", 0); /* of gcc 2 */
  assert_false(read_entry());
  MAKE(WITH_BP);
  bytes[8] = 2; /* no such version */
  assert_false(read_entry());
  MAKE(WITH_BP);
  bytes[entry + 4] = 0; /* a shared part, and no entry */
  assert_false(read_entry());
  MAKE(WITH_BP);
  bytes[entry + 5] = 0x7f; /* its shared part lies elsewhere */
  assert_false(read_entry());
}

/* Wherever the bytes end and whatever one of them is, nothing else is read. */
static void cut_or_changed_anywhere(void **state) {
  (void)state;
  MAKE(WITH_BP "\x10\x0f\x02\x76\x00\x0f\x03\x76\x78\x06");
  for (size_t end = 0; end < size; end++) {
    uint8_t *copy = malloc(end + 1); /* ASan sees what is behind */
    memcpy(copy, bytes, end);
    assert_false(entry < end &&
                 hp_fde_read(&fde, copy + entry, copy, copy + end));
    free(copy);
  }
  for (size_t at = 0; at < size; at++)
    for (unsigned value = 0; value < 256; value++) {
      uint8_t *copy = malloc(size);
      memcpy(copy, bytes, size);
      copy[at] = (uint8_t)value;
      if (hp_fde_read(&fde, copy + entry, copy, copy + size))
        hp_row_read(&row, &fde, CODE + 60);
      free(copy);
    }
}

/* ---- expressions */

static bool read_word(void *arg, uintptr_t address, uintptr_t *word) {
  (void)arg;
  *word = address + 1;
  return address != 666;
}
static bool value_of(const char *code, size_t n, uintptr_t *value) {
  static const struct hp_registers registers = {.value = {[6] = 600, [7] = 700},
                                                .known = 3u << 6};
  struct hp_expression expression = {.code = (const uint8_t *)code,
                                     .size = n,
                                     .registers = &registers,
                                     .read = read_word};
  const uintptr_t initial = 1000;
  return hp_expression_value(&expression, &initial, value);
}
#define ASSERT_VALUE(code, expected)                                           \
  do {                                                                         \
    uintptr_t value;                                                           \
    assert_true(value_of(code, sizeof code - 1, &value));                      \
    assert_int_equal(value, (uintptr_t)(expected));                            \
  } while (0)
#define ASSERT_NONE(code)                                                      \
  do {                                                                         \
    uintptr_t value;                                                           \
    assert_false(value_of(code, sizeof code - 1, &value));                     \
  } while (0)

static void expressions(void **state) {
  (void)state;
  ASSERT_VALUE("", 1000);
  ASSERT_VALUE("\x76\x78\x06", 593); /* *(bp - 8) */
  ASSERT_VALUE("\x77\x08", 708);     /* sp + 8 */
  ASSERT_VALUE("\x92\x07\x08", 708);
  ASSERT_VALUE("\x35\x33\x1c", 2);                       /* 5 - 3 */
  ASSERT_VALUE("\x35\x33\x16\x1c", -2);                  /* swapped */
  ASSERT_VALUE("\x31\x32\x33\x17\x1c\x1c", 3 - (1 - 2)); /* rotated */
  ASSERT_VALUE("\x09\xff", -1);
  ASSERT_VALUE("\x08\xff", 255);
  ASSERT_VALUE("\x0b\xfe\xff", -2);
  ASSERT_VALUE("\x0c\1\0\0\0\x23\x7f", 128);
  ASSERT_VALUE("\x11\x7f\x19", 1);
  ASSERT_VALUE("\x3f\x3f\x1a\x3b\x2a\x33\x24", 8); /* as the PLT has it */
  ASSERT_VALUE("\x31\x28\x01\x00\x00\x35", 5);     /* over one byte */
  ASSERT_VALUE("\x37\x33\x1d", 1);
  ASSERT_VALUE("\x37\x12\x1e", 49);
  ASSERT_VALUE("\x37\x1f\x20", 6);
  ASSERT_VALUE("\x30\x94\x01", 1);
  ASSERT_NONE("\x13");     /* nothing is left */
  ASSERT_NONE("\x73\x00"); /* rbx is not known */
  ASSERT_NONE("\x1c");
  ASSERT_NONE("\x31\x30\x1b");     /* by zero */
  ASSERT_NONE("\x0a\x9a\x02\x06"); /* *666 */
  ASSERT_NONE("\x2f\xfd\xff");     /* for ever */
  ASSERT_NONE("\x2f\x70\xff");     /* to before the beginning */
  ASSERT_NONE("\x2f\x01\x00");
  ASSERT_NONE("\x08");
  ASSERT_NONE("\xff");
  ASSERT_NONE("\x30\x94\x09");
  char deep[40];
  memset(deep, 0x31, sizeof deep);
  uintptr_t value;
  assert_false(value_of(deep, sizeof deep, &value));
  for (unsigned a = 0; a < 256; a++)
    for (unsigned b = 0; b < 256; b++)
      value_of((const char[]){0x31, 0x30, (char)a, (char)b, 1, 0}, 6, &value);
}

/* ---- the sorted table */

static uint8_t header[4096]; /* the entries that it names lie in it, too */
#define HEADER_SIZE (12 + 8 * 3)
static void put_header(void) {
  static const int32_t table[] = {0, 3, 0x100, 1000, 0x200, 2000, 0x300, 3000};
  memcpy(header, "\1\x1b\3\x3b", 4);
  memcpy(header + 4, table, sizeof table);
}
static bool search(uintptr_t offset, const uint8_t **found) {
  return hp_table_search(header, header, header + HEADER_SIZE,
                         (uintptr_t)header + offset, found);
}

static void the_table_is_searched(void **state) {
  (void)state;
  const uint8_t *found;
  put_header();
  assert_true(search(0xff, &found));
  assert_null(found);
  static const struct {
    uintptr_t at;
    ptrdiff_t entry;
  } expected[] = {{0x100, 1000},
                  {0x1ff, 1000},
                  {0x200, 2000},
                  {0x300, 3000},
                  {0x9999, 3000}};
  for (size_t i = 0; i < 5; i++) {
    assert_true(search(expected[i].at, &found));
    assert_ptr_equal(found, header + expected[i].entry);
  }
  for (unsigned byte = 0; byte < 4; byte++) { /* another kind of table */
    put_header();
    header[byte]++;
    assert_false(search(0x100, &found));
  }
  put_header();
  header[8] = 4; /* longer than the module */
  assert_false(search(0x100, &found));
  header[8] = 0;
  assert_true(search(0x100, &found));
  assert_null(found);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_frame_pointer),
      cmocka_unit_test(states_kept_and_taken_back),
      cmocka_unit_test(every_way_to_say_where),
      cmocka_unit_test(a_frame_that_gcc_aligns),
      cmocka_unit_test(a_signals_frame),
      cmocka_unit_test(what_means_nothing),
      cmocka_unit_test(cut_or_changed_anywhere),
      cmocka_unit_test(expressions),
      cmocka_unit_test(the_table_is_searched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
