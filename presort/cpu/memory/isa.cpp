#include "presort/cpu/memory/isa.h"

#include <string>

#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/cpu/memory/wide_memory.h"

namespace presort::inline v0::cpu {

bool has_isa(Isa isa) {
#if defined(PRESORT_HAS_WIDE_MEMORY)
  switch (isa) {
    case Isa::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    case Isa::avx2:
      return __builtin_cpu_supports("avx2");
    case Isa::generic:
      return true;
  }
#endif
  return isa == Isa::generic;
}

Isa widest_isa() {
  for (const Isa isa : {Isa::avx512, Isa::avx2}) {
    if (has_isa(isa)) {
      return isa;
    }
  }
  return Isa::generic;
}

void check_isa(const CpuPlan& plan) {
  if (has_isa(plan.resources.isa)) {
    return;
  }
  std::string accepted;
  for (const auto& [name, isa] : kIsas) {
    if (has_isa(isa)) {
      accepted += (accepted.empty() ? "" : ", ") + std::string(name);
    }
  }
  throw PlanError("isa: found '" + to_name(kIsas, plan.resources.isa) +
                  "', accepted on this processor: " + accepted);
}

}  // namespace presort::cpu
