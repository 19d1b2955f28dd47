#include "presort/gpu/plan/devices/peers.h"

#include <algorithm>
#include <string>

#include "presort/core/error.h"

namespace presort::inline v0::gpu {
namespace {

std::string name_of(int number) {
  return "device " + std::to_string(number);
}

}  // namespace

void check_devices(std::span<const int> numbers, int found, const Reaches& reaches,
                   Repeats repeats) {
  if (numbers.empty() || numbers.size() > kMostDevices) {
    throw EnvironmentError("found " + std::to_string(numbers.size()) +
                           " devices to work together, accepted: 1 to " +
                           std::to_string(kMostDevices));
  }
  for (const int number : numbers) {
    if (number < 0 || number >= found) {
      throw EnvironmentError(name_of(number) + ": there is no such device; found " +
                             std::to_string(found));
    }
    if (repeats == Repeats::refused && std::count(numbers.begin(), numbers.end(), number) > 1) {
      throw EnvironmentError(name_of(number) + " stands twice among the devices");
    }
  }
  for (const int number : numbers) {
    for (const int peer : numbers) {
      if (peer != number && !reaches(number, peer)) {
        throw EnvironmentError(name_of(number) + " does not reach the memory of " + name_of(peer));
      }
    }
  }
}

}  // namespace presort::gpu
