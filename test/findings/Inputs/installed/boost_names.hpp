/* boost_names.hpp - as much of Boost as has the names of what it allocates by: tests have it at /usr/include.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
namespace boost {
namespace detail {
struct counted {
  virtual ~counted() {}
  int use_count = 1, weak_count = 1;
};
template <class T> struct counted_pointer : counted {
  T *pointer;
  explicit counted_pointer(T *p) : pointer(p) {}
  ~counted_pointer() override { delete pointer; }
};
struct shared_count {
  counted *count = nullptr;
  template <class T>
  explicit shared_count(T *p) : count(new counted_pointer<T>(p)) {}
  shared_count() {}
};
} // namespace detail

template <class T> struct shared_ptr {
  T *pointer = nullptr;
  detail::shared_count count;

  shared_ptr() {}
  template <class Y> explicit shared_ptr(Y *p) : pointer(p), count(p) {}
  shared_ptr(shared_ptr &&from) : pointer(from.pointer), count(from.count) {
    from.count.count = nullptr;
  }
  ~shared_ptr() { delete count.count; }
  T *operator->() const { return pointer; }
  explicit operator bool() const { return pointer; }
};

/* Grows by half, and moves element by element. */
namespace container {
template <class T> struct vector {
  T *begin = nullptr;
  unsigned long count = 0, room = 0;

  __attribute__((noinline)) void priv_insert_forward_range_no_capacity(T t) {
    room = room ? room + (room + 1) / 2 : 1;
    T *more = static_cast<T *>(::operator new(room * sizeof(T)));
    for (unsigned long i = 0; i < count; i++) {
      new (more + i) T(static_cast<T &&>(begin[i]));
      begin[i].~T();
    }
    new (more + count++) T(static_cast<T &&>(t));
    ::operator delete(begin);
    begin = more;
  }
  void push_back(T t) {
    if (count == room)
      priv_insert_forward_range_no_capacity(static_cast<T &&>(t));
    else
      new (begin + count++) T(static_cast<T &&>(t));
  }
  ~vector() {
    for (unsigned long i = 0; i < count; i++)
      begin[i].~T();
    ::operator delete(begin);
  }
};
} // namespace container
} // namespace boost
