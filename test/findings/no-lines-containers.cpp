// no-lines-containers.cpp - without debug information lists, maps and queues are told of where the program uses them.
// Nothing is inlined, so that each member is a function. What a class of the program does inside stays its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -fno-inline %s -o %t && %run %t
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %python -c 'import json, sys; [print(o["size"], o["allocated_by"]["function"], "->", (o["freed_by"] or {}).get("function"), o["frequency"]) for o in json.load(open(sys.argv[1]))["objects"]]' %t.json | FileCheck %s
// CHECK-DAG: 24 fill_list(int) -> fill_list(int) 6000
// CHECK-DAG: 48 fill_map(int) -> fill_map(int) 6000
// CHECK-DAG: 24 fill_table(int) -> fill_table(int) 6000
// CHECK-DAG: 256 fill_queue(int) -> fill_queue(int) 300
// CHECK-DAG: 512 fill_bits(int) -> fill_bits(int) 300
// CHECK-DAG: 8 list::put(long) -> main 5700
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=WORDS %s
// WORDS-DAG: 300 std::priority_queue<int, std::vector<int>> in fill_queue grow 6 times each
// WORDS-DAG: 300 std::vector<bool> in fill_bits grow 6 times each
#include <list>
#include <map>
#include <queue>
#include <unordered_map>
#include <vector>

/* No container of the library, though it is called as one. */
struct list {
  long *put(long value) { return new long(value); }
};

static long fill_list(int count) {
  std::list<long> values;
  for (int i = 0; i < count; i++)
    values.push_back(i);
  return values.back();
}

static long fill_map(int count) {
  std::map<int, long> values;
  for (int i = 0; i < count; i++)
    values[i] = i;
  return values[0];
}

static long fill_table(int count) {
  std::unordered_map<int, long> values;
  for (int i = 0; i < count; i++)
    values[i] = i;
  return values[0];
}

static long fill_queue(int count) {
  std::priority_queue<int> values;
  for (int i = 0; i < count; i++)
    values.push(i);
  return values.top();
}

static long fill_bits(int count) {
  std::vector<bool> values;
  for (int i = 0; i < count; i++)
    values.push_back(i & 1);
  return values.back();
}

int main() {
  long sum = 0;
  list own;
  for (int i = 0; i < 300; i++) {
    sum += fill_list(20) + fill_map(20) + fill_table(20) + fill_queue(64) +
           fill_bits(3000);
    long *value = nullptr;
    for (int k = 0; k < 20; k++) {
      delete value;
      value = own.put(k);
    }
    sum += *value;
    delete value;
  }
  return sum == 1;
}
