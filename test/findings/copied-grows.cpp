// copied-grows.cpp - copies that soon grow: a text with more behind it, a vector that is given by value, one that is shrunk by swap.
// Each is one finding, of the copy and of what it grows to, and no copy that is only read. The twin assigns to one that is kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: for library in libstdc++ libc++; do \
// RUN:   set -- -stdlib=$library -O1 -g %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %run %t repaired && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK-DAG: Likely: path_of (copied-grows.cpp:[[#PATH:]]) copies its std::string again and again, and the copy soon grows, which copies it once more; freed by {{[^>]*}}: 2000 allocations ({{[^>]*}}-> Assign to one that is kept from call to call and has the room, or reserve in an empty one what it will need and append the original. Where the copy only takes room from its original, as by swap, leave that out.{{[^>]*}}[made_per_call] points
// CHECK-DAG: Likely: main (copied-grows.cpp:[[#GIVEN:]]) copies its std::vector<int> again and again, and the copy soon grows, {{[^>]*}}: 2000 allocations (
// CHECK-DAG: Likely: shrinks (copied-grows.cpp:[[#SHRUNK:]]) copies its std::vector<long> again and again, and the copy soon grows, {{[^>]*}}: 19{{[0-9]*}} allocations (
// CHECK-DAG: Likely: beside (copied-grows.cpp:[[#BESIDE:]]) copies its std::vector<char> again and again, and the copy soon grows, {{[^>]*}}: 2000 allocations (
// CHECK-DAG: Likely: beside (copied-grows.cpp:[[#BESIDE+3]]) makes its std::vector<double> anew each time,
// CHECK-DAG: Likely: joined (copied-grows.cpp:[[#JOINED:]]) copies its std::string again and again, and the copy soon grows, {{[^>]*}}: 3000 allocations (
// CHECK-NOT: [copied_to_read]
// CHECK-NOT: main {{[^>]*}} anew each time
// REPAIRED-NOT: the copy soon grows
#include <string>
#include <vector>

static bool repaired; /* the twin */

__attribute__((noinline)) static size_t path_of(const std::string &directory,
                                                const char *name) {
  if (repaired) {
    static std::string kept;
    kept = directory;
    kept += name;
    return kept.find_last_of('.');
  }
  std::string path(directory);
  path += name;
  return path.find_last_of('.');
}

__attribute__((noinline)) static int first_of(const std::vector<double> &all) {
  return int(all[0]);
}

/* What grows beside it in its line is no copy. */
__attribute__((noinline)) static int beside(const std::vector<char> &given) {
  std::vector<char> all(given);
  std::vector<double> sums;
  // clang-format off
  all.push_back('a'), sums.push_back(all.size());
  // clang-format on
  return first_of(sums) + all.back();
}

__attribute__((noinline)) static int last_of(std::vector<int> all, int more) {
  all.push_back(more);
  return all[all.size() / 2] + all.back();
}

__attribute__((noinline)) static long shrinks(int n) {
  std::vector<long> all(300, 1);
  long sum = 0;
  for (int i = 0; i < n; i++) {
    all.push_back(i);
    if (!repaired)
      std::vector<long>(all).swap(all);
    if (all.size() == 400)
      all.resize(300);
    sum += all[i % 100];
  }
  return sum;
}

/* Grows twice. */
__attribute__((noinline)) static size_t joined(const std::string &first,
                                               const std::string &second,
                                               const std::string &third) {
  std::string all(first);
  all += second;
  all += third;
  return all.find_last_of('.');
}

int main(int count, char **) {
  repaired = count > 1;
  const std::string directory = "/usr/share/some/where/deep/inside/";
  const std::string path(60, 'p'), more(300, '.');
  const std::vector<int> numbers(300, 1);
  long sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += path_of(directory, "file.name.text");
  const std::vector<char> letters(300, 'b');
  for (int i = 0; i < 1000 && !repaired; i++)
    sum +=
        last_of(numbers, i) + beside(letters) + joined(directory, path, more);
  return sum + shrinks(1000) == 7;
}
