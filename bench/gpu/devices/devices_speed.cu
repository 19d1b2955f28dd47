// Times every scheme of an operation on all devices of this host, by turns, beside one device with
// the inputs of one, and with those of all; u32 + u32, uniform labels. Then the scheme predicted
// best. usage: gpu_devices_speed ROUNDS LEAD_US OPERATION LOG2_N LOG2_M...    devices are busy for
// LEAD_US before each
//        run, while the host launches it (0: launches count as time); inputs of one device;
//        OPERATION: multireduce, histogram, scatter, gather. Several sets of arguments are
//        separated by "/"
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/devices/gather.cuh"
#include "presort/gpu/devices/measure_link.cuh"
#include "presort/gpu/devices/multireduce.cuh"
#include "presort/gpu/devices/scatter.cuh"

using namespace presort;
using namespace presort::gpu;

namespace {

using Array = bench::Array<uint32_t>;

// Arrays of every device; those of device 0 hold the inputs and buckets of all, for runs on it
// alone.
struct Arrays {
  std::vector<std::unique_ptr<Array>> labels;
  std::vector<std::unique_ptr<Array>> values;
  std::vector<std::unique_ptr<Array>> results;  // of a gather; else empty
  std::vector<std::unique_ptr<Array>> buckets;
};

Arrays make_arrays(const Devices& devices, uint64_t n, uint64_t m, bool has_results) {
  Arrays arrays;
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] {
      const uint64_t inputs = d == 0 ? n * devices.size() : n;
      arrays.labels.push_back(std::make_unique<Array>(inputs));
      arrays.values.push_back(std::make_unique<Array>(inputs));
      arrays.results.push_back(std::make_unique<Array>(has_results ? inputs : 0));
      arrays.buckets.push_back(std::make_unique<Array>(d == 0 ? m : m / devices.size() + 1));
      bench::make_labels_kernel<<<2048, 256>>>(arrays.labels[d]->data(), inputs, m,
                                               bench::Labels::uniform);
      bench::make_labels_kernel<<<2048, 256>>>(arrays.values[d]->data(), inputs, 1 << 20,
                                               bench::Labels::uniform);
      PRESORT_CUDA(cudaMemset(arrays.buckets[d]->data(), 0, arrays.buckets[d]->size() * 4));
      PRESORT_CUDA(cudaDeviceSynchronize());
    });
  }
  return arrays;
}

Shares<uint32_t> shares(const std::vector<std::unique_ptr<Array>>& arrays,
                        const std::vector<uint64_t>& sizes) {
  Shares<uint32_t> spans;
  for (size_t d = 0; d < arrays.size(); ++d) {
    spans.push_back({arrays[d]->data(), sizes[d]});
  }
  return spans;
}

class Point {
 public:
  Point(const Devices& devices, const std::string& operation, uint64_t n, uint64_t m,
        const DeviceLink& link)
      : devices_(devices),
        operation_(operation),
        n_(n),
        m_(m),
        link_(link),
        arrays_(make_arrays(devices, n, m, operation == "gather")) {}

  void run_all(std::optional<DeviceScheme> scheme) const {
    const DevicesCall call = {.scheme = scheme, .link = link_};
    const std::vector<uint64_t> inputs(devices_.size(), n_);
    const auto labels = shares(arrays_.labels, inputs);
    const auto values = shares(arrays_.values, inputs);
    const auto buckets = shares(arrays_.buckets, even_ranges(m_, devices_.size()));
    last_ = operation_ == "multireduce" ? multireduce(devices_, labels, values, buckets, {}, call)
            : operation_ == "histogram" ? histogram(devices_, labels, buckets, call)
            : operation_ == "scatter"
                ? scatter(devices_, labels, values, buckets, call)
                : gather(devices_, labels, buckets, shares(arrays_.results, inputs), call);
  }

  void run_one(uint64_t n) const {
    devices_.on(0, [&] {
      const std::span<uint32_t> labels(arrays_.labels[0]->data(), n);
      const std::span<uint32_t> values(arrays_.values[0]->data(), n);
      const std::span<uint32_t> buckets(arrays_.buckets[0]->data(), m_);
      const Call call = {.stream = devices_.stream(0)};
      if (operation_ == "multireduce") {
        multireduce(labels, values, buckets, Sum<uint32_t>{}, call);
      } else if (operation_ == "histogram") {
        histogram(labels, buckets, call);
      } else if (operation_ == "scatter") {
        scatter(labels, values, buckets, call);
      } else {
        gather(labels, buckets, std::span<uint32_t>(arrays_.results[0]->data(), n), call);
      }
    });
  }

