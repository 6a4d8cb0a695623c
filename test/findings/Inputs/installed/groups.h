// groups.h - for generation-outlasts.cpp: a table that copies the key at each look-up, and drops all that it keeps now and then.
// An installed header.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GROUPS_H
#define GROUPS_H

#include <cstring>

template <class Kept> class Groups {
  struct Group {
    Group *next;
    Kept kept[6];
  };
  Group *first = nullptr;
  int put_count = 0;

  __attribute__((noinline)) void clear() {
    while (first) {
      Group *next = first->next;
      delete first;
      first = next;
    }
  }
  __attribute__((noinline)) Kept hash(const char *key) {
    char *copy = new char[std::strlen(key) + 1];
    std::strcpy(copy, key);
    Kept sum = 0;
    for (const char *at = copy; *at; at++)
      sum = sum * 31 + *at;
    delete[] copy;
    return sum;
  }

public:
  ~Groups() { clear(); }
  __attribute__((noinline)) Kept put(const char *key) {
    const Kept value = hash(key);
    if (++put_count % 200 == 0)
      clear();
    if (put_count % 4) {
      Group *group = new Group{first, {value, value + 1}};
      first = group;
    }
    Kept sum = 0;
    for (Group *at = first; at; at = at->next)
      sum += at->kept[value & 1];
    return sum;
  }
};

#endif
