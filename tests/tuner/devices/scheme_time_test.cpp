// Tests the predicted times of schemes for several devices by their limits: a link that everything waits
// for, and one device alone.
#include "presort/gpu/plan/devices/scheme_time.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::gpu::scheme_time_test {
namespace {

constexpr Operation kOperations[] = {Operation::multireduce, Operation::histogram,
                                     Operation::scatter, Operation::gather};

DevicesProblem shared_problem(Operation operation, uint64_t n, uint64_t m, int devices) {
  const Gpu& gpu = bundled_gpus().front();
  DevicesProblem shared;
  shared.problem.operation = operation;
  shared.problem.n = n;
  shared.problem.m = m;
  shared.problem.types = {ScalarType::u32, ScalarType::u32};
  shared.devices = devices;
  shared.plan = choose_plan(gpu, shared.problem);
  Problem of_owner = shared.problem;
  of_owner.m = m / static_cast<uint64_t>(devices);
  shared.plan_of_owner = choose_plan(gpu, of_owner);
  shared.fits_rounds = shared.plan.presort && shared.plan.strategy == GpuStrategy::sharedSets;
  return shared;
}

uint64_t power(std::mt19937_64& random, int least, int most) {
  return uint64_t{1} << std::uniform_int_distribution(least, most)(random);
}

}  // namespace

TEST_CASE("the link is the machine file's, or else the bundled one") {
  Gpu gpu = bundled_gpus().front();
  gpu.link_bandwidth = 0;
  CHECK(link_of(gpu) == kBundledLink);
  gpu.link_bandwidth = 5e10;
  gpu.link_latency_ns = 12000;
  CHECK(link_of(gpu) == DeviceLink{.bandwidth = 5e10, .latency_ns = 12000});
}

TEST_CASE("over a slow link the scheme that moves fewer bytes is chosen, at the bytes' time") {
  std::mt19937_64 random(3);
  constexpr DeviceLink kSlow = {.bandwidth = 1e6, .latency_ns = 0};
  for (int i = 0; i < 200; ++i) {
    const uint64_t n = power(random, 20, 28);
    const uint64_t m = power(random, 16, 28);
    const int devices = 1 << std::uniform_int_distribution(1, 3)(random);
    auto shared = shared_problem(Operation::multireduce, n, m, devices);
    shared.fits_rounds = false;
    const double others = (devices - 1.0) / devices;
    const double table_ns = others * 4.0 * static_cast<double>(m) / 1e6 * 1e9;
    const double input_ns = others * 8.0 * static_cast<double>(n) / 1e6 * 1e9;
    CAPTURE(n);
    CAPTURE(m);
    CAPTURE(devices);
    const Gpu& gpu = bundled_gpus().front();
    CHECK(scheme_ns(gpu, kSlow, shared, DeviceScheme::tables) ==
          doctest::Approx(table_ns).epsilon(0.05));
    CHECK(scheme_ns(gpu, kSlow, shared, DeviceScheme::inputs) ==
          doctest::Approx(input_ns).epsilon(0.05));
    if (table_ns != input_ns) {
      CHECK(choose_scheme(gpu, kSlow, shared) ==
            (table_ns < input_ns ? DeviceScheme::tables : DeviceScheme::inputs));
    }
  }
}

TEST_CASE("rounds of one device take the time of its plan, tables no less") {
  std::mt19937_64 random(4);
  constexpr DeviceLink kLink = {.bandwidth = 3e11, .latency_ns = 1e4};
  int with_rounds = 0;
  for (int i = 0; i < 200; ++i) {
    const auto shared =
        shared_problem(kOperations[random() % 2], power(random, 20, 28), power(random, 8, 28), 1);
    const Gpu& gpu = bundled_gpus().front();
    const double own = plan_time(gpu, shared.problem, shared.plan).ns_per_input *
                       static_cast<double>(shared.problem.n);
    CHECK(scheme_ns(gpu, kLink, shared, DeviceScheme::tables) >= own);
    if (shared.fits_rounds) {
      ++with_rounds;
      CHECK(scheme_ns(gpu, kLink, shared, DeviceScheme::rounds) == doctest::Approx(own));
    }
  }
  CHECK(with_rounds > 10);
}

