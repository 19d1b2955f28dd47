// Tests scans and reductions of segments, for every distribution of lengths and every operator,
// against the CPU library.
#include <algorithm>

#include "presort/core/labels/labels.h"
#include "presort/core/segments.h"
#include "presort/gpu/segmented_reduce.cuh"
#include "tests/gpu/ordered/segments/segments_oracle.h"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

const Distribution kLengths[] = {{DistributionKind::uniform},    {DistributionKind::zipf, 1.25},
                                 {DistributionKind::sequential}, {DistributionKind::sorted},
                                 {DistributionKind::degenerate}, {DistributionKind::clustered, 8}};

template <class Value, class M>
class Matrix {
 public:
  using Oracle = SegmentsOracle<Value>;

  explicit Matrix(Operator op) : op_(op) {}

  void check(size_t n, uint64_t segments, const Distribution& lengths) {
    CAPTURE(n);
    CAPTURE(segments);
    CAPTURE(to_string(lengths));
    std::vector<uint32_t> offsets(segments + 1);
    fill_segment_offsets(*make_labels(lengths, n, segments, 3), std::span(offsets));
    const auto values = make_values<Value>(n, random_);
    const DeviceArray<Value> in(values);
    const DeviceArray<uint32_t> ends(offsets);
    const DeviceArray<std::byte> scratch(
        poison(std::max(segmented_reduce_scratch_bytes<Value, uint32_t>(n, segments),
                        segmented_scan_scratch_bytes<Value>(n))));
    const DeviceArray<Value> sums(std::vector<Value>(segments, Value{99}));
    segmented_reduce(nullptr, in.read_only(), ends.read_only(), sums.span(), M{}, scratch.span());
    CHECK(sums.host() == Oracle::segmented_reduce(values, offsets, op_));
    std::vector<uint8_t> heads(n + 1);
    for (const uint32_t offset : offsets) {
      heads[offset] = 1;
    }
    heads.resize(n);
    const DeviceArray<uint8_t> flags(heads);
    check_scans<Scan::inclusive>(values, in, offsets, ends, heads, flags, scratch);
    check_scans<Scan::exclusive>(values, in, offsets, ends, heads, flags, scratch);
  }

 private:
  template <Scan kScan>
  void check_scans(const std::vector<Value>& values, const DeviceArray<Value>& in,
                   const std::vector<uint32_t>& offsets, const DeviceArray<uint32_t>& ends,
                   const std::vector<uint8_t>& heads, const DeviceArray<uint8_t>& flags,
                   const DeviceArray<std::byte>& scratch) {
    const std::vector<Value> before(values.size(), Value{99});
    const DeviceArray<Value> results(before);
    segmented_scan<kScan>(nullptr, in.read_only(), ends.read_only(), results.span(), M{},
                          scratch.span());
    CHECK(results.host() == Oracle::segmented_scan(kScan, values, offsets, before, op_));
    const DeviceArray<Value> flagged(before);
    const DeviceArray<std::byte> room(poison(flagged_scan_scratch_bytes<Value>(values.size())));
    flagged_scan<kScan>(nullptr, in.read_only(), flags.read_only(), flagged.span(), M{},
                        room.span());
    CHECK(flagged.host() == Oracle::flagged_scan(kScan, values, heads, op_));
  }

  Operator op_;
  std::mt19937_64 random_{17};
};

template <class Value>
void check_operators() {
  for (const Distribution& lengths : kLengths) {
    for (const size_t n : {1, 20011, 200003}) {
      for (const uint64_t segments : {1, 300, 70000}) {
        Matrix<Value, Sum<Value>>(Operator::sum).check(n, segments, lengths);
        Matrix<Value, Min<Value>>(Operator::min).check(n, segments, lengths);
        Matrix<Value, Max<Value>>(Operator::max).check(n, segments, lengths);
      }
    }
  }
}

}  // namespace

TEST_CASE("segments of every distribution of lengths, as on a CPU") {
  check_operators<uint32_t>();
  check_operators<uint64_t>();
  check_operators<float>();
  check_operators<double>();
}
