// The text of std::string, whose functions are compiled as the program is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <string>
#include <vector>

int main() {
  std::vector<std::string> Strings(
      5); // TYPE 160 argument std::basic_string<char>
  Strings[0] = std::string(700, 'x'); // TYPE 701 argument char
  keep(Strings[0].data());
  return 0;
}
