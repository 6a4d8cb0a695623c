/* unseen_writer.h - points whose chunks code without hooks writes, as is seen by what it
   leaves: bytes that are read and that nobody wrote, and pages that nobody touched.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_PROFILE_UNSEEN_WRITER_H
#define HEAPPROF_PROFILE_UNSEEN_WRITER_H

#include "profile/profile_inside.h"

/* Such points of PROFILE, of those that code without hooks may have got, become ones of
   unknown accesses; so do those of the same line whose chunks nobody is seen to access. */
hp_status hp_unseen_writers_find(struct hp_profile *profile,
                                 struct hp_error *error);

#endif
