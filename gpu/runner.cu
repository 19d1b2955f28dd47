#include "gpu/runner.h"

#include <string>

#include "gpu/plan_rule.h"
#include "gpu/typed_run.cuh"

namespace presort::gpu {
namespace {

void require_device() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    static_cast<void>(cudaGetLastError());
    throw EnvironmentError(std::string("--device gpu: there is no CUDA device (") +
                           cudaGetErrorString(status) + ")");
  }
}

void check_kinds(const Problem& problem) {
  if (has_results(problem.operation) && problem.operation != Operation::gather) {
    throw PlanError("op: found '" + to_name(kOperations, problem.operation) +
                    "', accepted: multireduce, scatter, gather, histogram; a GPU has no other yet");
  }
  if (problem.types.label != ScalarType::u32) {
    throw PlanError("type: found '" + to_name(kScalarTypes, problem.types.label) +
                    "' for labels, accepted: u32 with --device gpu");
  }
}

// Time between two marks on the device.
class EventPair {
 public:
  EventPair() {
    PRESORT_CUDA(cudaEventCreate(&first_));
    PRESORT_CUDA(cudaEventCreate(&last_));
  }
  ~EventPair() {
    cudaEventDestroy(first_);
    cudaEventDestroy(last_);
  }
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;

  template <class Work>
  double ns_of(const Work& work) const {
    PRESORT_CUDA(cudaEventRecord(first_));
    work();
    PRESORT_CUDA(cudaEventRecord(last_));
    PRESORT_CUDA(cudaEventSynchronize(last_));
    float ms = 0;
    PRESORT_CUDA(cudaEventElapsedTime(&ms, first_, last_));
    return ms * 1e6;
  }

 private:
  cudaEvent_t first_{};
  cudaEvent_t last_{};
};

template <class Value>
Measurement measure_typed(const Problem& problem, const Plan& plan, const LabelSource& labels,
                          int reps, bool check) {
  const TypedRun<Value> run(problem, plan, labels);
  const EventPair events;
  Measurement measurement;
  measurement.problem = problem;
  measurement.plan = plan;
  events.ns_of([&] { run.run(nullptr); });
  measurement.checked = check && run.is_right();
  for (int rep = 0; rep < reps; ++rep) {
    measurement.samples_ns_per_input.push_back(events.ns_of([&] { run.run(nullptr); }) /
                                               static_cast<double>(problem.n));
  }
  return measurement;
}

}  // namespace

Plan plan_by_rule(const Problem& problem) {
  require_device();
  return plan_by_rule({problem.n, problem.m, size_bytes(problem.types.value)},
                      current_device_limits());
}

Measurement measure(const Problem& problem, const Plan& plan,
                    const std::shared_ptr<const LabelSource>& labels, int reps, bool check) {
  require_device();
  check_problem(problem);
  check_kinds(problem);
  switch (problem.types.value) {
    case ScalarType::u32:
    case ScalarType::i32:  // whose sums have the same bits
      return measure_typed<uint32_t>(problem, plan, *labels, reps, check);
    case ScalarType::u64:
    case ScalarType::i64:
      return measure_typed<unsigned long>(problem, plan, *labels, reps, check);
    case ScalarType::f32:
      return measure_typed<float>(problem, plan, *labels, reps, check);
    case ScalarType::f64:
      return measure_typed<double>(problem, plan, *labels, reps, check);
    default:
      throw PlanError("type: found '" + to_name(kScalarTypes, problem.types.value) +
                      "', accepted: values of 4 or 8 bytes");
  }
}

}  // namespace presort::gpu
