// Times scans per label, rows and groups on all devices of this host by every scheme, by turns,
// beside one device with the inputs of one. Uniform labels; u32 + u32 scans and groups, f32 rows.
// usage: gpu_devices_shared ROUNDS LEAD_US OPERATION LOG2_N LOG2_M... [/ OPERATION ...]
//        devices are busy for LEAD_US before each run, while the host launches it; groups wait for
//        the host, so their times are those of the host. OPERATION: multiscan, groups, rowsC with C
//        columns. LOG2_N: inputs of one device. A scheme that has no memory is left out ("inf")
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/devices/groups.cuh"
#include "presort/gpu/devices/measure_link.cuh"
#include "presort/gpu/devices/multiscan.cuh"
#include "presort/gpu/devices/rows.cuh"

using namespace presort;
using namespace presort::gpu;

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

template <class T>
struct OnDevices {
  std::vector<std::unique_ptr<bench::Array<T>>> arrays;

  OnDevices(const Devices& devices, uint64_t size, uint64_t seed, uint64_t most) {
    for (size_t d = 0; d < devices.size(); ++d) {
      devices.on(d, [&] {
        arrays.push_back(std::make_unique<bench::Array<T>>(size));
        fill(arrays[d]->data(), size, seed + d, most);
      });
    }
  }
  static void fill(T* data, uint64_t size, uint64_t seed, uint64_t most);
  Shares<T> shares(uint64_t size) const {
    Shares<T> all;
    for (const auto& array : arrays) {
      all.push_back({array->data(), size});
    }
    return all;
  }
};

template <class T>
__global__ void fill_kernel(T* data, uint64_t size, uint64_t seed, uint64_t most) {
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < size;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    data[i] = static_cast<T>(__umul64hi(bench::mix(i + (seed << 40)), most));
  }
}

template <class T>
void OnDevices<T>::fill(T* data, uint64_t size, uint64_t seed, uint64_t most) {
  fill_kernel<<<2048, 256>>>(data, size, seed, most);
  PRESORT_CUDA(cudaGetLastError());
  PRESORT_CUDA(cudaDeviceSynchronize());
}

// Median of each run, by turns; infinite where it throws.
std::vector<double> medians(int rounds, const std::vector<std::function<double()>>& runs) {
  std::vector<std::vector<double>> all(runs.size());
  for (int round = 0; round <= rounds; ++round) {
    for (size_t i = 0; i < runs.size(); ++i) {
      double ns = kNever;
      try {
        ns = runs[i]();
      } catch (const Error&) {
        static_cast<void>(cudaGetLastError());
      }
      if (round > 0) {
        all[i].push_back(ns);
      }
    }
  }
  std::vector<double> result;
  for (auto& one : all) {
    result.push_back(median(one));
  }
  return result;
}

void print(const std::string& operation, int log2_n, int log2_m, const std::vector<double>& times,
           DeviceScheme chosen, size_t devices) {
  const double own = times[1 + (chosen == DeviceScheme::inputs)];
  const double best = std::min(times[1], times[2]);
  std::printf("%-10s 2^%d 2^%-2d | %9.1f | %9.1f %9.1f | %-6s %5.1f %% | %.2f\n", operation.c_str(),
              log2_n, log2_m, times[0] / 1e3, times[1] / 1e3, times[2] / 1e3,
              chosen == DeviceScheme::inputs ? "inputs" : "tables", 100 * (own / best - 1),
              static_cast<double>(devices) * times[0] / own);
  std::fflush(stdout);
}

struct Group {
  const Devices& devices;
  DeviceLink link;
  int rounds;
  uint64_t lead_ns;
};

void time_multiscan(const Group& group, int log2_n, int log2_m) {
  const uint64_t n = uint64_t{1} << log2_n;
  const uint64_t m = uint64_t{1} << log2_m;
  const size_t count = group.devices.size();
  const OnDevices<uint32_t> labels(group.devices, n, 1, m);
  const OnDevices<uint32_t> values(group.devices, n, 2, 1 << 20);
  const OnDevices<uint32_t> buckets(group.devices, m, 3, 1);
  const OnDevices<uint32_t> results(group.devices, n, 4, 1);
  const auto one = [&] {
    group.devices.on(0, [&] {
      multiscan<Scan::exclusive>(labels.shares(n)[0], values.shares(n)[0], buckets.shares(m)[0],
                                 results.shares(n)[0], Sum<uint32_t>{},
                                 Call{.stream = group.devices.stream(0)});
    });
  };
  const auto all = [&] {
    multiscan<Scan::exclusive>(group.devices, labels.shares(n), values.shares(n),
                               buckets.shares(m / count), results.shares(n));
  };
  print("multiscan", log2_n, log2_m,
        medians(group.rounds, {[&] { return device_ns(group.devices, group.lead_ns, one); },
                               [&] { return device_ns(group.devices, group.lead_ns, all); },
                               [&] { return kNever; }}),
        DeviceScheme::tables, count);
}

