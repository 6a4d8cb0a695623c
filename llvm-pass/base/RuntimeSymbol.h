// RuntimeSymbol.h - variables of the runtime, as instrumented code sees them.
// Their names and types are in hook_abi.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_RUNTIME_SYMBOL_H
#define HEAPPROF_RUNTIME_SYMBOL_H

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace heapprof {

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
  // The runtime is in the executable, and so is what is not compiled for
  // libraries.
  Global->setDSOLocal(M.getPICLevel() == PICLevel::NotPIC ||
                      M.getPIELevel() != PIELevel::Default);
  return Global;
}

} // namespace heapprof

#endif
