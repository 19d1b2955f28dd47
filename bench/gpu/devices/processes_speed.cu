// Times each scheme of an operation of a group of processes, a GPU for each, beside one device with
// the inputs of one; u32 + u32, uniform labels. Times are from the meeting of all ranks to the end
// of the slowest one's stream, so what ranks tell each other on the host counts.
// usage: mpirun -n RANKS gpu_processes_speed ROUNDS OPERATION LOG2_N LOG2_M...
//        inputs of one rank; OPERATION: multireduce, histogram, scatter, gather, or exchange: the
//        steps of the scheme `inputs` by themselves. Several sets of arguments are separated by "/"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/processes/gather.cuh"
#include "presort/gpu/processes/measure_link.cuh"
#include "presort/gpu/processes/mpi_channel.h"
#include "presort/gpu/processes/multireduce.cuh"
#include "presort/gpu/processes/nccl_channel.cuh"
#include "presort/gpu/processes/scatter.cuh"

using namespace presort;
using namespace presort::gpu;

namespace {

using Array = bench::Array<uint32_t>;
using Clock = std::chrono::steady_clock;

class Point {
 public:
  Point(const ProcessGroup& group, const DeviceLink& link, const std::string& operation, uint64_t n,
        uint64_t m)
      : group_(group),
        link_(link),
        operation_(operation),
        m_(m),
        labels_(n),
        values_(n),
        results_(operation == "gather" ? n : 0),
        buckets_(m) {
    bench::make_labels_kernel<<<2048, 256>>>(labels_.data(), n, m, bench::Labels::uniform);
    bench::make_labels_kernel<<<2048, 256>>>(values_.data(), n, 1 << 20, bench::Labels::uniform);
    PRESORT_CUDA(cudaMemset(buckets_.data(), 0, m * sizeof(uint32_t)));
    PRESORT_CUDA(cudaDeviceSynchronize());
  }

  void run_group(std::optional<DeviceScheme> scheme) const {
    const auto buckets = span(buckets_, even_ranges(m_, group_.size())[group_.rank()]);
    const ProcessCall call = {.scheme = scheme, .link = link_};
    if (operation_ == "multireduce") {
      multireduce(group_, span(labels_), span(values_), buckets, Sum<uint32_t>{}, call);
    } else if (operation_ == "histogram") {
      histogram(group_, span(labels_), buckets, call);
    } else if (operation_ == "scatter") {
      scatter(group_, span(labels_), span(values_), buckets, call);
    } else {
      gather(group_, span(labels_), buckets, span(results_));
    }
  }

  void begin(std::optional<ProcessExchange<true, uint32_t, uint32_t>>& exchange) const {
    BucketRanges ranges;
    ranges.devices = static_cast<int>(group_.size());
    const auto sizes = even_ranges(m_, group_.size());
    for (size_t r = 0; r < sizes.size(); ++r) {
      ranges.begins[r + 1] = ranges.begins[r] + sizes[r];
    }
    exchange.emplace(group_, span(labels_), span(values_), ranges);
  }

  void run_one() const {
    const Call call = {.stream = group_.stream()};
    if (operation_ == "multireduce") {
      multireduce(span(labels_), span(values_), span(buckets_), Sum<uint32_t>{}, call);
    } else if (operation_ == "histogram") {
      histogram(span(labels_), span(buckets_), call);
    } else if (operation_ == "scatter") {
      scatter(span(labels_), span(values_), span(buckets_), call);
    } else {
      gather(span(labels_), span(buckets_), span(results_), call);
    }
  }

  // Time of run(), µs, until the slowest rank is done. All ranks call it.
  template <class Run>
  double time(const Run& run) const {
    group_.synchronize();
    group_.all_gather(0);
    const Clock::time_point begin = Clock::now();
    run();
    group_.synchronize();
    const double own = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    const auto all = group_.all_gather(own);
    return *std::max_element(all.begin(), all.end());
  }

