// ModuleConstructor.h - the constructor each instrumented module carries.
// Starts the runtime and ties the module to the runtime's ABI version.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_MODULE_CONSTRUCTOR_H
#define HEAPPROF_MODULE_CONSTRUCTOR_H

#include "llvm/IR/Module.h"

namespace heapprof {

void addModuleConstructor(llvm::Module &M);

} // namespace heapprof

#endif
