// main.cpp - fills a table of C's and a vector of C++'s and prints "sum 4950".
// The sum is 0 + 1 + ... + 99.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "table.h"

int main() {
  struct table table = {nullptr, 0};
  std::vector<int> copy;
  int sum = 0;
  for (int i = 0; i < 100; i++)
    if (!table_add(&table, i))
      return 1;
  for (std::size_t i = 0; i < table.count; i++)
    copy.push_back(table.item[i]);
  for (int number : copy)
    sum += number;
  std::printf("sum %d\n", sum);
  std::free(table.item);
  return sum != 4950;
}
