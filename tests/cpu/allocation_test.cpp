// Memory that is refused: operator new fails at its k-th call, for every k that an operation comes
// to. A program of its own, for it replaces operator new.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

#include "presort/cpu/choose.h"
#include "tests/cpu/every_operation.h"

namespace {
constexpr long kNever = std::numeric_limits<long>::max();
std::atomic<long> calls_left{kNever};
}  // namespace

[[gnu::noinline]] void* operator new(size_t bytes) {
  if (calls_left.load() != kNever && calls_left.fetch_sub(1) == 0) {
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) {
    return memory;
  }
  throw std::bad_alloc();
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}

namespace presort::inline v0::test {
namespace {

enum class Outcome { done, refused, other };

template <class Run>
Outcome run_with_failure_at(long call, const Run& run) {
  Outcome outcome = Outcome::done;
  calls_left = call;
  try {
    run();
  } catch (const EnvironmentError&) {
    outcome = Outcome::refused;
  } catch (...) {
    outcome = Outcome::other;
  }
  const bool failed = calls_left.exchange(kNever) < 0;
  return failed && outcome == Outcome::done ? Outcome::other : outcome;
}

// Fails each allocation of an operation in turn; returns the number of calls that failed.
template <class Run>
long check_every_failure(uint32_t fill, const Run& run) {
  for (long call = 0;; ++call) {
    Arena arena(fill);
    const Outcome outcome = run_with_failure_at(call, [&] { run(arena); });
    CAPTURE(call);
    REQUIRE(outcome != Outcome::other);
    if (outcome == Outcome::done) {
      return call;
    }
    REQUIRE(arena.is_as_it_was());
  }
}

TEST_CASE("memory that is refused is an EnvironmentError before anything is written") {
  long failures = 0;
  for (const OperationCase& operation : operations_on_buckets()) {
    CAPTURE(operation.name);
    failures += check_every_failure(1, [&](Arena& a) { operation.run(a, cpu::Checks::on); });
  }
  for (const OperationCase& operation : operations_on_segments()) {
    CAPTURE(operation.name);
    failures += check_every_failure(0, [&](Arena& a) { operation.run(a, cpu::Checks::on); });
  }
  CHECK(failures > 100);
}

TEST_CASE("the same of operations that choose their plan and bring their scratch") {
  const auto labels = [](Arena& a) {
    return std::span<const uint32_t>(a.array<uint32_t>(Arena::labels, Arena::kInputs));
  };
  const auto values = [](Arena& a) {
    return std::span<const uint32_t>(a.array<uint32_t>(Arena::values, Arena::kInputs));
  };
  const auto buckets = [](Arena& a) { return a.array<uint32_t>(Arena::buckets, Arena::kBuckets); };
  Tuned tuned;
  TunedEntry entry;
  entry.problem.n = Arena::kInputs;
  entry.problem.m = Arena::kBuckets;
  entry.plan = parse_cpu_plan("sortBits=4,passes=2,threads=3");
  entry.direct_plan = parse_cpu_plan("sortBits=0");
  tuned.entries.push_back(entry);
  cpu::Scratch scratch;
  long failures = 0;
  for (const Tuned& table : {Tuned{}, tuned}) {
    for (cpu::Scratch* kept : {static_cast<cpu::Scratch*>(nullptr), &scratch}) {
      const CallOptions options{.scratch = kept};
      failures += check_every_failure(1, [&](Arena& a) {
        presort::multireduce(labels(a), values(a), buckets(a), table, Sum<uint32_t>{}, options);
      });
      failures += check_every_failure(
          1, [&](Arena& a) { presort::scatter(labels(a), values(a), buckets(a), table, options); });
    }
  }
  CHECK(failures > 4);
}

}  // namespace
}  // namespace presort::test
