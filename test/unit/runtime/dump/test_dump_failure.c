/* test_dump_failure.c - dumps that fail: one line, no harm, nothing half.
   Each resource runs out at every moment it can.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "writer_fixture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "origin/point.h"
#include "profile/aggregate.h"
#include "profile/log.h"

static void must_warn(const char *part) {
  if (hp_double.warnings != 1 || !strstr(hp_double.warning, part))
    print_error("%u warnings, \"%s\" does not say \"%s\"\n", hp_double.warnings,
                hp_double.warning, part);
  assert_int_equal(hp_double.warnings, 1);
  assert_non_null(strstr(hp_double.warning, part));
  assert_null(strchr(hp_double.warning, '\n'));
}

/* Three points; more chunks than a block of the log holds. */
static void make_chunks(void) {
  static const uint64_t stack[] = {0x400000, 0x400100};
  while (hp_point_count() < 3)
    hp_double_point(stack, 2, false, HP_ENTRY_MALLOC);
  for (uint32_t point = 1; point <= 3; point++) {
    for (uint64_t i = 0; i < (point == 2 ? 5000 : 10); i++) {
      /* In reverse, so that they are sorted in earnest. */
      struct hp_chunk_log chunk = {.weight = 1,
                                   .t0 = 10000 - i,
                                   .t1 = 10000,
                                   .size = i * 2654435761,
                                   .point = point,
                                   .thread = 1};
      hp_log_append(&chunk);
    }
  }
}

/* ---- the directory ------------------------------------------------------- */

