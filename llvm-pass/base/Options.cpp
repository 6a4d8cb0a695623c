// Options.cpp - the definitions of Options.h, with the text of -help-hidden.
// A default here is the product's behaviour; the switches are for comparison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/Options.h"

using namespace llvm;

namespace heapprof {

cl::opt<bool> InstrumentReads("heapprof-instrument-reads",
                              cl::desc("count what is read"), cl::Hidden,
                              cl::init(true));

cl::opt<bool> InstrumentWrites("heapprof-instrument-writes",
                               cl::desc("count what is written"), cl::Hidden,
                               cl::init(true));

cl::opt<bool> InstrumentAtomics(
    "heapprof-instrument-atomics",
    cl::desc("count atomic updates (atomicrmw, cmpxchg), one read and one "
             "write each; atomic loads and stores are reads and writes"),
    cl::Hidden, cl::init(true));

cl::opt<bool> InstrumentMemIntrinsics(
    "heapprof-instrument-memintrinsics",
    cl::desc("count memory intrinsics; without it only those are counted that "
             "the code generator turns into calls of the C library"),
    cl::Hidden, cl::init(true));

cl::opt<bool>
    Naive("heapprof-naive",
          cl::desc("one hook for every access, also of stack and globals: the "
                   "plain form that every shorter one is compared with"),
          cl::Hidden, cl::init(false));

cl::opt<bool> FollowCalls(
    "heapprof-follow-calls",
    cl::desc("leave out accesses through arguments and results that no caller "
             "and no return makes the heap's"),
    cl::Hidden, cl::init(true));

cl::opt<bool> FollowReads(
    "heapprof-follow-reads",
    cl::desc("leave out accesses through pointers read from where none to the "
             "heap is written, and to tables of virtual functions"),
    cl::Hidden, cl::init(true));

cl::opt<bool> Optimise(
    "heapprof-optimise",
    cl::desc("shorten hooks in all the ways below; without it there is one "
             "hook for every access that may be to the heap"),
    cl::Hidden, cl::init(true));

cl::opt<bool> MergeAccesses(
    "heapprof-merge",
    cl::desc("count accesses to one object that are executed together by one "
             "hook"),
    cl::Hidden, cl::init(true));

cl::opt<bool> SinkAccesses(
    "heapprof-sink",
    cl::desc("count an access before a branch together with one to the same "
             "object behind it"),
    cl::Hidden, cl::init(true));

cl::opt<bool> ShortCopies(
    "heapprof-short-copies",
    cl::desc("keep copies and fills of few bytes and count their two sides as "
             "other accesses are, not by a call that copies"),
    cl::Hidden, cl::init(true));

cl::opt<bool> LoopRanges(
    "heapprof-loop-ranges",
    cl::desc("count the accesses of a loop whose addresses and number are "
             "known before it by one hook there"),
    cl::Hidden, cl::init(true));

cl::opt<bool> CountAtExits(
    "heapprof-loop-exits",
    cl::desc("count the accesses of a loop whose number is known only behind "
             "it by one hook at each of its exits"),
    cl::Hidden, cl::init(true));

cl::opt<bool> InlineRecords(
    "heapprof-inline",
    cl::desc("write the usual access to the chunk record without a call"),
    cl::Hidden, cl::init(true));

cl::opt<unsigned> InlineAbove(
    "heapprof-inline-above", cl::value_desc("percent"),
    cl::desc("write inline what is executed more often than in so many of 100 "
             "calls of its function, and call for the rest; 0: all inline"),
    cl::Hidden, cl::init(100));

cl::opt<unsigned> InlineFew(
    "heapprof-inline-few", cl::value_desc("hooks"),
    cl::desc("in functions of at most so many hooks write inline what is "
             "executed more often than in 20 of 100 calls"),
    cl::Hidden, cl::init(6));

cl::opt<unsigned> InlineMost(
    "heapprof-inline-most", cl::value_desc("hooks"),
    cl::desc("of a function's hooks that would be inline write the so many "
             "inline that are executed most; 0: all of them, as in a function "
             "that is an interpreter's loop"),
    cl::Hidden, cl::init(64));

cl::opt<bool> AskFirst(
    "heapprof-ask-first",
    cl::desc("where a hook is called, ask ahead of the call whether the "
             "address may be in the profiled heap"),
    cl::Hidden, cl::init(true));

cl::opt<unsigned> WordHooks(
    "heapprof-word-hooks", cl::value_desc("calls"),
    cl::desc("make a function of what the module counts by at least so many "
             "calls with the same argument; 0: none"),
    cl::Hidden, cl::init(2));

cl::opt<unsigned> Assembly(
    "heapprof-assembly", cl::value_desc("hooks"),
    cl::desc("write the inline hooks of functions of at least so many as "
             "assembly, which compiles faster; 0: none"),
    cl::Hidden, cl::init(7));

cl::opt<bool> ExpectSamples(
    "heapprof-expect-samples",
    cl::desc("write inline only whether an access is to the profiled heap, for "
             "a program of whose allocations few will be profiled"),
    cl::Hidden, cl::init(false));

cl::opt<bool> MakeSampledForms(
    "heapprof-sampled-forms",
    cl::desc("make functions of several inline hooks twice, the second time "
             "for a run of whose allocations few are profiled"),
    cl::Hidden, cl::init(false));

cl::opt<bool> ReuseRecords(
    "heapprof-reuse",
    cl::desc("take the chunk record from an earlier access to the object"),
    cl::Hidden, cl::init(true));

cl::opt<bool> CarryRecords(
    "heapprof-carry",
    cl::desc("take the chunk record along with a pointer that walks through "
             "the chunk in a loop"),
    cl::Hidden, cl::init(true));

cl::opt<bool> CountInLoops(
    "heapprof-loop-counts",
    cl::desc("keep what an innermost loop counts of an object in registers up "
             "to its exits"),
    cl::Hidden, cl::init(true));

cl::opt<bool> KeepFrames(
    "heapprof-keep-frames",
    cl::desc("make no jump of a tail call that may allocate, so that its "
             "function is in the call stack"),
    cl::Hidden, cl::init(true));

cl::opt<bool> DropBodies(
    "heapprof-drop-bodies",
    cl::desc("drop what the code generator needs of a function once its code "
             "is written"),
    cl::Hidden, cl::init(true));

cl::opt<bool> CountMembers(
    "heapprof-members",
    cl::desc("tell the hooks which single accesses they count, so that a run "
             "with members=1 counts them by their place in the chunk"),
    cl::Hidden, cl::init(false));

cl::opt<bool> PrintStats("heapprof-stats",
                         cl::desc("print what the pass decided to stderr"),
                         cl::Hidden, cl::init(false));

cl::list<std::string> IgnorelistFiles(
    "heapprof-ignorelist", cl::value_desc("file"),
    cl::desc("leave out the functions named by fun: and the source files named "
             "by src: in section [heapprof] of this file; repeatable"),
    cl::Hidden);

cl::list<std::string> Pools(
    "heapprof-pools", cl::value_desc("alloc:free[:size argument[:clear]],..."),
    cl::desc("functions of the program that hand out parts of chunks, and that "
             "take them back: each part is an object; repeatable"),
    cl::Hidden);

} // namespace heapprof
