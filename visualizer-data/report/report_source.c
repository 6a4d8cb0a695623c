/* report_source.c - collects wanted lines by file, then reads each file once.
   Names come out of a dump: only regular files of a source's size are read.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#define HP_FILE_MAX (64u << 20) /* bytes; longer is no source */
#define HP_LINE_MAX 300u        /* bytes of a line that are shown */
#define HP_LINES_MAX (1u << 20) /* greatest line number that is believed */

struct file {
  UT_hash_handle hh;
  uint8_t *wanted; /* by line number, from 1 */
  uint32_t lines;  /* room in `wanted` */
  char name[];
};

struct hp_report_sources {
  struct file *files; /* in the order of asking */
  const char *directory;
};

hp_report_sources *hp_report_sources_new(const char *directory) {
  hp_report_sources *sources = calloc(1, sizeof *sources);
  if (sources)
    sources->directory = directory;
  return sources;
}

void hp_report_sources_free(hp_report_sources *sources) {
  if (!sources)
    return;
  struct file *file = sources->files, *next;
  HASH_CLEAR(hh, sources->files);
  for (; file; file = next) {
    next = file->hh.next;
    free(file->wanted);
    free(file);
  }
  free(sources);
}

static struct file *find(hp_report_sources *sources, const char *name) {
  struct file *file;
  bool failed = false;
  HASH_FIND_STR(sources->files, name, file);
  if (file)
    return file;
  file = calloc(1, sizeof *file + strlen(name) + 1);
  if (!file)
    return NULL;
  strcpy(file->name, name);
  HASH_ADD_STR(sources->files, name, file);
  if (failed) {
    free(file);
    return NULL;
  }
  return file;
}

bool hp_report_sources_want(hp_report_sources *sources, const char *name,
                            uint32_t line, uint32_t around) {
  if (line == 0 || line > HP_LINES_MAX)
    return true;
  struct file *file = find(sources, name);
  if (!file)
    return false;
  uint32_t first = line > around ? line - around : 1, last = line + around;
  if (last >= file->lines) {
    uint32_t room = 2 * last + 1;
    uint8_t *wanted = realloc(file->wanted, room);
    if (!wanted)
      return false;
    memset(wanted + file->lines, 0, room - file->lines);
    file->wanted = wanted;
    file->lines = room;
  }
  memset(file->wanted + first, 1, last - first + 1);
  return true;
}

/* The text, terminated, owned by the caller; NULL if it cannot be had. */
static char *read_file(const char *path, struct stat *about) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char *text = NULL;
  size_t used = 0;
  ssize_t got = 1;
  if (fd < 0)
    return NULL;
  if (fstat(fd, about) == 0 && S_ISREG(about->st_mode) &&
      about->st_size <= HP_FILE_MAX)
    text = malloc((size_t)about->st_size + 1);
  while (text && used < (size_t)about->st_size && got > 0) {
    got = read(fd, text + used, (size_t)about->st_size - used);
    used += got > 0 ? (size_t)got : 0;
  }
  close(fd);
  if (text)
    text[used] = 0;
  return text;
}

/* Under as much of NAME's end as there is: the tree may lie elsewhere. */
static char *read_below(const char *directory, const char *name,
                        struct stat *about) {
  const size_t size = strlen(directory) + strlen(name) + 2;
  char *path = malloc(size), *text = NULL;
  for (const char *end = name; path && end && !text; end = strchr(end, '/')) {
    end += strspn(end, "/");
    snprintf(path, size, "%s/%s", directory, end);
    text = read_file(path, about);
  }
  free(path);
  return text;
}

static char *find_text(const hp_report_sources *sources, const char *name,
                       struct stat *about) {
  char *text = name[0] == '/' ? read_file(name, about) : NULL;
  return text || !sources->directory
             ? text
             : read_below(sources->directory, name, about);
}

/* Array of [number, text] for each wanted line. */
static size_t put_lines(const struct file *file, char *text,
                        struct hp_json *j) {
  size_t bytes = 0;
  uint32_t number = 1;
  hp_json_begin_array(j, "lines");
  for (char *line = text; *line && number < file->lines; number++) {
    char *end = strchrnul(line, '\n'), *next = *end ? end + 1 : end;
    if (file->wanted[number]) {
      size_t length = (size_t)(end - line);
      line[length < HP_LINE_MAX ? length : HP_LINE_MAX] = 0;
      hp_json_begin_array(j, NULL);
      hp_json_integer(j, NULL, number);
      hp_json_string(j, NULL, line);
      hp_json_end_array(j);
      bytes += length + 12;
    }
    line = next;
  }
  hp_json_end_array(j);
  return bytes;
}

size_t hp_report_sources_put(hp_report_sources *sources, struct hp_json *j,
                             uint64_t newer_than, size_t most) {
  struct file *file, *next;
  size_t bytes = 0, left_out = 0;
  hp_json_begin_array(j, "sources");
  HASH_ITER(hh, sources->files, file, next) {
    struct stat about;
    if (bytes >= most) {
      left_out++;
      continue;
    }
    char *text = find_text(sources, file->name, &about);
    if (!text)
      continue;
    uint64_t changed = (uint64_t)about.st_mtim.tv_sec * 1000000000u +
                       (uint64_t)about.st_mtim.tv_nsec;
    hp_json_begin_object(j, NULL);
    hp_json_string(j, "file", file->name);
    hp_json_bool(j, "newer", changed > newer_than);
    bytes += put_lines(file, text, j);
    hp_json_end_object(j);
    free(text);
  }
  hp_json_end_array(j);
  return left_out;
}
