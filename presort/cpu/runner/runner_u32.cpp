#include "presort/cpu/runner/typed_runner.h"

namespace presort::inline v0::cpu {

std::unique_ptr<AnyRunner> make_u32_runner(const Problem& problem, PageSize page_size,
                                           const LabelSource& labels, size_t scratch_bytes,
                                           std::vector<int> cpus, StopToken stop) {
  return make_typed_runner<uint32_t>(problem, page_size, labels, scratch_bytes, std::move(cpus),
                                     stop);
}

}  // namespace presort::cpu
