// TypeLayout.h - what the pass asks the AST plugin, in the same process.
// Found by name at run time, so that each plugin also works without the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_TYPE_LAYOUT_H
#define HEAPPROF_TYPE_LAYOUT_H

#include <cstddef>
#include <cstdint>

namespace heapprof {

struct TypeLayout {
  uint64_t Size;
  uint32_t Alignment;
  bool IsOpen; ///< it ends with a flexible array
};

/// Whether the translation unit being compiled has a complete type of this
/// name, spelled as in !alloc_token; then \p Layout is its.
using TypeLayoutFunction = bool(const char *Name, size_t Length,
                                TypeLayout &Layout);
constexpr const char *TypeLayoutSymbol = "heapprofTypeLayout";

} // namespace heapprof

#endif
