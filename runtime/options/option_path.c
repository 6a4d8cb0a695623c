/* option_path.c - see option_path.h.
   Nothing is asked of libc, and no directory is looked at before it is made.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options/option_path.h"

#include <errno.h>

#include "system/files.h"
#include "system/message.h"
#include "system/process_facts.h"
#include "system/real_libc.h"

void hp_option_path_add(struct hp_option_path *path, const char *text,
                        size_t length) {
  if (length >= path->size - path->length) {
    path->too_long = true;
    length = path->size - path->length - 1;
  }
  hp_real_memcpy(path->text + path->length, text, length);
  path->length += length;
  path->text[path->length] = '\0';
}

void hp_option_path_add_text(struct hp_option_path *path, const char *text) {
  size_t length = 0;
  while (text[length])
    length++;
  hp_option_path_add(path, text, length);
}

void hp_option_path_add_number(struct hp_option_path *path, uint64_t number) {
  char digits[24];
  hp_sys_format(digits, sizeof digits, "%llu", (unsigned long long)number);
  hp_option_path_add_text(path, digits);
}

bool hp_option_path_expand(struct hp_option_path *path, char letter) {
  const char *value;
  switch (letter) {
  case '%':
    value = "%";
    break;
  case 'p':
    hp_option_path_add_number(path, (uint64_t)hp_sys_pid());
    return true;
  case 'H':
    value = hp_sys_getenv("HOME");
    break;
  case 't':
    value = hp_sys_getenv("TMPDIR");
    value = value && *value ? value : "/tmp";
    break;
  default:
    value = NULL;
  }
  if (value)
    hp_option_path_add_text(path, value);
  return value != NULL;
}

int hp_option_path_make(char *path, size_t length) {
  int error = 0, reason = 0;
  for (size_t i = 1; i <= length; i++) {
    if (i != length && path[i] != '/')
      continue;
    char cut = path[i];
    path[i] = '\0';
    error = hp_sys_mkdir(path, 0755);
    path[i] = cut;
    if (error != 0 && error != -EEXIST && reason == 0)
      reason = error;
  }
  return error == 0 || error == -EEXIST ? 0 : reason;
}
