// Every operation in one call, which chooses its plan by the size of the problem and the ceilings
// of the current device (gpu/plan/choose_plan.h):
//   gpu::multireduce(labels, values, buckets);                      // sums, on the default stream
//   gpu::multireduce(labels, values, buckets, Max<float>{}, {.stream = stream});
//   gpu::multireduce(labels, values, buckets, InOrder<Sum<float>>{});  // the same bits in every run
//   const GpuPlan chosen = gpu::histogram(labels, counts, {.labels = known_distribution});
// Shapes:   spans of device memory as in the header of each operation, whose contract holds too;
//           labels of any integer type of 4 or 8 bytes, a histogram's of 1 and 2 bytes
// Returns:  the plan that ran
// Stream:   everything runs on call.stream; the host waits for nothing, but with looks_at_labels
//           and checks_labels, so that a graph can capture it. Scratch is the caller's
//           call.workspace, or taken from a memory pool and given back in the order of the stream
// Errors:   as the operation; EnvironmentError when there is no device; LabelError with
//           call.checks_labels for the first label without a bucket. Before anything is launched
#pragma once

#include <optional>
#include <span>
#include <type_traits>

#include "presort/core/labels/distribution.h"
#include "presort/core/monoid.h"
#include "presort/core/scan.h"
#include "presort/gpu/check_labels.cuh"
#include "presort/gpu/device/scatter_block.cuh"
#include "presort/gpu/device/scatter_grid.cuh"
#include "presort/gpu/gather.cuh"
#include "presort/gpu/histogram.cuh"
#include "presort/gpu/host/current_gpu.h"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/multiscan.cuh"
#include "presort/gpu/multitag.cuh"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/labels/learned_labels.cuh"
#include "presort/gpu/plan/labels/sampled_distribution.cuh"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/plan/plan_memo.h"
#include "presort/gpu/scatter.cuh"
#include "presort/gpu/workspace.cuh"

namespace presort::inline v0::gpu {

struct Call {
  cudaStream_t stream = nullptr;
  // Plan to run, such as one of a tuned file; none: the call chooses one
  std::optional<GpuPlan> plan = {};
  // Distribution of the labels if it is known; gpu::sampled_distribution
  // (gpu/plan/labels/sampled_distribution.cuh) finds it
  std::optional<Distribution> labels = {};
  std::span<std::byte> workspace = {};  // scratch, aligned to 64 bytes; empty: from the pool
  cudaMemPool_t pool = nullptr;  // pool for scratch; nullptr: scratch_pool() (gpu/workspace.cuh)
  // True: take the distribution from a sample of the labels, which waits for the stream, some 40 µs
  bool looks_at_labels = false;
  // True: a multireduce or histogram of many inputs whose scratch comes from a pool learns the
  // distribution from earlier calls with the same array (gpu/plan/labels/learned_labels.cuh). False:
  // its plan follows from the sizes
  bool learns_labels = true;
  bool checks_labels = false;  // true: checks the labels, which waits for the stream
};

namespace detail {

// Labels as the operations take them: unsigned. A negative label is one beyond every bucket.
template <class Label>
auto unsigned_labels(std::span<Label> labels) {
  using Integer = std::remove_const_t<Label>;
  static_assert(std::is_integral_v<Integer>, "labels are integers");
  using Unsigned = std::make_unsigned_t<Integer>;
  using Word = std::conditional_t<sizeof(Unsigned) == 8, unsigned long, Unsigned>;
  return std::span<const Word>(reinterpret_cast<const Word*>(labels.data()), labels.size());
}

// Most bytes of a value for which plan times have a type.
inline constexpr size_t kMostTimedBytes = 8;

// Value type that plan times assume for an operator. Only its size matters, and whether
// tables in shared memory are updated in one step or by compare and swap.
template <class Value, class M>
constexpr ScalarType timed_type() {
  if constexpr (kSumsByParts<M, Value> && sizeof(Value) > kMostTimedBytes) {
    return timed_type<typename M::Part, Sum<typename M::Part>>();
  }
  if (sizeof(Value) == 4) {
    return kCombinesInOneStep<M, Value> ? ScalarType::u32 : ScalarType::f32;
  }
  return kAddsInTwoSteps<M, Value> ? ScalarType::u64 : ScalarType::f64;
}

// Number of parts of a value that are timed by themselves: of a value that is too large for plan
// times.
template <class Value, class M>
constexpr int timed_parts() {
  if constexpr (kSumsByParts<M, Value> && sizeof(Value) > kMostTimedBytes) {
    return static_cast<int>(M::kParts);
  }
  return 1;
}

template <class Label>
constexpr ScalarType label_type() {
  return sizeof(Label) == 8   ? ScalarType::u64
         : sizeof(Label) == 4 ? ScalarType::u32
         : sizeof(Label) == 2 ? ScalarType::u16
                              : ScalarType::u8;
}

// The plan that a call without a given plan chooses, checked once for `use` on this device.
inline GpuPlan chosen_plan(const Call& call, Problem problem, const GpuUse& use, int parts) {
  const Gpu& gpu = current_gpu();
  if (call.labels) {
    problem.distribution = *call.labels;
  }
  const PlanQuestion question = {.gpu = &gpu,
                                 .operation = problem.operation,
                                 .n = problem.n,
                                 .m = problem.m,
                                 .types = problem.types,
                                 .knows_labels = call.labels.has_value(),
                                 .parts = parts,
                                 .kind = problem.distribution.kind,
                                 .parameter = problem.distribution.parameter,
                                 .more = problem.distribution.more};
  return remembered_plan(question, [&] {
    const GpuPlan plan = parts > 1
                             ? choose_plan_of_parts(gpu, problem, parts, call.labels.has_value())
                         : call.labels ? choose_plan_for_labels(gpu, problem)
                                       : choose_safe_plan(gpu, problem);
    check_use(plan, use);
    return plan;
  });
}

// A call that asks for nothing but the operation, so that its plan follows from its size.
inline bool has_no_wishes(const Call& call) {
  return !call.plan && !call.labels && !call.looks_at_labels && !call.checks_labels;
}

// The size of the last call, by this thread, that was made by atomics. A call that repeats it
// launches one kernel and needs nothing else: with few inputs, choosing took up to 0.8 of 6 µs (one
// H100, 2026-11-25).
class LastByAtomics {
 public:
  // True if a call of this size is made by atomics, by the plan of the last one.
  bool is_repeated(const Call& call, uint64_t n, uint64_t m) const {
    return n == n_ && m == m_ && has_no_wishes(call) && gpu_ == &current_gpu();
  }

