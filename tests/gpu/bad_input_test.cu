// Tests that bad input is refused by a typed error that names the numbers, before anything is
// written, and that the device works afterwards.
#include "presort/gpu/check_labels.cuh"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/gather.cuh"
#include "presort/gpu/histogram.cuh"
#include "presort/gpu/host/current_device.h"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/partial_sort.cuh"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/gpu/runner/probe.h"
#include "presort/gpu/scatter.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using TestArray = presort::gpu::test::DeviceArray<uint32_t>;
using TestBytes = presort::gpu::test::DeviceArray<std::byte>;

namespace {

// The message of the error of a given type that `run` throws.
template <class ErrorType, class Run>
std::string message_of(const Run& run) {
  try {
    run();
  } catch (const ErrorType& error) {
    return error.what();
  }
  return "nothing thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A multireduce that must work: the sum of 100 ones in bucket 3.
void check_device_works() {
  const TestArray labels(std::vector<uint32_t>(100, 3));
  const TestArray values(std::vector<uint32_t>(100, 1));
  const TestArray buckets(std::vector<uint32_t>(5, 7));
  multireduce(nullptr, labels.read_only(), values.read_only(), buckets.span(), Sum<uint32_t>{},
              parse_gpu_plan("strategy=sharedSets"), std::span<std::byte>{});
  PRESORT_CUDA(cudaDeviceSynchronize());
  CHECK(buckets.host() == std::vector<uint32_t>{7, 7, 7, 107, 7});
}

}  // namespace

TEST_CASE("the first label that has no bucket is named; all below m pass") {
  std::mt19937_64 random(5);
  for (const size_t n : {1, 33, 100003}) {
    const auto good = test::make_labels<uint32_t>(test::Kind::uniform, n, 1000, random);
    const TestBytes room(test::poison(kCheckLabelsBytes));
    check_labels(nullptr, TestArray(good).read_only(), 1000, room.span());
    for (const size_t at : {size_t{0}, n / 2, n - 1}) {
      auto bad = good;
      bad[at] = 1000;
      bad[n - 1] = std::max(bad[n - 1], uint32_t{1000});  // a second bad label, further on
      const TestArray labels(bad);
      const auto message = message_of<LabelError>(
          [&] { check_labels(nullptr, labels.read_only(), 1000, room.span()); });
      CHECK(message == LabelError(at, 1000, 1000).what());
    }
  }
  const test::DeviceArray<uint64_t> wide(std::vector<uint64_t>{1, uint64_t{1} << 40});
  const TestBytes room(test::poison(kCheckLabelsBytes));
  CHECK(message_of<LabelError>([&] {
          check_labels(nullptr, wide.read_only(), uint64_t{1} << 33, room.span());
        }) == LabelError(1, uint64_t{1} << 40, uint64_t{1} << 33).what());
  CHECK(contains(message_of<PlanError>(
                     [&] { check_labels(nullptr, wide.read_only(), 5, room.span().first(63)); }),
                 "scratch: found 63 bytes, accepted: 64 or more"));
  check_device_works();
}

TEST_CASE("a plan that needs more shared memory than a block has says how much") {
  const DeviceLimits device = current_device_limits();
  const uint64_t most = device.table_bytes_of_block() / 4;
  const auto of_plan = [&](const char* plan, uint64_t m) {
    return message_of<PlanError>(
        [&] { multireduce_scratch_bytes<uint32_t, uint32_t>(parse_gpu_plan(plan), 1000, m); });
  };
  CHECK(of_plan("strategy=sharedSets", most * device.multiprocessors) == "nothing thrown");
  const auto beyond = of_plan("strategy=sharedSets", most * device.multiprocessors + 1);
  CHECK(contains(beyond, std::to_string(device.multiprocessors + 1) + " ranges"));
  CHECK(contains(beyond, std::to_string(device.multiprocessors) + " multiprocessors"));
  const auto parts = of_plan("strategy=sharedSets,sortBits=2", uint64_t{1} << 24);
  CHECK(contains(parts, "16MiB"));
  CHECK(contains(parts, "ranges, at most 4"));
  CHECK(contains(parts, "more, or strategy=globalSets"));
  check_device_works();
}

TEST_CASE("a scratch that is too small or misaligned leaves the buckets as they are") {
  const TestArray labels(std::vector<uint32_t>(1000, 3));
  const TestArray values(std::vector<uint32_t>(1000, 1));
  const TestArray buckets(std::vector<uint32_t>(4096, 7));
  const GpuPlan plan = parse_gpu_plan("strategy=sharedSets,sortBits=4");
  const size_t bytes = multireduce_scratch_bytes<uint32_t, uint32_t>(plan, 1000, 4096);
  const TestBytes scratch(test::poison(bytes + 64));
  const auto with = [&](std::span<std::byte> room) {
    return message_of<PlanError>([&] {
      multireduce(nullptr, labels.read_only(), values.read_only(), buckets.span(), Sum<uint32_t>{},
                  plan, room);
    });
  };
  CHECK(contains(with(scratch.span().first(bytes - 1)),
                 "scratch: found " + std::to_string(bytes - 1)));
  CHECK(contains(with(scratch.span().subspan(1)), "not a multiple of 64"));
  PRESORT_CUDA(cudaDeviceSynchronize());
  CHECK(buckets.host() == std::vector<uint32_t>(4096, 7));
  CHECK(with(scratch.span()) == "nothing thrown");
  PRESORT_CUDA(cudaDeviceSynchronize());
  CHECK(buckets.host()[3] == 1007);
}

TEST_CASE(
    "more inputs than a sort counts, more buckets than labels name, more memory than there is") {
  const auto too_many = message_of<PlanError>([&] {
    partial_sort_scratch_bytes<uint32_t, uint32_t>(parse_gpu_plan("sortBits=8"), uint64_t{1} << 32,
                                                   1 << 20);
  });
  CHECK(too_many == "n: found 4294967296 inputs, accepted: fewer than 2^32");
  const GpuPlan plan = parse_gpu_plan("strategy=globalSets");
  CHECK(message_of<PlanError>([&] {
          multireduce_scratch_bytes<uint32_t, uint32_t>(plan, 1000, uint64_t{1} << 33);
        }) == "m: found 2^33 buckets, accepted: at most 2^32, which labels of 4 bytes can name");
  CHECK(message_of<PlanError>([&] {
          scatter_scratch_bytes<uint16_t, uint32_t>(plan, 1000, 65537);
        }) == "m: found 65537 buckets, accepted: at most 2^16, which labels of 2 bytes can name");
  CHECK(message_of<PlanError>([&] {
          partial_sort_scratch_bytes<uint8_t, uint32_t>(parse_gpu_plan("sortBits=8"), 1000, 257);
        }) == "m: found 257 buckets, accepted: at most 2^8, which labels of 1 bytes can name");
  const test::DeviceArray<uint8_t> bytes(std::vector<uint8_t>(10, 1));
  const TestArray table(std::vector<uint32_t>(257, 7));
  CHECK(contains(message_of<PlanError>([&] {
                   gather(nullptr, bytes.read_only(), table.read_only(), table.span().first(10));
                 }),
                 "m: found 257"));
  CHECK(contains(
      message_of<PlanError>([&] { histogram(nullptr, bytes.read_only(), table.span(), plan, {}); }),
      "m: found 257"));
  PRESORT_CUDA(cudaDeviceSynchronize());
  CHECK(table.host() == std::vector<uint32_t>(257, 7));
  const auto too_large = message_of<EnvironmentError>(
      [] { presort::gpu::DeviceArray<uint64_t> array(size_t{1} << 50); });
  CHECK(contains(too_large, "not enough memory on the device: 8192TiB needed"));
  check_device_works();
}

TEST_CASE("what CUDA refuses becomes an error, and is not seen again") {
  const auto message = message_of<EnvironmentError>([] { PRESORT_CUDA(cudaSetDevice(1 << 20)); });
  CHECK(contains(message, "cudaErrorInvalidDevice"));
  CHECK(contains(message, "bad_input_test.cu"));
  CHECK(cudaGetLastError() == cudaSuccess);
  check_device_works();
}

TEST_CASE("tiles are what the closed form counts with") {
  for (int bits = 1; bits <= kMaxDigitBits; ++bits) {
    CAPTURE(bits);
    CHECK(tile_inputs<Order::any, PairedOutput<uint32_t, uint32_t>>(bits) ==
          static_cast<uint64_t>(partition_tile(bits, 8).inputs));
    CHECK(tile_inputs<Order::any, PairedOutput<uint32_t, uint64_t>>(bits) ==
          static_cast<uint64_t>(partition_tile(bits, 16).inputs));
    CHECK(tile_inputs<Order::any, GaplessOutput<uint32_t, uint64_t>>(bits) ==
          static_cast<uint64_t>(partition_tile(bits, 12).inputs));
    CHECK(tile_inputs<Order::stable, PairedOutput<uint32_t, uint32_t>>(bits) ==
          static_cast<uint64_t>(stable_partition_tile(bits, 8).inputs));
    CHECK(tile_inputs<Order::stable, PairedOutput<uint32_t, uint64_t>>(bits) ==
          static_cast<uint64_t>(stable_partition_tile(bits, 16).inputs));
  }
}

TEST_CASE("the device says what it is") {
  const Gpu gpu = describe_gpu();
  CHECK(gpu.architecture.starts_with("sm_"));
  CHECK(gpu.multiprocessors == current_device_limits().multiprocessors);
  CHECK(gpu.shared_bytes_of_block <= gpu.shared_bytes_of_multiprocessor);
  CHECK(gpu.l2_bytes > 0);
  CHECK(gpu.memory_bytes > gpu.l2_bytes);
}
