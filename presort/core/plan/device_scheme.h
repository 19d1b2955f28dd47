// The way in which several GPUs of one host share an operation.
#pragma once

#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class DeviceScheme {
  tables,  // a table of all buckets on every device, combined by the owners (a gather: all buckets
           // are copied to every device)
  rounds,  // inputs are pre-sorted, and buckets are updated in their owners' memory, in rounds
  inputs,  // inputs are sent to the owner of their bucket (a gather: each bucket is read where it lies)
};

inline constexpr Named<DeviceScheme> kDeviceSchemes[] = {{"tables", DeviceScheme::tables},
                                                         {"rounds", DeviceScheme::rounds},
                                                         {"inputs", DeviceScheme::inputs}};

// Largest number of devices of one host that work together.
inline constexpr int kMostSharingDevices = 16;

}  // namespace presort
