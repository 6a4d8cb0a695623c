/* test_smaps.c - ranges, what they are and how much of them is resident: of lines
   as the system writes them, and of this process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/smaps.h"

#include "system_double.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char path[] = "smaps.XXXXXX";
static struct hp_smaps_range ranges[32];
static size_t count;

static void note(const struct hp_smaps_range *range, void *arg) {
  assert_ptr_equal(arg, &count);
  assert_true(count < 32);
  ranges[count++] = *range;
}

static bool read_text(const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
  count = 0;
  double_smaps = path;
  const bool is_whole = hp_smaps_each(note, &count);
  double_smaps = NULL;
  return is_whole;
}

static void ranges_and_their_bytes(void **state) {
  (void)state;
  assert_true(read_text(
      "55d0c0a00000-55d0c0a21000 r-xp 00001000 fe:01 1234    /usr/bin/app\n"
      "Size:                132 kB\n"
      "Rss:                  80 kB\n"
      "Pss:                  40 kB\n"
      "Shared_Clean:         64 kB\n"
      "Shared_Dirty:          4 kB\n"
      "Private_Clean:        12 kB\n"
      "VmFlags: rd ex mr mw me sd\n"
      "7ffe00000000-7fff00000000 rw-p 00000000 00:00 0 \n"
      "Rss:             4194304 kB\n"));
  assert_int_equal(count, 2);
  assert_true(ranges[0].begin == 0x55d0c0a00000);
  assert_true(ranges[0].end == 0x55d0c0a21000);
  assert_int_equal(ranges[0].resident, 80 << 10);
  assert_int_equal(ranges[0].shared, 68 << 10);
  assert_false(ranges[0].is_writable);
  assert_int_equal(ranges[0].kind, HP_SMAPS_FILE);
  assert_true(ranges[1].end == 0x7fff00000000);
  assert_true(ranges[1].resident == (uint64_t)4 << 30);
  assert_int_equal(ranges[1].shared, 0); /* not the one's before */
  assert_true(ranges[1].is_writable);
  assert_int_equal(ranges[1].kind, HP_SMAPS_ANONYMOUS);
}

static void kinds_by_name(void **state) {
  (void)state;
  static const struct {
    const char *name;
    enum hp_smaps_kind kind;
  } names[] = {{"", HP_SMAPS_ANONYMOUS},
               {"[stack]", HP_SMAPS_STACK},
               {"[heap]", HP_SMAPS_BREAK},
               {"[anon:glibc: malloc]", HP_SMAPS_ANONYMOUS},
               {"[anon_shmem:name]", HP_SMAPS_ANONYMOUS},
               {"[vdso]", HP_SMAPS_KERNEL},
               {"[vvar]", HP_SMAPS_KERNEL},
               {"[vsyscall]", HP_SMAPS_KERNEL},
               {"/dev/zero (deleted)", HP_SMAPS_ANONYMOUS},
               {"/dev/shm/name", HP_SMAPS_ANONYMOUS},
               {"/memfd:name (deleted)", HP_SMAPS_ANONYMOUS},
               {"/SYSV00000000 (deleted)", HP_SMAPS_ANONYMOUS},
               {"anon_inode:[io_uring]", HP_SMAPS_ANONYMOUS},
               {"/anon_hugepage (deleted)", HP_SMAPS_ANONYMOUS},
               {"/dev/shmem", HP_SMAPS_FILE},
               {"/a path with [stack] in it", HP_SMAPS_FILE}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char text[256];
    snprintf(text, sizeof text, "1000-2000 rw-p 00000000 00:00 0   %s\n",
             names[i].name);
    assert_true(read_text(text));
    assert_int_equal(count, 1);
    assert_int_equal(ranges[0].kind, names[i].kind);
    assert_int_equal(ranges[0].resident, 0); /* nothing is said of it */
  }
}

/* A path may be as long as a page; the lines behind it count for its range. */
static void a_line_that_is_too_long(void **state) {
  (void)state;
  char *text = malloc(40000);
  size_t size = (size_t)sprintf(text, "1000-2000 r--p 00000000 00:00 7   /");
  memset(text + size, 'R', 20000);
  strcpy(text + size + 20000, "\nRss:    4 kB\n3000-4000 rw-p 00000000 00:00 0 "
                              "\nRss:    8 kB\n");
  assert_true(read_text(text));
  assert_int_equal(count, 2);
  assert_int_equal(ranges[0].resident, 4096);
  assert_int_equal(ranges[0].kind, HP_SMAPS_FILE);
  assert_int_equal(ranges[1].resident, 8192);
  free(text);
}

static void what_cannot_be_read(void **state) {
  (void)state;
  assert_false(read_text("")); /* a process has some range */
  count = 0;
  double_smaps = "/there/is/no/such/file";
  assert_false(hp_smaps_each(note, &count));
  double_smaps = NULL;
  assert_int_equal(count, 0);
}

static struct hp_smaps_range wanted;
static void find(const struct hp_smaps_range *range, void *arg) {
  if (range->begin <= (uintptr_t)arg && (uintptr_t)arg < range->end)
    wanted = *range;
}

static void this_process(void **state) {
  (void)state;
  const size_t size = (size_t)64 << 12;
  char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(p, MAP_FAILED);
  madvise(p, size, MADV_NOHUGEPAGE);
  assert_true(hp_smaps_each(find, p));
  const uint64_t before = wanted.resident;
  for (size_t i = 0; i < 5; i++)
    p[i * 4096] = 1;
  assert_true(hp_smaps_each(find, p));
  assert_int_equal(wanted.resident, before + 5 * 4096);
  assert_int_equal(wanted.kind, HP_SMAPS_ANONYMOUS);
  assert_true(wanted.is_writable);
  assert_true(hp_smaps_each(find, &p));
  assert_int_equal(wanted.kind, HP_SMAPS_STACK);
  assert_true(hp_smaps_each(find, (void *)(uintptr_t)this_process));
  assert_int_equal(wanted.kind, HP_SMAPS_FILE);
  assert_false(wanted.is_writable);
  munmap(p, size);
}

int main(void) {
  const int file = mkstemp(path);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_and_their_bytes),
      cmocka_unit_test(kinds_by_name),
      cmocka_unit_test(a_line_that_is_too_long),
      cmocka_unit_test(what_cannot_be_read),
      cmocka_unit_test(this_process),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  close(file);
  unlink(path);
  return failed;
}
