/* symbolcache.c - answers of the symboliser kept in a file beside the dump.
   Text that ends in a CRC-32 of all before it; any damage drops the whole.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#include "resolve/symbolcache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>
#include <zlib.h>

/* The file, one record a line, fields separated by tabs:

     heapprof-symbols 4
     @ BUILD-ID VADDR                        both hexadecimal
     MARKS LINE COLUMN START FUNCTION FILE LINKAGE
     ...                                     innermost first, one or more
     # CRC                                   8 hexadecimal digits

   MARKS is 1 for an inlined frame, plus 2 if LINE is only near.  START is the
   line the function begins at, LINKAGE its mangled name.  In FUNCTION, FILE and
   LINKAGE a tab, newline or backslash is \t, \n or \\. */
#define FIRST_LINE "heapprof-symbols 4\n"
#define LAST_LINE_SIZE (sizeof "#\t01234567\n" - 1)
#define CACHE_MAX ((off_t)1 << 30)
#define ID_MAX 64u
enum { HP_MARK_INLINED = 1, HP_MARK_NEAR = 2 };

/* Key of an entry: 8 bytes of address, then the build id. */
struct entry {
  UT_hash_handle hh;
  size_t key_size, count;
  bool is_new; /* others may have pointers to its texts */
  struct hp_frame *frames;
  unsigned char key[8 + ID_MAX];
};

/* A file read: the frames point to the strings in it. */
struct file_text {
  struct file_text *next;
  size_t size;
  char bytes[];
};

struct hp_symbolcache {
  char *path;
  struct entry *entries;
  struct file_text *texts;
  bool grown;
};

static size_t make_key(unsigned char *key, const uint8_t *id, size_t id_size,
                       uint64_t vaddr) {
  if (id_size == 0 || id_size > ID_MAX)
    return 0;
  memcpy(key, &vaddr, 8);
  memcpy(key + 8, id, id_size);
  return 8 + id_size;
}

/* NULL: already there, or no memory. */
static struct entry *insert(hp_symbolcache *cache, const unsigned char *key,
                            size_t key_size) {
  struct entry *e;
  HASH_FIND(hh, cache->entries, key, key_size, e);
  if (e)
    return NULL;
  e = calloc(1, sizeof *e);
  if (!e)
    return NULL;
  memcpy(e->key, key, key_size);
  e->key_size = key_size;
  HASH_ADD(hh, cache->entries, key, key_size, e);
  if (!e->hh.tbl) {
    free(e);
    return NULL;
  }
  return e;
}

/* ---- reading ------------------------------------------------------------- */

/* Undoes the escapes in place; NULL stands for the empty field. */
static const char *unescape(char *field) {
  char *to = field;
  for (const char *from = field; *from; from++) {
    if (*from == '\\' && from[1]) {
      from++;
      *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from;
    } else {
      *to++ = *from;
    }
  }
  *to = '\0';
  return *field ? field : NULL;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                : -1;
}

/* "@ BUILD-ID VADDR" without its line end. */
static struct entry *read_key(hp_symbolcache *cache, const char *line) {
  uint8_t id[ID_MAX];
  unsigned char key[8 + ID_MAX];
  size_t size = 0, key_size;
  const char *s = line + 2;
  while (size < ID_MAX && hex_digit(s[0]) >= 0 && hex_digit(s[1]) >= 0) {
    id[size++] = (uint8_t)(hex_digit(s[0]) * 16 + hex_digit(s[1]));
    s += 2;
  }
  if (*s != '\t')
    return NULL;
  key_size = make_key(key, id, size, strtoull(s + 1, NULL, 16));
  return key_size ? insert(cache, key, key_size) : NULL;
}

/* One number and the tab behind it.  Not sscanf: its "\t" would also swallow
   the next, empty field. */
static bool read_number(char **line, uint32_t *out) {
  char *end;
  unsigned long value = strtoul(*line, &end, 10);
  if (end == *line || *end != '\t' || value > UINT32_MAX)
    return false;
  *out = (uint32_t)value;
  *line = end + 1;
  return true;
}

static bool read_frame(struct entry *e, char *line) {
  struct hp_frame *grown, *f;
  char *function, *file, *linkage;
  uint32_t marks, number, column, start;
  if (!read_number(&line, &marks) || !read_number(&line, &number) ||
      !read_number(&line, &column) || !read_number(&line, &start))
    return false;
  function = line;
  file = strchr(function, '\t');
  linkage = file ? strchr(file + 1, '\t') : NULL;
  if (!linkage)
    return false;
  *file++ = '\0';
  *linkage++ = '\0';
  grown = realloc(e->frames, (e->count + 1) * sizeof *grown);
  if (!grown)
    return false;
  e->frames = grown;
  f = &grown[e->count++];
  *f = (struct hp_frame){.function = unescape(function),
                         .file = unescape(file),
                         .line = number,
                         .column = column,
                         .inlined = (marks & HP_MARK_INLINED) != 0,
                         .line_is_near = (marks & HP_MARK_NEAR) != 0,
                         .linkage_name = unescape(linkage),
                         .start_line = start};
  return true;
}

