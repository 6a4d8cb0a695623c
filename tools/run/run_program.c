/* run_program.c - see run_program.h: PATH, #! and ELF headers.
   A file that cannot be read is taken for one that the runtime can be loaded
   into: the loader decides, and leaves out what it cannot load.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_program.h"

#include "foreign_program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define SCRIPTS_MAX 5  /* scripts that interpret each other, as in Linux */
#define FIRST_LINE 256 /* bytes of a script's first line that count */

/* ---- the file ------------------------------------------------------------ */

static int try_file(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return errno == EACCES ? EACCES : ENOENT;
  if (!S_ISREG(status.st_mode) || access(path, X_OK) != 0)
    return EACCES;
  return 0;
}

int hp_run_find(const char *name, struct hp_run_program *program) {
  int result = ENOENT;
  if (!*name || strlen(name) >= sizeof program->path)
    return ENOENT;
  if (strchr(name, '/')) {
    strcpy(program->path, name);
    return try_file(name);
  }
  const char *list = getenv("PATH");
  for (list = list ? list : "/bin:/usr/bin"; list; list = strchr(list, ':')) {
    list += *list == ':';
    int length = (int)strcspn(list, ":");
    if (snprintf(program->path, sizeof program->path, "%.*s/%s",
                 length ? length : 1, length ? list : ".",
                 name) < (int)sizeof program->path) {
      int error = try_file(program->path);
      if (error == 0)
        return 0;
      if (error == EACCES)
        result = EACCES;
    }
    if (!list[length])
      break;
  }
  strcpy(program->path, name);
  return result;
}

/* ---- the image ----------------------------------------------------------- */

static void refuse(struct hp_run_program *program, enum hp_run_kind kind,
                   const char *why) {
  program->kind = kind;
  snprintf(program->why, sizeof program->why, "%s", why);
}

/* The runtime is for what this command is for. */
static unsigned own_machine(void) {
  unsigned char own[EI_NIDENT + 4] = {0};
  uint16_t machine = EM_X86_64;
  int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && read(fd, own, sizeof own) == (ssize_t)sizeof own)
    memcpy(&machine, own + EI_NIDENT + 2, sizeof machine);
  if (fd >= 0)
    close(fd);
  return machine;
}

static void judge_elf(struct hp_run_program *program,
                      const struct hp_program_image *image) {
  const struct hp_program_judgement judgement =
      hp_program_judge(image, own_machine());
  if (judgement.kind == HP_PROGRAM_BUILT_IN)
    program->kind = HP_RUN_BUILT_IN;
  else if (judgement.kind != HP_PROGRAM_PLAIN)
    refuse(program,
           judgement.kind == HP_PROGRAM_STATIC ? HP_RUN_NOT : HP_RUN_FOREIGN,
           judgement.why);
}

/* A script on some systems.  What it runs is in its hands. */
static void judge_name(struct hp_run_program *program) {
  if (hp_program_takes_malloc(program->loaded))
    refuse(program, HP_RUN_FOREIGN, "takes malloc's place itself");
}

/* RLIM_INFINITY is more than any. */
static void judge_limits(struct hp_run_program *program) {
  struct rlimit space, data;
  if (getrlimit(RLIMIT_AS, &space) == 0 && getrlimit(RLIMIT_DATA, &data) == 0 &&
      hp_program_is_confined(space.rlim_cur, data.rlim_cur))
    refuse(program, HP_RUN_FOREIGN,
           "may have too little memory for it (ulimit -v, -d)");
}

/* ---- rights -------------------------------------------------------------- */

/* The loader takes no LD_PRELOAD from who gets rights by the file. */
static bool gives_rights(const char *path, const struct stat *status) {
  char capabilities[64];
  return ((status->st_mode & S_ISUID) && status->st_uid != geteuid()) ||
         ((status->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
          status->st_gid != getegid()) ||
         (geteuid() != 0 && getxattr(path, "security.capability", capabilities,
                                     sizeof capabilities) > 0);
}

/* ---- scripts ------------------------------------------------------------- */

/* The interpreter that "#! /bin/sh -e" names; without such a line execvp takes
   the shell. */
static bool interpreter_of(const struct hp_program_image *image, char *path) {
  char line[FIRST_LINE + 1];
  size_t size = image->size < FIRST_LINE ? image->size : FIRST_LINE;
  memcpy(line, image->bytes, size);
  line[size] = '\0';
  if (!hp_program_begins(line, "#!")) {
    strcpy(path, "/bin/sh");
    return true;
  }
  char *name = line + 2 + strspn(line + 2, " \t");
  name[strcspn(name, " \t\n")] = '\0';
  strcpy(path, name);
  return *name != '\0';
}

/* Looks at one file; true if another one has to be looked at instead, which is
   in LOADED then. */
static bool look(struct hp_run_program *program) {
  struct stat status;
  struct hp_program_image image = {0};
  bool again = false;
  int fd = open(program->loaded, O_RDONLY | O_CLOEXEC);
  if (stat(program->loaded, &status) == 0 &&
      gives_rights(program->loaded, &status))
    refuse(program, HP_RUN_NOT, "is setuid, setgid or has capabilities");
  if (fd < 0)
    return false;
  image.size = (uint64_t)status.st_size;
  void *bytes = image.size
                    ? mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, fd, 0)
                    : MAP_FAILED;
  close(fd);
  if (bytes == MAP_FAILED)
    return false;
  image.bytes = bytes;
  if (image.size > SELFMAG && memcmp(image.bytes, ELFMAG, SELFMAG) == 0) {
    if (program->kind == HP_RUN_PLAIN)
      judge_elf(program, &image);
  } else {
    program->kind = HP_RUN_PLAIN; /* rights of scripts count for nothing */
    again = interpreter_of(&image, program->loaded);
  }
  munmap(bytes, image.size);
  return again;
}

void hp_run_look_into(struct hp_run_program *program) {
  strcpy(program->loaded, program->path);
  program->kind = HP_RUN_PLAIN;
  program->why[0] = '\0';
  judge_name(program);
  judge_limits(program);
  for (int i = 0; i < SCRIPTS_MAX && program->kind != HP_RUN_FOREIGN; i++)
    if (!look(program))
      break;
}
