// Calls every operation with every kind of plan, on arrays that a test may put anywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "presort/cpu/gather.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/multitag.h"
#include "presort/cpu/partial_sort.h"
#include "presort/cpu/scatter.h"
#include "presort/cpu/segmented.h"

namespace presort::inline v0::test {

// A block of memory in which a test places arrays. All words have the value `fill` at first.
class Arena {
 public:
  static constexpr size_t kInputs = 700;
  static constexpr size_t kBuckets = 64;
  static constexpr size_t kScratchBytes = size_t{1} << 19;
  static constexpr size_t kRoom = size_t{1} << 13;  // bytes of each array except the scratch

  explicit Arena(uint32_t fill) : words_(words(fill)) {
    size_t at = 0;
    for (size_t& offset : offsets) {
      offset = at;
      at += kRoom;
    }
  }

  // The arrays of a call, in the order of their offsets in the arena.
  enum Name {
    labels,
    values,
    buckets,
    results,
    sorted_labels,
    sorted_values,
    starts,
    heads,
    scratch
  };
  std::array<size_t, 9> offsets{};  // offset of each array in the arena, bytes

  template <class T>
  std::span<T> array(Name name, size_t count) {
    return {reinterpret_cast<T*>(begin() + offsets[name]), count};
  }

  bool is_as_it_was() const { return words_ == words(words_.back()); }

 private:
  std::byte* begin() {
    const auto address = reinterpret_cast<uintptr_t>(words_.data());
    return reinterpret_cast<std::byte*>(words_.data()) + ((address + 63) / 64 * 64 - address);
  }
  static std::vector<uint32_t> words(uint32_t fill) {
    return std::vector<uint32_t>((8 * kRoom + kScratchBytes + kRoom) / sizeof(uint32_t), fill);
  }