TEST_CASE("no scheme gains by a slower link, and one that does not fit is never chosen") {
  std::mt19937_64 random(5);
  const Gpu& gpu = bundled_gpus().front();
  for (int i = 0; i < 200; ++i) {
    auto shared = shared_problem(kOperations[random() % 4], power(random, 16, 28),
                                 power(random, 4, 28), 2 + static_cast<int>(random() % 15));
    const DeviceLink fast = {.bandwidth = 4e11, .latency_ns = 5e3};
    const DeviceLink slow = {.bandwidth = 2e11, .latency_ns = 1e4};
    for (const auto& scheme : kDeviceSchemes) {
      CHECK(scheme_ns(gpu, slow, shared, scheme.value) >=
            scheme_ns(gpu, fast, shared, scheme.value));
    }
    shared.fits_rounds = false;
    const bool is_gather = shared.problem.operation == Operation::gather;
    CHECK((is_gather || std::isinf(scheme_ns(gpu, fast, shared, DeviceScheme::rounds))));
    CHECK(choose_scheme(gpu, fast, shared) != DeviceScheme::rounds);
  }
}

TEST_CASE("chunks hide the shorter of sending and reducing, up to their own steps") {
  const Gpu& gpu = bundled_gpus().front();
  constexpr DeviceLink kLink = {.bandwidth = 3e11, .latency_ns = 7000};
  std::mt19937_64 random(6);
  for (int i = 0; i < 100; ++i) {
    auto shared =
        shared_problem(kOperations[random() % 2], power(random, 24, 28), power(random, 8, 28), 2);
    const double whole = scheme_ns(gpu, kLink, shared, DeviceScheme::inputs);
    shared.chunks = 8;
    const double cut = scheme_ns(gpu, kLink, shared, DeviceScheme::inputs);
    CHECK(cut > whole / 2);  // two things at a time, no more
    // One chunk alone, sent and reduced, times eight is the time without overlap
    auto piece = shared;
    piece.chunks = 1;
    piece.problem.n /= 8;
    CHECK(cut < 8 * scheme_ns(gpu, kLink, piece, DeviceScheme::inputs));
  }
  // Few inputs: steps are all there is, so more chunks take longer
  auto few = shared_problem(Operation::multireduce, 1024, 256, 2);
  double before = scheme_ns(gpu, kLink, few, DeviceScheme::inputs);
  for (const int chunks : {2, 4, 8, 64}) {
    few.chunks = chunks;
    const double now = scheme_ns(gpu, kLink, few, DeviceScheme::inputs);
    CHECK(now > before);
    before = now;
  }
}

TEST_CASE("inputs that are packed take longer by one reading and writing of them, and one launch") {
  const Gpu& gpu = bundled_gpus().front();
  constexpr DeviceLink kLink = {.bandwidth = 3e10, .latency_ns = 7000};  // slower than memory
  std::mt19937_64 random(7);
  for (int i = 0; i < 50; ++i) {
    auto shared = shared_problem(Operation::multireduce, power(random, 20, 28),
                                 power(random, 8, 28), 2 + static_cast<int>(random() % 15));
    const double direct = scheme_ns(gpu, kLink, shared, DeviceScheme::inputs);
    shared.packs = true;
    const double bytes = 2 * 8.0 * static_cast<double>(shared.problem.n);
    CHECK(scheme_ns(gpu, kLink, shared, DeviceScheme::inputs) - direct ==
          doctest::Approx(bytes / gpu.copy_bandwidth * 1e9 + gpu.launch_ns + gpu.step_ns));
  }
}

TEST_CASE("a scheme is remembered for the very same question alone") {
  const Gpu& gpu = bundled_gpus().front();
  constexpr DeviceLink kFast = {.bandwidth = 3e11, .latency_ns = 7000};
  constexpr DeviceLink kSlow = {.bandwidth = 1e9, .latency_ns = 7000};
  std::mt19937_64 random(8);
  for (int i = 0; i < 200; ++i) {
    auto shared = shared_problem(kOperations[random() % 4], power(random, 16, 28),
                                 power(random, 4, 28), 2 + static_cast<int>(random() % 15));
    const DeviceLink& link = random() % 2 == 0 ? kFast : kSlow;
    for (int turn = 0; turn < 2; ++turn) {
      CHECK(remembered_scheme(gpu, link, shared) == choose_scheme(gpu, link, shared));
    }
    shared.packs = true;
    CHECK(remembered_scheme(gpu, link, shared) == choose_scheme(gpu, link, shared));
    CHECK(remembered_scheme(gpu, kSlow, shared) == choose_scheme(gpu, kSlow, shared));
  }
}

}  // namespace presort::gpu::scheme_time_test
