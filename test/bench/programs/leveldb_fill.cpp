/* leveldb_fill.cpp - leveldb_fill DIRECTORY KEYS: fills a LevelDB database in key order, then reads part of it back.
   Uses LevelDB's public interface only.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "leveldb/db.h"

static std::string key_of(unsigned long number) {
  char text[24];
  std::snprintf(text, sizeof text, "%016lu", number);
  return text;
}

static void check(const leveldb::Status &status) {
  if (status.ok())
    return;
  std::fprintf(stderr, "leveldb_fill: %s\n", status.ToString().c_str());
  std::exit(1);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const unsigned long keys = std::strtoul(argv[2], nullptr, 10);
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB *opened = nullptr;
  check(leveldb::DB::Open(options, argv[1], &opened));
  const std::unique_ptr<leveldb::DB> database(opened);
  std::string value(100, 'x');
  for (unsigned long i = 0; i < keys; i++) {
    value[i % value.size()] = static_cast<char>('a' + i % 26);
    check(database->Put(leveldb::WriteOptions(), key_of(i), value));
  }
  unsigned long total = 0;
  for (unsigned long i = 0; i < keys; i += 10) {
    check(database->Get(leveldb::ReadOptions(), key_of(i), &value));
    for (char letter : value)
      total = total * 31 + static_cast<unsigned char>(letter);
  }
  std::printf("%lu\n", total);
}
