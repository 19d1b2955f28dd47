#include "presort/predict/storage/external_time.h"

#include <doctest/doctest.h>

namespace presort::inline v0::predict::external_time_test {

namespace {

// A device that only has bandwidths.
Storage plain_device() {
  Storage storage;
  storage.kind = DeviceKind::disk;
  storage.page_cache_bytes = 1 << 20;
  storage.queue_depth = 64;
  storage.read_bandwidth = 1e9;
  storage.write_bandwidth = 2e9;
  return storage;
}

Problem problem_of(Operation operation) {
  Problem problem;
  problem.operation = operation;
  problem.n = uint64_t{1} << 24;
  problem.m = uint64_t{1} << 22;
  return problem;
}

constexpr ExternalPlan kPlan{4, 256 << 10, 8};

}  // namespace

TEST_CASE("a device with nothing but bandwidths takes bytes over bandwidth, each pass") {
  const double n = 1 << 24;
  const double m = 1 << 22;
  const ExternalPrediction sum =
      predict_external(plain_device(), problem_of(Operation::multireduce), kPlan, {});
  CHECK(sum.passes[0].seconds == doctest::Approx(8 * n / 1e9 + 8 * n / 2e9).epsilon(0.01));
  CHECK(sum.passes[1].seconds == doctest::Approx(8 * n / 1e9 + 4 * m / 2e9).epsilon(0.01));
  const ExternalPrediction gather =
      predict_external(plain_device(), problem_of(Operation::gather), kPlan, {});
  CHECK(gather.passes[0].seconds == doctest::Approx(4 * n / 1e9 + 4 * n / 2e9).epsilon(0.01));
  CHECK(gather.passes[1].seconds ==
        doctest::Approx((4 * n + 4 * m) / 1e9 + 4 * n / 2e9).epsilon(0.01));
  CHECK(gather.passes[2].seconds == doctest::Approx(8 * n / 1e9 + 4 * n / 2e9).epsilon(0.01));
  const ExternalPrediction stream =
      predict_external(plain_device(), problem_of(Operation::histogram), {0, 256 << 10, 8}, {});
  CHECK(stream.seconds == doctest::Approx(4 * n / 1e9 + 4 * m / 2e9).epsilon(0.01));
}

TEST_CASE("a slow processor hides the device, a slow device the processor") {
  const Problem problem = problem_of(Operation::multireduce);
  const double n = static_cast<double>(problem.n);
  const auto seconds = [&](double ns) {
    return predict_external(plain_device(), problem, kPlan, {ns, ns}).seconds;
  };
  CHECK(seconds(100) == doctest::Approx(2 * 100e-9 * n).epsilon(0.02));
  CHECK(seconds(1) == doctest::Approx(seconds(0)).epsilon(0.02));
}

TEST_CASE("one request at a time waits for the latency of each") {
  Storage storage = plain_device();
  storage.latency_ns = 10e6;
  const Problem problem = problem_of(Operation::multireduce);
  storage.queue_depth = 1;
  const uint64_t reads =
      2 * (8 * problem.n >> 18);  // labels and values; spilled blocks: half of them
  const double alone = predict_external(storage, problem, kPlan, {}).seconds;
  CHECK(alone > 10e-3 * static_cast<double>(reads));
  storage.queue_depth = 64;
  CHECK(predict_external(storage, problem, kPlan, {}).seconds < alone / 4);
}

TEST_CASE("on a disk, seeks make large blocks better") {
  Storage disk = plain_device();
  disk.seek_ns = 8.5e6;
  disk.rotation_ns = 8.33e6;
  const Problem problem = problem_of(Operation::scatter);
  const auto seconds = [&](uint64_t block) {
    return predict_external(disk, problem, {4, block, 8}, {}).seconds;
  };
  CHECK(seconds(4 << 20) < seconds(256 << 10) / 4);
}

}  // namespace presort::predict::external_time_test
