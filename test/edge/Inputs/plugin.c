/* plugin.c - the library that dlopen.c opens.
   Its counts are in dlopen.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>

char *plugin_make(void);
void plugin_use(char *p);

char *plugin_make(void) {
  char *p = malloc(6001);
  p[0] = p[1] = 1;
  return p;
}

void plugin_use(char *p) {
  p[1] = 1;
  p[2] = p[1];
  p[3] = 1;
}
