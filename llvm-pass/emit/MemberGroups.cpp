// MemberGroups.cpp - see MemberGroups.h.  Places that are the same are one.
// A group is a global of its own, which also says which hook it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/MemberGroups.h"
#include "hook_abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include <algorithm>

using namespace llvm;

namespace heapprof {

static uint32_t inWord(uint64_t Number) {
  return uint32_t(std::min<uint64_t>(Number, HP_GROUP_MANY_BYTES));
}

Constant *memberGroup(Module &M, const PlacesInGroup &Places, int64_t Low,
                      uint64_t Step, unsigned Steps) {
  struct Counts {
    uint64_t Reads = 0, Writes = 0;
  };
  MapVector<std::pair<uint64_t, uint64_t>, Counts> At;
  Counts All;
  for (const PlaceInGroup &P : Places) {
    Counts &Its = At[{uint64_t(P.Low - Low), P.Bytes}];
    Its.Reads += P.Reads;
    Its.Writes += P.Writes;
    All.Reads += P.Reads;
    All.Writes += P.Writes;
  }
  SmallVector<uint32_t, 16> Words = {inWord(At.size()), inWord(Step), Steps,
                                     inWord(All.Reads), inWord(All.Writes)};
  static_assert(HP_GROUP_HEAD == 5 && HP_GROUP_PLACE == 4, "as written here");
  for (const auto &[Place, Its] : At)
    Words.append({inWord(Place.first), inWord(Place.second), inWord(Its.Reads),
                  inWord(Its.Writes)});
  Constant *Text = ConstantDataArray::get(M.getContext(), Words);
  auto *Group =
      new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, Text, "heapprof.group");
  Group->setAlignment(Align(4));
  Group->setNoSanitizeMetadata();
  return Group;
}

} // namespace heapprof
