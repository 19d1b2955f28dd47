// A hash that makes a random number of an index, on the host and on the device.
#pragma once

#include <cstdint>

#include "presort/gpu/host/host_device.h"

namespace presort::inline v0::gpu::bench {

// Hash: a random number for index i, by splitmix64
PRESORT_HOST_DEVICE inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace presort::gpu::bench
