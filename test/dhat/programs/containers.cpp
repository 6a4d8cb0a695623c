// containers.cpp - standard containers, every form of operator new.
// The headers' code is instrumented, libstdc++.so's own is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  explicit Square(int s) : side(s) {}
  int area() const override { return side * side; }
};
struct alignas(64) Line {
  int words[16];
};

int main() {
  int sum = 0;
  std::vector<int> grown; // 1, 2, 4, ... 128: 8 blocks, 1020 bytes
  for (int i = 0; i < 100; i++)
    grown.push_back(i);
  std::vector<long> reserved; // 800 bytes, written only
  reserved.reserve(100);
  for (long i = 0; i < 100; i++)
    reserved.push_back(i);
  std::vector<int> never; // 400 bytes, untouched
  never.reserve(100);
  std::map<int, int> tree; // 50 nodes
  for (int i = 0; i < 50; i++)
    tree[i * 7 % 50] = i;
  std::unordered_map<int, int> hash;
  for (int i = 0; i < 50; i++)
    hash.emplace(i, i);
  std::list<int> list(grown.begin(), grown.begin() + 10);
  std::deque<int> deque(300, 1);
  for (int i : grown)
    sum += i;
  for (auto &entry : tree)
    sum += entry.second;
  for (int i = 0; i < 50; i++)
    sum += hash.at(i);
  for (int i : list)
    sum += i;
  for (int i : deque)
    sum += i;

  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 3; i++)
    shapes.push_back(std::make_unique<Square>(i));
  for (auto &shape : shapes)
    sum += shape->area();
  auto shared = std::make_shared<Square>(3);
  sum += shared->area();

  int *array = new int[10]();
  sum += array[3];
  delete[] array;
  Line *line = new Line; // aligned
  line->words[0] = 1;
  delete line;
  int *quiet = new (std::nothrow) int(5);
  sum += *quiet;
  delete quiet;
  return sum == 7764 ? 0 : sum;
}
