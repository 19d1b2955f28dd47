// Tests that labels in device memory are sampled as labels in host memory are, and get the same
// distribution.
#include "presort/gpu/plan/labels/sampled_distribution.cuh"

#include "presort/core/labels/labels.h"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

template <class Label>
void check_kind(const char* name, size_t n, uint64_t m) {
  std::vector<Label> labels(n);
  if (n > 0) {
    generate_as<Label>(*make_labels(parse_distribution("dist", name), n, m, 3), 0, labels);
  }
  const auto expected = seen_distribution(draw_sample(std::span<const Label>(labels), m));
  const gpu::test::DeviceArray<Label> device(labels);
  const gpu::test::DeviceArray<std::byte> scratch(poison(kSampleBytes));
  CAPTURE(name);
  CAPTURE(n);
  CAPTURE(m);
  CHECK(sampled_distribution(nullptr, device.read_only(), m, scratch.span()) == expected);
}

}  // namespace

TEST_CASE("labels on the device are named as the same labels of the host are") {
  for (const char* name : {"uniform", "zipf:1.25", "clustered:8", "sequential", "sorted",
                           "permutation", "degenerate"}) {
    for (const size_t n :
         {size_t{0}, size_t{1}, size_t{15}, size_t{16}, size_t{17}, kSampledLabels - 1,
          kSampledLabels, kSampledLabels + 1, size_t{300007}}) {
      check_kind<uint32_t>(name, n, 70001);
      check_kind<uint64_t>(name, n, uint64_t{1} << 33);
      check_kind<uint16_t>(name, n, 65536);
      check_kind<uint8_t>(name, n, 200);
    }
  }
  const gpu::test::DeviceArray<uint32_t> device(std::vector<uint32_t>(5000, 3));
  const gpu::test::DeviceArray<std::byte> scratch(poison(kSampleBytes));
  const auto found = sampled_distribution(nullptr, device.read_only(), 5000, scratch.span());
  CHECK(found.kind == DistributionKind::degenerate);
  CHECK_THROWS_AS(sampled_distribution(nullptr, device.read_only(), 5000,
                                       scratch.span().first(kSampleBytes - 1)),
                  PlanError);
}