static void test_mode(void **state) {
  (void)state;
  const char *directories[] = {"heapprof.app.42", "heapprof.app.42/chunks"};
  const char *files[] = {"header", "modules", "points", "end", "chunks/log"};
  make_chunks();
  hp_fixture_write(NULL);
  for (size_t i = 0; i < 2; i++) {
    struct stat status;
    assert_int_equal(stat(hp_fixture_path(directories[i]), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
  }
  for (size_t i = 0; i < 5; i++) {
    char name[64];
    struct stat status;
    snprintf(name, sizeof name, "heapprof.app.42/%s", files[i]);
    assert_int_equal(stat(hp_fixture_path(name), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
  }
}

static void test_pid_used_again(void **state) {
  (void)state;
  hp_double.start_unix_ns = 1;
  hp_fixture_write(NULL);
  hp_double.start_unix_ns = 2;
  hp_fixture_write(NULL);
  hp_double.start_unix_ns = 3;
  hp_fixture_write(NULL);
  assert_int_equal(hp_double.warnings, 0);
  const char *names[] = {"heapprof.app.42", "heapprof.app.42-2",
                         "heapprof.app.42-3"};
  for (unsigned i = 0; i < 3; i++) {
    struct hp_dump *dump = hp_fixture_read(names[i]);
    assert_int_equal(dump->header.start_unix_ns, i + 1);
    hp_dump_close(dump);
  }
}

/* A link planted where the dump goes is not followed. */
static void test_symbolic_link_in_its_place(void **state) {
  (void)state;
  assert_int_equal(mkdir(hp_fixture_path("elsewhere"), 0700), 0);
  assert_int_equal(symlink("elsewhere", hp_fixture_path("heapprof.app.42")), 0);
  hp_fixture_write(NULL);
  assert_int_equal(hp_double.warnings, 0);
  hp_dump_close(hp_fixture_read("heapprof.app.42-2"));
  assert_int_equal(rmdir(hp_fixture_path("elsewhere")), 0); /* it is empty */
}

static void test_missing_parents_are_made(void **state) {
  (void)state;
  char wanted[128];
  snprintf(wanted, sizeof wanted, "%s/a//b/c/", hp_fixture_directory);
  hp_options.dump_dir = wanted;
  hp_fixture_write(NULL);
  assert_int_equal(hp_double.warnings, 0);
  hp_dump_close(hp_fixture_read("a/b/c/heapprof.app.42"));
}

static void test_expansion(void **state) {
  (void)state;
  char wanted[128], home[128];
  snprintf(wanted, sizeof wanted, "%%H/%%b.%%p.%%h.%%r.%%s.%%%%");
  snprintf(home, sizeof home, "%s/home", hp_fixture_directory);
  hp_double.environment[0][0] = "HOME";
  hp_double.environment[0][1] = home;
  hp_double.environment[1][0] = "OMPI_COMM_WORLD_RANK";
  hp_double.environment[1][1] = "5";
  hp_double.start_unix_ns = 1700000000123456789;
  hp_options.dump_dir = wanted;
  hp_fixture_write(NULL);
  assert_int_equal(hp_double.warnings, 0);
  hp_dump_close(
      hp_fixture_read("home/app.42.host.5.1700000000.%/heapprof.app.42"));
}

static void test_expansion_without_rank_and_tmpdir(void **state) {
  (void)state;
  char wanted[128];
  snprintf(wanted, sizeof wanted, "%s/%%r", hp_fixture_directory);
  hp_options.dump_dir = wanted;
  hp_fixture_write(NULL);
  hp_dump_close(hp_fixture_read("none/heapprof.app.42"));
}

static void test_expansion_of_nothing(void **state) {
  (void)state;
  const char *patterns[] = {"x%q", "x%", "%H"}; /* HOME is not set */
  const char *said[] = {"%q stands for nothing", "% stands for nothing",
                        "%H stands for nothing"};
  for (size_t i = 0; i < 3; i++) {
    hp_options.dump_dir = patterns[i];
    hp_double.warnings = 0;
    hp_fixture_write(NULL);
    must_warn(said[i]);
    must_warn(patterns[i]);
  }
}

static void test_dump_dir_is_a_file(void **state) {
  (void)state;
  char wanted[128];
  FILE *file = fopen(hp_fixture_path("file"), "w");
  assert_non_null(file);
  fclose(file);
  snprintf(wanted, sizeof wanted, "%s/file", hp_fixture_directory);
  hp_options.dump_dir = wanted;
  hp_fixture_write(NULL);
  must_warn("/file/heapprof.app.42: Not a directory; "
            "set HEAPPROF_OPTIONS=dump_dir=");
}

static void test_parent_is_a_file(void **state) {
  (void)state;
  char wanted[128];
  FILE *file = fopen(hp_fixture_path("file"), "w");
  assert_non_null(file);
  fclose(file);
  snprintf(wanted, sizeof wanted, "%s/file/deeper", hp_fixture_directory);
  hp_options.dump_dir = wanted;
  hp_fixture_write(NULL);
  must_warn("Not a directory");
}

static void test_directory_cannot_be_made(void **state) {
  (void)state;
  const struct {
    int error;
    const char *said;
  } cases[] = {
      {EACCES, "Permission denied; set HEAPPROF_OPTIONS=dump_dir="},
      {EPERM, "DIR to a writable directory, or run it without the filter "
              "(seccomp) that refuses it"},
      {EROFS, "Read-only file system; set HEAPPROF_OPTIONS=dump_dir="},
      {ESRCH, "No such process; set HEAPPROF_OPTIONS=dump_dir="},
      {ENOENT, "No such file or directory; set HEAPPROF_OPTIONS=dump_dir="},
      {ENOSPC, "No space left on device; free space"},
      {EEXIST, "File exists"}, /* 9999 times */
      {ENOTTY, "error 25; set HEAPPROF_OPTIONS=dump_dir="},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hp_double.mkdir_error = cases[i].error;
    hp_double.warnings = 0;
    hp_fixture_write(NULL);
    must_warn(cases[i].said);
    must_warn("heapprof.app.42");
  }
}

static void test_path_too_long(void **state) {
  (void)state;
  /* Below the limit mkdir says so, beyond it we do. */
  for (size_t length = 4000; length < 4200; length += 3) {
    char *wanted = malloc(length + 1);
    assert_non_null(wanted);
    for (size_t i = 0; i < length; i++)
      wanted[i] = i % 100 == 99 ? '/' : 'x';
    memcpy(wanted, hp_fixture_directory, strlen(hp_fixture_directory));
    wanted[length] = '\0';
    hp_options.dump_dir = wanted;
    hp_double.mkdir_error = ENAMETOOLONG; /* or 40 directories are made */
    hp_double.warnings = 0;
    hp_fixture_write(NULL);
    must_warn("File name too long; set HEAPPROF_OPTIONS=dump_dir=");
    free(wanted);
  }
}

/* NAME_MAX is 255: the program's name is cut, not the dump refused. */
static void test_long_program_name(void **state) {
  (void)state;
  char program[256] = "/", expected[300];
  memset(program + 1, 'p', 254);
  hp_double.executable = program;
  hp_fixture_write(NULL);
  assert_int_equal(hp_double.warnings, 0);
  snprintf(expected, sizeof expected, "heapprof.%.200s.42", program + 1);
  struct hp_dump *dump = hp_fixture_read(expected);
  assert_string_equal(dump->header.program, program);
  hp_dump_close(dump);
}

/* ---- the files ----------------------------------------------------------- */

/* What was written before it went wrong is whole, and says so. */
static void must_be_partial(const char *name) {
  if (access(hp_fixture_path(name), F_OK) != 0)
    return;
  char header[96];
  snprintf(header, sizeof header, "%s/header", name);
  if (access(hp_fixture_path(header), F_OK) != 0)
    return;
  assert_true(hp_fixture_whole_blocks(name) > 0);
  struct hp_dump *dump = hp_fixture_read(name);
  assert_false(dump->complete);
  hp_dump_close(dump);
}

static void test_disk_full_at_every_byte(void **state) {
  (void)state;
  make_chunks();
  hp_fixture_write(NULL);
  assert_int_equal(hp_double.warnings, 0);
  uint64_t all = hp_double.written_bytes;
  /* Each byte of the small files; steps of a prime in the large one. */
  for (uint64_t room = 0; room < all;
       room += room < 1000 || room > all - 1000 ? 1 : 4001) {
    hp_double_process(1000 + (int)room);
    hp_double.bytes_left = room;
    make_chunks();
    hp_fixture_write(NULL);
    must_warn("No space left on device; free space, or set "
              "HEAPPROF_OPTIONS=dump_dir=");
    char name[64];
    snprintf(name, sizeof name, "heapprof.app.%d", hp_double.pid);
    must_be_partial(name);
  }
}

/* Where the rest of a block cannot be cut off, its file goes. */
static void test_disk_full_and_no_truncate(void **state) {
  (void)state;
  make_chunks();
  hp_fixture_write(NULL);
  hp_double_process(43);
  hp_double.bytes_left = hp_double.written_bytes - 10; /* inside `end` */
  hp_double.truncate_error = EINVAL;
  make_chunks();
  hp_fixture_write(NULL);
  must_warn("/end: No space left on device");
  assert_int_equal(access(hp_fixture_path("heapprof.app.43/end"), F_OK), -1);
  must_be_partial("heapprof.app.43");
}

static void test_no_file_descriptor(void **state) {
  (void)state;
  char name[64];
  for (unsigned files = 0;; files++) {
    hp_double_process(100 + (int)files);
    hp_double.creates_left = files;
    make_chunks();
    hp_fixture_write(NULL);
    snprintf(name, sizeof name, "heapprof.app.%d", hp_double.pid);
    if (!hp_double.warnings)
      break;
    must_warn("Too many open files; raise the limit of open files (ulimit -n), "
              "unless the program lowers it itself");
    must_be_partial(name);
  }
  assert_true(hp_double.pid > 105);
  hp_dump_close(hp_fixture_read(name));
}

/* Network file systems say at close that the disk is full. */
static void test_close_fails(void **state) {
  (void)state;
  hp_double.close_error = EDQUOT;
  hp_fixture_write(NULL);
  must_warn("/header: Disk quota exceeded; free space");
}

/* What the log cannot keep is counted; what else is missing ends the dump. */
static void test_no_memory_at_every_map(void **state) {
  (void)state;
  static struct hp_chunk_log live[100];
  const uint64_t count = 5020 + 100;
  unsigned counted = 0, partial = 0;
  for (unsigned i = 0; i < 100; i++)
    live[i] =
        (struct hp_chunk_log){.weight = 1, .t0 = i, .point = 1, .thread = 1};
  hp_double_live(live, 100);
  for (unsigned map = 1;; map++) {
    char name[64];
    hp_double_process(100 + (int)map);
    hp_double.map_to_fail = map;
    make_chunks();
    hp_fixture_write(NULL);
    if (hp_double.map_to_fail) /* there were not so many */
      break;
    snprintf(name, sizeof name, "heapprof.app.%d/header", hp_double.pid);
    if (hp_double.warnings)
      must_warn("Cannot allocate memory; free memory");
    if (access(hp_fixture_path(name), F_OK) != 0)
      continue;
    *strrchr(name, '/') = '\0';
    struct hp_dump *dump = hp_fixture_read(name);
    if (dump->complete) {
      assert_int_equal(dump->end.chunks + dump->end.dropped_chunks, count);
      counted += dump->end.dropped_chunks > 0;
      assert_true(!dump->end.dropped_chunks || dump->end.log_failure);
    } else {
      assert_int_equal(hp_double.warnings, 1);
      partial++;
    }
    hp_dump_close(dump);
  }
  assert_true(counted > 1 && partial > 0);
}

static void write_checkpoint(void) {
  const struct hp_dump_totals totals = {.reason = "checkpoint",
                                        .exit_status = -1};
  hp_dump_take(HP_DUMP_CHECKPOINT, &totals, &hp_double_live_chunks);
  hp_dump_write_checkpoint();
}

/* A checkpoint that does not begin, or is not whole, for want of memory: nothing
   is said, the log waits, and the last dump is whole and has all. */
static void test_no_memory_before_the_last(void **state) {
  (void)state;
  unsigned failed = 0;
  for (unsigned map = 0;; map++) {
    char name[64];
    hp_double_process(100 + (int)map);
    hp_double.disk_is_slow = true; /* nothing is begun */
    make_chunks();
    hp_double.disk_is_slow = false;
    if (map)
      hp_double.map_to_fail = map;
    else
      hp_double.maps_left = 0; /* all of them fail */
    write_checkpoint();
    hp_double.maps_left = UINT64_MAX;
    if (hp_double.map_to_fail) /* there were not so many */
      break;
    assert_int_equal(hp_double.warnings, 0);
    snprintf(name, sizeof name, "heapprof.app.%d", hp_double.pid);
    failed += access(hp_fixture_path(name), F_OK) != 0;
    hp_log_resume();
    hp_fixture_write(NULL);
    assert_int_equal(hp_double.warnings, 0);
    struct hp_dump *dump = hp_fixture_read(name);
    assert_true(dump->complete);
    assert_int_equal(dump->end.chunks + dump->end.dropped_chunks, 5020);
    hp_dump_close(dump);
  }
  assert_true(failed > 0);
}

/* Sums that are not right are left out, not the log. */
static void test_no_memory_for_sums(void **state) {
  (void)state;
  assert_true(hp_aggregate_start(1000, false));
  hp_aggregate_begin(UINT32_MAX, 1, 1, 1); /* more points than fit */
  make_chunks();
  hp_fixture_write(NULL);
  assert_int_equal(hp_double.warnings, 0);
  assert_int_equal(access(hp_fixture_path("heapprof.app.42/aggregates"), F_OK),
                   -1);
  struct hp_dump *dump = hp_fixture_read("heapprof.app.42");
  assert_true(dump->complete);
  assert_int_equal(dump->end.chunks, 5020);
  assert_false(dump->has_checkpoint);
  hp_dump_close(dump);
  assert_true(hp_aggregate_start(1000, false));
}

/* The copy is the last time for itself, not for the window's dump. */
static void test_no_memory_for_a_copy(void **state) {
  (void)state;
  const struct hp_dump_totals totals = {
      .reason = "call", .exit_status = -1, .number = 1};
  make_chunks();
  hp_dump_take(HP_DUMP_COPY, &totals, &hp_double_live_chunks);
  hp_double.maps_left = 0;
  assert_false(hp_dump_write_copy());
  must_warn("Cannot allocate memory; free memory");
  hp_double.warnings = 0;
  hp_double.maps_left = UINT64_MAX;
  hp_fixture_write(NULL);
  assert_int_equal(hp_double.warnings, 0);
  struct hp_dump *dump = hp_fixture_read("heapprof.app.42");
  assert_true(dump->complete);
  hp_dump_close(dump);
}

#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, hp_fixture_begin, hp_fixture_end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_mode),
      TEST(test_pid_used_again),
      TEST(test_symbolic_link_in_its_place),
      TEST(test_missing_parents_are_made),
      TEST(test_expansion),
      TEST(test_expansion_without_rank_and_tmpdir),
      TEST(test_expansion_of_nothing),
      TEST(test_dump_dir_is_a_file),
      TEST(test_parent_is_a_file),
      TEST(test_directory_cannot_be_made),
      TEST(test_path_too_long),
      TEST(test_long_program_name),
      TEST(test_disk_full_at_every_byte),
      TEST(test_disk_full_and_no_truncate),
      TEST(test_no_file_descriptor),
      TEST(test_close_fails),
      TEST(test_no_memory_at_every_map),
      TEST(test_no_memory_before_the_last),
      TEST(test_no_memory_for_a_copy),
      TEST(test_no_memory_for_sums),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
