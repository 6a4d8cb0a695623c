// words.cxx - four threads, each of which makes a hundred long strings; one exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <vector>

static void work(int number) {
  for (int i = 0; i < 100; i++) {
    volatile char *word = new char[40 + number];
    word[0] = 'a';
    delete[] const_cast<char *>(word);
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  try {
    throw std::runtime_error("caught");
  } catch (const std::exception &e) {
    std::puts(e.what());
  }
}
