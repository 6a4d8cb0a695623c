//===- sanitizer/heapprof_pool_resource.h - pools of std::pmr ------------===//
// A memory resource that tells heapprof what another one hands out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SANITIZER_HEAPPROF_POOL_RESOURCE_H
#define SANITIZER_HEAPPROF_POOL_RESOURCE_H

#include <memory_resource>
#include <sanitizer/heapprof_pools.h>

namespace heapprof {

/// Put between a resource and who uses it:
///
///   std::pmr::monotonic_buffer_resource arena;
///   heapprof::pool_resource objects(arena, "parser");
///   std::pmr::vector<int> v(&objects);
///
/// Without the runtime it hands on what it is asked for.
class pool_resource final : public std::pmr::memory_resource {
public:
  pool_resource(std::pmr::memory_resource &of, const char *name) : of(of) {
    __heapprof_pool_create(this, name);
  }
  pool_resource(const pool_resource &) = delete;
  pool_resource &operator=(const pool_resource &) = delete;
  ~pool_resource() override { __heapprof_pool_destroy(this); }

  /// To be called where the other resource lets all of its memory go
  /// (monotonic_buffer_resource::release).
  void clear() { __heapprof_pool_clear(this); }

private:
  void *do_allocate(std::size_t bytes, std::size_t alignment) override {
    void *p = of.allocate(bytes, alignment);
    __heapprof_pool_alloc(this, p, bytes);
    return p;
  }
  void do_deallocate(void *p, std::size_t bytes,
                     std::size_t alignment) override {
    __heapprof_pool_free(this, p);
    of.deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }

  std::pmr::memory_resource &of;
};

} // namespace heapprof

#endif
