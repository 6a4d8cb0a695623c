// What libstdc++.so does to chunks is linked into each module that calls it,
// with hooks, ahead of libstdc++ wherever that is named.
// Row "C++ library" of docs/compiling.md.
//
// RUN: %clangxx_heapprof -### %s -lfoo 2>&1 | FileCheck %s --check-prefix=END
// RUN: %clangxx_heapprof -shared -### %s -lfoo 2>&1 | FileCheck %s --check-prefix=END
// RUN: %clang_heapprof -### %s -lfoo -lstdc++ -lbar 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: %clang_heapprof -### %s -lfoo -l stdc++ -lbar 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: %clangxx_heapprof -r -### %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %clangxx_heapprof -c -### %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %clangxx_heapprof -fno-sanitize-link-runtime -### %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %heapprof_clangxx -### %s 2>&1 | FileCheck %s --check-prefix=NONE
// END: "-lfoo" "--push-state" "--no-whole-archive" "{{[^"]*}}/lib/heapprof/libheapprof_stdcxx.a" "--pop-state" "--exclude-libs" "libheapprof_stdcxx.a"
// END-SAME: "-lstdc++"
// NAMED: "-lfoo" "--push-state" "--no-whole-archive" "{{[^"]*}}/lib/heapprof/libheapprof_stdcxx.a" "--pop-state" "--exclude-libs" "libheapprof_stdcxx.a" "-lstdc++" "-lbar"
// NONE-NOT: libheapprof_stdcxx
//
// The program has the functions that it calls, and no others.
// RUN: %clangxx_heapprof -c %s -o %t.o
// RUN: for flags in '' -O2 -static-libstdc++ '-Wl,--as-needed' '-Wl,--whole-archive,--no-whole-archive' -no-pie '-Wl,--gc-sections' '-x c++'; do \
// RUN:   %clangxx_heapprof $flags %s -o %t && %run %t && \
// RUN:   nm --defined-only %t | FileCheck %s --check-prefix=DEFINED || { echo "with $flags"; exit 1; }; done
// RUN: %clang_heapprof %t.o -lstdc++ -o %t && %run %t && nm --defined-only %t | FileCheck %s --check-prefix=DEFINED
// RUN: %clangxx_heapprof %t.o -Wl,--whole-archive -o %t -Wl,--no-whole-archive && %run %t
// RUN: %clangxx_heapprof -nodefaultlibs %t.o -lstdc++ -lm -lgcc_s -lc -o %t && %run %t && nm --defined-only %t | FileCheck %s --check-prefix=DEFINED
// RUN: %if lld %{ for flags in '' -flto -flto=thin '-Wl,--icf=all' '-Wl,--gc-sections'; do \
// RUN:   %clangxx_heapprof -fuse-ld=lld $flags %s -o %t && %run %t && \
// RUN:   nm --defined-only %t | FileCheck %s --check-prefix=DEFINED || { echo "with $flags"; exit 1; }; done %}
// DEFINED-NOT: _Hash_bytes
// DEFINED: _ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4findEcm
// DEFINED: _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm
// DEFINED: _ZSt29_Rb_tree_insert_and_rebalance
// DEFINED-NOT: _Hash_bytes
//
// A library has them, too, and nobody shows them to others.
// RUN: mkdir -p %t.dir
// RUN: %clangxx_heapprof -DLIBRARY -fPIC -shared %s -o %t.dir/libpart.so
// RUN: nm --defined-only %t.dir/libpart.so | FileCheck %s --check-prefix=DEFINED
// RUN: nm -D --defined-only %t.dir/libpart.so | FileCheck %s --check-prefix=HIDDEN
// HIDDEN-NOT: {{_M_mutate|_ZSt[0-9]+_Rb_tree}}
// HIDDEN: part
// HIDDEN-NOT: {{_M_mutate|_ZSt[0-9]+_Rb_tree}}
// RUN: %clangxx_heapprof -DMAIN %s -L%t.dir -lpart -Wl,-rpath,%t.dir -o %t && %run %t
// RUN: %clang_heapprof -DOPEN %s -o %t && %run %t %t.dir/libpart.so
//
// Code that was not compiled so may call them in the program, and libstdc++.so's
// in a library.
// RUN: %clangxx -O0 -c %s -o %t.plain.o && %clangxx_heapprof %t.plain.o -o %t && %run %t
// RUN: %clangxx -O0 -DLIBRARY -fPIC -shared %s -o %t.dir/libpart.so
// RUN: for flags in '' -no-pie -static-libstdc++ %if lld %{ -fuse-ld=lld %}; do \
// RUN:   %clangxx_heapprof $flags -DMAIN -DOWN %s -L%t.dir -lpart -Wl,-rpath,%t.dir -o %t && %run %t && \
// RUN:   nm --defined-only %t | FileCheck %s --check-prefix=DEFINED || { echo "with $flags"; exit 1; }; done
#ifdef OPEN
#include <dlfcn.h>
int main(int count, char **arguments) {
  void *library = dlopen(arguments[count - 1], RTLD_NOW);
  int (*part)(void) = library ? (int (*)(void))dlsym(library, "part") : 0;
  return part ? part() : 1;
}
#else
#include <map>
#include <stdexcept>
#include <string>

extern "C" int part();
#ifdef OWN
static int own() {
#else
static int own() { return 0; }
#endif
#if defined(OWN) || !defined(MAIN)
#ifndef OWN
  extern "C" int part() {
#endif
    std::map<std::string, std::string> names;
    for (int i = 0; i < 100; i++) {
      std::string key = "a key that is too long to be inside";
      key.push_back((char)('a' + i % 26));
      names[key] += "a value that is long, too";
    }
    std::string all;
    for (const auto &pair : names)
      all.append(pair.second).insert(3, pair.first);
    try {
      all.reserve(all.max_size() + 1);
    } catch (const std::length_error &) {
      return names.size() == 26 && all.size() == 100 * 25 + 26 * 36 &&
                     all.find('k') == 5
                 ? 0
                 : 1;
    }
    return 2;
  }
#endif
#ifndef LIBRARY
  int main() { return part() + own(); }
#endif
#endif
