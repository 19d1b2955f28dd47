// Tests scans and reductions of segments: over many tiles, of sums that round, and of empty arrays.
#include "tests/gpu/ordered/segments/segments_case.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

TEST_CASE("tiles of three levels of groups") {
  std::mt19937_64 random(21);
  const size_t n = size_t{1100} * 8 * WarpStages<uint32_t>::kValues + 13;
  Case<uint32_t, Sum<uint32_t>> with(n, 0, {}, random);
  with.check_scans();
  for (const Cut cut : kCuts) {
    with.check_cut(cut);
  }
  for (const size_t length : {8, 100, 10000, 4000000}) {
    with.check_even(length);
  }
  Case<Line, ComposeLines> lines(n / 2, 1, {}, random);
  lines.check_scans();
  lines.check_cut(Cut::powers);
  lines.check_cut(Cut::huge);
}

TEST_CASE("sums of floats have the same bits in every run") {
  std::mt19937_64 random(22);
  const size_t n = 3000001;
  std::vector<float> values(n);
  for (float& value : values) {
    value = std::uniform_real_distribution<float>(-1, 1)(random);
  }
  const auto offsets = make_offsets(Cut::powers, n, random);
  const DeviceArray<float> device_values(values);
  const DeviceArray<uint32_t> device_offsets(offsets);
  std::vector<std::vector<float>> scanned;
  std::vector<std::vector<float>> reduced;
  for (int run = 0; run < 20; ++run) {
    const DeviceArray<float> results(std::vector<float>(n, 7));
    const DeviceArray<std::byte> scratch(poison(scan_scratch_bytes<float>(n)));
    scan<Scan::inclusive>(nullptr, device_values.read_only(), results.span(), Sum<float>{},
                          scratch.span());
    scanned.push_back(results.host());
    const DeviceArray<float> sums(std::vector<float>(offsets.size() - 1, 7));
    const DeviceArray<std::byte> room(
        poison(segmented_reduce_scratch_bytes<float, uint32_t>(n, offsets.size() - 1)));
    segmented_reduce(nullptr, device_values.read_only(), device_offsets.read_only(), sums.span(),
                     Sum<float>{}, room.span());
    reduced.push_back(sums.host());
    CHECK(scanned.back() == scanned.front());
    CHECK(reduced.back() == reduced.front());
  }
}

TEST_CASE("segments without values, of no length, and none at all") {
  const DeviceArray<uint32_t> none(std::vector<uint32_t>{});
  const DeviceArray<uint32_t> results(std::vector<uint32_t>(100000, 9));
  const DeviceArray<std::byte> scratch(
      poison(segmented_reduce_scratch_bytes<uint32_t, uint32_t>(0, 100000)));
  segmented_reduce(nullptr, none.read_only(), 0, results.span(), Sum<uint32_t>{}, scratch.span());
  CHECK(results.host() == std::vector<uint32_t>(100000, 0));
  const DeviceArray<uint32_t> offsets(std::vector<uint32_t>(100001, 0));
  segmented_reduce(nullptr, none.read_only(), offsets.read_only(), results.span(), Max<uint32_t>{},
                   scratch.span());
  CHECK(results.host() == std::vector<uint32_t>(100000, 0));
  const DeviceArray<uint32_t> single(std::vector<uint32_t>{0});
  segmented_reduce(nullptr, results.read_only(), single.read_only(), none.span(), Sum<uint32_t>{},
                   scratch.span());
  segmented_scan<Scan::inclusive>(nullptr, none.read_only(), single.read_only(), none.span(),
                                  Sum<uint32_t>{}, scratch.span());
  PRESORT_CUDA(cudaDeviceSynchronize());
}