 private:
  static std::span<uint32_t> span(const Array& array) {
    return {const_cast<uint32_t*>(array.data()), array.size()};
  }
  static std::span<uint32_t> span(const Array& array, uint64_t size) {
    return span(array).first(size);
  }

  const ProcessGroup& group_;
  DeviceLink link_;
  std::string operation_;
  uint64_t m_;
  Array labels_;
  Array values_;
  Array results_;
  Array buckets_;
};

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// Times the steps of an exchange of inputs.
void time_exchange(const ProcessGroup& group, const DeviceLink& link, int rounds, int log2_n,
                   int log2_m) {
  const Point point(group, link, "multireduce", uint64_t{1} << log2_n, uint64_t{1} << log2_m);
  std::vector<double> counted;
  std::vector<double> packed;
  std::vector<double> sent;
  for (int round = -1; round < rounds; ++round) {
    std::optional<ProcessExchange<true, uint32_t, uint32_t>> exchange;
    const double times[] = {point.time([&] { point.begin(exchange); }),
                            point.time([&] { exchange->pack(); }),
                            point.time([&] { exchange->send(); })};
    if (round >= 0) {
      counted.push_back(times[0]);
      packed.push_back(times[1]);
      sent.push_back(times[2]);
    }
  }
  if (group.rank() == 0) {
    std::printf("exchange    ranks %zu n 2^%d m 2^%d us: count %8.1f pack %8.1f send %8.1f\n",
                group.size(), log2_n, log2_m, median(counted), median(packed), median(sent));
    std::fflush(stdout);
  }
}

void time_point(const ProcessGroup& group, const DeviceLink& link, int rounds,
                const std::string& operation, int log2_n, int log2_m) {
  const Point point(group, link, operation, uint64_t{1} << log2_n, uint64_t{1} << log2_m);
  std::vector<double> one;
  std::vector<double> tables;
  std::vector<double> inputs;
  std::vector<double> chosen;
  for (int round = -1; round < rounds; ++round) {
    const double times[] = {
        point.time([&] { point.run_one(); }),
        point.time([&] { point.run_group(DeviceScheme::tables); }),
        operation == "gather" ? 0 : point.time([&] { point.run_group(DeviceScheme::inputs); }),
        point.time([&] { point.run_group(std::nullopt); })};
    if (round >= 0) {
      one.push_back(times[0]);
      tables.push_back(times[1]);
      inputs.push_back(times[2]);
      chosen.push_back(times[3]);
    }
  }
  if (group.rank() == 0) {
    std::printf(
        "%-11s ranks %zu n 2^%d m 2^%d us: one %8.1f tables %8.1f inputs %8.1f chosen %8.1f "
        "gain %5.2f\n",
        operation.c_str(), group.size(), log2_n, log2_m, median(one), median(tables),
        median(inputs), median(chosen),
        static_cast<double>(group.size()) * median(one) / median(chosen));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int result = 0;
  try {
    if (argc < 5) {
      throw InputError("usage: gpu_processes_speed ROUNDS OPERATION LOG2_N LOG2_M... [/ ...]");
    }
    MpiChannel host(MPI_COMM_WORLD);
    PRESORT_CUDA(cudaSetDevice(host.rank()));
    cudaStream_t stream = nullptr;
    PRESORT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    NcclChannel links(host);
    const ProcessGroup group(host, links, stream);
    const DeviceLink link = measure_link(group);
    if (group.rank() == 0) {
      std::printf("link %.1f GB/s, %.0f ns\n", link.bandwidth / 1e9, link.latency_ns);
    }
    for (int at = 2; at + 2 < argc; ++at) {
      const std::string operation = argv[at];
      const int log2_n = std::atoi(argv[at + 1]);
      for (at += 2; at < argc && std::string(argv[at]) != "/"; ++at) {
        if (operation == "exchange") {
          time_exchange(group, link, std::atoi(argv[1]), log2_n, std::atoi(argv[at]));
        } else {
          time_point(group, link, std::atoi(argv[1]), operation, log2_n, std::atoi(argv[at]));
        }
      }
    }
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    result = 1;
  }
  MPI_Finalize();
  return result;
}
