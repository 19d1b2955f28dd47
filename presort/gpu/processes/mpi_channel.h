// The host's channel of a group of processes that mpirun or srun has started. The program calls
// MPI_Init before, and MPI_Finalize after the channel's last use. MPI carries no device memory: a
// library that knows no CUDA will do.
#pragma once

#include <mpi.h>

#include <string>

#include "presort/gpu/processes/host_channel.h"

namespace presort::inline v0::gpu {

class MpiChannel : public HostChannel {
 public:
  // Errors: EnvironmentError with MPI's own words
  explicit MpiChannel(MPI_Comm ranks) {
    check("MPI_Comm_dup", MPI_Comm_dup(ranks, &ranks_));
    check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN));
    check("MPI_Comm_rank", MPI_Comm_rank(ranks_, &rank_));
    check("MPI_Comm_size", MPI_Comm_size(ranks_, &size_));
  }
  ~MpiChannel() override { MPI_Comm_free(&ranks_); }
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void all_gather(std::span<const std::byte> own, std::span<std::byte> all) override {
    const int bytes = static_cast<int>(own.size());
    check("MPI_Allgather",
          MPI_Allgather(own.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, ranks_));
  }

 private:
  void check(const char* call, int status) const {
    if (status == MPI_SUCCESS) {
      return;
    }
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(status, text, &length);
    throw EnvironmentError("rank " + std::to_string(rank_) + ": " + call + ": " + text);
  }

  MPI_Comm ranks_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace presort::gpu
