// Checks the devices that are to work together on one operation. No CUDA types.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "presort/core/plan/device_scheme.h"

namespace presort::inline v0::gpu {

// Most devices of one host that work together.
inline constexpr size_t kMostDevices = kMostSharingDevices;

// True if the first device reads and writes the memory of the second one.
using Reaches = std::function<bool(int device, int peer)>;

// May one device have several shares? Allowed, a host with one device runs what several would, in no less
// time; tests do.
enum class Repeats { refused, allowed };

// Checks a list of device numbers, on a host with devices 0 to found - 1.
// Errors: EnvironmentError that names the device: a number without a device, a number that stands in
//         the list twice, a device that does not reach the memory of another one; and for an empty
//         list, or more than kMostDevices
void check_devices(std::span<const int> numbers, int found, const Reaches& reaches,
                   Repeats repeats = Repeats::refused);

}  // namespace presort::gpu
