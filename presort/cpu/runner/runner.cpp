#include "presort/cpu/runner/runner.h"

#include <initializer_list>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/core/text/units.h"
#include "presort/cpu/memory/available_memory.h"
#include "presort/cpu/runner/typed_runner.h"

namespace presort::inline v0::cpu {

namespace {

uint64_t in_pages(uint64_t bytes, PageSize page_size) {
  return saturating_round_up(bytes, page_bytes(page_size));
}

uint64_t sum_of(std::initializer_list<uint64_t> bytes) {
  uint64_t sum = 0;
  for (const uint64_t each : bytes) {
    sum = saturating_add(sum, each);
  }
  return sum;
}

// Bytes of all arrays of a run except the scratch; see required_bytes in runner.h.
uint64_t array_bytes(const Problem& problem, PageSize page_size, bool check) {
  const uint64_t label_bytes = size_bytes(problem.types.label);
  const uint64_t value_bytes = size_bytes(problem.types.value);
  const auto pages_of = [&](uint64_t elements, uint64_t element_bytes, size_t stagger) {
    return in_pages(staggered_bytes(elements, element_bytes, stagger), page_size);
  };
  const uint64_t inputs = sum_of({pages_of(label_count(problem), label_bytes, 0),
                                  pages_of(value_count(problem), value_bytes, kValueStagger),
                                  pages_of(offset_count(problem), label_bytes, 0)});
  const uint64_t outputs =
      sum_of({pages_of(result_count(problem), value_bytes, kResultStagger),
              pages_of(bucket_count(problem), value_bytes, kBucketStagger),
              pages_of(sorted_label_count(problem), label_bytes, kSortedLabelStagger),
              pages_of(part_start_count(problem), sizeof(size_t), kBucketStagger)});
  return sum_of({inputs, outputs, check ? outputs : 0});
}

void check_label_type(const Types& types) {
  if (types.label != ScalarType::u32 && types.label != ScalarType::u64) {
    throw InputError("type: found '" + to_name(kScalarTypes, types.label) +
                     "' for labels, accepted: u32, u64");
  }
}

// Bytes of scratch that a plan needs. They depend on the size of a value, not on its type.
template <class Label>
uint64_t scratch_of(const Problem& problem, const CpuPlan& plan) {
  if (size_bytes(problem.types.value) == sizeof(uint32_t)) {
    return operation_scratch_bytes<Label, uint32_t>(problem, plan);
  }
  return operation_scratch_bytes<Label, uint64_t>(problem, plan);
}

}  // namespace

void require_memory_for(const Problem& problem, uint64_t bytes) {
  try {
    require_memory(bytes);
  } catch (const EnvironmentError& error) {
    throw EnvironmentError("n=" + format_count(problem.n) + ", m=" + format_count(problem.m) +
                           ": " + error.what());
  }
}

uint64_t required_bytes(const Problem& problem, const CpuPlan& plan, bool check) {
  const PageSize page_size = plan.resources.page_size;
  const uint64_t scratch = saturating_add(Runner::scratch_bytes(problem, plan), kScratchStagger);
  return saturating_add(array_bytes(problem, page_size, check), in_pages(scratch, page_size));
}

struct Runner::Impl {
  std::unique_ptr<AnyRunner> typed;
};

Runner::Runner(const Problem& problem, PageSize page_size,
               const std::shared_ptr<const LabelSource>& labels, uint64_t scratch_bytes,
               std::vector<int> cpus, StopToken stop) {
  check_problem(problem);
  check_label_type(problem.types);
  const uint64_t scratch = in_pages(saturating_add(scratch_bytes, kScratchStagger), page_size);
  require_memory_for(problem, saturating_add(array_bytes(problem, page_size, false), scratch));
  const auto make = problem.types.label == ScalarType::u32 ? make_u32_runner : make_u64_runner;
  impl_ = std::make_unique<Impl>(
      Impl{make(problem, page_size, *labels, scratch_bytes, std::move(cpus), stop)});
}

Runner::~Runner() = default;
Runner::Runner(Runner&&) noexcept = default;
Runner& Runner::operator=(Runner&&) noexcept = default;

uint64_t Runner::scratch_bytes(const Problem& problem, const CpuPlan& plan) {
  check_plan(plan, problem);
  check_label_type(problem.types);
  return problem.types.label == ScalarType::u32 ? scratch_of<uint32_t>(problem, plan)
                                                : scratch_of<uint64_t>(problem, plan);
}

double Runner::run_once(const CpuPlan& plan) {
  return impl_->typed->run_once(plan);
}

void Runner::use_cpus(std::vector<int> cpus) {
  impl_->typed->use_cpus(std::move(cpus));
}

void Runner::use_nodes(HostNodes nodes) {
  impl_->typed->use_nodes(std::move(nodes));
}

double Runner::initialise_ns_per_input() const {
  return impl_->typed->initialise_ns_per_input();
}

bool Runner::check(const CpuPlan& plan) {
  return impl_->typed->check(plan);
}

uint64_t Runner::huge_page_bytes() const {
  return impl_->typed->huge_page_bytes();
}

Measurement measure(const Problem& problem, const CpuPlan& plan,
                    const std::shared_ptr<const LabelSource>& labels, int reps, bool check,
                    const std::vector<int>& cpus) {
  const PageSize page_size = plan.resources.page_size;
  require_memory_for(problem, required_bytes(problem, plan, check));
  Runner runner(problem, page_size, labels, Runner::scratch_bytes(problem, plan), cpus);
  Measurement measurement;
  measurement.problem = problem;
  measurement.plan = plan;
  if (check) {
    measurement.checked = runner.check(plan);
  } else {
    runner.run_once(plan);
  }
  for (int rep = 0; rep < reps; ++rep) {
    measurement.samples_ns_per_input.push_back(runner.run_once(plan));
  }
  measurement.initialise_ns_per_input = runner.initialise_ns_per_input();
  measurement.huge_page_bytes = runner.huge_page_bytes();
  return measurement;
}

}  // namespace presort::cpu
