/* own_memory.h - how much memory the process has, by the kernel, for tests whose own allocations must not count.
   Nothing is allocated.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* KiB of FIELD of /proc/self/status; 0: it does not say. */
static long status(const char *field) {
  static char text[8192];
  int fd = open("/proc/self/status", O_RDONLY);
  long n = read(fd, text, sizeof text - 1);
  close(fd);
  text[n > 0 ? n : 0] = '\0';
  const char *at = strstr(text, field);
  return at ? strtol(at + strlen(field), NULL, 10) : 0;
}

/* VmHWM is the peak from here on. */
static void forget_peak(void) {
  int fd = open("/proc/self/clear_refs", O_WRONLY);
  if (write(fd, "5", 1) != 1)
    exit(2);
  close(fd);
}
