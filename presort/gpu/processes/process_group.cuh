// A group of processes, each with one GPU, that work together on one operation: on one host or on
// several. Every process calls the operation with its own share of the inputs and its own range of
// the buckets, which follow those of the ranks before it.
//   MPI_Init(&argc, &argv);
//   cudaSetDevice(rank_on_this_host);
//   gpu::MpiChannel host(MPI_COMM_WORLD);                  // gpu/processes/mpi_channel.h
//   gpu::NcclChannel links(host);                          // gpu/processes/nccl_channel.cuh
//   const gpu::ProcessGroup group(host, links, stream);
//   gpu::multireduce(group, labels, values, buckets);      // gpu/processes/multireduce.cuh
//   group.synchronize();
// Errors:   of any rank are thrown on all of them, with the number of the rank, before anything is
//           exchanged: no bucket has changed then
// Thread:   one host thread of each process
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/gpu/devices/choose_scheme.cuh"
#include "presort/gpu/processes/device_channel.cuh"
#include "presort/gpu/processes/host_channel.h"

namespace presort::inline v0::gpu {

// Facts of one rank's call.
struct CalledFacts {
  Operation operation = Operation::multireduce;
  uint64_t label_bytes = 0;
  uint64_t value_bytes = 0;
  uint64_t inputs = 0;
  uint64_t buckets = 0;  // buckets that the rank owns
};

// Facts of a call that all ranks have made.
struct SharedFacts {
  BucketRanges ranges;
  uint64_t most_inputs = 0;  // inputs of the rank that has most
};

class ProcessGroup {
 public:
  // The channels must live as long as the group. All ranks make it.
  // Errors: EnvironmentError when there is no device, or more than kMostDevices ranks
  ProcessGroup(HostChannel& host, DeviceChannel& links, cudaStream_t stream)
      : host_(&host), links_(&links), stream_(stream) {
    together([&] {
      require_device();
      if (size() > kMostDevices) {
        throw EnvironmentError("found " + std::to_string(size()) + " ranks, accepted: 1 to " +
                               std::to_string(kMostDevices));
      }
    });
  }

  size_t rank() const { return static_cast<size_t>(host_->rank()); }
  size_t size() const { return static_cast<size_t>(host_->size()); }
  cudaStream_t stream() const { return stream_; }

  // Runs work() on every rank; a failure on one is thrown on all (gpu::together). All ranks call
  // it.
  template <class Work>
  void together(const Work& work) const {
    gpu::together(*host_, work);
  }
  // Gathers one value of each rank, that of rank 0 first. All ranks call it.
  template <class T>
  std::vector<T> all_gather(const T& own) const {
    return gpu::all_gather(*host_, own);
  }
  // Exchanges device memory on the stream: DeviceChannel::exchange.
  void exchange(std::span<const SentPiece> sent, std::span<const ReceivedPiece> received) const {
    links_->exchange(sent, received, stream_);
  }
  // Waits until the stream has done all that it has to do.
  void synchronize() const { links_->synchronize(stream_); }

  // Begins an operation: runs check() on every rank, and learns what the others call, which must be
  // the same operation with the same types.
  // Errors: as check() on any rank; PlanError that names the rank whose call differs from rank 0's
  template <class Check>
  SharedFacts begin_operation(const CalledFacts& own, const Check& check) const {
    struct Begun {
      CalledFacts facts;
      Report report;
    };
    std::vector<CalledFacts> all;
    std::vector<Report> reports;
    for (const Begun& begun : all_gather(Begun{own, report_of(check)})) {
      all.push_back(begun.facts);
      reports.push_back(begun.report);
    }
    require_none(reports);
    SharedFacts shared;
    shared.ranges.devices = static_cast<int>(size());
    for (size_t r = 0; r < size(); ++r) {
      if (all[r].operation != all[0].operation || all[r].label_bytes != all[0].label_bytes ||
          all[r].value_bytes != all[0].value_bytes) {
        throw PlanError("rank " + std::to_string(r) +
                        ": calls another operation, or other types, than rank 0");
      }
      shared.ranges.begins[r + 1] = shared.ranges.begins[r] + all[r].buckets;
      shared.most_inputs = std::max(shared.most_inputs, all[r].inputs);
    }
    return shared;
  }

 private:
  HostChannel* host_;
  DeviceChannel* links_;
  cudaStream_t stream_;
};

// Options of an operation of a group. `scheme` and `plan` of rank 0 are those of all ranks.
struct ProcessCall {
  std::optional<DeviceScheme> scheme = {};  // tables or inputs; none: by predicted times
  // Link that times are predicted by; none: the machine file's in use (use_gpu), or kBundledLink
  std::optional<DeviceLink> link = {};
  std::optional<Distribution> labels = {};  // distribution of the labels, if it is known
};

}  // namespace presort::gpu
