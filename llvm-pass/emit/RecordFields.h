// RecordFields.h - adds to the counters of a chunk's record.
// Where they lie and how they are packed is in hook_abi.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_RECORD_FIELDS_H
#define HEAPPROF_RECORD_FIELDS_H

#include "hook_abi.h"
#include "llvm/IR/IRBuilder.h"

namespace heapprof {

inline void addTo(llvm::IRBuilder<> &B, llvm::Value *Counter, llvm::Value *N) {
  llvm::LoadInst *Before = B.CreateLoad(B.getInt64Ty(), Counter);
  Before->setNoSanitizeMetadata();
  B.CreateStore(B.CreateAdd(Before, N), Counter)->setNoSanitizeMetadata();
}

inline void addReads(llvm::IRBuilder<> &B, llvm::Value *Record,
                     llvm::Value *N) {
  addTo(B, B.CreateConstGEP1_32(B.getInt8Ty(), Record, HP_CHUNK_READS),
        B.CreateShl(N, uint64_t(HP_CHUNK_READS_SHIFT)));
}

inline void addWrites(llvm::IRBuilder<> &B, llvm::Value *Record,
                      llvm::Value *N) {
  addTo(B, B.CreateConstGEP1_32(B.getInt8Ty(), Record, HP_CHUNK_WRITES),
        B.CreateShl(N, uint64_t(HP_CHUNK_WRITES_SHIFT)));
}

/// Whether \p Known is a record, not what stands for one that is not known or
/// for an object that is not in the heap.
inline llvm::Value *hasRecord(llvm::IRBuilder<> &B, llvm::Value *Known) {
  return B.CreateICmpSGT(B.CreatePtrToInt(Known, B.getInt64Ty()),
                         B.getInt64(0));
}

} // namespace heapprof

#endif
