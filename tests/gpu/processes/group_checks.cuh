// Operations of a group of processes beside plain loops over the inputs of all ranks. Every rank
// makes the inputs of all by the same seed, works on its own share, and compares its own part.
// Checks return what is wrong, or nothing, and not doctest's macros: ranks are threads or
// processes.
#pragma once

#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "presort/gpu/processes/gather.cuh"
#include "presort/gpu/processes/measure_link.cuh"
#include "presort/gpu/processes/multireduce.cuh"
#include "presort/gpu/processes/scatter.cuh"
#include "tests/gpu/devices/shared_arrays.cuh"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::test {

struct GroupSize {
  size_t n;
  uint64_t m;
};
inline constexpr GroupSize kGroupSizes[] = {{0, 1},
                                            {1, 1},
                                            {1, 7},
                                            {31, 2},
                                            {33, 1000},
                                            {4097, 255},
                                            {100'003, 1},
                                            {100'003, 70'001},
                                            {1'000'001, 17},
                                            {1'000'001, 1u << 20},
                                            {(1u << 20) + 5, (1u << 21) + 3}};

// A problem whose inputs and buckets are cut into shares.
template <class Label, class Value>
struct GroupCase {
  std::vector<Label> labels;
  std::vector<Value> values;
  std::vector<Value> buckets;
  std::vector<uint64_t> input_sizes;
  std::vector<uint64_t> bucket_sizes;

  static GroupCase draw(const ProcessGroup& group, const GroupSize& size, bool is_even,
                        uint64_t seed) {
    std::mt19937_64 random(seed);
    GroupCase one;
    const Kind kind = kKinds[random() % std::size(kKinds)];
    one.labels = make_labels<Label>(kind, size.n, size.m, random);
    one.values = make_values<Value>(size.n, random);
    one.buckets = make_values<Value>(size.m, random);
    one.input_sizes =
        is_even ? even_ranges(size.n, group.size()) : random_sizes(size.n, group.size(), random);
    one.bucket_sizes =
        is_even ? even_ranges(size.m, group.size()) : random_sizes(size.m, group.size(), random);
    return one;
  }
};

// The share of a rank.
template <class T>
std::vector<T> share_of(const std::vector<T>& all, const std::vector<uint64_t>& sizes,
                        size_t rank) {
  return cut(all, sizes.size(), sizes)[rank];
}

// Runs check(size, is_even, scheme, seed) for all sizes, even shares and others, and the schemes,
// and returns what is wrong first.
template <class Check>
std::string for_all_groups(const Check& check) {
  uint64_t seed = 71;
  for (const GroupSize& size : kGroupSizes) {
    for (const bool is_even : {true, false}) {
      for (const std::optional<DeviceScheme> scheme :
           {std::optional<DeviceScheme>{}, std::optional(DeviceScheme::tables),
            std::optional(DeviceScheme::inputs)}) {
        const std::string wrong = check(size, is_even, scheme, ++seed);
        if (!wrong.empty()) {
          return "n=" + std::to_string(size.n) + " m=" + std::to_string(size.m) +
                 (is_even ? ", even shares, scheme " : ", scheme ") +
                 (scheme ? std::to_string(static_cast<int>(*scheme)) : "chosen") + ": " + wrong;
        }
      }
    }
  }
  return "";
}

template <class Label, class Value, class M>
std::string check_multireduce(const ProcessGroup& group) {
  return for_all_groups([&](const GroupSize& size, bool is_even, auto scheme, uint64_t seed) {
    const auto one = GroupCase<Label, Value>::draw(group, size, is_even, seed);
    std::vector<Value> expected = one.buckets;
    for (size_t i = 0; i < size.n; ++i) {
      expected[one.labels[i]] = M{}(expected[one.labels[i]], one.values[i]);
    }
    const DeviceArray<Label> labels(share_of(one.labels, one.input_sizes, group.rank()));
    const DeviceArray<Value> values(share_of(one.values, one.input_sizes, group.rank()));
    const DeviceArray<Value> buckets(share_of(one.buckets, one.bucket_sizes, group.rank()));
    multireduce(group, labels.span(), values.span(), buckets.span(), M{}, {.scheme = scheme});
    group.synchronize();
    return difference(buckets.host(), share_of(expected, one.bucket_sizes, group.rank()));
  });
}

template <class Label, class Count>
std::string check_histogram(const ProcessGroup& group) {
  return for_all_groups([&](GroupSize size, bool is_even, auto scheme, uint64_t seed) {
    if (sizeof(Label) < 4) {
      size.m = std::min<uint64_t>(size.m, 200);
      scheme = std::nullopt;
    }
    const auto one = GroupCase<Label, Count>::draw(group, size, is_even, seed);
    std::vector<Count> expected = one.buckets;
    for (const Label label : one.labels) {
      ++expected[label];
    }
    const DeviceArray<Label> labels(share_of(one.labels, one.input_sizes, group.rank()));
    const DeviceArray<Count> counts(share_of(one.buckets, one.bucket_sizes, group.rank()));
    histogram(group, labels.span(), counts.span(), {.scheme = scheme});
    group.synchronize();
    return difference(counts.host(), share_of(expected, one.bucket_sizes, group.rank()));
  });
}

template <class Label, class Value>
std::string check_scatter(const ProcessGroup& group) {
  return for_all_groups([&](const GroupSize& size, bool is_even, auto scheme, uint64_t seed) {
    auto one = GroupCase<Label, Value>::draw(group, size, is_even, seed);
    std::iota(one.values.begin(), one.values.end(), Value{100});
    std::vector<Value> expected = one.buckets;
    for (size_t i = 0; i < size.n; ++i) {
      expected[one.labels[i]] = one.values[i];
    }
    const DeviceArray<Label> labels(share_of(one.labels, one.input_sizes, group.rank()));
    const DeviceArray<Value> values(share_of(one.values, one.input_sizes, group.rank()));
    const DeviceArray<Value> buckets(share_of(one.buckets, one.bucket_sizes, group.rank()));
    scatter(group, labels.span(), values.span(), buckets.span(), {.scheme = scheme});
    group.synchronize();
    return difference(buckets.host(), share_of(expected, one.bucket_sizes, group.rank()));
  });
}

template <class Label, class Value>
std::string check_gather(const ProcessGroup& group) {
  return for_all_groups([&](const GroupSize& size, bool is_even, auto, uint64_t seed) {
    const auto one = GroupCase<Label, Value>::draw(group, size, is_even, seed);
    std::vector<Value> expected;
    for (const Label label : one.labels) {
      expected.push_back(one.buckets[label]);
    }
    const std::vector<Value> before(size.n, Value{77});
    const DeviceArray<Label> labels(share_of(one.labels, one.input_sizes, group.rank()));
    const DeviceArray<Value> results(share_of(before, one.input_sizes, group.rank()));
    const DeviceArray<Value> buckets(share_of(one.buckets, one.bucket_sizes, group.rank()));
    gather(group, labels.span(), buckets.span(), results.span());
    group.synchronize();
    return difference(results.host(), share_of(expected, one.input_sizes, group.rank()));
  });
}

// The message of a call that fails on this rank; empty where it does not fail.
template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Calls that the last rank makes wrongly fail on all ranks, with its number, and leave buckets
// alone.
inline std::string check_refusals(const ProcessGroup& group) {
  const size_t last = group.size() - 1;
  const bool is_last = group.rank() == last;
  const std::string named = "rank " + std::to_string(last) + ": ";
  const std::vector<uint32_t> before(9, 5);
  const DeviceArray<uint32_t> labels(std::vector<uint32_t>(100, 3));
  const DeviceArray<uint32_t> values(std::vector<uint32_t>(100, 1));
  const DeviceArray<uint32_t> buckets(before);
  const auto expect = [&](const std::string& found, const std::string& begin) {
    group.synchronize();
    return found.starts_with(begin) && buckets.host() == before
               ? ""
               : "found '" + found + "', expected '" + begin + "...'; ";
  };
  std::string wrong;
  wrong += expect(message_of([&] {
                    multireduce(group, labels.span(), values.span().first(is_last ? 99 : 100),
                                buckets.span());
                  }),
                  named + "values");
  wrong += expect(message_of([&] {
                    multireduce(group, labels.span(), values.span(), buckets.span(),
                                Sum<uint32_t>{}, {.scheme = DeviceScheme::rounds});
                  }),
                  "rank 0: scheme: found rounds");
  if (group.size() > 1) {
    // Buckets that no device has memory for; nothing looks at them.
    const std::span<uint64_t> wide(reinterpret_cast<uint64_t*>(buckets.span().data()),
                                   is_last ? uint64_t{1} << 40 : 4);
    const DeviceArray<uint64_t> long_labels(std::vector<uint64_t>(100, 3));
    const DeviceArray<uint64_t> long_values(std::vector<uint64_t>(100, 1));
    wrong += expect(message_of([&] {
                      multireduce(group, long_labels.span(), long_values.span(), wide,
                                  Sum<uint64_t>{}, {.scheme = DeviceScheme::tables});
                    }),
                    "rank 0: ");
    wrong += expect(message_of([&] {
                      if (is_last) {
                        histogram(group, labels.span(), buckets.span());
                      } else {
                        scatter(group, labels.span(), values.span(), buckets.span());
                      }
                    }),
                    named);
  }
  return wrong;
}

// A link is measured, the same on all ranks; one rank alone has none.
inline std::string check_link(const ProcessGroup& group) {
  if (group.size() == 1) {
    const std::string found = message_of([&] { measure_link(group); });
    return found == "rank 0: a link: found 1 rank, accepted: 2 or more" ? "" : found;
  }
  const DeviceLink link = measure_link(group);
  for (const DeviceLink& other : group.all_gather(link)) {
    if (!(other == link)) {
      return "ranks have measured different links";
    }
  }
  return link.bandwidth > 1e8 && link.latency_ns > 0 ? "" : "a link that cannot be";
}

}  // namespace presort::gpu::test
