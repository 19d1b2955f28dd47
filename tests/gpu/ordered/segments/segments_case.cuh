// Tests scans and reductions of arrays, segments and runs, for one type and operator, against plain
// loops.
#pragma once

#include <algorithm>
#include <numeric>

#include "presort/gpu/reduce_by_key.cuh"
#include "presort/gpu/segmented_reduce.cuh"
#include "tests/gpu/ordered/segments/segment_monoids.cuh"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::test {

// How n values are cut into segments:
//   ones    each value is a segment
//   huge    a single segment
//   empty   most segments have no value
//   powers  few large segments, many small ones
//   some    segments of about 20 values
//   apart   values before the first segment and after the last belong to none
enum class Cut { ones, huge, empty, powers, some, apart };
inline constexpr Cut kCuts[] = {Cut::ones,   Cut::huge, Cut::empty,
                                Cut::powers, Cut::some, Cut::apart};

inline std::vector<uint32_t> make_offsets(Cut cut, size_t n, std::mt19937_64& random) {
  std::vector<uint32_t> offsets;
  const auto whole = static_cast<uint32_t>(n);
  switch (cut) {
    case Cut::ones:
      offsets.resize(n + 1);
      std::iota(offsets.begin(), offsets.end(), 0u);
      return offsets;
    case Cut::huge:
      return {0, whole};
    case Cut::empty:
      offsets.resize(3 * n + 5);
      for (uint32_t& offset : offsets) {
        offset = n == 0 ? 0 : static_cast<uint32_t>(random() % 10 * n / 10);
      }
      break;
    case Cut::powers:
      for (uint32_t at = 0; at < whole; at += 1u << (random() % 3 == 0 ? random() % 14 : 1)) {
        offsets.push_back(at);
      }
      offsets.push_back(whole);
      return offsets;
    case Cut::some:
      for (size_t s = 0; s < n / 20 + 1; ++s) {
        offsets.push_back(static_cast<uint32_t>(random() % (n + 1)));
      }
      offsets.push_back(0);
      offsets.push_back(whole);
      break;
    case Cut::apart:
      for (size_t s = 0; s < n / 50 + 2; ++s) {
        offsets.push_back(static_cast<uint32_t>(n / 3 + random() % (n / 3 + 1)));
      }
      break;
  }
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

// Scans on the device as the arguments ask: each kind of scan fills its array of results, other
// arrays stay as they are.
template <class Value, class M, class IsHead>
std::vector<Value> scan_plainly(Scan scan, const std::vector<Value>& values,
                                std::vector<Value> results, size_t first, size_t last,
                                const M& monoid, const IsHead& is_head) {
  Value sum = monoid.identity();
  for (size_t i = first; i < last; ++i) {
    if (is_head(i)) {
      sum = monoid.identity();
    }
    const Value before = sum;
    sum = monoid(sum, values[i]);
    results[i] = scan == Scan::inclusive ? sum : before;
  }
  return results;
}

template <class Value, class M>
class Case {
 public:
  Case(size_t n, size_t skip, const M& monoid, std::mt19937_64& random)
      : n_(n),
        skip_(skip),
        monoid_(monoid),
        random_(random),
        values_(any_values<Value>(n, random)),
        device_values_(values_, skip),
        poison_(any_values<Value>(n, random)) {}

  void check_scans() {
    const auto whole = [](size_t) { return false; };
    check_results(scan_scratch_bytes<Value>(n_), 0, n_, whole,
                  [&]<Scan kScan>(auto values, auto results, auto scratch) {
                    scan<kScan>(nullptr, values, results, monoid_, scratch);
                  });
    std::vector<uint8_t> heads(n_);
    std::vector<uint32_t> packed((n_ + 31) / 32);
    for (size_t i = 0; i < n_; ++i) {
      heads[i] = random_() % 37 == 0 ? static_cast<uint8_t>(random_() % 255 + 1) : 0;
      packed[i / 32] |= (heads[i] != 0 ? 1u : 0u) << i % 32;
    }
    const DeviceArray<uint8_t> device_heads(heads, skip_);
    const DeviceArray<uint32_t> device_packed(packed);
    const auto flagged = [&](size_t i) { return heads[i] != 0; };
    check_results(flagged_scan_scratch_bytes<Value>(n_), 0, n_, flagged,
                  [&]<Scan kScan>(auto values, auto results, auto scratch) {
                    flagged_scan<kScan>(nullptr, values, device_heads.read_only(), results, monoid_,
                                        scratch);
                  });
    check_results(flagged_scan_scratch_bytes<Value>(n_), 0, n_, flagged,
                  [&]<Scan kScan>(auto values, auto results, auto scratch) {
                    packed_flagged_scan<kScan>(nullptr, values, device_packed.read_only(), results,
                                               monoid_, scratch);
                  });
    check_runs(heads);
  }

  void check_cut(Cut cut) {
    const auto offsets = make_offsets(cut, n_, random_);
    const DeviceArray<uint32_t> device_offsets(offsets);
    const size_t segments = offsets.size() - 1;
    std::vector<uint8_t> heads(n_ + 1);
    for (const uint32_t offset : offsets) {
      heads[offset] = 1;
    }
    check_results(
        segmented_scan_scratch_bytes<Value>(n_), offsets.front(), offsets.back(),
        [&](size_t i) { return heads[i] != 0; },
        [&]<Scan kScan>(auto values, auto results, auto scratch) {
          segmented_scan<kScan>(nullptr, values, device_offsets.read_only(), results, monoid_,
                                scratch);
        });
    std::vector<Value> expected(segments);
    for (size_t s = 0; s < segments; ++s) {
      expected[s] = fold(offsets[s], offsets[s + 1]);
    }
    const DeviceArray<Value> results(any_values<Value>(segments, random_));
    const DeviceArray<std::byte> scratch(
        poison(segmented_reduce_scratch_bytes<Value, uint32_t>(n_, segments)));
    segmented_reduce(nullptr, device_values_.read_only(), device_offsets.read_only(),
                     results.span(), monoid_, scratch.span());
    CHECK(results.host() == expected);
  }

  void check_even(size_t length) {
    const size_t segments = n_ / length;
    std::vector<Value> expected(segments);
    for (size_t s = 0; s < segments; ++s) {
      expected[s] = fold(s * length, (s + 1) * length);
    }
    const DeviceArray<Value> results(any_values<Value>(segments, random_));
    const DeviceArray<std::byte> scratch(
        poison(even_reduce_scratch_bytes<Value>(segments * length, length)));
    CAPTURE(length);
    segmented_reduce(nullptr, device_values_.read_only().first(segments * length), length,
                     results.span(), monoid_, scratch.span());
    CHECK(results.host() == expected);
  }

 private:
  Value fold(size_t first, size_t last) const {
    Value sum = monoid_.identity();
    for (size_t i = first; i < last; ++i) {
      sum = monoid_(sum, values_[i]);
    }
    return sum;
  }

  // Checks exclusive and inclusive scans, with results in another array and in place.
  template <class IsHead, class Run>
  void check_results(size_t scratch_bytes, size_t first, size_t last, const IsHead& is_head,
                     const Run& run) {
    const DeviceArray<std::byte> scratch(poison(scratch_bytes));
    const auto check = [&]<Scan kScan>() {
      const auto expected = scan_plainly(kScan, values_, poison_, first, last, monoid_, is_head);
      const DeviceArray<Value> results(poison_, skip_);
      run.template operator()<kScan>(device_values_.read_only(), results.span(), scratch.span());
      CHECK(results.host() == expected);
      const DeviceArray<Value> place(values_, skip_);
      run.template operator()<kScan>(place.read_only(), place.span(), scratch.span());
      CHECK(place.host() == scan_plainly(kScan, values_, values_, first, last, monoid_, is_head));
    };
    check.template operator()<Scan::inclusive>();
    check.template operator()<Scan::exclusive>();
  }

  void check_runs(const std::vector<uint8_t>& heads) {
    std::vector<uint64_t> keys(n_);
    std::vector<uint64_t> run_keys;
    std::vector<Value> expected;
    for (size_t i = 0; i < n_; ++i) {
      const bool is_head = i == 0 || heads[i] != 0;
      keys[i] = is_head ? (i == 0 ? 5 : keys[i - 1] ^ (i + 1)) : keys[i - 1];
      if (is_head) {
        run_keys.push_back(keys[i]);
        expected.push_back(monoid_.identity());
      }
      expected.back() = monoid_(expected.back(), values_[i]);
    }
    const DeviceArray<uint64_t> device_keys(keys, skip_);
    const DeviceArray<uint8_t> device_heads(heads, skip_);
    const DeviceArray<uint64_t> count(std::vector<uint64_t>{77});
    const DeviceArray<std::byte> scratch(
        poison(std::max(reduce_by_key_scratch_bytes<uint64_t, Value>(n_),
                        flagged_reduce_scratch_bytes<Value>(n_))));
    const DeviceArray<uint64_t> found_keys(std::vector<uint64_t>(expected.size(), 3));
    {
      const DeviceArray<Value> results(any_values<Value>(expected.size(), random_));
      reduce_by_key(nullptr, device_keys.read_only(), device_values_.read_only(), found_keys.span(),
                    results.span(), count.span().data(), monoid_, scratch.span());
      CHECK(count.host()[0] == expected.size());
      CHECK(found_keys.host() == run_keys);
      CHECK(results.host() == expected);
    }
    const DeviceArray<Value> results(any_values<Value>(expected.size(), random_));
    const DeviceArray<uint64_t> again(std::vector<uint64_t>{77});
    flagged_reduce(nullptr, device_values_.read_only(), device_heads.read_only(), results.span(),
                   again.span().data(), monoid_, scratch.span());
    CHECK(again.host()[0] == expected.size());
    CHECK(results.host() == expected);
  }

  size_t n_;
  size_t skip_;
  M monoid_;
  std::mt19937_64& random_;
  std::vector<Value> values_;
  DeviceArray<Value> device_values_;
  std::vector<Value> poison_;
};

template <class Value, class M>
void check_all(const M& monoid, uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr size_t kTile = 8 * WarpStages<Value>::kValues;
  for (const size_t n : {size_t{0}, size_t{1}, size_t{31}, size_t{33}, kTile - 1, kTile, kTile + 1,
                         3 * kTile + 5, 32 * kTile, 33 * kTile + 7, size_t{150001}}) {
    for (const size_t skip : {0, 1}) {
      CAPTURE(n);
      CAPTURE(skip);
      Case<Value, M> with(n, skip, monoid, random);
      with.check_scans();
      for (const Cut cut : kCuts) {
        CAPTURE(static_cast<int>(cut));
        with.check_cut(cut);
      }
      for (const size_t length : {1, 2, 7, 8, 33, 64, 512, 1000, 2049, 12345, 100000}) {
        with.check_even(length);
      }
    }
  }
}

}  // namespace presort::gpu::test
