/* dump_directory.h - makes dump_dir/heapprof.<program>.<pid>[.<number>].
   Always a new one: no dump overwrites another, no link is followed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_DIRECTORY_H
#define HP_DUMP_DIRECTORY_H

#include "system/platform.h"

/* Notes the working directory, from which a relative dump_dir counts whatever
   the program changes to later.  Called once, at start. */
void hp_dump_directory_start(void);

/* Makes the directory, and dump_dir if it is missing; its name goes to PATH.
   PATTERN is the option dump_dir, in which
     %p pid      %b program's name   %h host   %r MPI rank, "none" outside MPI
     %H $HOME    %t $TMPDIR or /tmp  %s seconds since 1970 at the start   %% %
   PROGRAM is the executable's path.  NUMBER is that of a dump on demand; 0:
   the name has none.  If it cannot be made, that has been said,
   and the answer is false. */
bool hp_dump_directory_make(char *path, size_t size, const char *pattern,
                            const char *program, uint32_t number);

/* The process's MPI rank as its launcher tells it, or NULL. */
const char *hp_mpi_rank(void);

#endif
