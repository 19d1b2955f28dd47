#include "presort/arrays/group.h"

#include <span>
#include <string>
#include <utility>

#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/cpu/group_reduce.h"

namespace presort::inline v0::arrays {

namespace {

template <class Key, class Value>
Groups sum_typed(const Input& keys, const Input& values, const GroupOptions& options) {
  const std::span from(static_cast<const Key*>(keys.data), keys.length);
  const std::span in(static_cast<const Value*>(values.data), values.length);
  auto found = std::make_shared<presort::Groups<Key, Value>>(presort::group_sum(from, in, options));
  Groups groups;
  groups.keys = found->keys.data();
  groups.sums = found->values.data();
  groups.counts = found->counts.data();
  groups.count = found->keys.size();
  groups.partitioned = found->partitioned;
  groups.memory = std::move(found);
  return groups;
}

template <class Key>
Groups sum_by(const Input& keys, const Input& values, const GroupOptions& options) {
  switch (values.type) {
    case ScalarType::f32:
      return sum_typed<Key, float>(keys, values, options);
    case ScalarType::f64:
      return sum_typed<Key, double>(keys, values, options);
    case ScalarType::u32:
    case ScalarType::i32:
      return sum_typed<Key, uint32_t>(keys, values, options);
    case ScalarType::u64:
    case ScalarType::i64:
      return sum_typed<Key, uint64_t>(keys, values, options);
    default:
      throw SpanError("values: found elements of type " +
                      std::string(to_name(kScalarTypes, values.type)) +
                      ", accepted: u32, u64, i32, i64, f32, f64");
  }
}

}  // namespace

Groups group_sum(const Input& keys, const Input& values, const CallOptions& options,
                 size_t table_bytes) {
  if (keys.length != values.length) {
    throw PlanError("values: found " + std::to_string(values.length) +
                    " elements, accepted: " + std::to_string(keys.length) + ", as keys has");
  }
  const GroupOptions group_options{.call = options, .table_bytes = table_bytes};
  // Signed keys are grouped as the unsigned ones of the same bits.
  switch (keys.type) {
    case ScalarType::u32:
    case ScalarType::i32:
      return sum_by<uint32_t>(keys, values, group_options);
    case ScalarType::u64:
    case ScalarType::i64:
      return sum_by<uint64_t>(keys, values, group_options);
    default:
      throw SpanError("keys: found elements of type " +
                      std::string(to_name(kScalarTypes, keys.type)) +
                      ", accepted: u32, u64, i32, i64");
  }
}

}  // namespace presort::arrays
