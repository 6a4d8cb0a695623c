// RuntimeSymbol.h - variables of the runtime, as instrumented code sees them.
// Their names and types are in hook_abi.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_RUNTIME_SYMBOL_H
#define HEAPPROF_RUNTIME_SYMBOL_H

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace heapprof {

/// Whether \p M is compiled for an executable, which the runtime is in, too: what
/// is not compiled for libraries.
inline bool isWithRuntime(const llvm::Module &M) {
  return M.getPICLevel() == llvm::PICLevel::NotPIC ||
         M.getPIELevel() != llvm::PIELevel::Default;
}

inline llvm::GlobalVariable *runtimeSymbol(llvm::Module &M, const char *Name,
                                           llvm::Type *Ty,
                                           bool ThreadLocal = false) {
  using namespace llvm;
  if (GlobalVariable *Known = M.getGlobalVariable(Name))
    return Known;
  auto *Global =
      new GlobalVariable(M, Ty, /*isConstant=*/false,
                         GlobalValue::ExternalLinkage, nullptr, Name, nullptr,
                         ThreadLocal ? GlobalValue::InitialExecTLSModel
                                     : GlobalValue::NotThreadLocal);
  Global->setDSOLocal(isWithRuntime(M));
  return Global;
}

} // namespace heapprof

#endif
