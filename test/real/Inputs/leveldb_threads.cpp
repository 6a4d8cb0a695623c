// leveldb_threads.cpp - writers with keys of their own and readers of all keys, then a scan of the whole database.
// Argument: threads, of which half write; 1 = the main thread alone; 0 = that also does what LevelDB has its own thread do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/write_batch.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

static const int keys = 3000;

// Keeps what is to be done in the background until it is asked to.
class Later : public leveldb::EnvWrapper {
public:
  Later() : EnvWrapper(leveldb::Env::Default()) {}
  void Schedule(void (*work)(void *), void *argument) override {
    waiting.push_back({work, argument});
  }
  void work() {
    while (!waiting.empty()) {
      auto [work, argument] = waiting.front();
      waiting.erase(waiting.begin());
      work(argument);
    }
  }

private:
  std::vector<std::pair<void (*)(void *), void *>> waiting;
};

static std::string key_of(int writer, int i) {
  char text[32];
  std::snprintf(text, sizeof text, "%d/%06d", writer, i * 7919 % keys);
  return text;
}

static void check(const leveldb::Status &status) {
  if (status.ok())
    return;
  std::fprintf(stderr, "leveldb: %s\n", status.ToString().c_str());
  std::exit(2);
}

static void write(leveldb::DB *db, int writer, Later *later) {
  for (int i = 0; i < keys; i++) {
    leveldb::WriteBatch batch;
    batch.Put(key_of(writer, i), std::string(20 + i % 50, char('a' + i % 26)));
    if (i % 5 == 0)
      batch.Delete(key_of(writer, i / 2));
    check(db->Write(leveldb::WriteOptions(), &batch));
    if (later)
      later->work();
  }
}

static void read(leveldb::DB *db, int writers, Later *later) {
  std::string value;
  for (int i = 0; i < keys; i++) {
    leveldb::Status status =
        db->Get(leveldb::ReadOptions(), key_of(i % writers, i), &value);
    if (!status.IsNotFound())
      check(status);
    if (later)
      later->work();
  }
}

int main(int argc, char **argv) {
  int count = argc > 1 ? std::atoi(argv[1]) : 1;
  Later env;
  Later *later = count == 0 ? &env : nullptr;
  leveldb::Options options;
  if (later)
    options.env = later;
  options.create_if_missing = true;
  options.write_buffer_size = 1 << 16; // so that it compacts often
  options.compression = leveldb::kNoCompression;
  leveldb::DB *opened = nullptr;
  check(leveldb::DB::Open(options, "database", &opened));
  std::unique_ptr<leveldb::DB> db(opened);
  if (count <= 1) {
    write(db.get(), 0, later);
    read(db.get(), 1, later);
  } else {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; i++)
      threads.emplace_back([&, i] {
        if (i % 2 == 0)
          write(db.get(), i / 2, nullptr);
        else
          read(db.get(), count / 2, nullptr);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  if (!later)
    db->CompactRange(nullptr, nullptr);
  std::unique_ptr<leveldb::Iterator> scan(
      db->NewIterator(leveldb::ReadOptions()));
  unsigned long entries = 0, hash = 5381;
  for (scan->SeekToFirst(); scan->Valid(); scan->Next(), entries++)
    for (char c : scan->key().ToString() + scan->value().ToString())
      hash = hash * 33 + static_cast<unsigned char>(c);
  check(scan->status());
  std::printf("%lu entries, %lx\n", entries, hash);
  return 0;
}
