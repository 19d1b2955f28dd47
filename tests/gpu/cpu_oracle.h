// Results of plain loops over the inputs in their order; labels are checked. The CPU library's own
// tests compare it with such loops too. Its templates for all types here would take minutes to
// compile.
#pragma once

#include <vector>

namespace presort::inline v0::gpu::test {

enum class Operator { sum, min, max };
inline constexpr Operator kOperators[] = {Operator::sum, Operator::min, Operator::max};

// The results and the buckets after a scan per bucket.
template <class Value>
struct Scanned {
  std::vector<Value> results;
  std::vector<Value> buckets;
  bool operator==(const Scanned&) const = default;
};

template <class Label, class Value>
struct CpuOracle {
  using Labels = std::vector<Label>;
  using Values = std::vector<Value>;
  static Values multireduce(const Labels& labels, const Values& values, Values buckets,
                            Operator op);
  static Values scatter(const Labels& labels, const Values& values, Values buckets);
  static Values gather(const Labels& labels, const Values& table);
  static Scanned<Value> multiscan(const Labels& labels, const Values& values, Values buckets,
                                  bool is_inclusive, Operator op);
  static Scanned<Value> multitag(const Labels& labels,
                                 Values counts);  // types of values: u32 and u64 only
  static Values histogram(const Labels& labels,
                          Values counts);  // types of values: u32 and u64 only
};

}  // namespace presort::gpu::test
