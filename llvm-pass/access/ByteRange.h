// ByteRange.h - the bytes of an access, as far as they can be compared.
// Two of one base are a constant apart; of others nothing is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_BYTE_RANGE_H
#define HEAPPROF_BYTE_RANGE_H

#include "access/Access.h"
#include "llvm/IR/DataLayout.h"

namespace heapprof {

/// Base[Low, High)
struct ByteRange {
  const llvm::Value *Base;
  int64_t Low;
  int64_t High;
};

inline ByteRange rangeOf(const MergedAccess &A, const llvm::DataLayout &DL) {
  llvm::APInt Offset(64, 0);
  const llvm::Value *Base = A.Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  const int64_t From = Offset.getSExtValue();
  return {Base, From + A.Low, From + A.High};
}

} // namespace heapprof

#endif
