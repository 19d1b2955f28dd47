#include "tests/gpu/cpu_oracle.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "presort/core/monoid.h"

namespace presort::inline v0::gpu::test {
namespace {

// Calls call(monoid) with the monoid that has the given name.
template <class Value, class Call>
auto with_operator(Operator op, const Call& call) {
  switch (op) {
    case Operator::sum:
      return call(Sum<Value>{});
    case Operator::min:
      return call(Min<Value>{});
    case Operator::max:
      return call(Max<Value>{});
  }
  std::abort();
}

}  // namespace

template <class Label, class Value>
auto CpuOracle<Label, Value>::multireduce(const Labels& labels, const Values& values,
                                          Values buckets, Operator op) -> Values {
  return with_operator<Value>(op, [&](const auto& monoid) {
    for (size_t i = 0; i < labels.size(); ++i) {
      buckets.at(labels[i]) = monoid(buckets.at(labels[i]), values[i]);
    }
    return std::move(buckets);
  });
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::scatter(const Labels& labels, const Values& values, Values buckets)
    -> Values {
  for (size_t i = 0; i < labels.size(); ++i) {
    buckets.at(labels[i]) = values[i];
  }
  return buckets;
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::gather(const Labels& labels, const Values& table) -> Values {
  Values results(labels.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    results[i] = table.at(labels[i]);
  }
  return results;
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::multiscan(const Labels& labels, const Values& values, Values buckets,
                                        bool is_inclusive, Operator op) -> Scanned<Value> {
  return with_operator<Value>(op, [&](const auto& monoid) {
    Values results(labels.size());
    for (size_t i = 0; i < labels.size(); ++i) {
      const Value before = buckets.at(labels[i]);
      const Value after = monoid(before, values[i]);
      buckets[labels[i]] = after;
      results[i] = is_inclusive ? after : before;
    }
    return Scanned<Value>{std::move(results), std::move(buckets)};
  });
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::multitag(const Labels& labels, Values counts) -> Scanned<Value> {
  Values results(labels.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    results[i] = counts.at(labels[i])++;
  }
  return {std::move(results), std::move(counts)};
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::histogram(const Labels& labels, Values counts) -> Values {
  for (const Label label : labels) {
    ++counts.at(label);
  }
  return counts;
}

template struct CpuOracle<uint32_t, uint32_t>;
template struct CpuOracle<uint32_t, int32_t>;
template struct CpuOracle<uint32_t, float>;
template struct CpuOracle<uint32_t, uint64_t>;
template struct CpuOracle<uint32_t, int64_t>;
template struct CpuOracle<uint32_t, double>;
template struct CpuOracle<uint64_t, uint32_t>;
template struct CpuOracle<uint64_t, int32_t>;
template struct CpuOracle<uint64_t, float>;
template struct CpuOracle<uint64_t, uint64_t>;
template struct CpuOracle<uint64_t, int64_t>;
template struct CpuOracle<uint64_t, double>;

}  // namespace presort::gpu::test
