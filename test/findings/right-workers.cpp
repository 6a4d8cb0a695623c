// right-workers.cpp - workers take jobs from a queue and leave their results, which main reads and frees; shapes are kept by their owners:
// as it should be. Results that are all there at once go to no other thread that could use them again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t -pthread && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK: points
// CHECK-NOT: {{Fact:|\[freed_elsewhere\]|\[false_sharing\]|\[made_per_call\]}}
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Workers {
public:
  explicit Workers(int count) {
    threads.reserve(static_cast<unsigned>(count));
    for (int i = 0; i < count; i++)
      threads.emplace_back([this] { work(); });
  }
  void add(std::function<void()> job) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      jobs.push_back(std::move(job));
    }
    changed.notify_one();
  }
  ~Workers() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      ends = true;
    }
    changed.notify_all();
    for (std::thread &thread : threads)
      thread.join();
  }

private:
  void work() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [this] { return ends || !jobs.empty(); });
        if (jobs.empty())
          return;
        job = std::move(jobs.front());
        jobs.pop_front();
      }
      job();
    }
  }
  std::vector<std::thread> threads;
  std::deque<std::function<void()>> jobs;
  std::mutex mutex;
  std::condition_variable changed;
  bool ends = false;
};

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Circle : Shape {
  explicit Circle(double r) : radius(r) {}
  double area() const override { return 3.14 * radius * radius; }
  double radius;
};
struct Box : Shape {
  Box(double w, double h) : width(w), height(h) {}
  double area() const override { return width * height; }
  double width, height;
};

int main() {
  constexpr int results = 1200;
  std::vector<std::unique_ptr<std::vector<double>>> done(results);
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.reserve(2000);
  for (int i = 0; i < 1000; i++) {
    shapes.push_back(std::make_unique<Circle>(i));
    shapes.push_back(std::make_unique<Box>(i, 2));
  }
  {
    Workers workers(3);
    for (int i = 0; i < results; i++)
      workers.add([&done, i] {
        auto values = std::make_unique<std::vector<double>>();
        values->reserve(200);
        for (int k = 0; k < 200; k++)
          values->push_back(i * 0.5 + k);
        done[static_cast<unsigned>(i)] = std::move(values);
      });
  }
  double sum = 0;
  for (int times = 0; times < 20; times++) {
    for (const auto &values : done)
      for (double value : *values)
        sum += value;
    for (const auto &shape : shapes)
      sum += shape->area();
  }
  return sum < 0;
}
