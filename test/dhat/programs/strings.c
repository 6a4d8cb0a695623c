/* strings.c - strings made, copied, searched, printed by libc.
   What libc does to its own buffers is no access of the program's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *concatenated(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  char *s = malloc(n + m + 1);
  memcpy(s, a, n);
  memcpy(s + n, b, m + 1);
  return s;
}

int main(void) {
  char *hello = strdup("hello");                  /* 6 bytes */
  char *both = concatenated(hello, ", world");    /* 13 */
  char *buffer = malloc(64);                      /* 64 */
  int length = snprintf(buffer, 64, "%s!", both); /* writes 14 */
  char *unread = malloc(32);                      /* 32, written only */
  memset(unread, 'x', 32);
  char *moved = calloc(1, 20); /* 20, read and written */
  memmove(moved + 1, moved, 10);
  char *found = strchr(buffer, 'w');
  char *compared = strndup(found, 5); /* 6 */
  int same = strcmp(compared, "world");
  puts(buffer); /* stdout's own buffer is libc's */
  free(compared);
  free(moved);
  free(unread);
  free(buffer);
  free(both);
  free(hello);
  return length == 13 && same == 0 ? 0 : 1;
}
