// Access.h - one access to memory, as found by the collector.
// A description only: no instruction is created for it before the emitter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ACCESS_H
#define HEAPPROF_ACCESS_H

#include "hook_abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <cstdint>

namespace heapprof {

/// What is touched, in bytes, for each shape (lane i counts only if enabled):
///
///   Range    Pointer[0, Count * Unit), Count is 1 if null
///   Packed   Pointer[0, enabled lanes * Unit)
///   Strided  lane i: Pointer[i * Stride, i * Stride + Unit), Stride is Unit
///            if null
///   Lanes    lane i: Pointer[i][0, Unit); or, if Index is set,
///            Pointer + Index[i] * Scale for the same number of bytes
///   Copy     reads Source, writes Pointer, Count bytes each; replaced
///   Fill     writes Pointer, Count bytes; replaced
///
/// Lane i is enabled if Mask says so and i < Limit.  A null Mask or Limit
/// enables all.  Mask is a vector of i1, or an integer whose bit i is lane i,
/// or a vector whose lanes' sign bits count; it and Index may be longer than
/// Lanes, then only the first Lanes elements matter.
struct Access {
  enum ShapeKind : uint8_t { Range, Packed, Strided, Lanes, Copy, Fill };

  ShapeKind Shape = Range;
  int Kind = HP_ACCESS_READ;       ///< HP_ACCESS_*; not used by Copy and Fill
  llvm::Instruction *At = nullptr; ///< the hook goes right before this
  llvm::Value *Pointer = nullptr;
  llvm::Value *Source = nullptr;
  llvm::Value *Count = nullptr; ///< integer of any width, unsigned
  uint64_t Unit = 0;            ///< bytes
  unsigned LaneCount = 0;
  llvm::Value *Mask = nullptr;
  llvm::Value *Limit = nullptr;  ///< integer of any width, unsigned
  llvm::Value *Stride = nullptr; ///< bytes, signed
  llvm::Value *Index = nullptr;  ///< vector of integers, signed
  uint64_t Scale = 1;            ///< bytes

  bool replaces() const { return Shape == Copy || Shape == Fill; }
};

/// Of the accesses that one hook counts, those of one place: Bytes of them, Low
/// bytes from the pointer that the hook is given.
struct PlaceInGroup {
  int64_t Low;
  uint64_t Bytes;
  uint64_t Reads;
  uint64_t Writes;
};
using PlacesInGroup = llvm::SmallVector<PlaceInGroup, 1>;

/// Adds those of \p More, moved up \p By bytes, to \p Places.
inline void addPlaces(PlacesInGroup &Places, const PlacesInGroup &More,
                      int64_t By) {
  for (const PlaceInGroup &P : More)
    Places.push_back({P.Low + By, P.Bytes, P.Reads, P.Writes});
}

/// Accesses to one object that one hook counts: they are all executed as often
/// as At, and the bytes from the first to the last that they touch are
///
///   Pointer[Low, High)
///
/// Behind a loop: each Repeats + 1 times, Step bytes from one to the next, thus
///
///   Pointer[Low, High + Repeats * Step)
///
/// A chunk record keeps no more of an access than this and the counts.
struct MergedAccess {
  llvm::Instruction *At = nullptr; ///< the hook goes right before this
  llvm::Value *Pointer = nullptr;
  int64_t Low = 0;
  int64_t High = 0;
  uint64_t Reads = 0;
  uint64_t Writes = 0;
  llvm::Value *Repeats = nullptr; ///< i64, 0 if null
  uint64_t Step = 0;
  /// Null, or: only the bytes above are sure, and there may be more, of an access
  /// whose place is known at run time.  They are those from From, which is
  /// Pointer + Low if null, to To[0, ToBytes).
  llvm::Value *From = nullptr;
  llvm::Value *To = nullptr;
  int64_t ToBytes = 0;
  PlacesInGroup Places; ///< each of them, from Pointer; with CountMembers only
  bool Seldom = false;  ///< not worth more code than a call
  bool Rare = false;    ///< Seldom, and not worth a question ahead of the call
  bool Often = false;   ///< in a loop that is worth it
  bool Tight = false;   ///< Often, and the function has few accesses
};

} // namespace heapprof

#endif
