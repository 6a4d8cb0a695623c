/* pugixml_orders.cpp - pugixml_orders ORDERS ROUNDS: builds XML by pugixml, writes, parses and queries it by XPath.
   Uses pugixml's public interface only.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "pugixml.hpp"

static std::string write(unsigned orders) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("orders");
  for (unsigned i = 0; i < orders; i++) {
    pugi::xml_node order = root.append_child("order");
    order.append_attribute("id") = i;
    for (unsigned item = 0; item <= i % 4; item++) {
      pugi::xml_node node = order.append_child("item");
      node.append_attribute("price") = i % 97 + item;
      node.text() = ("thing number " + std::to_string(i * 7 + item)).c_str();
    }
  }
  std::ostringstream text;
  document.save(text);
  return text.str();
}

static double query(const std::string &text) {
  pugi::xml_document parsed;
  if (!parsed.load_string(text.c_str()))
    std::abort();
  double total = 0;
  for (const pugi::xpath_node &found :
       parsed.select_nodes("/orders/order[count(item)>2]/item[@price>50]"))
    total += found.node().attribute("price").as_double() +
             static_cast<double>(
                 std::string(found.node().text().as_string()).size());
  return total;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const unsigned orders =
      static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  double total = 0;
  for (unsigned long round = std::strtoul(argv[2], nullptr, 10); round; round--)
    total += query(write(orders + static_cast<unsigned>(round)));
  std::printf("%.0f\n", total);
}
