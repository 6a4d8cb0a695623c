// places-try.cpp - a buffer of the program's own that makes room by try_reserve, as fmt::basic_memory_buffer does: who fills it is the place.
// Two functions fill it, so that neither is told of the other's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// NONE-NOT: {{(in|from|[.:]) buffer}}
// CHECK-DAG: {{(in|from|Likely:) headline \(places-try.cpp}}
// CHECK-DAG: {{(in|from|Likely:) message \(places-try.cpp}}
#include <cstring>
#include <memory>

template <class T> class buffer {
  T *data_;
  std::size_t size_ = 0, capacity_;

protected:
  buffer(T *data, std::size_t capacity) : data_(data), capacity_(capacity) {}
  ~buffer() = default;
  virtual void grow(std::size_t capacity) = 0;
  void set(T *data, std::size_t capacity) {
    data_ = data, capacity_ = capacity;
  }

public:
  T *data() { return data_; }
  std::size_t size() const { return size_; }
  __attribute__((noinline)) void try_reserve(std::size_t capacity) {
    if (capacity > capacity_)
      grow(capacity);
  }
  __attribute__((noinline)) void append(const T *begin, const T *end) {
    const std::size_t count = static_cast<std::size_t>(end - begin);
    try_reserve(size_ + count);
    std::memcpy(data_ + size_, begin, count * sizeof(T));
    size_ += count;
  }
};

template <class T> class memory_buffer : public buffer<T> {
  T store_[64];

  void grow(std::size_t capacity) override {
    T *old = this->data(), *data = std::allocator<T>().allocate(capacity);
    std::memcpy(data, old, this->size() * sizeof(T));
    this->set(data, capacity);
    if (old != store_)
      ::operator delete(old);
  }

public:
  memory_buffer() : buffer<T>(store_, 64) {}
  ~memory_buffer() {
    if (this->data() != store_)
      ::operator delete(this->data());
  }
};

static const char text[200] = "a text";

__attribute__((noinline)) static int headline(int i) {
  memory_buffer<char> out;
  out.append(text, text + 100 + i % 2);
  return out.data()[0] + out.data()[99];
}

__attribute__((noinline)) static int message(int i) {
  memory_buffer<char> out;
  out.append(text, text + 150 + i % 2);
  return out.data()[0] + out.data()[149];
}

int main() {
  int sum = 0;
  for (int i = 0; i < 4000; i++)
    sum += headline(i) + message(i);
  return sum == 1;
}
