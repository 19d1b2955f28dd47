#include "presort/probe/host/cpu_identity.h"

#include <cstdlib>
#include <cstring>
#include <fstream>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "presort/core/text/display_text.h"

namespace presort::inline v0::probe {
namespace {

#if defined(__x86_64__) || defined(__i386__)

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers cpuid(unsigned leaf, unsigned subleaf = 0) {
  Registers r;
  __cpuid_count(leaf, subleaf, r.a, r.b, r.c, r.d);
  return r;
}

std::string text_of(std::initializer_list<unsigned> words) {
  std::string text;
  for (const unsigned word : words) {
    char bytes[sizeof(word)];
    std::memcpy(bytes, &word, sizeof(word));
    text.append(bytes, sizeof(word));
  }
  return text.substr(0, text.find('\0'));
}

std::string brand_string() {
  std::string name;
  if (cpuid(0x80000000).a >= 0x80000004) {
    for (unsigned leaf = 0x80000002; leaf <= 0x80000004; ++leaf) {
      const Registers r = cpuid(leaf);
      name += text_of({r.a, r.b, r.c, r.d});
    }
  }
  const size_t first = name.find_first_not_of(' ');
  return first == std::string::npos ? "" : name.substr(first);
}

CpuIdentity identity() {
  CpuIdentity cpu;
  const Registers zero = cpuid(0);
  const std::string vendor = text_of({zero.b, zero.d, zero.c});
  cpu.vendor = vendor == "GenuineIntel"                               ? Vendor::intel
               : vendor == "AuthenticAMD" || vendor == "HygonGenuine" ? Vendor::amd
                                                                      : Vendor::other;
  const Registers one = cpuid(1);
  const int base_family = (one.a >> 8) & 15;
  cpu.family = base_family + (base_family == 15 ? (one.a >> 20) & 255 : 0);
  cpu.model = static_cast<int>((one.a >> 4) & 15) +
              (base_family == 6 || base_family == 15 ? static_cast<int>((one.a >> 12) & 0xf0) : 0);
  cpu.hypervisor = (one.c >> 31) != 0;
  if (zero.a >= 7) {
    const Registers seven = cpuid(7);
    cpu.avx2 = (seven.b >> 5 & 1) != 0;
    cpu.avx512 = (seven.b >> 16 & 1) != 0;
    cpu.amx = (seven.d >> 24 & 1) != 0;
  }
  if (cpu.hypervisor) {
    const Registers hypervisor = cpuid(0x40000000);
    cpu.hypervisor_name = text_of({hypervisor.b, hypervisor.c, hypervisor.d});
  }
  cpu.name = brand_string();
  return cpu;
}

#else

// The identity of this processor on Arm and others, from /proc/cpuinfo and what the firmware says.
CpuIdentity identity() {
  CpuIdentity cpu;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 >= line.size()) {
      continue;
    }
    const std::string value = line.substr(colon + 2);
    if (line.rfind("CPU implementer", 0) == 0 && value == "0x41") {
      cpu.vendor = Vendor::arm;
    } else if (line.rfind("CPU part", 0) == 0) {
      cpu.model = static_cast<int>(std::strtol(value.c_str(), nullptr, 16));
    } else if (line.rfind("model name", 0) == 0) {
      cpu.name = value;
    }
  }
  std::ifstream vendor_file("/sys/class/dmi/id/sys_vendor");
  std::string vendor;
  std::getline(vendor_file, vendor);
  cpu.hypervisor = vendor == "QEMU" || std::ifstream("/sys/hypervisor/type").good();
  cpu.hypervisor_name = cpu.hypervisor ? vendor : "";
  return cpu;
}

#endif

}  // namespace

// Replaces characters that cannot be shown: names go into files and onto terminals, and a
// hypervisor can set them to any bytes.
CpuIdentity this_cpu() {
  CpuIdentity cpu = identity();
  cpu.name = with_hidden_replaced(cpu.name);
  cpu.hypervisor_name = with_hidden_replaced(cpu.hypervisor_name);
  return cpu;
}

}  // namespace presort::probe
