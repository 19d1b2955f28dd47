// Measures what blocks of a GPU wait for when one hands a value on to the next, and what the parts
// of a scan by sorted tiles take:
//   reads      a dependent read that the L2, or a multiprocessor's shared memory, answers
//   messages   a flag that two multiprocessors hand to each other through the L2 by turns
//   chains     tiles of a scan that wait for the prefix of the tile before: chained (one tile
//              back), and windows of 32 tiles (decoupled look-back), by tile size
//   tiles      sort_tiles, join_tiles, spread_tiles (device/ordered/sorted_tiles.cuh)
//   gpu_waits ROUNDS
// Prints lines of JSON: medians of device events.
// Source: Merrill and Garland 2016, §3 and §4
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "bench/gpu/timing.cuh"
#include "presort/core/monoid.h"
#include "presort/gpu/device/ordered/sorted_tiles.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

using Word = unsigned long long;

// Follows next[] from element 0 for `hops` steps, past the L1.
__global__ void follow(const uint32_t* next, uint32_t hops, uint32_t* last) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < hops; ++i) {
    at = __ldcg(next + at);
  }
  *last = at;
}

// Follows a cycle of 1024 words in shared memory.
__global__ void follow_shared(uint32_t hops, uint32_t* last) {
  __shared__ uint32_t next[1024];
  for (uint32_t i = threadIdx.x; i < 1024; i += blockDim.x) {
    next[i] = (i + 33) % 1024;
  }
  __syncthreads();
  uint32_t at = threadIdx.x;
  for (uint32_t i = 0; i < hops; ++i) {
    at = static_cast<volatile uint32_t*>(next)[at];
  }
  last[threadIdx.x] = at;
}

// Two blocks, each of which waits for the other's flag. Requires: so much shared memory that each
// has a multiprocessor to itself
__global__ void hand_to_and_fro(volatile Word* flags, Word rounds) {
  volatile Word* own = flags + 32 * blockIdx.x;
  volatile Word* other = flags + 32 * (1 - blockIdx.x);
  for (Word i = 1; i <= rounds; ++i) {
    if (blockIdx.x == 0) {
      *own = i;
    }
    while (*other < i) {
    }
    if (blockIdx.x == 1) {
      *own = i;
    }
  }
}

enum class Wait { chained, decoupled };
constexpr int kChainThreads = 256;

// Sums tiles of kItems values a thread and scans the sums of tiles: state[t] is 2 · sum + 1 with
// the tile's own sum when its high bit is clear, else the prefix. Sums have up to 61 bits. Tiles
// are numbered by an atomic, so that all before a tile have started.
template <Wait kWait, int kItems>
__global__ void __launch_bounds__(kChainThreads, 8)
    chain(const uint32_t* values, uint32_t* results, uint64_t n, volatile Word* state,
          unsigned* next) {
  constexpr Word kPrefix = Word{1} << 63;
  __shared__ Word sums[kChainThreads / kWarpLanes];
  __shared__ unsigned tile;
  __shared__ Word before;
  if (threadIdx.x == 0) {
    tile = atomicAdd(next, 1u);
  }
  __syncthreads();
  const uint64_t first = static_cast<uint64_t>(tile) * kItems * kChainThreads;
  uint32_t value[kItems];
  Word sum = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const uint64_t at = first + i * kChainThreads + threadIdx.x;
    value[i] = at < n ? values[at] : 0;
    sum += value[i];
  }
