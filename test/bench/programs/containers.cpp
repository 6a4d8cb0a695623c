/* containers.cpp - containers KEYS ROUNDS: std::map and std::unordered_map that grow and shrink.
   Keys come in a fixed order that looks random.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <vector>

static uint64_t mix(uint64_t key) {
  key = (key ^ key >> 31) * 0x7fb5d329728ea185u;
  return key ^ key >> 27;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const uint64_t keys = std::strtoull(argv[1], nullptr, 10);
  const uint64_t rounds = std::strtoull(argv[2], nullptr, 10);
  std::map<uint64_t, uint64_t> ordered;
  std::unordered_map<uint64_t, std::vector<uint32_t>> hashed;
  for (uint64_t i = 0; i < keys * rounds; i++) {
    const uint64_t key = mix(i) % keys;
    ordered[key] += i;
    hashed[key].push_back(static_cast<uint32_t>(i));
    const uint64_t other = mix(i * 3 + 1) % keys;
    ordered.erase(other);
    auto found = hashed.find(other);
    if (found != hashed.end() && found->second.size() > 3)
      hashed.erase(found);
  }
  uint64_t total = ordered.size();
  for (const auto &[key, value] : ordered)
    total = total * 31 + key + value;
  uint64_t values = 0;
  for (const auto &entry : hashed)
    for (uint32_t value : entry.second)
      values += value;
  std::printf("%llu %llu\n", static_cast<unsigned long long>(total),
              static_cast<unsigned long long>(values));
}
