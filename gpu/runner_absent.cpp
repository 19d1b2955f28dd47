#include "core/error.h"
#include "gpu/runner.h"

namespace presort::gpu {
namespace {

[[noreturn]] void refuse() {
  throw EnvironmentError("--device gpu: this build has no CUDA kernels");
}

}  // namespace

Plan plan_by_rule(const Problem&) {
  refuse();
}

Measurement measure(const Problem&, const Plan&, const std::shared_ptr<const LabelSource>&, int,
                    bool) {
  refuse();
}

}  // namespace presort::gpu
