#include "presort/predict/parallel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/refused_threads.h"

namespace presort::inline v0::predict::parallel_test {
namespace {

bool never() {
  return false;
}

TEST_CASE("every index is worked on once, by no more threads than allowed") {
  for (const size_t count : {0, 1, 2, 7, 100}) {
    for (const size_t threads : {1, 2, 3, 8}) {
      std::vector<std::atomic<int>> calls(count);
      std::mutex mutex;
      std::set<std::thread::id> who;
      const auto work = [&](size_t i) {
        ++calls[i];
        const std::lock_guard lock(mutex);
        who.insert(std::this_thread::get_id());
      };
      parallel_for(count, threads, work, never);
      for (const std::atomic<int>& made : calls) {
        CHECK(made == 1);
      }
      CHECK(who.size() <= std::min(count, threads));
    }
  }
}

TEST_CASE("calls of several threads run at the same time") {
  std::atomic<int> inside{0};
  const auto meet = [&](size_t) {  // waits until three threads have arrived
    ++inside;
    while (inside < 3) {
      std::this_thread::yield();
    }
  };
  parallel_for(3, 3, meet, never);
  CHECK(inside == 3);
}

TEST_CASE("one thread is the caller's, and works in order") {
  std::vector<size_t> order;
  const std::thread::id caller = std::this_thread::get_id();
  const auto work = [&](size_t i) {
    CHECK(std::this_thread::get_id() == caller);
    order.push_back(i);
  };
  parallel_for(4, 1, work, never);
  CHECK(order == std::vector<size_t>{0, 1, 2, 3});
}

TEST_CASE("an exception ends the rest and comes out") {
  for (const size_t threads : {1, 2}) {
    std::atomic<size_t> calls{0};
    const auto work = [&](size_t i) {
      ++calls;
      if (i == 5) {
        throw std::runtime_error("fifth");
      }
    };
    CHECK_THROWS_WITH_AS(parallel_for(1000000, threads, work, never), "fifth", std::runtime_error);
    CHECK(calls >= 6);
    CHECK(calls < 1000000);
  }
}

TEST_CASE("once stopped, nothing more is begun") {
  std::atomic<size_t> calls{0};
  parallel_for(
      1000, 2, [&](size_t) { ++calls; }, [&] { return calls >= 10; });
  CHECK(calls >= 10);
  CHECK(calls <= 11);  // another thread may have looked at the stop token before it was set
}

TEST_CASE("where the system refuses threads the caller does the work") {
  REQUIRE(test::threads_are_refused());
  const test::RefusedThreads refused;
  std::vector<int> calls(100, 0);
  parallel_for(
      calls.size(), 8, [&](size_t i) { ++calls[i]; }, never);
  CHECK(calls == std::vector<int>(100, 1));
}

TEST_CASE("work that has no memory beside others is done alone") {
  constexpr size_t kCount = 100;
  std::atomic<int> at_work{0};
  std::atomic<int> refused{0};
  std::vector<int> done(kCount, 0);
  const auto work = [&](size_t i) {
    const bool enough = at_work++ == 0;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    --at_work;
    if (!enough) {
      ++refused;
      throw std::bad_alloc();
    }
    ++done[i];
  };
  parallel_for(kCount, 6, work, never);
  CHECK(done == std::vector<int>(kCount, 1));
  CHECK(refused > 0);
  CHECK(refused <= 6);
}

TEST_CASE("work that has no memory alone fails, with one thread or several") {
  for (const size_t threads : {1, 4}) {
    std::atomic<int> calls{0};
    const auto work = [&](size_t i) {
      ++calls;
      if (i == 5) {
        throw std::bad_alloc();
      }
    };
    CHECK_THROWS_AS(parallel_for(100, threads, work, never), std::bad_alloc);
    CHECK(calls >= 6);
  }
}

}  // namespace
}  // namespace presort::predict::parallel_test
