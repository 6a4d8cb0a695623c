/* output_file.h - a file that a command writes is there whole, or not at all.
   It has no name until it is; an old file of that name stays as it is till then.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OUTPUT_FILE_H
#define HP_OUTPUT_FILE_H

#include <stdio.h>

/* NULL, with errno, if PATH cannot be written.  What is no plain file is written as
   it is, as are others where the system has no files without a name. */
FILE *hp_output_file_open(const char *path);

/* All of OUT is written, and flushed: it gets the name PATH.  0, or why not, as
   errno has it. */
int hp_output_file_name(FILE *out, const char *path);

#endif
