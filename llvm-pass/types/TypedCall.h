// TypedCall.h - turns calls of allocators into calls of typed entry points.
// What the optimiser knows of the allocator it knows of the new call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_TYPED_CALL_H
#define HEAPPROF_TYPED_CALL_H

#include "types/TypeDescriptor.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"

namespace heapprof {

class TypedCalls {
public:
  explicit TypedCalls(llvm::Module &M) : M(M) {}

  /// Whether the runtime has a typed entry point for \p F.  Not for a function
  /// that this module defines itself: that is the program's own allocator.
  bool isAllocator(const llvm::Function &F) const;

  /// Whether the C or C++ library has an allocator of that linkage name.
  static bool isAllocator(llvm::StringRef Name);

  /// Replaces \p Call, whose callee is an allocator.
  void rewrite(llvm::CallBase &Call, llvm::GlobalVariable &Type,
               const llvm::TargetLibraryInfo &TLI);

private:
  llvm::Module &M;
};

} // namespace heapprof

#endif
