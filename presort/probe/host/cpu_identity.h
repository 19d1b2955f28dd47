// The identity that this processor reports, which is not taken at its word: hypervisors mask model
// numbers, so that the instruction sets and cache sizes that really work count for more.
#pragma once

#include <string>

namespace presort::inline v0::probe {

enum class Vendor { intel, amd, arm, other };

struct CpuIdentity {
  Vendor vendor = Vendor::other;
  int family = 0;  // family of the processor. x86: display family; Arm: 0
  int model = 0;   // model of the processor. x86: display model; Arm: part number
  bool avx2 = false;
  bool avx512 = false;  // true: the processor has AVX-512 F
  bool amx = false;     // true: the processor has AMX tiles
  bool hypervisor = false;
  std::string name;             // name of the processor: "Intel(R) Xeon(R) Processor"
  std::string hypervisor_name;  // name of the hypervisor: "KVMKVMKVM"; empty when unknown
};

CpuIdentity this_cpu();

}  // namespace presort::probe
