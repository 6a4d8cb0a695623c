// template-names.cpp - a function whose name is longer than the table's column, for what its template is of: that is left out first, and the
// function is still read, in a comparison, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && rm -rf %t.old && env HEAPPROF_OPTIONS=dump_dir=%t.old %t && rm -rf %t.new && env HEAPPROF_OPTIONS=dump_dir=%t.new %t twice
// RUN: env COLUMNS=80 %heapprof_score --by function %t.old/heapprof.* | FileCheck %s
// RUN: env COLUMNS=80 %heapprof_diff --by function %t.old/heapprof.* %t.new/heapprof.* | FileCheck --check-prefix=DIFF %s
// CHECK: {{^}}shop::count_of<...> {{ *}}20 {{.*}}
// DIFF: {{^ .*}} +20 {{.*}} shop::count_of<...>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace shop {
template <class Table>
__attribute__((noinline)) static size_t count_of(const Table &table) {
  char *used = new char[table.size() + 1]();
  const size_t count = static_cast<size_t>(used[0]) + table.size();
  delete[] used;
  return count;
}
} // namespace shop

int main(int count, char **) {
  std::map<std::string, std::vector<std::string>, std::greater<std::string>>
      table;
  size_t sum = 0;
  for (int i = 0; i < 20 * count; i++)
    sum += shop::count_of(table);
  return sum == 7;
}
