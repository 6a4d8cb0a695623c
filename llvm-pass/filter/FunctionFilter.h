// FunctionFilter.h - tells which functions are left as they are.
// Looks at the function as a whole; single accesses are AccessFilter's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_FUNCTION_FILTER_H
#define HEAPPROF_FUNCTION_FILTER_H

#include "filter/Ignorelist.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace heapprof {

class FunctionFilter {
public:
  FunctionFilter(const llvm::Module &M, const Ignorelist &List);

  /// Whether \p F gets no hooks; the reason is counted.
  bool skips(const llvm::Function &F) const;

  /// Whether \p F is the product's.
  bool isOwn(const llvm::Function &F) const;

private:
  const Ignorelist &List;
  llvm::SmallPtrSet<const llvm::Value *, 8> Annotated, Resolvers;
};

} // namespace heapprof

#endif
