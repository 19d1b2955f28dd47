// The kind of device that a plan runs on: a CPU or a GPU.
#pragma once

#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class Device { cpu, gpu };
inline constexpr Named<Device> kDevices[] = {{"cpu", Device::cpu}, {"gpu", Device::gpu}};

}  // namespace presort
