// AccessList.h - the accesses found in a function, in program order.
// Each instruction's own shape becomes bytes, a range, or lanes here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ACCESS_LIST_H
#define HEAPPROF_ACCESS_LIST_H

#include "access/Access.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include <utility>

namespace heapprof {

class AccessList {
public:
  explicit AccessList(const llvm::DataLayout &DL) : DL(DL) {}

  void add(const Access &A);
  /// What a value of type \p Ty takes in memory.
  void addTyped(llvm::Instruction &I, llvm::Value *Pointer, llvm::Type *Ty,
                int Kind);
  void addBytes(llvm::Instruction &I, llvm::Value *Pointer, llvm::Value *Count,
                uint64_t Unit, int Kind);
  /// \p A lacks Unit and LaneCount: they follow from the type of its data.
  void addLanes(Access A, llvm::Type *DataTy);

  /// All of them; the list is empty afterwards.
  llvm::SmallVector<Access, 32> take() { return std::exchange(Found, {}); }

private:
  const llvm::DataLayout &DL;
  llvm::SmallVector<Access, 32> Found;
};

} // namespace heapprof

#endif
