// copied-member.cpp - constructors that copy what they are given into the object, which their caller drops: a class that allocates, a text.
// Neither is a result that could be returned by reference. The twin refers to what is there for longer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: Likely: Entry::Entry (copied-member.cpp:[[#]]) copies Key, which allocates, and frees the copy after {{[^>]*}} -> Let the object refer to it, if the original is there for longer; or move it in, or keep the object and assign to it. Entry::Entry({{[^>]*}}[deep_copy] point
// CHECK-DAG: Likely: Label::Label (copied-member.cpp:[[#]]) copies its std::string again and again, {{[^>]*}} -> Pass it as std::string_view or const reference, or move it where the original is not used any more. Label::Label({{[^>]*}}[copied_to_read] point
// CHECK-NOT: Return it by const reference
// REPAIRED-NOT: Entry::Entry
// REPAIRED-NOT: Label::Label
#include <cstring>
#include <string>

#ifdef REPAIRED
#define MEMBER(...) const __VA_ARGS__ &
#else
#define MEMBER(...) __VA_ARGS__
#endif

class Key {
  unsigned long *words = new unsigned long[4]();

public:
  Key() = default;
  Key(const Key &other) { memcpy(words, other.words, sizeof *words * 4); }
  Key &operator=(const Key &other) {
    memcpy(words, other.words, sizeof *words * 4);
    return *this;
  }
  ~Key() { delete[] words; }
  void add(int n) { words[n % 4] += n; }
  bool operator<(const Key &other) const { return words[1] < other.words[1]; }
};

struct Entry {
  MEMBER(Key) key;
  int place;
  __attribute__((noinline)) Entry(const Key &key, int place)
      : key(key), place(place) {}
};

struct Label {
  MEMBER(std::string) text;
  __attribute__((noinline)) explicit Label(const std::string &text)
      : text(text) {}
};

__attribute__((noinline)) static int
look(const Entry &entry, const Label &label, const Key &other) {
  return (entry.key < other) + int(label.text.find('z')) + entry.place;
}

int main() {
  Key key, other;
  const std::string name = "a name that is longer than sixteen bytes";
  int sum = 0;
  for (int i = 0; i < 1000; i++) {
    key.add(i);
    sum += look(Entry(key, i), Label(name), other);
  }
  return sum == 7;
}
