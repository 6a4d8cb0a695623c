// Ignorelist.cpp - asks the list about a function by name and by source file.
// A function's file is where its text is, which for a header is the header.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "filter/Ignorelist.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace heapprof {

bool Ignorelist::read(const std::vector<std::string> &Paths,
                      std::string &Error) {
  if (Paths.empty())
    return true;
  List = SpecialCaseList::create(Paths, *vfs::getRealFileSystem(), Error);
  return List != nullptr;
}

bool Ignorelist::names(StringRef Prefix, StringRef Query) const {
  return List->inSection("heapprof", Prefix, Query);
}

bool Ignorelist::contains(const Function &F) const {
  if (!List)
    return false;
  StringRef MainFile = F.getParent()->getSourceFileName();
  if (names("fun", F.getName()) || names("mainfile", MainFile))
    return true;
  const DISubprogram *Subprogram = F.getSubprogram();
  if (!Subprogram || !Subprogram->getFile())
    return names("src", MainFile);
  StringRef File = Subprogram->getFilename();
  if (names("src", File))
    return true;
  if (sys::path::is_absolute(File))
    return false;
  SmallString<256> Full(Subprogram->getDirectory());
  sys::path::append(Full, File);
  return names("src", Full);
}

} // namespace heapprof
