/* wanted.c - see wanted.h: its program's name and its rank are in lists.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/wanted.h"

#include "dump/dump_directory.h"
#include "encode/encode.h"
#include "options/options.h"
#include "rank_list.h"
#include "system/message.h"
#include "system/process_facts.h"

/* True if PROGRAM's last component is one of the names in LIST. */
static bool is_listed(const char *program, const char *list) {
  const char *name = hp_text_base_name(program);
  while (*list) {
    size_t i = 0;
    while (name[i] && name[i] == list[i])
      i++;
    if (!name[i] && (!list[i] || list[i] == ','))
      return true;
    while (*list && *list != ',')
      list++;
    if (*list == ',')
      list++;
  }
  return false;
}

/* By the name of its file, or by the one that it was called by. */
static bool is_programs(const char *list) {
  static char program[4096]; /* the stack may be small */
  if (!*list ||
      (hp_sys_executable(program, sizeof program) && is_listed(program, list)))
    return true;
  size_t length = hp_sys_cmdline(program, sizeof program - 1);
  program[length] = '\0';
  return is_listed(program, list);
}

/* What has no rank, such as a launcher, is none of the list's. */
static bool is_ranks(const char *list) {
  if (!*list)
    return true;
  if (!hp_rank_list_is_good(list))
    hp_sys_die("only_ranks=%s: not a list of ranks such as 0,3-5", list);
  return hp_rank_is_in(list, hp_mpi_rank());
}

bool hp_process_is_wanted(void) {
  const bool is_rank = is_ranks(hp_options.only_ranks);
  return is_rank && is_programs(hp_options.only_programs);
}
