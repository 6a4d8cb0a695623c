// copied-by-operator.cpp - the operators of a class copy what they are to change, a member's and a free one's; what their callers or they copy cannot be taken by reference. The lines of one function are one finding.
// The twin's operators take that by value, and its temporaries are moved in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for level in 0 2; do %clangxx_heapprof -O$level -g %s -o %t && rm -rf %dump && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s || exit 1; done
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t && rm -rf %dump && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-DAG: merge (copied-by-operator.cpp:{{49|50}}) copies Matrix, {{[^>]*}}, and so at {{1|one}} other line of it: 4000 allocations {{[^>]*}} -> Change one object in place, as += does, or let the operator take by value what it copies, so that a temporary is moved in.
// CHECK-DAG: operator+ (copied-by-operator.cpp:[[#@LINE+33]]) copies Matrix, {{[^>]*}}: 2000 allocations {{[^>]*}} -> Change one object in place
// REPAIRED: merge (copied-by-operator.cpp:49) copies Matrix, {{[^>]*}}: 1000 allocations
#include <cstdio>
#include <utility>
#include <vector>

class Matrix {
  std::vector<double> cells;

public:
  Matrix(int n, double x) : cells(n * n, x) {}
  Matrix(const Matrix &) = default;
  Matrix(Matrix &&) = default;
  Matrix &operator+=(const Matrix &other) {
    for (size_t i = 0; i < cells.size(); i++)
      cells[i] += other.cells[i];
    return *this;
  }
#ifdef REPAIRED
  friend Matrix operator|(Matrix left, const Matrix &right) {
    left += right;
    return left;
  }
#else
  Matrix operator|(const Matrix &other) const { return Matrix(*this) += other; }
#endif
  double first() const { return cells[0]; }
};

#ifdef REPAIRED
static Matrix operator+(Matrix left, const Matrix &right) {
#else
static Matrix operator+(const Matrix &a, const Matrix &right) {
  Matrix left(a);
#endif
  left += right;
  return left;
}

static Matrix merge(const Matrix &a, const Matrix &b) {
  Matrix both = a | b;
  return std::move(both) | a;
}

int main() {
  const Matrix a(8, 1), b(8, 2);
  double sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += (merge(a, b).first()) + (a + b + a).first();
  printf("%g\n", sum);
}
