/* yaml_nodes.cpp - yaml_nodes ENTRIES: parses a YAML document of so many entries by yaml-cpp and emits it again.
   Uses yaml-cpp's public interface only.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cstdio>
#include <cstdlib>
#include <string>

#include "yaml-cpp/yaml.h"

static std::string document(unsigned entries) {
  std::string text;
  for (unsigned i = 0; i < entries; i++) {
    const std::string number = std::to_string(i);
    text += "- name: entry " + number + "\n  ports: [80, " + number +
            "]\n  limits:\n    memory: \"" + std::to_string(i % 64) +
            " MiB\"\n    quiet: " + (i % 2 ? "yes" : "no") + "\n";
  }
  return text;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  const YAML::Node root = YAML::Load(
      document(static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10))));
  unsigned long total = 0;
  for (const YAML::Node &entry : root)
    total += entry["ports"][1].as<unsigned long>() +
             entry["limits"]["memory"].as<std::string>().size() +
             (entry["limits"]["quiet"].as<bool>() ? 1 : 0);
  YAML::Emitter out;
  out << root;
  std::printf("%zu %lu\n", out.size(), total);
}
