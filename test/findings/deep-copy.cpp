// deep-copy.cpp - objects that are copied with all they have, where a reference
// or a move would do; and the twin that does so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* > %t.txt
// RUN: tr -s '\n ' ' ' < %t.txt | FileCheck --check-prefix=SHORT %s
// RUN: tr -s '\n ' ' ' < %t.txt | FileCheck --check-prefix=GONE %s
// RUN: grep -c "\[deep_copy\]" %t.txt | FileCheck --check-prefix=COUNT %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// SHORT: answer (deep-copy.cpp:[[@LINE+40]]) copies Settings, which allocates, and frees the copy after
// SHORT-SAME: on average: 12000 allocations
// SHORT-SAME: -> Take it by const reference, or move it
// SHORT-SAME: [deep_copy]
// GONE: load (deep-copy.cpp:[[@LINE+65]]) copies Value, which allocates, and what it copies is soon freed: 8000 allocations
// GONE-SAME: -> Move it: std::move, a move constructor
// GONE-SAME: load(std::vector<Value>&, int) {{[^ ]*}} called by main (deep-copy.cpp:{{[0-9]+}})
// GONE-SAME: [deep_copy]
// COUNT: {{^2$}}
// REPAIRED-NOT: deep_copy
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

static char *duplicate(const char *text) {
  const size_t size = strlen(text) + 1;
  return static_cast<char *>(memcpy(malloc(size), text, size));
}

class Settings {
public:
  Settings() : path(40, 'p'), ports(30, 80), users(20, 7) {}
  long sum() const { return path[1] + ports[1] + users[1]; }

private:
  std::vector<char> path;
  std::vector<int> ports;
  std::vector<long> users;
};

#ifdef REPAIRED
__attribute__((noinline)) long look_up(const Settings &settings) {
#else
__attribute__((noinline)) long look_up(Settings settings) {
#endif
  return settings.sum();
}

__attribute__((noinline)) long answer(const Settings &settings) {
  return look_up(settings);
}

class Value {
public:
  explicit Value(int number)
      : text(duplicate("a text")), comment(duplicate("and a comment")) {
    text[0] = static_cast<char>(number);
  }
  Value(const Value &other)
      : text(duplicate(other.text)), comment(duplicate(other.comment)) {}
#ifdef REPAIRED
  Value(Value &&other) noexcept
      : text(std::exchange(other.text, nullptr)),
        comment(std::exchange(other.comment, nullptr)) {}
#endif
  Value &operator=(const Value &) = delete;
  ~Value() {
    free(text);
    free(comment);
  }
  int first() const { return text[0] + comment[0]; }

private:
  char *text, *comment;
};

__attribute__((noinline)) void load(std::vector<Value> &values, int number) {
  Value value(number);
  values.push_back(std::move(value));
}

int main() {
  Settings settings;
  long sum = 0;
  for (int i = 0; i < 4000; i++)
    sum += answer(settings);
  std::vector<Value> values;
  values.reserve(4000);
  for (int i = 0; i < 4000; i++)
    load(values, i);
  for (const Value &value : values)
    sum += value.first();
  return sum == 0;
}
