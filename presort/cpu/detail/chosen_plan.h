// Chooses a plan for an array of labels: draws a sample of them (core/choice/label_sample.h),
// classifies it (core/choice/label_class.h), and takes the plan of a tuned table or the rule's
// (core/choice/plan_choice.h). choose.h runs it.
// Shapes:   labels[n]
// Errors:   none. Allocates nothing; 70 KiB of stack
// Order:    the same labels, m and table give the same plan
// Time:     8 µs and two overlapping cache misses for each of 192 places of the labels, whatever n
// (docs/results/cpu-kernels.md)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "presort/core/choice/label_class.h"
#include "presort/core/choice/plan_choice.h"
#include "presort/core/plan/tuned.h"
#include "presort/cpu/memory/private_cache.h"

namespace presort::inline v0::cpu {

// Names of types as wide as Label and Value, under which a tuned table has its entries.
template <class Label, class Value>
constexpr Types types_like() {
  const ScalarType label = sizeof(Label) <= 4 ? ScalarType::u32 : ScalarType::u64;
  const bool narrow = sizeof(Value) <= 4;
  if constexpr (std::is_floating_point_v<Value>) {
    return {label, narrow ? ScalarType::f32 : ScalarType::f64};
  } else if constexpr (std::is_integral_v<Value> && std::is_signed_v<Value>) {
    return {label, narrow ? ScalarType::i32 : ScalarType::i64};
  } else {
    return {label, narrow ? ScalarType::u32 : ScalarType::u64};
  }
}

// The problem of a call, with the distribution of the labels left open.
template <class Label, class Value>
Problem problem_like(Operation operation, size_t n, size_t m) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  problem.types = types_like<Label, Value>();
  return problem;
}

// Chooses a plan for an array of labels by a sample of them. Value: type of the values and buckets; of a
// histogram, that of its counts. extra: core/choice/plan_choice.h
template <class Value, class Label>
PlanChoice choose(Operation operation, std::span<const Label> labels, size_t m, const Tuned& tuned,
                  const ExtraNs& extra = {}) {
  Problem problem = problem_like<Label, Value>(operation, labels.size(), m);
  problem.distribution = nearest_distribution(traits_of(draw_sample(labels, m)));
  return choose_plan(tuned, problem, cache_sizes(), extra);
}

}  // namespace presort::cpu
