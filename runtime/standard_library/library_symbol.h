/* library_symbol.h - a function that takes the place of one of the C++ library.
   Weak, as the library's own may be in the module too (-static-libstdc++).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIBRARY_SYMBOL_H
#define HP_LIBRARY_SYMBOL_H

#define HP_LIBRARY_SYMBOL(result, name, parameters, symbol)                    \
  extern __attribute__((visibility("default"),                                 \
                        weak)) result name parameters __asm__(symbol);         \
  result name parameters

#endif
