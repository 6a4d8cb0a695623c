// freed-elsewhere.cpp - messages that another thread frees, and their twins that go back.
// Each free takes a chunk from another thread's cache. If all of them are there before the first is freed, none could be used again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t -pthread && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired -pthread && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clangxx_heapprof -O2 -g -DBATCHES=1 %s -o %t.once -pthread && %run %t.once
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: 3000 chunks of 32 B (Message) from make_message (freed-elsewhere.cpp:{{[0-9]+}}) are
// CHECK-SAME: -> Send them back
// CHECK-SAME: [freed_elsewhere]
// REPAIRED: points
// REPAIRED-NOT: [freed_elsewhere]
#include <thread>
#include <vector>

#define MESSAGES 3000
#ifndef BATCHES
#define BATCHES 10
#endif

struct Message {
  long values[4];
};

__attribute__((noinline)) Message *make_message(long value) {
  return new Message{{value, value, value, value}};
}

__attribute__((noinline)) void drop_messages(std::vector<Message *> &messages) {
  for (Message *message : messages)
    delete message;
}

/* One batch of messages: made here, read by another thread. */
static long pass_on(std::vector<Message *> &messages, int count) {
  for (int i = 0; i < count; i++)
    messages.push_back(make_message(i));
  long sum = 0;
  std::thread reader([&] {
    for (Message *message : messages)
      for (long value : message->values)
        sum += value;
#ifndef REPAIRED
    drop_messages(messages);
#endif
  });
  reader.join();
#ifdef REPAIRED
  drop_messages(messages);
#endif
  messages.clear();
  return sum;
}

int main() {
  std::vector<Message *> messages;
  messages.reserve(MESSAGES);
  long sum = 0;
  for (int batch = 0; batch < BATCHES; batch++)
    sum += pass_on(messages, MESSAGES / BATCHES);
  return sum == 0;
}
