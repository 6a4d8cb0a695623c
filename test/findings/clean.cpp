// clean.cpp - a parser of events that keeps its buffers: nothing is to be found.
// As Xerces-C's SAX parser, of which published work had nothing to say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck %s
// CHECK: no findings
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Handler {
  std::map<std::string, int> elements;
  long characters = 0;
  void start(const std::string &name) { elements[name]++; }
  void text(size_t length) { characters += length; }
};

class Parser {
public:
  Parser() : buffer(new char[16384]) {
    name.reserve(64);
    open.reserve(64);
  }
  void parse(const char *document, Handler &handler) {
    size_t length = strlen(document);
    while (length) {
      size_t step = length < 16384 ? length : 16384;
      memcpy(buffer.get(), document, step);
      scan(step, handler);
      document += step;
      length -= step;
    }
  }

private:
  __attribute__((noinline)) void scan(size_t length, Handler &handler) {
    for (size_t i = 0; i < length; i++) {
      char c = buffer[i];
      if (c == '<') {
        in_tag = true;
        name.clear();
      } else if (c == '>') {
        in_tag = false;
        if (name[0] == '/') {
          open.pop_back();
        } else {
          open.push_back(name.size());
          handler.start(name);
        }
      } else if (in_tag) {
        name.push_back(c);
      } else {
        handler.text(1);
      }
    }
  }
  std::unique_ptr<char[]> buffer;
  std::string name;
  std::vector<size_t> open;
  bool in_tag = false;
};

int main() {
  std::string document;
  document.reserve(260000);
  for (int i = 0; i < 8000; i++) {
    static const char *const names[] = {"catalogue", "book", "author", "title"};
    std::string element(names[i % 4]);
    document.append("<").append(element).append(">some text in it</");
    document.append(element).append(">");
  }
  Parser parser;
  Handler handler;
  parser.parse(document.c_str(), handler);
  return handler.characters != 8000 * 15;
}