void time_rows(const Group& group, uint64_t columns, int log2_n, int log2_m) {
  const uint64_t n = uint64_t{1} << log2_n;
  const uint64_t m = uint64_t{1} << log2_m;
  const size_t count = group.devices.size();
  const OnDevices<uint32_t> labels(group.devices, n, 1, m);
  const OnDevices<float> values(group.devices, n * columns, 2, 100);
  const OnDevices<float> buckets(group.devices, m * columns, 3, 1);
  const std::vector<uint64_t> owned(count, m / count);
  const Devices first({group.devices.number(0)});
  const auto shares = labels.shares(n);
  const RowsOfDevices alone(first, Shares<uint32_t>{shares[0]}, {m}, columns, 4);
  const RowsOfDevices tables(group.devices, shares, owned, columns, 4,
                             {.scheme = DeviceScheme::tables});
  const RowsOfDevices inputs(group.devices, shares, owned, columns, 4,
                             {.scheme = DeviceScheme::inputs});
  const RowsOfDevices chosen(group.devices, shares, owned, columns, 4, {.link = group.link});
  const DeviceArray<std::byte> scratch(multireduce_rows_scratch_bytes<float>(n, columns));
  group.devices.synchronize();
  first.synchronize();
  const auto one = [&] {
    group.devices.on(0, [&] {
      multireduce_rows(group.devices.stream(0), alone.order_of(0),
                       std::span<const float>(values.shares(n * columns)[0]),
                       buckets.shares(m * columns)[0], columns, Sum<float>{}, scratch.span());
    });
  };
  const auto by = [&](const auto& rows) {
    return [&] {
      return device_ns(group.devices, group.lead_ns, [&] {
        multireduce_rows(rows, values.shares(n * columns), buckets.shares(m / count * columns),
                         Sum<float>{});
      });
    };
  };
  print("rows" + std::to_string(columns), log2_n, log2_m,
        medians(group.rounds, {[&] { return device_ns(group.devices, group.lead_ns, one); },
                               by(tables), by(inputs)}),
        chosen.scheme(), count);
}

void time_groups(const Group& group, int log2_n, int log2_m) {
  const uint64_t n = uint64_t{1} << log2_n;
  const uint64_t m = uint64_t{1} << log2_m;
  const size_t count = group.devices.size();
  const OnDevices<uint32_t> keys(group.devices, n, 1, m);
  const OnDevices<uint32_t> values(group.devices, n, 2, 100);
  const OnDevices<uint32_t> group_keys(group.devices, m, 3, 1);
  const OnDevices<uint32_t> sums(group.devices, m, 4, 1);
  const Shares<uint32_t> none(count);
  const auto timed = [&](const auto& run) {
    group.devices.synchronize();
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start)
        .count();
  };
  const auto by = [&](DeviceScheme scheme) {
    return [&, scheme] {
      return timed([&] {
        group_sum(group.devices, keys.shares(n), values.shares(n), group_keys.shares(m),
                  sums.shares(m), none, {.scheme = scheme, .link = group.link});
      });
    };
  };
  const auto one = [&] {
    return timed([&] {
      group.devices.on(0, [&] {
        group_sum(group.devices.stream(0), std::span<const uint32_t>(keys.shares(n)[0]),
                  std::span<const uint32_t>(values.shares(n)[0]), group_keys.shares(m)[0],
                  sums.shares(m)[0], std::span<uint32_t>{});
      });
    });
  };
  const double groups =
      static_cast<double>(m) * -std::expm1(-static_cast<double>(n) / static_cast<double>(m));
  const DeviceScheme chosen = choose_group_scheme(
      current_gpu(), group.link,
      {.n = n, .groups = groups, .bytes = 8, .devices = static_cast<int>(count)});
  print("groups", log2_n, log2_m,
        medians(group.rounds, {one, by(DeviceScheme::tables), by(DeviceScheme::inputs)}), chosen,
        count);
}

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  PRESORT_CUDA(cudaGetDeviceCount(&count));
  const Devices devices(Devices::first(count));
  Group group{devices, kBundledLink, argc > 1 ? std::atoi(argv[1]) : 5,
              argc > 2 ? 1000 * std::strtoull(argv[2], nullptr, 10) : 0};
  if (count > 1) {
    group.link = measure_link(devices);
  }
  std::printf("%d x %s; link %.1f GB/s into each, %.2f us from kernel to kernel\n", count,
              current_gpu().name.c_str(), group.link.bandwidth / 1e9, group.link.latency_ns / 1e3);
  std::printf("us: one device | tables, inputs | predicted best, regret | gain\n");
  for (int i = 3; i + 1 < argc; ++i) {
    const std::string operation = argv[i];
    const int log2_n = std::atoi(argv[i + 1]);
    for (i += 2; i < argc && std::string(argv[i]) != "/"; ++i) {
      const int log2_m = std::atoi(argv[i]);
      if (operation == "multiscan") {
        time_multiscan(group, log2_n, log2_m);
      } else if (operation == "groups") {
        time_groups(group, log2_n, log2_m);
      } else {
        time_rows(group, std::strtoull(operation.c_str() + 4, nullptr, 10), log2_n, log2_m);
      }
    }
  }
}
