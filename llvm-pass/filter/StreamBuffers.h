// StreamBuffers.h - keeps what std::stringbuf and its kin store in libstdc++.so.
// So the stack of such a chunk says whose it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_STREAM_BUFFERS_H
#define HEAPPROF_STREAM_BUFFERS_H

#include "llvm/IR/PassManager.h"

namespace heapprof {

/// A stream's buffer is written and read by libstdc++.so, which has no hooks.
/// What only fills one from the program's code would look like the program's own
/// chunk that nobody reads.  Const members (str()) may be inlined: what they make
/// is the program's.
class StreamBuffersPass : public llvm::PassInfoMixin<StreamBuffersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &Analyses);
};

} // namespace heapprof

#endif
