// Groups of processes, with threads of one process and one device in their place: what they tell
// each other goes through memory of the host, and pieces are copied on the device.
#include <doctest/doctest.h>

#include "tests/gpu/processes/group_checks.cuh"
#include "tests/gpu/processes/thread_ranks.h"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

// Copies pieces between the ranks of a ThreadChannel.
class CopyChannel : public DeviceChannel {
 public:
  explicit CopyChannel(HostChannel& host) : host_(host) {}

  void exchange(std::span<const SentPiece> sent, std::span<const ReceivedPiece> received,
                cudaStream_t stream) override {
    PRESORT_CUDA(cudaStreamSynchronize(stream));
    const auto all = all_gather(host_, sent);
    std::vector<size_t> taken(all.size());
    for (const ReceivedPiece& piece : received) {
      const SentPiece from = next(all, piece.rank, taken);
      if (from.bytes.size() != piece.bytes.size()) {
        throw EnvironmentError("pieces of other sizes than were sent");
      }
      PRESORT_CUDA(cudaMemcpyAsync(piece.bytes.data(), from.bytes.data(), piece.bytes.size(),
                                   cudaMemcpyDeviceToDevice, stream));
    }
    PRESORT_CUDA(cudaStreamSynchronize(stream));
    all_gather(host_, 0);  // no rank goes on before all have copied
  }
  void synchronize(cudaStream_t stream) override { PRESORT_CUDA(cudaStreamSynchronize(stream)); }

 private:
  // The next piece that `rank` has sent to this rank.
  SentPiece next(const std::vector<std::span<const SentPiece>>& all, int rank,
                 std::vector<size_t>& taken) const {
    const auto from = static_cast<size_t>(rank);
    while (taken[from] < all[from].size()) {
      const SentPiece& piece = all[from][taken[from]++];
      if (piece.rank == host_.rank()) {
        return piece;
      }
    }
    throw EnvironmentError("a piece that was not sent");
  }

  HostChannel& host_;
};

// Runs a check on 1 to 4 ranks, each with a stream of its own, and tells what is wrong on any of
// them.
template <class Check>
std::string on_all_groups(const Check& check) {
  std::string wrong;
  for (int ranks = 1; ranks <= 4; ++ranks) {
    std::vector<std::string> found(static_cast<size_t>(ranks));
    run_ranks(ranks, [&](HostChannel& host) {
      cudaStream_t stream = nullptr;
      PRESORT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      CopyChannel links(host);
      const ProcessGroup group(host, links, stream);
      found[group.rank()] = check(group);
      PRESORT_CUDA(cudaStreamDestroy(stream));
    });
    for (size_t rank = 0; rank < found.size(); ++rank) {
      if (!found[rank].empty()) {
        wrong += std::to_string(ranks) + " ranks, rank " + std::to_string(rank) + ": " +
                 found[rank] + "\n";
      }
    }
  }
  return wrong;
}

// a ⊙ b = b where b is not 0: the last value that is not 0. It does not commute.
struct LastOne {
  static constexpr bool is_commutative = false;
  constexpr uint32_t identity() const { return 0; }
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const { return b != 0 ? b : a; }
};

}  // namespace

TEST_CASE("processes reduce as one loop over all inputs") {
  CHECK(on_all_groups(check_multireduce<uint32_t, uint32_t, Sum<uint32_t>>) == "");
  CHECK(on_all_groups(check_multireduce<uint64_t, int64_t, Min<int64_t>>) == "");
  CHECK(on_all_groups(check_multireduce<int32_t, float, Sum<float>>) == "");
}

TEST_CASE("processes keep the order of the inputs where it matters") {
  CHECK(on_all_groups(check_multireduce<uint32_t, uint32_t, LastOne>) == "");
  CHECK(on_all_groups(check_multireduce<uint32_t, double, InOrder<Sum<double>>>) == "");
}

TEST_CASE("processes count labels as one loop") {
  CHECK(on_all_groups(check_histogram<uint32_t, uint64_t>) == "");
  CHECK(on_all_groups(check_histogram<uint8_t, uint32_t>) == "");
}

TEST_CASE("processes scatter: the last input of all ranks stands in its bucket") {
  CHECK(on_all_groups(check_scatter<uint32_t, uint64_t>) == "");
}

TEST_CASE("processes gather from the buckets of all") {
  CHECK(on_all_groups(check_gather<uint64_t, uint32_t>) == "");
}

TEST_CASE("a call that is wrong on one rank fails on all, and no bucket has changed") {
  CHECK(on_all_groups(check_refusals) == "");
}

TEST_CASE("a group measures its link") {
  CHECK(on_all_groups(check_link) == "");
}