/* False: no memory.  A file that cannot be read is no error. */
static bool read_whole(const char *path, struct file_text **out) {
  struct stat status;
  struct file_text *text = NULL;
  bool has_memory = true;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  *out = NULL;
  if (fd < 0)
    return true;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size < CACHE_MAX) {
    text = calloc(1, sizeof *text + (size_t)status.st_size + 1);
    has_memory = text != NULL;
  }
  while (text && text->size < (size_t)status.st_size) {
    ssize_t n =
        read(fd, text->bytes + text->size, (size_t)status.st_size - text->size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    text->size += (size_t)n;
  }
  close(fd);
  *out = text;
  return has_memory;
}

static bool is_whole(const char *text, size_t size) {
  char last[LAST_LINE_SIZE + 1];
  size_t body;
  if (size < sizeof FIRST_LINE - 1 + LAST_LINE_SIZE ||
      strncmp(text, FIRST_LINE, sizeof FIRST_LINE - 1) != 0)
    return false;
  body = size - LAST_LINE_SIZE;
  snprintf(last, sizeof last, "#\t%08lx\n",
           crc32_z(0, (const unsigned char *)text, body));
  return memcmp(text + body, last, LAST_LINE_SIZE) == 0;
}

static void parse(hp_symbolcache *cache, char *text, size_t size) {
  struct entry *e = NULL;
  char *line = text + sizeof FIRST_LINE - 1;
  char *end = text + size - LAST_LINE_SIZE;
  while (line < end) {
    char *newline = memchr(line, '\n', (size_t)(end - line));
    if (!newline)
      return;
    *newline = '\0';
    if (line[0] == '@' && line[1] == '\t')
      e = read_key(cache, line);
    else if (!e || !read_frame(e, line))
      e = NULL;
    line = newline + 1;
  }
}

bool hp_symbolcache_read(hp_symbolcache *cache, const char *path) {
  struct file_text *text;
  if (!read_whole(path, &text))
    return false;
  if (!text)
    return true;
  text->next = cache->texts;
  cache->texts = text;
  if (is_whole(text->bytes, text->size))
    parse(cache, text->bytes, text->size);
  return true;
}

hp_symbolcache *hp_symbolcache_open(const char *path) {
  hp_symbolcache *cache = calloc(1, sizeof *cache);
  if (!cache)
    return NULL;
  cache->path = strdup(path);
  if (!cache->path || !hp_symbolcache_read(cache, path)) {
    hp_symbolcache_close(cache);
    return NULL;
  }
  return cache;
}

const struct hp_frame *hp_symbolcache_find(hp_symbolcache *cache,
                                           const struct hp_symbol_module *m,
                                           uint64_t vaddr, size_t *count) {
  unsigned char key[8 + ID_MAX];
  size_t size = make_key(key, m->build_id, m->build_id_size, vaddr);
  struct entry *e = NULL;
  if (size)
    HASH_FIND(hh, cache->entries, key, size, e);
  *count = e ? e->count : 0;
  return e && e->count ? e->frames : NULL;
}

bool hp_symbolcache_knows(const hp_symbolcache *cache,
                          const struct hp_symbol_module *m) {
  for (const struct entry *e = cache->entries; e; e = e->hh.next)
    if (m->build_id_size && e->key_size == 8 + m->build_id_size &&
        memcmp(e->key + 8, m->build_id, m->build_id_size) == 0)
      return true;
  return false;
}

bool hp_frames_have_lines(const struct hp_frame *frames, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!frames[i].function || !frames[i].file)
      return false;
  return true;
}

/* ---- adding -------------------------------------------------------------- */

static size_t size_of(const char *text) { return text ? strlen(text) + 1 : 0; }

static const char *copy_text(char **to, const char *text) {
  char *copy = *to;
  if (!text)
    return NULL;
  *to = stpcpy(copy, text) + 1;
  return copy;
}

/* The frames and their strings in one piece, as the strings of a file read
   are no pieces of their own either. */
static struct hp_frame *copy_frames(const struct hp_frame *frames,
                                    size_t count) {
  size_t size = count * sizeof *frames;
  struct hp_frame *copy;
  char *text;
  for (size_t i = 0; i < count; i++)
    size += size_of(frames[i].function) + size_of(frames[i].file) +
            size_of(frames[i].linkage_name);
  copy = malloc(size);
  if (!copy)
    return NULL;
  text = (char *)(copy + count);
  for (size_t i = 0; i < count; i++) {
    copy[i] = frames[i];
    copy[i].module = NULL;
    copy[i].address = 0;
    copy[i].function = copy_text(&text, frames[i].function);
    copy[i].file = copy_text(&text, frames[i].file);
    copy[i].linkage_name = copy_text(&text, frames[i].linkage_name);
  }
  return copy;
}

