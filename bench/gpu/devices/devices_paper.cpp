// Prints what the closed form of gpu/plan/devices/scheme_time.h says of several H200: how many
// times as many inputs a second as one of them, by each scheme. Nothing is run on a GPU.
// usage: gpu_devices_paper LINK LATENCY LOG2_N DEVICES...    bytes a second into each device; ns; inputs of
//        one device
#include <cmath>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/devices/scheme_time.h"
#include "presort/gpu/plan/plan_time.h"

using namespace presort;
using namespace presort::gpu;

namespace {

DevicesProblem shared_problem(const Gpu& gpu, uint64_t n, uint64_t m, int devices) {
  DevicesProblem shared;
  shared.problem.n = n;
  shared.problem.m = m;
  shared.problem.types = {ScalarType::u32, ScalarType::u32};
  shared.devices = devices;
  shared.plan = choose_safe_plan(gpu, shared.problem);
  Problem of_owner = shared.problem;
  of_owner.m = (m + static_cast<uint64_t>(devices) - 1) / static_cast<uint64_t>(devices);
  shared.plan_of_owner = choose_safe_plan(gpu, of_owner);
  // Owners take whole parts of the pre-sort, as even as there are parts enough for that.
  shared.fits_rounds = shared.plan.presort && shared.plan.strategy == GpuStrategy::sharedSets &&
                       (1 << shared.plan.presort->sort_bits) % devices == 0;
  return shared;
}

// Inputs a second of all devices over those of one device with the inputs of one, by each scheme.
void print_row(const Gpu& gpu, const DeviceLink& link, uint64_t n, int log2_m, int devices) {
  const DevicesProblem shared = shared_problem(gpu, n, uint64_t{1} << log2_m, devices);
  const double one =
      plan_time(gpu, shared.problem, shared.plan).ns_per_input * static_cast<double>(n);
  fmt::print("| {} | 2^{} | {:.2f} |", devices, log2_m, one / 1e6);
  for (const auto& scheme : kDeviceSchemes) {
    const double ns = scheme_ns(gpu, link, shared, scheme.value);
    fmt::print(" {} |",
               std::isinf(ns) ? std::string("–") : fmt::format("{:.2f}", devices * one / ns));
  }
  fmt::print(" {} |\n", kDeviceSchemes[static_cast<size_t>(choose_scheme(gpu, link, shared))].name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: {} LINK LATENCY LOG2_N DEVICES...\n", argv[0]);
    return 1;
  }
  const DeviceLink link = {.bandwidth = std::atof(argv[1]), .latency_ns = std::atof(argv[2])};
  fmt::print("| devices | m | one device, ms | tables | rounds | inputs | chosen |\n");
  fmt::print("| ---: | --- | ---: | ---: | ---: | ---: | --- |\n");
  for (int i = 4; i < argc; ++i) {
    for (const int log2_m : {8, 12, 16, 18, 20, 22, 24, 26, 27, 28}) {
      print_row(bundled_gpus().front(), link, uint64_t{1} << std::atoi(argv[3]), log2_m,
                std::atoi(argv[i]));
    }
  }
}
