#include "tests/gpu/cpu_oracle.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "presort/cpu/gather.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/multitag.h"
#include "presort/cpu/scatter.h"

namespace presort::inline v0::gpu::test {
namespace {

const CpuPlan kDirect;

template <class Label, class Value, class M>
void reduce_plainly(const std::vector<Label>& labels, const std::vector<Value>& values,
                    std::vector<Value>& buckets, const M& monoid) {
  cpu::multireduce(std::span<const Label>(labels), std::span<const Value>(values),
                   std::span<Value>(buckets), monoid, kDirect, {}, cpu::Checks::on);
}

template <class Label, class Value, class M>
Scanned<Value> scan_plainly(const std::vector<Label>& labels, const std::vector<Value>& values,
                            std::vector<Value> buckets, bool is_inclusive, const M& monoid) {
  Scanned<Value> scanned{std::vector<Value>(labels.size()), std::move(buckets)};
  const auto scan = [&]<cpu::Scan kScan>() {
    cpu::multiscan<kScan>(std::span<const Label>(labels), std::span<const Value>(values),
                          std::span<Value>(scanned.buckets), std::span<Value>(scanned.results),
                          monoid, kDirect, {}, cpu::Checks::on);
  };
  if (is_inclusive) {
    scan.template operator()<cpu::Scan::inclusive>();
  } else {
    scan.template operator()<cpu::Scan::exclusive>();
  }
  return scanned;
}

}  // namespace

template <class Label, class Value>
auto CpuOracle<Label, Value>::multireduce(const Labels& labels, const Values& values,
                                          Values buckets, Operator op) -> Values {
  switch (op) {
    case Operator::sum:
      reduce_plainly(labels, values, buckets, Sum<Value>{});
      break;
    case Operator::min:
      reduce_plainly(labels, values, buckets, Min<Value>{});
      break;
    case Operator::max:
      reduce_plainly(labels, values, buckets, Max<Value>{});
      break;
  }
  return buckets;
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::scatter(const Labels& labels, const Values& values, Values buckets)
    -> Values {
  cpu::scatter(std::span<const Label>(labels), std::span<const Value>(values),
               std::span<Value>(buckets), kDirect, {}, cpu::Checks::on);
  return buckets;
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::gather(const Labels& labels, const Values& table) -> Values {
  Values results(labels.size());
  cpu::gather(std::span<const Label>(labels), std::span<const Value>(table),
              std::span<Value>(results), kDirect, {}, cpu::Checks::on);
  return results;
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::multiscan(const Labels& labels, const Values& values, Values buckets,
                                        bool is_inclusive, Operator op) -> Scanned<Value> {
  switch (op) {
    case Operator::sum:
      return scan_plainly(labels, values, std::move(buckets), is_inclusive, Sum<Value>{});
    case Operator::min:
      return scan_plainly(labels, values, std::move(buckets), is_inclusive, Min<Value>{});
    case Operator::max:
      return scan_plainly(labels, values, std::move(buckets), is_inclusive, Max<Value>{});
  }
  std::abort();
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::multitag(const Labels& labels, Values counts) -> Scanned<Value> {
  Scanned<Value> tagged{Values(labels.size()), std::move(counts)};
  if constexpr (std::is_unsigned_v<Value>) {
    cpu::multitag(std::span<const Label>(labels), std::span<Value>(tagged.buckets),
                  std::span<Value>(tagged.results), kDirect, {}, cpu::Checks::on);
  }
  return tagged;
}

template <class Label, class Value>
auto CpuOracle<Label, Value>::histogram(const Labels& labels, Values counts) -> Values {
  if constexpr (std::is_unsigned_v<Value>) {
    cpu::histogram(std::span<const Label>(labels), std::span<Value>(counts), kDirect, {},
                   cpu::Checks::on);
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