#pragma unroll
  for (int lanes = kWarpLanes / 2; lanes > 0; lanes /= 2) {
    sum += __shfl_xor_sync(kAllLanes, sum, lanes);
  }
  const uint32_t lane = threadIdx.x % kWarpLanes;
  if (lane == 0) {
    sums[threadIdx.x / kWarpLanes] = sum;
  }
  __syncthreads();
  if (threadIdx.x < kWarpLanes) {
    Word all = 0;
    for (const Word of_warp : sums) {
      all += of_warp;
    }
    Word prefix = 0;
    if (tile > 0) {
      if constexpr (kWait == Wait::chained) {
        Word seen = 0;
        while ((seen = state[tile - 1]) == 0) {
        }
        prefix = (seen & ~kPrefix) >> 1;
      } else {
        if (lane == 0) {
          state[tile] = 2 * all + 1;
        }
        int64_t last = static_cast<int64_t>(tile) - 1;
        bool is_done = false;
        while (!is_done) {
          const int64_t own = last - lane;
          const Word seen = own >= 0 ? state[own] : kPrefix | 1;
          const unsigned known = __ballot_sync(kAllLanes, (seen & kPrefix) != 0);
          const unsigned missing = __ballot_sync(kAllLanes, seen == 0);
          const int nearest = known == 0 ? kWarpLanes : __ffs(known) - 1;
          const unsigned needed = nearest >= kWarpLanes - 1 ? ~0u : (2u << nearest) - 1;
          if ((missing & needed) != 0) {
            continue;
          }
          Word part = (needed >> lane & 1u) != 0 ? (seen & ~kPrefix) >> 1 : 0;
#pragma unroll
          for (int lanes = kWarpLanes / 2; lanes > 0; lanes /= 2) {
            part += __shfl_xor_sync(kAllLanes, part, lanes);
          }
          prefix += part;
          is_done = nearest < kWarpLanes;
          last -= kWarpLanes;
        }
      }
    }
    if (lane == 0) {
      before = prefix;
      state[tile] = kPrefix | (2 * (prefix + all) + 1);
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const uint64_t at = first + i * kChainThreads + threadIdx.x;
    if (at < n) {
      results[at] = value[i] + static_cast<uint32_t>(before);
    }
  }
}

void print(const std::string& what, double ns) {
  std::printf("{\"waits\": \"%s\", \"ns\": %.3f}\n", what.c_str(), ns);
  std::fflush(stdout);
}

void time_reads(int rounds) {
  constexpr uint32_t kHops = 20000;
  for (const size_t bytes :
       {size_t{1} << 20, size_t{8} << 20, size_t{24} << 20, size_t{256} << 20}) {
    const size_t lines = bytes / 128;
    // Every line once: none is met again while the L2 still has it, where the L2 has not all.
    const auto hops = static_cast<uint32_t>(lines);
    std::vector<uint32_t> order(lines);
    std::iota(order.begin(), order.end(), 0u);
    std::mt19937_64 random(1);
    std::shuffle(order.begin() + 1, order.end(), random);
    std::vector<uint32_t> next(lines * 32);
    for (size_t i = 0; i < lines; ++i) {
      next[size_t{order[i]} * 32] = order[(i + 1) % lines] * 32;
    }
    const Array<uint32_t> array(next.size());
    const Array<uint32_t> last(1);
    PRESORT_CUDA(cudaMemcpy(array.data(), next.data(), next.size() * 4, cudaMemcpyHostToDevice));
    print("read of " + std::to_string(bytes >> 20) + " MiB",
          bench::median_ns(rounds, [&] { follow<<<1, 1>>>(array.data(), hops, last.data()); }) /
              hops);
  }
  const Array<uint32_t> last(32);
  print("read of shared memory",
        bench::median_ns(rounds, [&] { follow_shared<<<1, 32>>>(kHops, last.data()); }) / kHops);
}

