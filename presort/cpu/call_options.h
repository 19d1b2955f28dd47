// The optional arguments of a call of choose.h: where its plan comes from, checks, scratch and
// threads.
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

// Where a call's plan comes from: a tuned table, a given plan, or, by default, a rule. Refers to the
// table or plan, which must outlive this object.
class PlanSource {
 public:
  PlanSource() = default;
  PlanSource(const Tuned& table)
      : table_(&table) {}  // NOLINT: a table converts to a source of plans
  PlanSource(const CpuPlan& plan) : plan_(&plan) {}  // NOLINT: a plan converts to a source of plans

  const CpuPlan* plan() const { return plan_; }  // the given plan; nullptr: choose one from table()
  const Tuned& table() const {                   // the tuned table; empty: plans by rule
    static const Tuned kByRule;
    return table_ != nullptr ? *table_ : kByRule;
  }

 private:
  const CpuPlan* plan_ = nullptr;
  const Tuned* table_ = nullptr;
};

struct CallOptions {
  // Checks::on: labels are checked, which takes one more pass over them
  cpu::Checks checks = cpu::Checks::off;
  // Scratch kept from call to call; nullptr: the call allocates its own
  cpu::Scratch* scratch = nullptr;
  // Team of threads to run on; nullptr: the call starts the plan's number of threads
  cpu::ThreadTeam* threads = nullptr;
};

template <class Array>
concept InOnePiece = std::ranges::contiguous_range<Array> && std::ranges::sized_range<Array>;

template <InOnePiece Array>
using ElementOf = std::ranges::range_value_t<Array>;

// The unsigned integer with as many bits as T, which kernels take for labels.
template <class T>
struct UnsignedLike {
  static_assert(std::integral<T> && !std::same_as<T, bool>, "labels are integers");
  using Type = std::make_unsigned_t<T>;
};
template <InOnePiece Array>
using LabelOf = typename UnsignedLike<ElementOf<Array>>::Type;

// A view of labels as unsigned integers; a negative label is then above every bucket.
template <InOnePiece Labels>
auto label_span(Labels&& labels) {
  using Element = std::remove_reference_t<std::ranges::range_reference_t<Labels>>;
  using Label = LabelOf<std::remove_cvref_t<Labels>>;
  using Same = std::conditional_t<std::is_const_v<Element>, const Label, Label>;
  return std::span<Same>(reinterpret_cast<Same*>(std::ranges::data(labels)),
                         std::ranges::size(labels));
}

}  // namespace presort
