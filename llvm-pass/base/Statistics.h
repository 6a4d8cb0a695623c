// Statistics.h - one counter for each decision the pass takes.
// Every access or function that gets no hook is counted under its reason.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_STATISTICS_H
#define HEAPPROF_STATISTICS_H

#include "llvm/ADT/Statistic.h"

// TrackingStatistic and not STATISTIC: the latter is compiled to nothing in
// the release builds of LLVM that distributions ship.
#define HEAPPROF_STATISTICS(X)                                                 \
  X(FunctionsInstrumented, "functions instrumented")                           \
  X(FunctionsOwn, "functions skipped: part of heapprof")                       \
  X(FunctionsExternal, "functions skipped: available externally")              \
  X(FunctionsNaked, "functions skipped: naked")                                \
  X(FunctionsOptedOut, "functions skipped: attribute or annotation")           \
  X(FunctionsResolver, "functions skipped: ifunc resolver")                    \
  X(FunctionsIgnored, "functions skipped: ignore list")                        \
  X(ModulesSeenBefore, "modules skipped: instrumented before")                 \
  X(HooksPlain, "hooks for one contiguous access")                             \
  X(HooksMany, "hooks for several accesses at once")                           \
  X(HooksHull, "hooks for several ranges at once")                             \
  X(HooksTouch, "hooks behind long loops, for the time alone")                 \
  X(HooksInlined, "hooks whose usual case is inline")                          \
  X(HooksInAssembly, "inline hooks that are one piece of assembly")            \
  X(HooksCalled, "hooks whose usual case is a call that keeps registers")      \
  X(WordHooks, "functions made of what many of these calls count")             \
  X(SlowHooks, "functions made of what many inline hooks call seldom")         \
  X(OwnerChecks, "hooks of which only the owner check is inline")              \
  X(SampledForms, "functions made twice, full and for samples")                \
  X(RecordsReused, "hooks that take the record from an earlier one")           \
  X(RecordsCarried, "hooks that take a record if one is known")                \
  X(MergedInBlock, "accesses merged into an earlier one of their block")       \
  X(MergedDominated, "accesses merged into one of a dominating block")         \
  X(AccessesSunk, "accesses moved behind a branch and joined with another")    \
  X(MergedChosen, "accesses at chosen places joined with another")             \
  X(TimesShared, "hooks that leave the time to the one before them")           \
  X(LoopRangesMade, "accesses of loops counted before the loop")               \
  X(LoopLevelsLeft, "loops around accesses that are counted before them")      \
  X(LoopCountsKept, "accesses of loops counted in registers up to its exits")  \
  X(LoopExitsTaken, "accesses of loops counted behind the loop")               \
  X(HooksMasked, "hooks for masked and strided accesses")                      \
  X(HooksLanes, "hooks for gathers and scatters")                              \
  X(CopiesKept, "short memory intrinsics kept, with hooks beside them")        \
  X(HooksMemory, "memory intrinsics replaced")                                 \
  X(LibraryCallsKept, "library calls kept for the interceptors")               \
  X(AllocationsTyped, "allocation calls given their type")                     \
  X(AllocationsUntyped, "allocation calls whose type is unknown")              \
  X(WrapperCalls, "calls of wrappers given their type")                        \
  X(PoolCalls, "calls of the pools' functions that the runtime is told of")    \
  X(FramesKept, "tail calls made calls, for they may allocate")                \
  X(FramesChosen, "tail calls made calls up to so many in a row")              \
  X(TailCallsLeft, "tail calls left: they lead back to their function")        \
  X(SkippedStack, "accesses skipped: stack")                                   \
  X(SkippedGlobal, "accesses skipped: globals and constants")                  \
  X(SkippedRead, "accesses skipped: pointers read that are not to the heap")   \
  X(SkippedPassed, "accesses skipped: arguments and results not of the heap")  \
  X(PlacesPassed, "arguments and results that are not of the heap")            \
  X(SkippedCounter, "accesses skipped: compiler's own globals")                \
  X(SkippedNoSanitize, "accesses skipped: nosanitize")                         \
  X(SkippedAddressSpace, "accesses skipped: address space")                    \
  X(SkippedSwiftError, "accesses skipped: swifterror")                         \
  X(SkippedEmpty, "accesses skipped: no bytes or no lanes")                    \
  X(SkippedScalable, "accesses skipped: scalable vector")                      \
  X(SkippedUnmeasured, "accesses skipped: intrinsic of unknown extent")        \
  X(SkippedByOption, "accesses skipped: -heapprof-instrument-* option")

namespace heapprof {

#define X(Name, Text) extern llvm::TrackingStatistic Num##Name;
HEAPPROF_STATISTICS(X)
#undef X

/// Prints the counters that are not zero to stderr, one a line, name first.
void printStatistics();

} // namespace heapprof

#endif
