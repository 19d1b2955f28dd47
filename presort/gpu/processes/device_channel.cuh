// How the processes of a group, one for each GPU, exchange device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>

namespace presort::inline v0::gpu {

// Bytes of device memory for a rank, or from it.
template <class Byte>
struct Piece {
  int rank = 0;
  std::span<Byte> bytes;
};
using SentPiece = Piece<const std::byte>;
using ReceivedPiece = Piece<std::byte>;

class DeviceChannel {
 public:
  virtual ~DeviceChannel() = default;
  // Sends pieces to other ranks and receives theirs, on the stream. All ranks call it. The k-th
  // piece that rank a sends to rank b is the k-th one that b receives from a, and as long.
  // Requires: no piece is of this rank; empty pieces are left out on both sides
  // Errors:   EnvironmentError when the exchange cannot be launched
  virtual void exchange(std::span<const SentPiece> sent, std::span<const ReceivedPiece> received,
                        cudaStream_t stream) = 0;
  // Waits until the stream has done all that it has to do.
  // Errors: EnvironmentError when the device has failed, or the channel knows that another rank has
  virtual void synchronize(cudaStream_t stream) = 0;
};

}  // namespace presort::gpu
