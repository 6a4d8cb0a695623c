// written_pages.cpp - see written_pages.h: userfaultfd's asynchronous mode, and PAGEMAP_SCAN.
// What the kernel's headers of older systems lack is written out here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/written_pages.h"

#include "system/system_call.h"

#include <fcntl.h>
#include <sys/syscall.h>

namespace {
const uptr kUserModeOnly = 1, kApi = 0xaa, kWriteProtected = 1 << 1;
const uptr kAsynchronous = 1 << 15;
const uptr kIoctlApi = 0xc018aa3f, kIoctlRegister = 0xc020aa00,
           kIoctlScan = 0xc0606610;
const uptr kProtect = 1 << 0, kCheck = 1 << 1; // of a scan
// Of a page.  Those that have no memory would be told of as well, and their
// protection take memory itself.
const uptr kWritten = 1 << 1, kPresent = 1 << 3;
const uptr kHigh = 1000; // a descriptor that no program expects to be given

struct Api {
  uint64_t api, features, ioctls;
};
struct Register {
  uint64_t start, length, mode, ioctls;
};
struct Scan {
  uint64_t size, flags, start, end, walk_end, regions, region_count, most_pages,
      inverted, mask, any_mask, returned;
};
struct Region {
  uint64_t start, end, categories;
};
static_assert(sizeof(Scan) == 96, "as the kernel has it");

long descriptor = -1;

long call(uptr number, uptr a, uptr b = 0, uptr c = 0) {
  return system_call((long)number, a, b, c);
}

// Out of the way of those that the program opens.
long moved_up(long fd) {
  const long high = call(SYS_fcntl, (uptr)fd, F_DUPFD_CLOEXEC, kHigh);
  call(SYS_close, (uptr)fd);
  return high;
}
} // namespace

extern "C" {

bool hp_sys_written_open(uintptr_t begin, uintptr_t end) {
  Api api = {kApi, kAsynchronous, 0};
  Register range = {begin, end - begin, kWriteProtected, 0};
  long fd = call(SYS_userfaultfd, kUserModeOnly | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0)
    fd = moved_up(fd);
  if (fd < 0)
    return false;
  if (call(SYS_ioctl, (uptr)fd, kIoctlApi, (uptr)&api) < 0 ||
      call(SYS_ioctl, (uptr)fd, kIoctlRegister, (uptr)&range) < 0) {
    call(SYS_close, (uptr)fd);
    return false;
  }
  descriptor = fd;
  return true;
}

void hp_sys_written_close(void) {
  if (descriptor >= 0)
    call(SYS_close, (uptr)descriptor);
  descriptor = -1;
}

bool hp_sys_written_take(uintptr_t begin, uintptr_t end,
                         void (*each)(uintptr_t begin, uintptr_t end)) {
  static Region regions[256];
  static const char path[] = "/proc/self/pagemap";
  const long fd =
      call(SYS_openat, (uptr)AT_FDCWD, (uptr)path, O_RDONLY | O_CLOEXEC);
  long count = fd < 0 ? -1 : 0;
  while (count >= 0 && begin < end) {
    Scan scan = {};
    scan.size = sizeof scan;
    scan.flags = kProtect | kCheck;
    scan.start = begin;
    scan.end = end;
    scan.regions = (uptr)regions;
    scan.region_count = sizeof regions / sizeof *regions;
    scan.mask = kWritten | kPresent;
    count = call(SYS_ioctl, (uptr)fd, kIoctlScan, (uptr)&scan);
    for (long i = 0; i < count; i++)
      each(regions[i].start, regions[i].end);
    begin = scan.walk_end;
  }
  if (fd >= 0)
    call(SYS_close, (uptr)fd);
  return count >= 0;
}

} // extern "C"
