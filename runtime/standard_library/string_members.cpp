// string_members.cpp - the members of std::string and std::wstring, with hooks.
// libstdc++.so has them without; these take their place in the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>

// Not the strings of before GCC 5 (_GLIBCXX_USE_CXX11_ABI=0): all that are
// empty share an object, which must be one in the process, and would be another
// in each library.
#if !_GLIBCXX_USE_CXX11_ABI
#error "libstdc++ without its strings of today"
#endif

template class std::basic_string<HP_CHARACTER>;
