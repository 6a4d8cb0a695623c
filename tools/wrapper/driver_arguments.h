/* driver_arguments.h - the command line as a list in which every argument knows
   where it came from, so that what is not ours is handed on as it was written.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DRIVER_ARGUMENTS_H
#define HP_DRIVER_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A growable array of strings; the strings are never freed, for the process
   ends in exec. */
struct hp_strings {
  const char **item; /* NULL-terminated once anything was pushed */
  size_t count, capacity;
};

/* ARRAY with room for more items of SIZE bytes; exits if there is no memory. */
void *hp_grown(void *array, size_t *capacity, size_t size);

void hp_strings_push(struct hp_strings *list, const char *text);
void hp_strings_insert(struct hp_strings *list, size_t at, const char *text);
const char *hp_format(const char *pattern, ...)
    __attribute__((format(printf, 1, 2)));

/* The text of the file PATH, or NULL if it cannot be read or has zero bytes. */
char *hp_file_text(const char *path);

/* A file in memory, to be written and closed; its path is /proc/self/fd/NUMBER, also behind
   exec, when there is no moment any more to remove a temporary one.  NULL (errno set)
   if that memory cannot be had. */
FILE *hp_memory_file(int *number);

/* Where an argument stood. */
#define HP_FROM_ENVIRONMENT (-1) /* CCC_OVERRIDE_OPTIONS */

/* One argument as the driver sees it, response files expanded.
     text   what the driver shall get; NULL: nothing
     from   index into argv of the word it came from, or HP_FROM_ENVIRONMENT
     edit   position in CCC_OVERRIDE_OPTIONS, counted in words
     changed  text is no longer what was written                            */
struct hp_argument {
  const char *text;
  int from;
  int edit;
  bool changed;
};

struct hp_arguments {
  struct hp_argument *item;
  size_t count, capacity;
  char **argv;          /* as main() got it */
  const char *override; /* CCC_OVERRIDE_OPTIONS or NULL */
};

/* Expands ARGV (response files, CCC_OVERRIDE_OPTIONS) into LIST.  A response
   file that cannot be read stays a plain argument, as in the driver. */
void hp_arguments_read(struct hp_arguments *list, char **argv,
                       const char *override);

/* Replaces the text of an argument; NULL takes it out. */
void hp_argument_change(struct hp_argument *argument, const char *text);

/* Appends to OUT the words of ARGV after its first, with the changes made.
   A response file without a change is handed on by name; one with a change is
   rewritten into memory and handed on as @/proc/self/fd/N.
   Returns false (errno set) if that memory cannot be had. */
bool hp_arguments_write(const struct hp_arguments *list,
                        struct hp_strings *out);

/* The value CCC_OVERRIDE_OPTIONS shall have: the same pointer if no argument
   from it changed. */
const char *hp_arguments_override(const struct hp_arguments *list);

#endif
