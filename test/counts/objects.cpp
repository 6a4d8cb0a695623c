// Objects: constructors, virtual calls, arrays with a cookie, alignment,
// exceptions, placement.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx_heapprof -g -O0 %s -o %t && %run %t && %check_counts
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

struct Shape {
  int Width = 2;
  virtual int area() const = 0;
  virtual ~Shape() = default;
};

struct Square : Shape {
  int Height = 3;
  int area() const override { return Width * Height; }
};

int virtualCalls() {
  // Each of both constructors writes the virtual pointer and its own field.
  // A call reads the pointer and both fields; delete reads the pointer.
  // POINT chunks=1 bytes=16 reads=3*3+1 writes=4 accessed=16
  Shape *S = new Square;
  int Sum = S->area() + S->area() + S->area();
  delete S;
  return Sum == 18;
}

int Destroyed;
struct Counted {
  int Number = 1;
  ~Counted() { Destroyed += Number; }
};

int arrays() {
  // The count of elements lies before them in 8 bytes: written by new[], read
  // by delete[].
  // POINT chunks=1 bytes=8+3*4 reads=1+3 writes=1+3 accessed=20
  Counted *Several = new Counted[3];
  delete[] Several;
  // No destructor, no count.
  // POINT chunks=1 bytes=3*4 reads=0 writes=1 accessed=4
  int *Plain = new int[3];
  Plain[0] = 1;
  delete[] Plain;
  // Initialised: each element is written.
  // POINT chunks=1 bytes=3*4 reads=0 writes=3 accessed=12
  int *Set = new int[3]{1, 2, 3};
  delete[] Set;
  return Destroyed == 3;
}

struct alignas(64) Wide {
  int Value;
};

int alignment() {
  // POINT chunks=1 bytes=64 reads=0 writes=1 accessed=4
  Wide *W = new Wide;
  W->Value = 1;
  int Right = reinterpret_cast<std::uintptr_t>(W) % 64 == 0;
  delete W;
  // POINT chunks=1 bytes=2*64 reads=0 writes=1 accessed=4
  Wide *Two = new (std::nothrow) Wide[2];
  Two[1].Value = 1;
  Right &= reinterpret_cast<std::uintptr_t>(Two) % 64 == 0;
  delete[] Two;
  return Right;
}

int nothrow() {
  volatile std::size_t Much = SIZE_MAX / 2;
  // POINT chunks=0 bytes=0 reads=0 writes=0 accessed=0
  char *None = new (std::nothrow) char[Much];
  return None == nullptr;
}

void placement() {
  // Only malloc begins a chunk.
  // POINT chunks=1 bytes=16 reads=3+1 writes=4 accessed=16
  void *Room = std::malloc(sizeof(Square));
  Shape *S = new (Room) Square;
  S->area();
  S->~Shape();
  std::free(Room);
}

struct Fault {
  long Code;
  char Text[56];
};

int exceptions() {
  int Sum = 0;
  try {
    // 128 bytes of the C++ runtime's own lie before the thrown object; what it
    // does to them is not instrumented.  Ours: code and text written, the code
    // read.
    // POINT chunks=1 bytes=128+64 reads=1 writes=2 accessed=64
    throw Fault{7, ""};
  } catch (const Fault &F) {
    Sum += static_cast<int>(F.Code);
  }
  return Sum == 7;
}

} // namespace

int main() {
  placement();
  return virtualCalls() && arrays() && alignment() && nothrow() && exceptions()
             ? 0
             : 1;
}