  // Keeps the size of a call whose plan was chosen. Calls that learn go on choosing.
  void keep(const Call& call, uint64_t n, uint64_t m, const GpuPlan& plan) {
    if (n > 0 && n < kFewestInputsOfLearning && has_no_wishes(call) && plan == kAtomics) {
      n_ = n;
      m_ = m;
      gpu_ = &current_gpu();
    }
  }

  static constexpr GpuPlan kAtomics = {.presort = {}, .strategy = GpuStrategy::globalSets};

 private:
  const Gpu* gpu_ = nullptr;
  uint64_t n_ = 0;
  uint64_t m_ = 0;
};

// The last call of an operation with these types.
template <Operation kOperation, class... Types>
LastByAtomics& last_by_atomics() {
  thread_local LastByAtomics last;
  return last;
}

// The inputs of a multireduce in any order, as a kernel takes them.
template <class Bucket, class Label, class Value>
auto input_of(std::span<Label> labels, std::span<Value> values) {
  using Input = std::remove_const_t<Value>;
  if constexpr (std::is_same_v<Input, Bucket>) {
    return SeparateInput<std::remove_const_t<Label>, Bucket>{labels.data(), values.data()};
  } else {
    return WidenedInput<std::remove_const_t<Label>, Input, Bucket>{labels.data(), values.data()};
  }
}

// The plan that a call of multiscan or multitag chooses.
inline GpuPlan chosen_scan_plan(const GpuProblem& problem, const Call& call) {
  return call.plan || problem.n == 0 ? call.plan.value_or(GpuPlan{})
                                     : scan_plan(problem, current_device_limits());
}

// Options of a call; with looks_at_labels, the distribution is filled in from a sample of the
// labels.
template <class Label>
Call looked(Call call, std::span<const Label> labels, uint64_t m) {
  if (call.looks_at_labels && !call.plan && !call.labels && m > 0) {
    const Workspace room(call.stream, kSampleBytes, {}, call.pool);
    call.labels = sampled_distribution(call.stream, labels, m, room.span());
  }
  return call;
}

// Options of a call, with the distribution that it looks for or that earlier calls have learnt. A
// caller's workspace has room for the plan that follows from the size, and no other is looked for.
template <class Label>
Call learned(const Call& call, std::span<const Label> labels, uint64_t m) {
  Call with_labels = looked(call, labels, m);
  if (call.learns_labels && call.workspace.empty() && !call.plan && !with_labels.labels && m > 0) {
    with_labels.labels = learned_labels(call.stream, labels, m);
  }
  return with_labels;
}

template <class Label>
void check_if_asked(const Call& call, std::span<const Label> labels, uint64_t m) {
  if (call.checks_labels) {
    const Workspace room(call.stream, kCheckLabelsBytes, {}, call.pool);
    check_labels(call.stream, labels, m, room.span());
  }
}

}  // namespace detail

// The plan that a call of an operation in any order chooses for n inputs and m buckets.
template <class Label, class Value, class M = Sum<Value>>
GpuPlan plan_for(Operation operation, uint64_t n, uint64_t m, const Call& call = {}) {
  if (call.plan || n == 0 || m == 0) {
    return call.plan.value_or(GpuPlan{});
  }
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  problem.types = {detail::label_type<Label>(), detail::timed_type<Value, M>()};
  // A scatter first finds the last index of each label, so its tables hold indices and not values.
  const size_t bytes = operation == Operation::scatter ? sizeof(uint32_t) : sizeof(Value);
  return detail::chosen_plan(call, problem, {GpuKernels::update, m, bytes},
                             detail::timed_parts<Value, M>());
}

// The plan that a call of multireduce chooses for n inputs and m buckets.
template <class Label, class Value, class M = Sum<Value>>
GpuPlan multireduce_plan(uint64_t n, uint64_t m, const Call& call = {}) {
  if constexpr (kReducesInOrder<M, Value>) {
    return call.plan || n == 0 || m == 0 ? call.plan.value_or(GpuPlan{})
                                         : ordered_plan({n, m, sizeof(Value)});
  } else {
    return plan_for<Label, Value, M>(Operation::multireduce, n, m, call);
  }
}

template <class Label, class Value, class Bucket, class M = Sum<Bucket>>
requires Monoid<M, Bucket> GpuPlan multireduce(std::span<Label> labels, std::span<Value> values,
                                               std::span<Bucket> buckets, const M& monoid = {},
                                               const Call& call = {}) {
  using Input = std::remove_const_t<Value>;
  static_assert(std::is_same_v<Input, Bucket> || (kIsHalf<Input> && std::is_same_v<Bucket, float>),
                "values have the type of the buckets, or 16 bits where buckets are float");
  const auto own = detail::unsigned_labels(labels);
  using Own = std::remove_const_t<typename decltype(own)::element_type>;
  check_same_length("values", values.size(), labels.size());
  constexpr bool kInOrder = kReducesInOrder<M, Bucket>;
  auto& last = detail::last_by_atomics<Operation::multireduce, Own, Input, Bucket, M>();
  if constexpr (!kInOrder) {
    if (last.is_repeated(call, own.size(), buckets.size())) {
      update_global(call.stream, detail::input_of<Bucket>(own, values), own.size(), buckets.data(),
                    monoid);
      return detail::LastByAtomics::kAtomics;
    }
  }
  const Call with_labels = kInOrder ? call : detail::learned(call, own, buckets.size());
  const GpuPlan plan = multireduce_plan<Own, Bucket, M>(own.size(), buckets.size(), with_labels);
  if (own.empty()) {
    return plan;
  }
  last.keep(call, own.size(), buckets.size(), plan);
  detail::check_if_asked(call, own, buckets.size());
  if constexpr (!kInOrder) {
    const auto& known = with_labels.labels;
    if (known && !call.plan && plan == detail::LastByAtomics::kAtomics &&
        are_spread(*known, own.size(), buckets.size())) {
      check_labels_reach(buckets.size(), sizeof(Own));
      update_global(call.stream, detail::input_of<Bucket>(own, values), own.size(), buckets.data(),
                    monoid, ToldLabels::spread);
      return plan;
    }
  }
  const GpuUse use{kInOrder ? GpuKernels::reduceInOrder : GpuKernels::update, buckets.size(),
                   sizeof(Bucket)};
  // A plan that the library chose was checked when it was first chosen.
  const CheckedGpuPlan checked = call.plan || kInOrder || buckets.empty()
                                     ? CheckedGpuPlan(plan, use)
                                     : CheckedGpuPlan::known(plan, use);
  const Workspace scratch(
      call.stream, multireduce_scratch_bytes<Own, Bucket, M>(checked, own.size(), buckets.size()),
      call.workspace, call.pool);
  multireduce(call.stream, own, std::span<const Input>(values), buckets, monoid, checked,
              scratch.span());
  return plan;
}

template <class Label, class Count>
GpuPlan histogram(std::span<Label> labels, std::span<Count> counts, const Call& call = {}) {
  const auto own = detail::unsigned_labels(labels);
  using Own = std::remove_const_t<typename decltype(own)::element_type>;
  auto& last = detail::last_by_atomics<Operation::histogram, Own, Count>();
  if (last.is_repeated(call, own.size(), counts.size())) {
    update_global(call.stream, CountedInput<Own, Count>{own.data()}, own.size(), counts.data(),
                  Sum<Count>{});
    return detail::LastByAtomics::kAtomics;
  }
  const GpuPlan plan = plan_for<Own, Count>(Operation::histogram, own.size(), counts.size(),
                                            detail::learned(call, own, counts.size()));
  if (own.empty()) {
    return plan;
  }
  last.keep(call, own.size(), counts.size(), plan);
  detail::check_if_asked(call, own, counts.size());
  const Workspace scratch(call.stream,
                          histogram_scratch_bytes<Own, Count>(plan, own.size(), counts.size()),
                          call.workspace, call.pool);
  histogram(call.stream, own, counts, plan, scratch.span());
  return plan;
}

template <class Label, class Value, class Bucket>
GpuPlan scatter(std::span<Label> labels, std::span<Value> values, std::span<Bucket> buckets,
                const Call& call = {}) {
  static_assert(std::is_same_v<std::remove_const_t<Value>, Bucket>,
                "values have the type of the buckets");
  const auto own = detail::unsigned_labels(labels);
  using Own = std::remove_const_t<typename decltype(own)::element_type>;
  check_same_length("values", values.size(), labels.size());
  if (detail::has_no_wishes(call) &&
      scatters_in_block<Own>(current_device_limits(), own.size(), buckets.size())) {
    scatter_block(call.stream, own.data(), static_cast<const Bucket*>(values.data()), own.size(),
                  buckets.data());
    return detail::LastByAtomics::kAtomics;
  }
  if (detail::has_no_wishes(call) &&
      scatters_in_grid(current_device_limits(), own.size(), buckets.size())) {
    const Workspace last(call.stream, buckets.size() * sizeof(uint32_t), call.workspace, call.pool);
    scatter_grid<Own, Bucket>(
        call.stream, {own.data(), values.data(), static_cast<uint32_t>(own.size()), buckets.data(),
                      buckets.size(), reinterpret_cast<uint32_t*>(last.span().data())});
    return detail::LastByAtomics::kAtomics;
  }
  const GpuPlan plan = plan_for<Own, Bucket>(Operation::scatter, own.size(), buckets.size(),
                                             detail::looked(call, own, buckets.size()));
  if (own.empty()) {
    return plan;
  }
  detail::check_if_asked(call, own, buckets.size());
  const Workspace scratch(call.stream,
                          scatter_scratch_bytes<Own, Bucket>(plan, own.size(), buckets.size()),
                          call.workspace, call.pool);
  scatter(call.stream, own, std::span<const Bucket>(values), buckets, plan, scratch.span());
  return plan;
}

// A gather has one plan: each block keeps as many buckets in shared memory as fit
// (gpu/plan/kept_buckets.h).
template <class Label, class Bucket, class Result>
void gather(std::span<Label> labels, std::span<Bucket> buckets, std::span<Result> results,
            const Call& call = {}) {
  static_assert(std::is_same_v<std::remove_const_t<Bucket>, Result>,
                "results have the type of the buckets");
  const auto own = detail::unsigned_labels(labels);
  detail::check_if_asked(call, own, buckets.size());
  gather(call.stream, own, std::span<const Result>(buckets), results);
}

template <Scan kScan, class Label, class Value, class Bucket, class M = Sum<Bucket>>
requires Monoid<M, Bucket> GpuPlan multiscan(std::span<Label> labels, std::span<Value> values,
                                             std::span<Bucket> buckets, std::span<Bucket> results,
                                             const M& monoid = {}, const Call& call = {}) {
  const auto own = detail::unsigned_labels(labels);
  using Own = std::remove_const_t<typename decltype(own)::element_type>;
  const GpuPlan plan = detail::chosen_scan_plan({own.size(), buckets.size(), sizeof(Bucket)}, call);
  detail::check_if_asked(call, own, buckets.size());
  const Workspace scratch(call.stream,
                          multiscan_scratch_bytes<Own, Bucket>(plan, own.size(), buckets.size()),
                          call.workspace, call.pool);
  multiscan<kScan>(call.stream, own, std::span<const Bucket>(values), buckets, results, monoid,
                   plan, scratch.span());
  return plan;
}

template <class Label, class Count>
GpuPlan multitag(std::span<Label> labels, std::span<Count> counts, std::span<Count> results,
                 const Call& call = {}) {
  const auto own = detail::unsigned_labels(labels);
  using Own = std::remove_const_t<typename decltype(own)::element_type>;
  const GpuPlan plan = detail::chosen_scan_plan({own.size(), counts.size(), sizeof(Count)}, call);
  detail::check_if_asked(call, own, counts.size());
  const Workspace scratch(call.stream,
                          multitag_scratch_bytes<Own, Count>(plan, own.size(), counts.size()),
                          call.workspace, call.pool);
  multitag(call.stream, own, counts, results, plan, scratch.span());
  return plan;
}

}  // namespace presort::gpu
