// SampledForm.h - functions that are there twice: a full profile and one of
// samples want other hooks. Which is executed is asked where one is entered.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_SAMPLED_FORM_H
#define HEAPPROF_SAMPLED_FORM_H

#include "access/Access.h"
#include "merge/LoopRange.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <memory>

namespace heapprof {

/// A copy of a function, and what there is in place of each thing in that.
class SampledForm {
public:
  llvm::Function &function() const { return *Copy; }

  Access of(Access A) const;
  MergedAccess of(MergedAccess A) const;
  RangeValues of(RangeValues R) const;

private:
  friend class SampledForms;
  template <class T> void replace(T *&Thing) const;
  void copyLabelTables(llvm::Function &F,
                       llvm::ArrayRef<llvm::GlobalVariable *> Tables);

  llvm::Function *Copy = nullptr;
  llvm::ValueToValueMapTy Copies;
};

/// Those of a module:
///
///   f:          samples: f.sampled; else what it was
///   f.sampled:  the copy; calls the copies of others
class SampledForms {
public:
  /// Copies \p F, which stays as it is until connect(); null if there cannot be
  /// a copy.
  std::unique_ptr<SampledForm> make(llvm::Function &F);

  /// Lets all functions that have one lead to their copy; when all hooks are
  /// written.
  void connect();

private:
  llvm::MapVector<llvm::Function *, llvm::Function *> Made;
};

} // namespace heapprof

#endif
