// Tests the order of rows, gathers of rows, and arguments that are refused.
#include "presort/gpu/gather_rows.cuh"
#include "tests/gpu/rows/rows_under_test.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

TEST_CASE("gpu rows: wide labels have the order of narrow ones") {
  std::mt19937_64 random(5);
  const auto wide = labels_of<uint64_t>(RowLabels::zipf, 70001, 5003, random);
  const std::vector<uint32_t> narrow(wide.begin(), wide.end());
  for (const size_t skip : {0, 1}) {
    const DeviceArray<uint64_t> from(wide, skip);
    const DeviceArray<std::byte> scratch(poison(row_order_scratch_bytes<uint64_t>(70001, 5003)));
    const RowOrder order = row_order(nullptr, from.read_only(), 5003, scratch.span());
    std::vector<RowPlace> places(order.places.size());
    PRESORT_CUDA(cudaMemcpy(places.data(), order.places.data(), order.places.size_bytes(),
                            cudaMemcpyDeviceToHost));
    std::vector<size_t> expected(narrow.size());
    std::iota(expected.begin(), expected.end(), size_t{0});
    std::ranges::stable_sort(expected, {}, [&](size_t i) { return narrow[i]; });
    bool is_right = true;
    for (size_t j = 0; j < places.size(); ++j) {
      is_right =
          is_right && places[j].position == expected[j] && places[j].label == narrow[expected[j]];
    }
    CHECK(is_right);
  }
}

TEST_CASE("gpu rows: a gather copies rows") {
  const auto check = [&]<class Value, class Label>(Value, Label, uint64_t columns, size_t n,
                                                   size_t skip) {
    CAPTURE(columns);
    CAPTURE(n);
    CAPTURE(skip);
    constexpr uint64_t kRows = 97;
    std::mt19937_64 random(n + columns);
    const auto labels = labels_of<Label>(RowLabels::uniform, n, kRows, random);
    std::vector<Value> table(kRows * columns);
    std::ranges::generate(table, [&] { return random_value<Value>(random); });
    const DeviceArray<Label> on_device(labels);
    const DeviceArray<Value> from(table, skip);
    const DeviceArray<Value> to(std::vector<Value>(n * columns), skip);
    gather_rows(nullptr, on_device.read_only(), from.read_only(), to.span(), kRows, columns);
    std::vector<Value> expected(n * columns);
    for (size_t i = 0; i < n * columns; ++i) {
      expected[i] = table[labels[i / columns] * columns + i % columns];
    }
    CHECK(same_bits(to.host(), expected));
  };
  for (const uint64_t columns : kColumns) {
    for (const size_t n : {0, 1, 33, 1000}) {
      check(float{}, uint32_t{}, columns, n, 0);
      check(float{}, uint64_t{}, columns, n, 1);
      check(__nv_bfloat16{}, uint32_t{}, columns, n, n % 2);
      check(double{}, uint32_t{}, columns, n, 0);
    }
  }
}

TEST_CASE("gpu rows: what does not fit is refused before anything is written") {
  const Rows<float> rows({100, 10, 4});
  const DeviceArray<uint32_t> labels(rows.labels);
  const DeviceArray<std::byte> order_scratch(poison(row_order_scratch_bytes<uint32_t>(100, 10)));
  CHECK_THROWS_AS(row_order(nullptr, labels.read_only(), 10, order_scratch.span().subspan(64)),
                  PlanError);
  CHECK_THROWS_AS(row_order_scratch_bytes<uint32_t>(kMostRowInputs, 10), PlanError);
  CHECK_THROWS_AS(row_order_scratch_bytes<uint64_t>(10, kMostRowInputs), PlanError);
  const RowOrder order = row_order(nullptr, labels.read_only(), 10, order_scratch.span());
  const DeviceArray<float> values(rows.values);
  const DeviceArray<float> buckets(rows.buckets);
  const DeviceArray<float> weights(std::vector<float>(100, 1));
  const size_t bytes = multireduce_rows_scratch_bytes<float>(100, 4);
  const DeviceArray<std::byte> scratch(poison(bytes + 64));
  const auto reduce = [&](std::span<const float> from, std::span<float> to, uint64_t columns,
                          std::span<std::byte> room, std::span<const float> weight = {}) {
    multireduce_rows(nullptr, order, from, to, columns, Sum<float>{}, room, weight);
  };
  const std::span<const float> from = values.read_only();
  const std::span<float> to = buckets.span();
  const std::span<std::byte> room = scratch.span();
  CHECK_THROWS_AS(reduce(from, to, 0, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to, kMostRowColumns + 1, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 5, room), PlanError);
  CHECK_THROWS_AS(reduce(from.first(396), to, 4, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to.first(36), 4, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 4, room.first(bytes - 1)), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 4, room.subspan(4)), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 4, room, weights.read_only().first(99)), PlanError);
  const std::span<float> inside(const_cast<float*>(from.data()), 40);
  CHECK_THROWS_AS(reduce(from, inside, 4, room), SpanError);
  const auto* odd = reinterpret_cast<const float*>(reinterpret_cast<const char*>(from.data()) + 2);
  CHECK_THROWS_AS(reduce({odd, 400}, to, 4, room), SpanError);
  CHECK(same_bits(buckets.host(), rows.buckets));
  CHECK_THROWS_AS(gather_rows(nullptr, labels.read_only(), buckets.read_only(), inside, 10, 0),
                  PlanError);
  CHECK_THROWS_AS(gather_rows(nullptr, labels.read_only(), buckets.read_only(), inside, 10, 4),
                  PlanError);
}
