/* protobuf.h - messages of protocol buffers, written field by field.
   Only what profile.proto needs: integers, packed integers, bytes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PROTOBUF_H
#define HP_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is an empty message; without memory `failed` is set. */
struct hp_message {
  unsigned char *bytes;
  size_t size, capacity;
  bool failed;
};
void hp_message_clear(struct hp_message *m);
void hp_message_free(struct hp_message *m);

void hp_message_integer(struct hp_message *m, unsigned field, uint64_t value);
void hp_message_bytes(struct hp_message *m, unsigned field, const void *bytes,
                      size_t size);
void hp_message_packed(struct hp_message *m, unsigned field,
                       const uint64_t *values, size_t count);
void hp_message_nested(struct hp_message *m, unsigned field,
                       const struct hp_message *inner);

#endif
