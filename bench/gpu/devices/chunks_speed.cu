// Times the exchange of inputs of a sum on all devices of this host in 1, 2, 4 and 8 chunks, by
// turns, beside tables and the predicted times; u32 + u32, uniform labels.
//   usage: gpu_chunks_speed ROUNDS LEAD_US LOG2_N LOG2_M...   LOG2_N: inputs of one device. Devices
//   are busy for LEAD_US before each run, while the host launches it. Several sets of sizes are
//   separated by "/"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/devices/measure_link.cuh"
#include "presort/gpu/devices/multireduce.cuh"

using namespace presort;
using namespace presort::gpu;

namespace {

using Array = bench::Array<uint32_t>;
using Arrays = std::vector<std::unique_ptr<Array>>;

constexpr int kTriedChunks[] = {1, 2, 4, 8};

Arrays make_arrays(const Devices& devices, uint64_t size, uint64_t bound) {
  Arrays arrays;
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] {
      arrays.push_back(std::make_unique<Array>(size));
      bench::make_labels_kernel<<<2048, 256>>>(arrays[d]->data(), size, bound,
                                               bench::Labels::uniform);
      PRESORT_CUDA(cudaDeviceSynchronize());
    });
  }
  return arrays;
}

Shares<uint32_t> shares(const Arrays& arrays, const std::vector<uint64_t>& sizes) {
  Shares<uint32_t> spans;
  for (size_t d = 0; d < arrays.size(); ++d) {
    spans.push_back({arrays[d]->data(), sizes[d]});
  }
  return spans;
}

double predicted_ns(const DeviceLink& link, size_t devices, uint64_t n, uint64_t m, int chunks) {
  DevicesProblem shared;
  shared.problem.n = n;
  shared.problem.m = m;
  shared.problem.types = {ScalarType::u32, ScalarType::u32};
  shared.devices = static_cast<int>(devices);
  shared.chunks = chunks;
  shared.plan_of_owner = multireduce_plan<uint32_t, uint32_t, Sum<uint32_t>>(n, m / devices, {});
  return scheme_ns(current_gpu(), link, shared, DeviceScheme::inputs);
}

void print_point(const Devices& devices, const DeviceLink& link, int log2_n, int log2_m, int rounds,
                 uint64_t lead_ns) {
  const uint64_t n = uint64_t{1} << log2_n;
  const uint64_t m = uint64_t{1} << log2_m;
  const std::vector<uint64_t> sizes(devices.size(), n);
  const std::vector<uint64_t> ranges = even_ranges(m, devices.size());
  const Arrays labels = make_arrays(devices, n, m);
  const Arrays values = make_arrays(devices, n, 1 << 20);
  const Arrays buckets = make_arrays(devices, ranges[0], 2);
  std::vector<DevicesCall> calls = {{.scheme = DeviceScheme::tables, .link = link}};
  for (const int chunks : kTriedChunks) {
    calls.push_back({.scheme = DeviceScheme::inputs, .link = link, .chunks = chunks});
  }
  std::vector<std::vector<double>> times(calls.size());
  for (int round = 0; round <= rounds; ++round) {
    for (size_t i = 0; i < calls.size(); ++i) {
      const double ns = device_ns(devices, lead_ns, [&] {
        multireduce(devices, shares(labels, sizes), shares(values, sizes), shares(buckets, ranges),
                    Sum<uint32_t>{}, calls[i]);
      });
      if (round > 0) {
        times[i].push_back(ns);
      }
    }
  }
  std::printf("2^%d 2^%-2d |", log2_n, log2_m);
  for (auto& one : times) {
    std::nth_element(one.begin(), one.begin() + one.size() / 2, one.end());
    std::printf(" %8.1f", one[one.size() / 2] / 1e3);
  }
  std::printf(" |");
  for (const int chunks : kTriedChunks) {
    std::printf(" %8.1f", predicted_ns(link, devices.size(), n, m, chunks) / 1e3);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  PRESORT_CUDA(cudaGetDeviceCount(&count));
  const Devices devices(Devices::first(count));
  const DeviceLink link = count > 1 ? measure_link(devices) : kBundledLink;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const uint64_t lead_ns = argc > 2 ? 1000 * std::strtoull(argv[2], nullptr, 10) : 0;
  std::printf("%d x %s; link %.1f GB/s into each, %.2f us\n", count, current_gpu().name.c_str(),
              link.bandwidth / 1e9, link.latency_ns / 1e3);
  std::printf("n, m | us: tables; inputs in 1, 2, 4, 8 chunks | predicted: 1, 2, 4, 8 chunks\n");
  for (int i = 3; i + 1 < argc; ++i) {
    const int log2_n = std::atoi(argv[i]);
    for (++i; i < argc && std::string(argv[i]) != "/"; ++i) {
      print_point(devices, link, log2_n, std::atoi(argv[i]), rounds, lead_ns);
      std::fflush(stdout);
    }
  }
}
