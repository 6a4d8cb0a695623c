// StreamBuffers.cpp - members that libstdc++.so has are not inlined.
// Those are declared "extern template" and come with a body to inline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "filter/StreamBuffers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heapprof {

static bool fillsBuffer(StringRef Name) {
  static constexpr StringLiteral Members[] = {
      "_ZNSt7__cxx1115basic_stringbufI",
      "_ZNSt7__cxx1118basic_stringstreamI",
      "_ZNSt7__cxx1119basic_istringstreamI",
      "_ZNSt7__cxx1119basic_ostringstreamI",
      "_ZNSt15basic_stringbufI",
      "_ZNSt18basic_stringstreamI",
      "_ZNSt19basic_istringstreamI",
      "_ZNSt19basic_ostringstreamI",
      "_ZNSt13basic_filebufI"};
  return any_of(Members,
                [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

PreservedAnalyses StreamBuffersPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M)
    if (F.hasAvailableExternallyLinkage() && fillsBuffer(F.getName()) &&
        !F.hasFnAttribute(Attribute::AlwaysInline))
      F.addFnAttr(Attribute::NoInline);
  return PreservedAnalyses::all();
}

} // namespace heapprof