void time_messages(int rounds) {
  constexpr Word kRounds = 5000;
  constexpr size_t kShared = 150000;
  const Array<Word> flags(64);
  PRESORT_CUDA(
      cudaFuncSetAttribute(hand_to_and_fro, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    PRESORT_CUDA(cudaMemset(flags.data(), 0, 64 * sizeof(Word)));
    times.push_back(
        bench::ns_once([&] { hand_to_and_fro<<<2, 1, kShared>>>(flags.data(), kRounds); }));
  }
  std::sort(times.begin(), times.end());
  print("message from one multiprocessor to another", times[times.size() / 2] / (2 * kRounds));
}

template <Wait kWait, int kItems>
void time_chain(int rounds) {
  constexpr uint64_t n = uint64_t{1} << 24;
  constexpr uint64_t kTile = kItems * kChainThreads;
  const Array<uint32_t> values(n);
  const Array<uint32_t> results(n);
  const Array<Word> state(n / kTile + 1);
  PRESORT_CUDA(cudaMemset(values.data(), 1, n * 4));
  std::vector<double> times;
  for (int i = 0; i <= rounds; ++i) {
    PRESORT_CUDA(cudaMemset(state.data(), 0, state.size() * sizeof(Word)));
    times.push_back(bench::ns_once([&] {
      chain<kWait, kItems>
          <<<n / kTile, kChainThreads>>>(values.data(), results.data(), n, state.data(),
                                         reinterpret_cast<unsigned*>(state.data() + n / kTile));
    }));
    PRESORT_CUDA(cudaGetLastError());
  }
  std::sort(times.begin(), times.end());
  print(std::string(kWait == Wait::chained ? "chained" : "decoupled") + ", a tile of " +
            std::to_string(kTile),
        times[times.size() / 2] / static_cast<double>(n / kTile));
}

template <class Value>
void time_tiles(uint64_t n, uint64_t m, int rounds) {
  using Input = SeparateInput<uint32_t, Value>;
  const Array<uint32_t> labels(n);
  const Array<Value> values(n);
  const Array<Value> results(n);
  const Array<Value> buckets(m);
  bench::make_labels(labels, m, bench::Labels::uniform);
  PRESORT_CUDA(cudaMemset(values.data(), 1, n * sizeof(Value)));
  Carver size;
  SortedTiles<uint32_t, Value>::take(size, n, m, true);
  const Array<std::byte> scratch(size.used_bytes());
  Carver carver(scratch.data());
  const auto tiles = SortedTiles<uint32_t, Value>::take(carver, n, m, true);
  const auto count = static_cast<uint32_t>(sorted_tiles(n));
  const PartBits range = bits_of_range<Value>(label_bits(m), n);
  const uint32_t ranges = range_count(m, range);
  const Input input{labels.data(), values.data()};
  const Sum<Value> sum;
  const size_t shared = kTileJoinWarps * part_table_bytes<Value>(range);
  const auto sort = [&] {
    sort_tiles_kernel<LongSortedTile, TileResults::exclusive><<<count, LongSortedTile::kThreads>>>(
        input, n, label_bits(m), ranges, range, tiles, results.data(), sum);
  };
  const auto join = [&] {
    join_tiles_kernel<true, uint32_t, Value, Sum<Value>>
        <<<(ranges + kTileJoinWarps - 1) / kTileJoinWarps, kTileJoinWarps * kWarpLanes, shared>>>(
            tiles, count, m, ranges, range, buckets.data(), sum);
  };
  const auto spread = [&] {
    spread_tiles_kernel<uint32_t, Value, Sum<Value>>
        <<<static_cast<unsigned>((n + 255) / 256), 256>>>(tiles, static_cast<uint32_t>(n),
                                                          results.data(), sum);
  };
  const auto reduce_join = [&] {
    join_tiles_kernel<false, uint32_t, Value, Sum<Value>>
        <<<(ranges + kTileJoinWarps - 1) / kTileJoinWarps, kTileJoinWarps * kWarpLanes, shared>>>(
            tiles, count, m, ranges, range, buckets.data(), sum);
  };
  const std::string of = ", n " + std::to_string(n) + ", m " + std::to_string(m) + ", bytes " +
                         std::to_string(sizeof(Value)) + ", ranges " + std::to_string(ranges);
  print("sort tiles" + of, bench::median_ns(rounds, sort));
  print("join tiles" + of, bench::median_ns(rounds, join));
  print("join tiles, no results" + of, bench::median_ns(rounds, reduce_join));
  print("spread tiles" + of, bench::median_ns(rounds, spread));
  PRESORT_CUDA(cudaDeviceSynchronize());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gpu_waits ROUNDS\n");
    return 2;
  }
  const int rounds = std::atoi(argv[1]);
  time_reads(rounds);
  time_messages(rounds);
  time_chain<Wait::chained, 1>(rounds);
  time_chain<Wait::chained, 4>(rounds);
  time_chain<Wait::chained, 16>(rounds);
  time_chain<Wait::decoupled, 1>(rounds);
  time_chain<Wait::decoupled, 4>(rounds);
  time_chain<Wait::decoupled, 16>(rounds);
  for (const int log2_n : {20, 21, 22}) {
    for (const int log2_m : {12, 16, 20}) {
      time_tiles<uint32_t>(uint64_t{1} << log2_n, uint64_t{1} << log2_m, rounds);
    }
    time_tiles<uint64_t>(uint64_t{1} << log2_n, uint64_t{1} << 16, rounds);
  }
  return 0;
}