  std::vector<uint32_t> words_;
};

struct OperationCase {
  std::string name;
  std::vector<Arena::Name> read;
  std::vector<Arena::Name> written;
  std::function<void(Arena&, cpu::Checks)> run;
};

inline std::vector<OperationCase> operations_on_buckets() {
  using Word = uint32_t;
  constexpr size_t n = Arena::kInputs;
  constexpr size_t m = Arena::kBuckets;
  std::vector<OperationCase> cases;
  const auto add = [&](const std::string& name, const std::string& text,
                       const std::vector<Arena::Name>& read, std::vector<Arena::Name> written,
                       auto run) {
    const CpuPlan plan = parse_cpu_plan(text);
    written.push_back(Arena::scratch);
    cases.push_back({name + " " + text, read, written, [=](Arena& a, cpu::Checks checks) {
                       run(a, plan, a.array<std::byte>(Arena::scratch, Arena::kScratchBytes),
                           checks);
                     }});
  };
  const auto labels = [](Arena& a) {
    return std::span<const Word>(a.array<Word>(Arena::labels, n));
  };
  const auto values = [](Arena& a) {
    return std::span<const Word>(a.array<Word>(Arena::values, n));
  };
  const auto buckets = [](Arena& a) { return a.array<Word>(Arena::buckets, m); };
  const auto results = [](Arena& a) { return a.array<Word>(Arena::results, n); };
  const std::vector<std::string> sorts = {"sortBits=4", "sortBits=4,threads=3",
                                          "sortBits=4,passes=2,layout=separate"};
  std::vector<std::string> updates = {"sortBits=0", "sortBits=0,threads=3",
                                      "strategy=privateTables,threads=3"};
  updates.insert(updates.end(), sorts.begin(), sorts.end());
  const std::vector<std::string> ranges = {"rangePasses=3", "rangePasses=2,threads=3"};
  std::vector<std::string> sets = updates;
  sets.insert(sets.end(), ranges.begin(), ranges.end());
  sets.push_back("nSets=4");
  std::vector<std::string> scatters = updates;
  scatters.insert(scatters.end(), ranges.begin(), ranges.end());
  for (const std::string& text : scatters) {
    add("scatter", text, {Arena::labels, Arena::values}, {Arena::buckets},
        [=](Arena& a, const CpuPlan& plan, auto scratch, cpu::Checks checks) {
          cpu::scatter(labels(a), values(a), buckets(a), plan, scratch, checks);
        });
    add("scatter_any", text, {Arena::labels, Arena::values}, {Arena::buckets},
        [=](Arena& a, const CpuPlan& plan, auto scratch, cpu::Checks checks) {
          cpu::scatter_any(labels(a), values(a), buckets(a), plan, scratch, checks);
        });
    add("scatter_or_default", text, {Arena::labels, Arena::values}, {Arena::buckets},
        [=](Arena& a, const CpuPlan& plan, auto scratch, cpu::Checks checks) {
          cpu::scatter_or_default(labels(a), values(a), Word{7}, buckets(a), plan, scratch, checks);
        });
  }
  for (const std::string& text : updates) {
    const bool grouped = text.starts_with("strategy");
    add("multiscan", text, {Arena::labels, Arena::values}, {Arena::buckets, Arena::results},
        [=](Arena& a, const CpuPlan& plan, auto scratch, cpu::Checks checks) {
          cpu::multiscan<cpu::Scan::inclusive>(labels(a), values(a), buckets(a), results(a),
                                               Sum<Word>{}, plan, scratch, checks);
        });
    add("multitag", text, {Arena::labels}, {Arena::buckets, Arena::results},
        [=](Arena& a, const CpuPlan& plan, auto scratch, cpu::Checks checks) {
          cpu::multitag(labels(a), buckets(a), results(a), plan, scratch, checks);
        });
    if (!grouped) {
      add("gather", text, {Arena::labels, Arena::buckets}, {Arena::results},
          [=](Arena& a, const CpuPlan& plan, auto scratch, cpu::Checks checks) {
            cpu::gather(labels(a), std::span<const Word>(buckets(a)), results(a), plan, scratch,
                        checks);
          });
    }
  }
  sets.push_back("sortBits=4,chunkBytes=16KiB");
  for (const std::string& text : sets) {
    add("multireduce", text, {Arena::labels, Arena::values}, {Arena::buckets},
        [=](Arena& a, const CpuPlan& plan, auto scratch, cpu::Checks checks) {
          cpu::multireduce(labels(a), values(a), buckets(a), Sum<Word>{}, plan, scratch, checks);
        });
    add("histogram", text, {Arena::labels}, {Arena::buckets},
        [=](Arena& a, const CpuPlan& plan, auto scratch, cpu::Checks checks) {
          cpu::histogram(labels(a), buckets(a), plan, scratch, checks);
        });
  }
  std::vector<std::string> partial = sorts;
  partial.push_back("sortBits=0");
  for (const std::string& text : partial) {
    add("partial_sort", text, {Arena::labels, Arena::values},
        {Arena::sorted_labels, Arena::sorted_values, Arena::starts},
        [=](Arena& a, const CpuPlan& plan, auto scratch, cpu::Checks checks) {
          const size_t parts = cpu::partial_sort_parts(plan, m);
          cpu::partial_sort(labels(a), values(a), m, a.array<Word>(Arena::sorted_labels, n),
                            a.array<Word>(Arena::sorted_values, n),
                            a.array<size_t>(Arena::starts, parts + 1), plan, scratch, checks);
        });
  }
  return cases;
}

inline std::vector<OperationCase> operations_on_segments() {
  using Word = uint32_t;
  constexpr size_t n = Arena::kInputs;
  constexpr size_t s = Arena::kBuckets;
  std::vector<OperationCase> cases;
  const auto values = [](Arena& a) {
    return std::span<const Word>(a.array<Word>(Arena::values, n));
  };
  const auto starts = [](Arena& a) {
    return std::span<const Word>(a.array<Word>(Arena::starts, s + 1));
  };
  const auto heads = [](Arena& a) {
    return std::span<const uint8_t>(a.array<uint8_t>(Arena::heads, n));
  };
  for (const size_t threads : {0, 1, 3}) {
    const std::string text = " threads " + std::to_string(threads);
    const auto with_team = [=](const auto& f) {
      if (threads == 0) {
        f();
      } else {
        cpu::ThreadTeam team(threads);
        f(team);
      }
    };
    cases.push_back({"segmented_reduce" + text,
                     {Arena::values, Arena::starts},
                     {Arena::results},
                     [=](Arena& a, cpu::Checks) {
                       with_team([&](auto&... team) {
                         cpu::segmented_reduce(values(a), starts(a),
                                               a.array<Word>(Arena::results, s), Sum<Word>{},
                                               team...);
                       });
                     }});
    cases.push_back({"segmented_scan" + text,
                     {Arena::values, Arena::starts},
                     {Arena::results},
                     [=](Arena& a, cpu::Checks) {
                       with_team([&](auto&... team) {
                         cpu::segmented_scan<cpu::Scan::inclusive>(values(a), starts(a),
                                                                   a.array<Word>(Arena::results, n),
                                                                   Sum<Word>{}, team...);
                       });
                     }});
    cases.push_back({"flagged_scan" + text,
                     {Arena::values, Arena::heads},
                     {Arena::results},
                     [=](Arena& a, cpu::Checks) {
                       with_team([&](auto&... team) {
                         cpu::flagged_scan<cpu::Scan::inclusive>(values(a), heads(a),
                                                                 a.array<Word>(Arena::results, n),
                                                                 Sum<Word>{}, team...);
                       });
                     }});
  }
  return cases;
}

inline std::vector<OperationCase> every_operation() {
  std::vector<OperationCase> cases = operations_on_buckets();
  for (OperationCase& each : operations_on_segments()) {
    cases.push_back(std::move(each));
  }
  return cases;
}

}  // namespace presort::test
