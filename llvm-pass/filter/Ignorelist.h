// Ignorelist.h - the files given by -heapprof-ignorelist, in the sanitizers'
// special case list format: src:, mainfile: and fun: in section [heapprof].
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_IGNORELIST_H
#define HEAPPROF_IGNORELIST_H

#include "llvm/IR/Function.h"
#include "llvm/Support/SpecialCaseList.h"
#include <memory>

namespace heapprof {

class Ignorelist {
public:
  /// Reads all files; on failure returns false and says in \p Error which
  /// file and why.
  bool read(const std::vector<std::string> &Paths, std::string &Error);

  bool contains(const llvm::Function &F) const;

private:
  bool names(llvm::StringRef Prefix, llvm::StringRef Query) const;

  std::unique_ptr<llvm::SpecialCaseList> List; ///< null: no file given
};

} // namespace heapprof

#endif
