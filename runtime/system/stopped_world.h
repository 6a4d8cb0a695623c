/* stopped_world.h - all of the program's memory: mappings, globals, and threads
   that stand still.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STOPPED_WORLD_H
#define HP_STOPPED_WORLD_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hp_sys_mapping {
  uintptr_t begin, end;
  bool is_readable, is_main_stack;
  bool is_data; /* of no file on a disk, or a copy of its own of one */
};
/* False: they are not known, since there is no /proc. */
bool hp_sys_mappings(void (*each)(const struct hp_sys_mapping *mapping,
                                  void *arg),
                     void *arg);

/* Calls EACH for the writable segments of all modules, with libc's lock of
   modules held. */
struct hp_sys_image {
  size_t static_block; /* of thread-local variables below a thread's pointer */
  uintptr_t linker_begin, linker_end; /* the dynamic linker's code and data */
};
struct hp_sys_image hp_sys_globals(void (*each)(uintptr_t begin, uintptr_t end,
                                                void *arg),
                                   void *arg);
uintptr_t hp_sys_thread_pointer(void); /* of the calling thread */
bool hp_sys_is_only_thread(void);      /* of the program's */

struct hp_sys_stopped {
  int id;
  uintptr_t sp, thread_pointer;
  const uintptr_t *registers;
  size_t register_count;
};

enum hp_sys_stand {
  HP_SYS_STOOD_STILL,
  HP_SYS_NOT_STOPPED,
  HP_SYS_AMID_WORK, /* one waits in a call that would return what is done of it */
  HP_SYS_NO_PROC
};
/* Calls EACH for all threads of the program, SELF for the calling one, and then
   BODY, while all of them stand still.  Where others run they are stopped by
   ptrace, and both are called on a thread that is none of this process: they
   take no lock.  Else nothing was called, or some of EACH. */
enum hp_sys_stand
hp_sys_stand_still(const struct hp_sys_stopped *self,
                   void (*each)(const struct hp_sys_stopped *thread, void *arg),
                   void (*body)(void *arg), void *arg);

#ifdef __cplusplus
}
#endif
#endif
