/* log_queue.h - blocks of the log that wait for the disk: those of a batch in one piece,
   an entry of log_parts.h, one after the other.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_QUEUE_H
#define HP_LOG_QUEUE_H

#include "encode/encode.h"

#define HP_LOG_QUEUE ((size_t)8 << 20)         /* bytes */
#define HP_LOG_QUEUE_LIMITED ((size_t)1 << 20) /* where memory is limited */

bool hp_log_queue_start(void);                       /* false: no memory */
bool hp_log_queue_put(const struct hp_bytes *entry); /* false: no room now */

/* The first entry, which stays where it is until it is left; false: there is
   none. */
bool hp_log_queue_first(struct hp_bytes *entry);
void hp_log_queue_leave(size_t size);

void hp_log_queue_reset(void);    /* gives the memory back */
size_t hp_log_queue_memory(void); /* bytes that were ever in use */

void hp_log_queue_lock(void); /* around fork */
void hp_log_queue_unlock(void);

#endif
