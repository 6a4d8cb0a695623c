// freed-late.c - what a library that the program is linked with frees as it ends, behind main, exit's handlers and the destructors of preloaded libraries, is freed.
// What it does not free is live at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gcc
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && gcc -O1 -g -DLIBRARY -fPIC -shared %s -o library.so && gcc -O1 -g %s ./library.so -o app
// RUN: cd %t.d && %heapprof_run ./app 2> err; test $? = 5 && %heapprof_score --json heapprof.app.* | %python -c "import json,sys; p=json.load(sys.stdin)['processes'][0]; print(p['allocations'] - p['frees'], p['live_bytes_at_end'])" | grep -x '1 7000'
#include <stdlib.h>

#ifdef LIBRARY
static void *volatile freed, *volatile kept;

void begin(void) {
  freed = malloc(5000);
  kept = malloc(7000);
}

__attribute__((destructor)) static void end(void) { free(freed); }
#else
void begin(void);

int main(void) {
  begin();
  return 5;
}
#endif
