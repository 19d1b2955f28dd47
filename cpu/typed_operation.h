// The kernels by the name of their operation, and the plain loops that they are checked with.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "core/error.h"
#include "core/problem.h"
#include "cpu/gather.h"
#include "cpu/histogram.h"
#include "cpu/multireduce.h"
#include "cpu/multiscan.h"
#include "cpu/multitag.h"
#include "cpu/scatter.h"

namespace presort::cpu {

// Bytes of scratch for the plan. Requires: check_plan(plan, problem) passes
template <class Label, class Value>
size_t operation_scratch_bytes(const Problem& problem, const Plan& plan) {
  switch (problem.operation) {
    case Operation::multireduce:
    case Operation::scatter:
      return scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::gather:
      return gather_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::histogram:
      return histogram_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::multiscan:
      return multiscan_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::multitag:
      return multitag_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
  }
  throw Error("an operation without a kernel");
}

// What an operation works on. Those that have no values, or no results, have them empty.
template <class Label, class Value>
struct OperationArrays {
  std::span<const Label> labels;
  std::span<const Value> values;
  std::span<Value> results;
  std::span<Value> buckets;
};

// Operations for which a value is its bytes, or a count.
constexpr bool works_on_words(Operation operation) {
  return operation == Operation::gather || counts_labels(operation);
}

template <class Label, class Word>
void run_word_operation(Operation operation, const OperationArrays<Label, Word>& a,
                        const Plan& plan, std::span<std::byte> scratch, ThreadTeam& threads) {
  switch (operation) {
    case Operation::gather:
      return gather(a.labels, std::span<const Word>(a.buckets), a.results, plan, scratch, threads);
    case Operation::histogram:
      return histogram(a.labels, a.buckets, plan, scratch, threads);
    case Operation::multitag:
      return multitag(a.labels, a.buckets, a.results, plan, scratch, threads);
    default:
      throw Error("an operation on more than words");
  }
}

// Requires: Value is unsigned if the operation works on words
template <class Label, class Value>
void run_operation(Operation operation, const OperationArrays<Label, Value>& a, const Plan& plan,
                   std::span<std::byte> scratch, ThreadTeam& threads) {
  if constexpr (std::is_unsigned_v<Value>) {
    if (works_on_words(operation)) {
      return run_word_operation(operation, a, plan, scratch, threads);
    }
  }
  switch (operation) {
    case Operation::multireduce:
      return multireduce(a.labels, a.values, a.buckets, Sum<Value>{}, plan, scratch, threads);
    case Operation::scatter:
      return scatter(a.labels, a.values, a.buckets, plan, scratch, threads);
    case Operation::multiscan:
      return multiscan<Scan::exclusive>(a.labels, a.values, a.buckets, a.results, Sum<Value>{},
                                        plan, scratch, threads);
    default:
      throw Error("an operation on words alone");
  }
}

// Independent of the kernels.
template <class Label, class Value>
void run_plain_loop(Operation operation, const OperationArrays<Label, Value>& a) {
  for (size_t i = 0; i < a.labels.size(); ++i) {
    Value& bucket = a.buckets[a.labels[i]];
    switch (operation) {
      case Operation::multireduce:
        bucket = bucket + a.values[i];
        break;
      case Operation::scatter:
        bucket = a.values[i];
        break;
      case Operation::gather:
        a.results[i] = bucket;
        break;
      case Operation::histogram:
        bucket = bucket + 1;
        break;
      case Operation::multiscan:
        a.results[i] = bucket;
        bucket = bucket + a.values[i];
        break;
      case Operation::multitag:
        a.results[i] = bucket;
        bucket = bucket + 1;
        break;
    }
  }
}

}  // namespace presort::cpu
