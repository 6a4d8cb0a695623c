// OwnName.h - how functions are called that the pass itself adds.
// They are never instrumented.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_OWN_NAME_H
#define HEAPPROF_OWN_NAME_H

#include "llvm/ADT/StringRef.h"

namespace heapprof {

/// The names of all module constructors, of any ABI version, start so.
constexpr llvm::StringLiteral ModuleConstructorPrefix = "heapprof.module_ctor";

} // namespace heapprof

#endif
