// Options.h - the pass's command line options (-mllvm -heapprof-...).
// Hidden: users reach them through the wrapper's documented spellings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_OPTIONS_H
#define HEAPPROF_OPTIONS_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace heapprof {

extern llvm::cl::opt<bool> InstrumentReads;
extern llvm::cl::opt<bool> InstrumentWrites;
extern llvm::cl::opt<bool> InstrumentAtomics;
extern llvm::cl::opt<bool> InstrumentMemIntrinsics;
extern llvm::cl::opt<bool> Naive;
extern llvm::cl::opt<bool> FollowCalls;
extern llvm::cl::opt<bool> FollowReads;
extern llvm::cl::opt<bool> Optimise;
extern llvm::cl::opt<bool> MergeAccesses;
extern llvm::cl::opt<bool> SinkAccesses;
extern llvm::cl::opt<bool> ShortCopies;
extern llvm::cl::opt<bool> LoopRanges;
extern llvm::cl::opt<bool> CountAtExits;
extern llvm::cl::opt<bool> InlineRecords;
extern llvm::cl::opt<unsigned> InlineAbove;
extern llvm::cl::opt<unsigned> InlineFew;
extern llvm::cl::opt<unsigned> InlineMost;
extern llvm::cl::opt<bool> AskFirst;
extern llvm::cl::opt<unsigned> WordHooks;
extern llvm::cl::opt<unsigned> Assembly;
extern llvm::cl::opt<bool> ExpectSamples;
extern llvm::cl::opt<bool> MakeSampledForms;
extern llvm::cl::opt<bool> ReuseRecords;
extern llvm::cl::opt<bool> CarryRecords;
extern llvm::cl::opt<bool> CountInLoops;
extern llvm::cl::opt<bool> KeepFrames;
extern llvm::cl::opt<bool> DropBodies;
extern llvm::cl::opt<bool> CountMembers;
extern llvm::cl::opt<bool> PrintStats;
extern llvm::cl::list<std::string> IgnorelistFiles;
extern llvm::cl::list<std::string> Pools;

} // namespace heapprof

#endif