void hp_symbolcache_add(hp_symbolcache *cache, const struct hp_symbol_module *m,
                        uint64_t vaddr, const struct hp_frame *frames,
                        size_t count) {
  unsigned char key[8 + ID_MAX];
  size_t size = make_key(key, m->build_id, m->build_id_size, vaddr);
  struct hp_frame *copy;
  struct entry *e = NULL;
  if (size)
    HASH_FIND(hh, cache->entries, key, size, e);
  if (!size || (e && (e->is_new || hp_frames_have_lines(e->frames, e->count) ||
                      !hp_frames_have_lines(frames, count))))
    return;
  copy = copy_frames(frames, count);
  if (!copy)
    return;
  if (!e)
    e = insert(cache, key, size);
  if (!e) {
    free(copy);
    return;
  }
  free(e->frames);
  e->frames = copy;
  e->count = count;
  e->is_new = true;
  cache->grown = true;
}

/* ---- writing ------------------------------------------------------------- */

struct text_file {
  FILE *stream;
  uLong crc;
};

static void put(struct text_file *f, const char *bytes, size_t size) {
  f->crc = crc32_z(f->crc, (const unsigned char *)bytes, size);
  fwrite(bytes, 1, size, f->stream);
}

bool hp_symbolcache_adopt(hp_symbolcache *cache, const char *path) {
  unsigned before = HASH_COUNT(cache->entries);
  bool read = hp_symbolcache_read(cache, path);
  cache->grown = cache->grown || HASH_COUNT(cache->entries) > before;
  return read;
}

static void put_escaped(struct text_file *f, const char *s) {
  while (s && *s) {
    size_t plain = strcspn(s, "\t\n\\");
    put(f, s, plain);
    s += plain;
    if (*s) {
      char pair[2] = {'\\', *s == '\t' ? 't' : *s == '\n' ? 'n' : '\\'};
      put(f, pair, 2);
      s++;
    }
  }
}

static void put_entry(struct text_file *f, const struct entry *e) {
  char line[8 + 2 * ID_MAX + 32];
  uint64_t vaddr;
  int n = snprintf(line, sizeof line, "@\t");
  for (size_t i = 8; i < e->key_size; i++)
    n += snprintf(line + n, sizeof line - (size_t)n, "%02x", e->key[i]);
  memcpy(&vaddr, e->key, 8);
  n += snprintf(line + n, sizeof line - (size_t)n, "\t%" PRIx64 "\n", vaddr);
  put(f, line, (size_t)n);
  for (size_t i = 0; i < e->count; i++) {
    const struct hp_frame *frame = &e->frames[i];
    int marks = (frame->inlined ? HP_MARK_INLINED : 0) |
                (frame->line_is_near ? HP_MARK_NEAR : 0);
    n = snprintf(line, sizeof line,
                 "%d\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t", marks,
                 frame->line, frame->column, frame->start_line);
    put(f, line, (size_t)n);
    put_escaped(f, frame->function);
    put(f, "\t", 1);
    put_escaped(f, frame->file);
    put(f, "\t", 1);
    put_escaped(f, frame->linkage_name);
    put(f, "\n", 1);
  }
}

/* A name with the pid: two tools may read one dump at a time. */
static void write_file(const hp_symbolcache *cache) {
  size_t size = strlen(cache->path) + 32;
  char *temporary = malloc(size);
  struct text_file f = {NULL, crc32(0, Z_NULL, 0)};
  bool failed;
  int fd;
  if (!temporary)
    return;
  snprintf(temporary, size, "%s.%ld", cache->path, (long)getpid());
  fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  f.stream = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (f.stream) {
    put(&f, FIRST_LINE, sizeof FIRST_LINE - 1);
    for (const struct entry *e = cache->entries; e; e = e->hh.next)
      put_entry(&f, e);
    fprintf(f.stream, "#\t%08lx\n", f.crc);
    failed = ferror(f.stream) != 0;
    if (fclose(f.stream) != 0 || failed || rename(temporary, cache->path) != 0)
      unlink(temporary);
  } else if (fd >= 0) {
    close(fd);
    unlink(temporary);
  }
  free(temporary);
}

void hp_symbolcache_close(hp_symbolcache *cache) {
  struct entry *e, *next;
  struct file_text *text;
  if (!cache)
    return;
  if (cache->grown)
    write_file(cache);
  HASH_ITER(hh, cache->entries, e, next) {
    HASH_DEL(cache->entries, e);
    free(e->frames);
    free(e);
  }
  while ((text = cache->texts) != NULL) {
    cache->texts = text->next;
    free(text);
  }
  free(cache->path);
  free(cache);
}
