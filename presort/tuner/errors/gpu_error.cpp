#include "presort/tuner/errors/gpu_error.h"

namespace presort::inline v0::tuner {
namespace {

// Factor within which four of five times lie, by kind of plan.
constexpr double kUpdatesDirect = 1.32;
constexpr double kUpdatesSorted = 1.37;
constexpr double kOthersDirect = 1.90;
constexpr double kOthersSorted = 1.34;

bool is_update(Operation operation) {
  return operation == Operation::multireduce || operation == Operation::histogram ||
         operation == Operation::scatter || operation == Operation::gather;
}

}  // namespace

ErrorInterval gpu_error_interval(const Problem& problem, const GpuPlan& plan, double ns_per_input) {
  const bool sorts = plan.presort.has_value();
  const double factor = is_update(problem.operation) ? (sorts ? kUpdatesSorted : kUpdatesDirect)
                                                     : (sorts ? kOthersSorted : kOthersDirect);
  return {ns_per_input / factor, ns_per_input * factor};
}

}  // namespace presort::tuner
