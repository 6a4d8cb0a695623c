/* misuse.c - see misuse.h: what the records of all processes say together.
   Frames are looked up like those of the stack.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/misuse.h"

#include "base/failure.h"
#include "profile/suppression.h"
#include "resolve/stack.h"

/* A merged dump has what each of its processes wanted; one is enough. */
static bool is_suppressed(const struct hp_profile *profile,
                          const struct hp_profile_process *first,
                          const struct hp_point *view) {
  const struct hp_profile_process *end =
      profile->processes + profile->process_count;
  if (!view->inferences[HP_INF_lost].chunks)
    return false;
  for (const struct hp_profile_process *p = first;
       p < end && p->dump == first->dump; p++)
    if (p->view.suppressions && hp_is_suppressed(p->view.suppressions, view))
      return true;
  return false;
}

/* What each process says is added up; of several the first that says where does for
   all. */
static hp_status resolve_overrun(struct hp_profile *profile,
                                 const struct hp_profile_process *process,
                                 const struct hp_dump_point *raw,
                                 struct hp_point *view,
                                 struct hp_error *error) {
  struct hp_overrun *to = &view->overrun;
  uint64_t read_pc = 0, write_pc = 0;
  for (const struct hp_summary *s = raw->summary; s; s = s->next) {
    const struct hp_overrun_sum *from = &s->overrun;
    to->beyond = from->beyond > to->beyond ? from->beyond : to->beyond;
    to->ahead = to->ahead || from->flags & HP_OVERRUN_AHEAD;
    to->is_read = to->is_read || from->flags & HP_OVERRUN_READ;
    to->is_written = to->is_written || from->flags & HP_OVERRUN_WRITTEN;
    read_pc = read_pc ? read_pc : from->read_pc;
    write_pc = write_pc ? write_pc : from->write_pc;
  }
  if (!hp_knows_code(process))
    return HP_OK;
  HP_TRY(hp_stack_frame(&to->reader, profile->symbolizer, process->dump, raw,
                        read_pc, error));
  return hp_stack_frame(&to->writer, profile->symbolizer, process->dump, raw,
                        write_pc, error);
}

/* In the point and in every group that it will be in. */
static void forget_leaks(struct hp_profile_point *point) {
  struct hp_tally *tally = point->tally;
  tally->inferences[HP_INF_lost] = (struct hp_inference_value){0};
  tally->held_chunks = tally->held_bytes = 0;
  point->view.inferences[HP_INF_lost] = (struct hp_inference_value){0};
  point->view.held_chunks = point->view.held_bytes = 0;
  point->view.leak_suppressed = true;
}

hp_status hp_misuse_find(struct hp_profile *profile,
                         const struct hp_profile_process *process,
                         const struct hp_dump_point *raw,
                         struct hp_profile_point *point,
                         struct hp_error *error) {
  if (is_suppressed(profile, process, &point->view))
    forget_leaks(point);
  return resolve_overrun(profile, process, raw, &point->view, error);
}
