/* strings.cpp - strings WORDS ROUNDS: builds, splits, sorts and joins strings of many lengths.
   Short ones live in the object, long ones on the heap.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static std::string word(unsigned long number) {
  std::string text;
  for (unsigned long rest = number * 2654435761u % 1000003; rest; rest /= 7)
    text += static_cast<char>('a' + rest % 7);
  return number % 3 ? text : text + "-" + text + "-" + text;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const unsigned long words = std::strtoul(argv[1], nullptr, 10);
  const unsigned long rounds = std::strtoul(argv[2], nullptr, 10);
  unsigned long total = 0;
  for (unsigned long round = 0; round < rounds; round++) {
    std::string line;
    for (unsigned long i = 0; i < words; i++)
      line += word(i + round) + ' ';
    std::vector<std::string> parts;
    for (size_t at = 0, end; (end = line.find(' ', at)) != std::string::npos;
         at = end + 1)
      parts.push_back(line.substr(at, end - at));
    std::sort(parts.begin(), parts.end());
    std::string joined;
    for (const std::string &part : parts)
      joined = joined.size() > 4000 ? part : joined + part;
    for (char letter : joined)
      total = total * 131 + static_cast<unsigned char>(letter);
  }
  std::printf("%lu\n", total);
}