  // Median times: one device with n, one with all inputs, then each scheme, infinite if it does
  // not fit; by turns.
  std::vector<double> times(int rounds, uint64_t lead_ns) const {
    std::vector<std::function<void()>> runs = {[&] { run_one(n_); },
                                               [&] { run_one(n_ * devices_.size()); }};
    for (const auto& scheme : kDeviceSchemes) {
      runs.emplace_back([this, value = scheme.value] { run_all(value); });
    }
    std::vector<std::vector<double>> all(runs.size());
    std::vector<double> medians;
    for (int round = 0; round <= rounds; ++round) {
      for (size_t i = 0; i < runs.size(); ++i) {
        double ns = std::numeric_limits<double>::infinity();
        try {
          ns = device_ns(devices_, lead_ns, runs[i]);
        } catch (const PlanError&) {
        }
        if (round > 0) {
          all[i].push_back(ns);
        }
      }
    }
    for (auto& one : all) {
      std::nth_element(one.begin(), one.begin() + one.size() / 2, one.end());
      medians.push_back(one[one.size() / 2]);
    }
    return medians;
  }

  // The scheme that a call chooses.
  DeviceScheme chosen() const {
    run_all({});
    devices_.synchronize();
    return last_;
  }

 private:
  const Devices& devices_;
  std::string operation_;
  uint64_t n_;
  uint64_t m_;
  DeviceLink link_;
  Arrays arrays_;
  mutable DeviceScheme last_{};
};

// The choices of scheme, counted for the last line of a table.
struct Score {
  int points = 0;
  int clear = 0;      // points whose best scheme is 5 % faster than the next
  int right = 0;      // clear points whose best scheme was chosen
  double regret = 0;  // sum of time of the chosen scheme over the best - 1
};

void print_point(const Devices& devices, const std::string& operation, int log2_n, int log2_m,
                 const DeviceLink& link, int rounds, uint64_t lead_ns, Score& score) {
  const uint64_t n = uint64_t{1} << log2_n;
  const uint64_t m = uint64_t{1} << log2_m;
  const Point point(devices, operation, n, m, link);
  const std::vector<double> times = point.times(rounds, lead_ns);
  const auto chosen = static_cast<size_t>(point.chosen());
  std::vector<double> schemes(times.begin() + 2, times.end());
  std::vector<double> sorted = schemes;
  std::sort(sorted.begin(), sorted.end());
  const double regret = schemes[chosen] / sorted[0] - 1;
  const bool is_clear = sorted[1] > 1.05 * sorted[0];
  ++score.points;
  score.clear += is_clear;
  score.right += is_clear && regret == 0;
  score.regret += regret;
  std::printf("%-11s 2^%d 2^%-2d | %8.1f %8.1f |", operation.c_str(), log2_n, log2_m,
              times[0] / 1e3, times[1] / 1e3);
  for (const double ns : schemes) {
    std::printf(" %8.1f", ns / 1e3);
  }
  const double gain = devices.size() * times[0] / schemes[chosen];
  std::printf(" | %-6s %5.1f %%%s | %.2f %.2f\n", std::string(kDeviceSchemes[chosen].name).c_str(),
              100 * regret, is_clear ? "" : " ~", gain, times[1] / schemes[chosen]);
}

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  PRESORT_CUDA(cudaGetDeviceCount(&count));
  const Devices devices(Devices::first(count));
  DeviceLink link = kBundledLink;
  if (count > 1) {
    link = measure_link(devices);
  }
  const uint64_t lead_ns = argc > 2 ? 1000 * std::strtoull(argv[2], nullptr, 10) : 0;
  std::printf("%d x %s; link %.1f GB/s into each, %.2f us from kernel to kernel; lead %llu us\n",
              count, current_gpu().name.c_str(), link.bandwidth / 1e9, link.latency_ns / 1e3,
              static_cast<unsigned long long>(lead_ns / 1000));
  std::printf(
      "us: one device with n and with all inputs | tables, rounds, inputs | chosen, regret, ~ "
      "unclear | all devices' inputs a second over one device's with n, with all\n");
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  Score score;
  for (int i = 3; i + 1 < argc;) {
    const std::string operation = argv[i];
    const int log2_n = std::atoi(argv[i + 1]);
    for (i += 2; i < argc && std::string(argv[i]) != "/"; ++i) {
      print_point(devices, operation, log2_n, std::atoi(argv[i]), link, rounds, lead_ns, score);
      std::fflush(stdout);
    }
    ++i;
  }
  std::printf("%d points, mean regret %.2f %%; %d of %d clear ones right\n", score.points,
              100 * score.regret / score.points, score.right, score.clear);
}
