// user.cpp - the user and groups of the process's first thread, which the
// calling one follows: libc changes only those of threads that it knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/user.h"

#include "system/files.h"
#include "system/system_call.h"

#include "sanitizer_common/sanitizer_libc.h"

#include <sys/syscall.h>

using namespace __sanitizer;

extern "C" {

struct hp_user {
  uint32_t uid[4], gid[4]; // real, effective, saved, of files
  uint32_t groups[64];
  size_t group_count;
};

// The numbers of the line of TEXT that begins with NAME.
static size_t parse_numbers(const char *text, const char *name,
                            uint32_t *numbers, size_t most) {
  const char *at = internal_strstr(text, name);
  size_t count = 0;
  if (!at)
    return 0;
  at += internal_strlen(name);
  while (count < most) {
    while (*at == ' ' || *at == '\t')
      at++;
    if (*at < '0' || *at > '9')
      break;
    uint32_t number = 0;
    for (; *at >= '0' && *at <= '9'; at++)
      number = number * 10 + (uint32_t)(*at - '0');
    numbers[count++] = number;
  }
  return count;
}

static bool read_user(const char *path, hp_user *user) {
  char text[2048];
  if (!hp_sys_read_text(path, text, sizeof text))
    return false;
  user->group_count = parse_numbers(text, "\nGroups:", user->groups, 64);
  return parse_numbers(text, "\nUid:", user->uid, 4) == 4 &&
         parse_numbers(text, "\nGid:", user->gid, 4) == 4;
}

static bool may_become(const hp_user *user, uint32_t uid) {
  return user->uid[0] == uid || user->uid[1] == uid || user->uid[2] == uid;
}

uint32_t hp_sys_effective_user(void) {
  return (uint32_t)system_call(SYS_geteuid);
}

void hp_sys_follow_user(uint32_t owner,
                        void (*give)(uint32_t user, uint32_t group)) {
  hp_user first, mine;
  if (!read_user("/proc/self/status", &first) ||
      !read_user("/proc/thread-self/status", &mine))
    return;
  const bool is_kept = may_become(&first, owner);
  if (is_kept)
    first.uid[1] = first.uid[3] = owner;
  if (internal_memcmp(first.uid, mine.uid, sizeof mine.uid) == 0 &&
      internal_memcmp(first.gid, mine.gid, sizeof mine.gid) == 0)
    return;
  // What another user may rename and link is no longer for root to write to.
  if (owner == 0 && mine.uid[1] == 0 && !is_kept)
    give(first.uid[1], first.gid[1]);
  // A change of user forbids core files, which the program may have allowed.
  const uptr get_dumpable = 3, set_dumpable = 4;
  long dumpable = system_call(SYS_prctl, get_dumpable);
  // Whoever may set the groups must do it before he gives that up.
  if (first.uid[1] == 0)
    system_call(SYS_setresuid, first.uid[0], first.uid[1], first.uid[2]);
  system_call(SYS_setgroups, first.group_count, (uptr)first.groups);
  system_call(SYS_setresgid, first.gid[0], first.gid[1], first.gid[2]);
  system_call(SYS_setresuid, first.uid[0], first.uid[1], first.uid[2]);
  if (dumpable == 1)
    system_call(SYS_prctl, set_dumpable, 1);
}

} // extern "C"
