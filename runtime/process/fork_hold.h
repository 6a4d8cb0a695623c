/* fork_hold.h - what is held from before fork until after it, so that the child
   finds the runtime whole, and how it is given up where that would never end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FORK_HOLD_H
#define HP_FORK_HOLD_H

#include "system/platform.h"

/* libc's fork calls our handler, which is the last one, then waits for locks of
   its own: that of its list of streams, and of names (nsswitch).  A thread that
   has one of these may wait in malloc for us.  fflush(NULL) has the list, waits
   for a stream, and who has that is in getline, which allocates.  So:

   1. The list's lock is taken ahead of ours, as libc takes it ahead of its own
      malloc's.  It is a recursive one.
   2. The others cannot be had.  So what is held is given up, by whoever finds
      out, when the thread that forks waits for somebody and others for it.  The
      child then may have parts in the middle of a change: it forgets what was
      free, and is not profiled.

   Not to hold anything, and to mend the child always, would not do: the kernel
   copies page after page while other threads go on, so that no order of stores
   tells the child which ones it has got. */

/* Takes the list's lock, then calls TAKE; RELEASE is for who gives it up. */
void hp_fork_hold(void (*take)(void), void (*release)(void));

/* After fork, before what TAKE took is released.  False: it was given up. */
bool hp_fork_hold_end(void);
bool hp_fork_hold_end_in_child(void);

/* Lets forks go first that wait for what the calling thread had: it is about to
   take a lock of libc's that a child would find taken for ever.  No longer than
   two seconds. */
void hp_fork_hold_let(void);

/* Gives up what is held if that is needed: for who has waited a while, and for
   the ticker. */
void hp_fork_hold_look(void);

#endif
