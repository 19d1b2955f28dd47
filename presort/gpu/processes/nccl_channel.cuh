// Exchange of device memory by NCCL: over NVLink, PCIe or a network, between processes of one host
// or of several. Programs that include it link NCCL 2.18 or later (-lnccl).
#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/processes/device_channel.cuh"
#include "presort/gpu/processes/host_channel.h"

namespace presort::inline v0::gpu {

class NcclChannel : public DeviceChannel {
 public:
  // Joins the ranks of `host`, each with its current device. All ranks call it; none may have the
  // device of another one.
  // patience: seconds after which ranks that do not come are given up
  // Errors:   EnvironmentError that names the ranks that share a device, or with NCCL's own words
  explicit NcclChannel(HostChannel& host, double patience = 60)
      : rank_(host.rank()), patience_(patience) {
    refuse_shared_devices(host);
    Id own;
    together(host, [&] {
      if (rank_ == 0) {
        check("ncclGetUniqueId", ncclGetUniqueId(&own.id));
      }
    });
    const Id id = all_gather(host, own).front();
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;  // no call waits, so that a rank that is lost can be given up
    together(host, [&] {
      settle("ncclCommInitRankConfig",
             ncclCommInitRankConfig(&ranks_, host.size(), id.id, rank_, &config));
    });
  }
  ~NcclChannel() override {
    if (ranks_ != nullptr) {
      ncclCommAbort(ranks_);
    }
  }
  NcclChannel(const NcclChannel&) = delete;
  NcclChannel& operator=(const NcclChannel&) = delete;

  void exchange(std::span<const SentPiece> sent, std::span<const ReceivedPiece> received,
                cudaStream_t stream) override {
    check("ncclGroupStart", ncclGroupStart());
    for (const SentPiece& piece : sent) {
      start("ncclSend",
            ncclSend(piece.bytes.data(), piece.bytes.size(), ncclInt8, piece.rank, ranks_, stream));
    }
    for (const ReceivedPiece& piece : received) {
      start("ncclRecv",
            ncclRecv(piece.bytes.data(), piece.bytes.size(), ncclInt8, piece.rank, ranks_, stream));
    }
    settle("ncclGroupEnd", ncclGroupEnd());
  }

  void synchronize(cudaStream_t stream) override {
    for (;;) {
      const cudaError_t status = cudaStreamQuery(stream);
      if (status != cudaErrorNotReady) {
        PRESORT_CUDA(status);
        return;
      }
      ncclResult_t state = ncclSuccess;
      check("ncclCommGetAsyncError", ncclCommGetAsyncError(ranks_, &state));
      if (state != ncclInProgress) {
        check("exchange", state);
      }
      std::this_thread::yield();
    }
  }

 private:
  struct Id {
    ncclUniqueId id{};
  };

  // Name of a GPU that no other one has, on any host.
  struct DeviceName {
    char bytes[16] = {};
  };
  static void refuse_shared_devices(HostChannel& host) {
    DeviceName own;
    together(host, [&] {
      int device = 0;
      cudaDeviceProp properties{};
      PRESORT_CUDA(cudaGetDevice(&device));
      PRESORT_CUDA(cudaGetDeviceProperties(&properties, device));
      std::memcpy(own.bytes, properties.uuid.bytes, sizeof own.bytes);
    });
    const std::vector<DeviceName> all = all_gather(host, own);
    for (size_t b = 0; b < all.size(); ++b) {
      for (size_t a = 0; a < b; ++a) {
        if (std::memcmp(all[a].bytes, all[b].bytes, sizeof all[a].bytes) == 0) {
          throw EnvironmentError("ranks " + std::to_string(a) + " and " + std::to_string(b) +
                                 " have the same device; each needs one of its own, by "
                                 "cudaSetDevice");
        }
      }
    }
  }

  void check(const char* call, ncclResult_t status) {
    if (status == ncclSuccess) {
      return;
    }
    const std::string text = std::string("NCCL: ") + call + ": " + ncclGetErrorString(status);
    const char* more = ncclGetLastError(ranks_);
    throw EnvironmentError(text +
                           (more != nullptr && *more != '\0' ? std::string(", ") + more : ""));
  }
  void start(const char* call, ncclResult_t status) {
    if (status != ncclInProgress) {
      check(call, status);
    }
  }
  // Waits until a call that does not wait is done on the host.
  void settle(const char* call, ncclResult_t status) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    start(call, status);
    for (ncclResult_t state = ncclInProgress; state == ncclInProgress;) {
      check("ncclCommGetAsyncError", ncclCommGetAsyncError(ranks_, &state));
      if (state == ncclInProgress) {
        if (std::chrono::duration<double>(Clock::now() - begin).count() > patience_) {
          throw EnvironmentError(std::string("NCCL: ") + call +
                                 ": other ranks did not come within " +
                                 std::to_string(static_cast<int>(patience_)) + " s");
        }
        std::this_thread::yield();
      } else {
        check(call, state);
      }
    }
  }

  int rank_;
  double patience_;
  ncclComm_t ranks_ = nullptr;
};

}  // namespace presort::gpu
