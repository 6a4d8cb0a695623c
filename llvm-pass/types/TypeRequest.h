// TypeRequest.h - what the AST plugin knows of an allocating call, for the
// pass. An integer argument of the call goes through a function that is named
// so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_TYPE_REQUEST_H
#define HEAPPROF_TYPE_REQUEST_H

namespace heapprof {

/// The function returns its only argument, has no body, and is taken out by
/// the pass before anything else sees it.  Its linkage name is
///
///   __heapprof_request.<bits><how>.<type>
///
///   <bits>  width of the argument, since one name is one function
///   <how>   any of RequestSized, RequestForwarded and RequestBefore
///   <type>  spelled as in !alloc_token; empty: no type is known
constexpr const char *RequestPrefix = "__heapprof_request.";

/// The size says what is allocated, `sizeof(T) * n`; else the result's use.
constexpr char RequestSized = 's';

/// The size comes from a parameter of the function that the call is in: what
/// is allocated may be for its caller.  Without it the memory is for the
/// function's own use.
constexpr char RequestForwarded = 'f';

/// The sizeof is that of what lies before the memory that the caller gets,
/// `sizeof(struct head) + n` in a function that returns `void *`.
constexpr char RequestBefore = 'b';

} // namespace heapprof

#endif
