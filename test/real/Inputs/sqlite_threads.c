/* sqlite_threads.c - four threads fill a shared database and one each of their own, then all is summed up.
   Which thread comes first changes nothing of what is printed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROWS = 400 };

static sqlite3 *shared;
static long long sums[THREADS];

static void check(int result, sqlite3 *db) {
  if (result == SQLITE_OK)
    return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(db));
  exit(2);
}

static sqlite3 *open_memory(void) {
  sqlite3 *db;
  int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
  check(sqlite3_open_v2(":memory:", &db, flags, NULL), db);
  check(sqlite3_exec(db, "create table t(id integer primary key, text text)",
                     NULL, NULL, NULL),
        db);
  return db;
}

static void insert(sqlite3 *db, int first) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(db, "insert into t values(?, ?)", -1, &statement,
                           NULL),
        db);
  for (int i = first; i < first + ROWS; i++) {
    char *text = sqlite3_mprintf("row %d of %d", i, first);
    sqlite3_bind_int(statement, 1, i);
    sqlite3_bind_text(statement, 2, text, -1, sqlite3_free);
    if (sqlite3_step(statement) != SQLITE_DONE)
      check(SQLITE_ERROR, db);
    sqlite3_reset(statement);
  }
  check(sqlite3_finalize(statement), db);
}

static long long sum_of(sqlite3 *db) {
  sqlite3_stmt *statement;
  const char *text = "select sum(id) * count(*) + sum(length(text)) from t";
  check(sqlite3_prepare_v2(db, text, -1, &statement, NULL), db);
  long long sum = sqlite3_step(statement) == SQLITE_ROW
                      ? sqlite3_column_int64(statement, 0)
                      : -1;
  sqlite3_finalize(statement);
  return sum;
}

static void *work(void *arg) {
  int me = *(int *)arg;
  sqlite3 *own = open_memory();
  insert(own, 0);
  insert(shared, me * ROWS);
  sums[me] = sum_of(own);
  check(sqlite3_close(own), own);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  shared = open_memory();
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i]))
      return 1;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    printf("own %d: %lld\n", i, sums[i]);
  printf("shared: %lld\n", sum_of(shared));
  check(sqlite3_close(shared), shared);
  return 0;
}
