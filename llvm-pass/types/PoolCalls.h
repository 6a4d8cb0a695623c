// PoolCalls.h - the program's functions that -heapprof-pools names: what they
// hand out and take back is said to the runtime where they are called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_POOL_CALLS_H
#define HEAPPROF_POOL_CALLS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/GlobPattern.h"
#include <optional>
#include <vector>

namespace heapprof {

/// A function by its linkage name, or by the name that its source has.
class FunctionPattern {
public:
  /// False: it is no pattern.
  bool read(llvm::StringRef Text);
  bool matches(llvm::StringRef Linkage, llvm::StringRef Source) const;
  bool isExact() const { return Exact; }
  explicit operator bool() const { return Glob.has_value(); }

private:
  std::optional<llvm::GlobPattern> Glob;
  bool Exact = true;
};

/// One `alloc:free[:size argument[:clear]]` of the option (docs/pools.md); the
/// size may be a product, 1*2.
struct PoolFunctions {
  FunctionPattern Alloc, Free, Clear;  ///< but for Alloc any may be missing
  llvm::SmallVector<unsigned, 2> Size; ///< numbers of arguments; none: by type
  unsigned Freed = 0; ///< number of the argument of Free; 0: the last pointer
  uint64_t Bytes = 0; ///< each object has so many; 0: not said
  std::string Text;   ///< of the option
  char Found;         ///< HP_POOLS_* of the module

  /// Empty, or what is wrong with \p Item.
  std::string read(llvm::StringRef Item);
};

/// What a call does to a pool.
struct PoolCall {
  llvm::Value *Size = nullptr;    ///< it allocates, if that is known here
  llvm::Value *Pool = nullptr;    ///< for it; null: one for all by that name
  llvm::Value *Freed = nullptr;   ///< it frees
  llvm::Value *Cleared = nullptr; ///< the pool of which it frees all
  std::string Name;               ///< of the function
};

class PoolCalls {
public:
  /// Reports what is wrong with the option once for the module.
  explicit PoolCalls(llvm::Module &M);

  /// Whether \p F is one of them: what it calls is its own business.
  bool isOne(const llvm::Function &F);

  /// What \p Call does, if anything.  Writes ahead of it where it has several
  /// sizes.
  PoolCall of(llvm::CallBase &Call);

  /// Says before \p Call what it frees, ...
  void before(llvm::CallBase &Call, const PoolCall &Its);
  /// ... and at \p Behind what it has allocated, of \p Type if that is known.
  void behind(llvm::CallBase &Call, llvm::Instruction &Behind,
              const PoolCall &Its, llvm::GlobalVariable *Type);

  /// Leaves word in the file of which functions calls were found.
  void finish();

private:
  /// Which of the functions of \p Each matches \p F.
  PoolFunctions *find(const llvm::Function &F,
                      FunctionPattern PoolFunctions::*Which);
  llvm::Value *sizeOf(llvm::CallBase &Call, const PoolFunctions &One);
  void readCall(llvm::CallBase &Call, const llvm::Function &Callee,
                PoolFunctions &One, PoolCall &Its);
  llvm::StringRef sourceName(const llvm::Function &F);
  llvm::Constant *text(llvm::StringRef Name);

  llvm::Module &M;
  std::vector<PoolFunctions> All;
  llvm::StringMap<std::string> Names;
  llvm::StringMap<llvm::Constant *> Texts;
};

} // namespace heapprof

#endif
