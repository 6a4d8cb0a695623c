/* writer_fixture.h - writes dumps into a directory per test, and reads.
   The library is the judge; only where blocks end is known here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WRITER_FIXTURE_H
#define HP_WRITER_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/dump_reader.h"
#include "runtime_double.h"

/* cmocka's set-up and tear-down of each test: an empty directory, the double
   reset; the directory removed. */
int hp_fixture_begin(void **state);
int hp_fixture_end(void **state);

/* Bytes that may stay mapped: those of the load map, which is the process's. */
extern uint64_t hp_fixture_mapped;

extern char hp_fixture_directory[]; /* of this test; dump_dir points to it */

/* DIRECTORY/NAME, in a buffer used again by the next call but three. */
const char *hp_fixture_path(const char *name);

/* Writes a dump with these totals (NULL: a plain exit at tick 1000000), and
   checks that memory and files are given back. */
void hp_fixture_write(const struct hp_dump_totals *totals);

/* The dump at DIRECTORY/NAME as the library reads it; it must be readable. */
struct hp_dump *hp_fixture_read(const char *name);

/* The same after hp_fixture_write(), which must not have warned. */
struct hp_dump *hp_fixture_round_trip(const struct hp_dump_totals *totals);

const struct hp_dump_point *hp_fixture_point(const struct hp_dump *dump,
                                             uint64_t id);

/* Ends COUNT chunks: puts them into the log. */
void hp_fixture_log(const struct hp_chunk_log *chunks, size_t count);

/* Fails unless A, with its times less START, is B. */
void hp_fixture_same_chunk(const struct hp_chunk_log *a, uint64_t start,
                           const struct hp_chunk_log *b);

/* Fails unless each file below DIRECTORY/NAME is a row of whole blocks; their
   number. */
size_t hp_fixture_whole_blocks(const char *name);

#endif
