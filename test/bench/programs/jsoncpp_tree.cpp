/* jsoncpp_tree.cpp - jsoncpp_tree OBJECTS: writes a document of so many objects by JsonCpp, parses it and adds it up.
   Uses JsonCpp's public interface only.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "json/json.h"

static Json::Value record(unsigned number) {
  Json::Value value(Json::objectValue);
  value["id"] = number;
  value["name"] = "record-" + std::to_string(number * 2654435761u);
  value["share"] = number / 8.0;
  value["tags"].append(number % 7);
  value["tags"].append(number % 2 == 0);
  value["place"]["city"] = "town " + std::to_string(number % 100);
  return value;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  const unsigned objects =
      static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  Json::Value document(Json::arrayValue);
  for (unsigned i = 0; i < objects; i++)
    document.append(record(i));
  const std::string text = Json::FastWriter().write(document);
  Json::Value parsed;
  if (!Json::Reader().parse(text, parsed) ||
      Json::FastWriter().write(parsed) != text)
    return 1;
  double total = 0;
  for (const Json::Value &value : parsed)
    total += value["share"].asDouble() + value["tags"][0].asInt() +
             static_cast<double>(value["place"]["city"].asString().size());
  std::printf("%zu %.1f\n", text.size(), total);
}
