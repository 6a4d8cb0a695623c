// ModuleConstructor.h - the constructor each instrumented module carries.
// Starts the runtime and ties the module to the runtime's ABI version.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_MODULE_CONSTRUCTOR_H
#define HEAPPROF_MODULE_CONSTRUCTOR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace heapprof {

/// The names of all module constructors, of any ABI version, start so.
constexpr llvm::StringLiteral ModuleConstructorPrefix = "heapprof.module_ctor";

void addModuleConstructor(llvm::Module &M);

} // namespace heapprof

#endif
