// SpentBodies.h - drops the bodies of functions as soon as their code is written.
// Without that all hooks of a module are there until its last function is compiled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_SPENT_BODIES_H
#define HEAPPROF_SPENT_BODIES_H

namespace heapprof {

/// From here on this process' code generators drop bodies of modules that have
/// hooks.  May be called several times.  With LLVM 19 does nothing.
void dropSpentBodies();

} // namespace heapprof

#endif
