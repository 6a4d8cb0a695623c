// Types behind a precompiled header of templates: thousands are read from it
// only when the unit ends; and code can be made of it on its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t && mkdir %t
// RUN: echo '#include <map>' > %t/all.h && echo '#include <memory>' >> %t/all.h
// RUN: echo '#include <string>' >> %t/all.h && echo '#include <vector>' >> %t/all.h
// RUN: echo 'struct shape { virtual ~shape() = default; long pad[20]{}; };' >> %t/all.h
// RUN: echo 'inline shape *in_header() { return new shape; }' >> %t/all.h
// RUN: echo 'using all_of = std::map<std::string, std::vector<std::unique_ptr<shape>>>;' >> %t/all.h
// RUN: echo 'template <int N> struct part { long l[N]; };' >> %t/all.h
// RUN: echo 'struct whole {' >> %t/all.h && seq 3000 | sed 's/.*/part<&> m&;/' >> %t/all.h && echo '};' >> %t/all.h
// RUN: %clangxx_heapprof -x c++-header %t/all.h -o %t/all.h.pch
// RUN: %clangxx_heapprof -include-pch %t/all.h.pch %s -o %t/program
// RUN: %run %t/program
// RUN: %if llvm-22 %{ %check_types %}
//
// The header's templates in an object of their own: it has hooks and types.
// RUN: %clangxx_heapprof -fpch-instantiate-templates -fpch-codegen -x c++-header %t/all.h -o %t/code.pch
// RUN: %clangxx_heapprof -c %t/code.pch -o %t/code.o
// RUN: %clangxx_heapprof -include-pch %t/code.pch %s %t/code.o -o %t/program
// RUN: %run %t/program
// RUN: %if llvm-22 %{ %check_types %}
#include <cstdlib>

extern whole *nothing; // its members' types are read when its size is asked

int main() {
  void *q = malloc(sizeof(shape) + 1); // TYPE 169 argument shape
  free(q);
  delete in_header(); // TYPE 168 argument shape
  return 0;
}
