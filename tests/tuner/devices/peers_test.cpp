#include "presort/gpu/plan/devices/peers.h"

#include <doctest/doctest.h>

#include <vector>

#include "presort/core/error.h"

namespace presort::inline v0::gpu::peers_test {
namespace {

bool all_reach(int /*device*/, int /*peer*/) {
  return true;
}

}  // namespace

TEST_CASE("devices that reach each other are accepted, in any order") {
  for (const auto& numbers : std::vector<std::vector<int>>{{0}, {3}, {0, 1}, {3, 1, 2, 0}}) {
    CHECK_NOTHROW(check_devices(numbers, 4, all_reach));
  }
}

TEST_CASE("a device that there is not, or that stands twice, is named") {
  CHECK_THROWS_WITH_AS(check_devices(std::vector{0, 4}, 4, all_reach),
                       "device 4: there is no such device; found 4", EnvironmentError);
  CHECK_THROWS_WITH_AS(check_devices(std::vector{-1}, 4, all_reach),
                       "device -1: there is no such device; found 4", EnvironmentError);
  CHECK_THROWS_WITH_AS(check_devices(std::vector{2, 1, 2}, 4, all_reach),
                       "device 2 stands twice among the devices", EnvironmentError);
  CHECK_NOTHROW(check_devices(std::vector{2, 1, 2}, 4, all_reach, Repeats::allowed));
}

TEST_CASE("a peer that a device does not reach is named, in either direction") {
  const auto one_way = [](int device, int peer) { return device != 1 || peer != 3; };
  CHECK_NOTHROW(check_devices(std::vector{0, 1, 2}, 4, one_way));
  for (const auto& numbers : std::vector<std::vector<int>>{{1, 3}, {3, 1}, {0, 3, 2, 1}}) {
    CHECK_THROWS_WITH_AS(check_devices(numbers, 4, one_way),
                         "device 1 does not reach the memory of device 3", EnvironmentError);
  }
}

TEST_CASE("no device, and more than are supported, are refused") {
  const std::vector<int> none;
  CHECK_THROWS_WITH_AS(check_devices(none, 4, all_reach),
                       "found 0 devices to work together, accepted: 1 to 16", EnvironmentError);
  std::vector<int> many(kMostDevices + 1);
  for (size_t i = 0; i < many.size(); ++i) {
    many[i] = static_cast<int>(i);
  }
  CHECK_THROWS_WITH_AS(check_devices(many, 64, all_reach),
                       "found 17 devices to work together, accepted: 1 to 16", EnvironmentError);
  many.pop_back();
  CHECK_NOTHROW(check_devices(many, 64, all_reach));
}

}  // namespace presort::gpu::peers_test
