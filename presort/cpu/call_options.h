// What a call of choose.h takes beside its arrays.
#pragma once

#include <concepts>
#include <ranges>
#include <span>
#include <type_traits>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/tuned.h"
#include "presort/cpu/detail/check_labels.h"
#include "presort/cpu/memory/scratch.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0 {

// Where a call has its plan from: a table, or one that is given; nothing: by rule. It refers to
// what it is made of, which must outlive it.
class PlanSource {
 public:
  PlanSource() = default;
  PlanSource(const Tuned& table) : table_(&table) {}  // NOLINT: a table is a source of plans
  PlanSource(const CpuPlan& plan) : plan_(&plan) {}   // NOLINT: so is a plan

  const CpuPlan* plan() const { return plan_; }  // nullptr: one is to be chosen, from
  const Tuned& table() const {                   // this table, without entries by rule
    static const Tuned kByRule;
    return table_ != nullptr ? *table_ : kByRule;
  }

 private:
  const CpuPlan* plan_ = nullptr;
  const Tuned* table_ = nullptr;
};

struct CallOptions {
  cpu::Checks checks = cpu::Checks::off;  // of all labels, one more pass over them
  cpu::Scratch* scratch = nullptr;        // nothing: of the call's own
  cpu::ThreadTeam* threads = nullptr;     // nothing: as many as the plan has, started for the call
};

template <class Array>
concept InOnePiece = std::ranges::contiguous_range<Array> && std::ranges::sized_range<Array>;

template <InOnePiece Array>
using ElementOf = std::ranges::range_value_t<Array>;

// The unsigned integer of as many bits: what kernels take for labels.
template <class T>
struct UnsignedLike {
  static_assert(std::integral<T> && !std::same_as<T, bool>, "labels are integers");
  using Type = std::make_unsigned_t<T>;
};
template <InOnePiece Array>
using LabelOf = typename UnsignedLike<ElementOf<Array>>::Type;

// The labels as unsigned integers; a negative label is then above every bucket.
template <InOnePiece Labels>
auto label_span(Labels&& labels) {
  using Element = std::remove_reference_t<std::ranges::range_reference_t<Labels>>;
  using Label = LabelOf<std::remove_cvref_t<Labels>>;
  using Same = std::conditional_t<std::is_const_v<Element>, const Label, Label>;
  return std::span<Same>(reinterpret_cast<Same*>(std::ranges::data(labels)),
                         std::ranges::size(labels));
}

}  // namespace presort
