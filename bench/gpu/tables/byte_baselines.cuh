// Published histograms of bytes, written anew for warps of 32 lanes and 32 banks:
//   podlozhnyuk64   counters of 8 bits for each thread, 64 bins (the top 6 bits of a byte);
//                   Podlozhnyuk 2007, "Histogram calculation in CUDA"
//   podlozhnyuk256  a table for each warp. Lanes that write one counter at a time find out by a tag
//                   of the lane in its top bits, and try again; from the same paper
//   nugteren_warps  a table for each warp, updated by hardware atomics; the bytes of a warp are
//                   shuffled, so that neighbours in an image are not counted at the same time;
//                   Nugteren et al. 2011, "High performance predictable histogramming on GPUs"
//   nugteren_lanes  blocks of one warp, counters of 16 bits for each thread in its own bank; from
//                   the same paper
//   trish           counters of 8 bits for each of 64 threads, in its own bank, summed up in
//                   registers every 63 words; Brown and Snoeyink 2012, "Modestly faster histogram
//                   computations on GPUs"
//   bank_trish      8 threads at each of TRISH's tables, by atomics; the bytes of a word that are
//                   in one group of four bins take one update; Eilers 2014, §4.5.2
// Shapes:   words[words_count]: four bytes each; counts[256] (podlozhnyuk64: [64]), added to
// Requires: words aligned to 4
#pragma once

#include <cstdint>

namespace presort::inline v0::gpu::bench {

inline constexpr int kLanes = 32;
inline constexpr unsigned kWholeWarp = 0xffffffffu;

__device__ inline uint32_t byte_of(uint32_t word, int byte) {
  return (word >> (8 * byte)) & 0xffu;
}

// Adds a block's table to the counts, bin by bin.
template <class Sum>
__device__ void add_bins(uint32_t* counts, uint32_t bins, const Sum& sum) {
  __syncthreads();
  for (uint32_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(counts + bin, sum(bin));
  }
}

template <class T>
__device__ void clear(T* shared, uint32_t size) {
  for (uint32_t i = threadIdx.x; i < size; i += blockDim.x) {
    shared[i] = 0;
  }
  __syncthreads();
}

inline constexpr int kPodlozhnyukThreads64 = 256;

static __global__ void __launch_bounds__(kPodlozhnyukThreads64)
    podlozhnyuk64(const uint32_t* words, uint64_t word_count, uint32_t* counts) {
  constexpr int kThreads = kPodlozhnyukThreads64;
  constexpr int kBins = 64;
  // Number of words that a thread counts at a time: 252 bytes, so counters of 8 bits do not
  // overflow
  constexpr int kWordsOfThread = 63;
  __shared__ uint8_t table[kBins * kThreads];
  const uint32_t t = threadIdx.x;
  // Offset of a lane's counters in shared memory: lane l uses bank l, and the four bytes of a word
  // belong to four warps.
  const uint32_t own = (t & ~127u) | ((t & 31) << 2) | ((t >> 5) & 3);
  const uint64_t tile = static_cast<uint64_t>(kThreads) * kWordsOfThread;
  for (uint64_t first = blockIdx.x * tile; first < word_count; first += gridDim.x * tile) {
    clear(reinterpret_cast<uint32_t*>(table), kBins * kThreads / 4);
    for (int i = 0; i < kWordsOfThread; ++i) {
      const uint64_t at = first + static_cast<uint64_t>(i) * kThreads + t;
      if (at < word_count) {
        const uint32_t word = words[at];
        for (int byte = 0; byte < 4; ++byte) {
          ++table[(byte_of(word, byte) >> 2) * kThreads + own];
        }
      }
    }
    add_bins(counts, kBins, [&](uint32_t bin) {
      uint32_t sum = 0;
      for (uint32_t i = 0; i < kThreads; ++i) {
        sum += table[bin * kThreads + (4 * bin + i) % kThreads];  // each thread reads another bank
      }
      return sum;
    });
    __syncthreads();
  }
}

inline constexpr int kWarpTables = 8;  // number of warps of a block

// Adds up the tables of the warps, once all are full.
__device__ inline void add_warp_tables(const uint32_t (&tables)[kWarpTables][256], uint32_t mask,
                                       uint32_t* counts) {
  add_bins(counts, 256, [&](uint32_t bin) {
    uint32_t sum = 0;
    for (int warp = 0; warp < kWarpTables; ++warp) {
      sum += tables[warp][bin] & mask;
    }
    return sum;
  });
}

static __global__ void __launch_bounds__(kWarpTables* kLanes)
    podlozhnyuk256(const uint32_t* words, uint64_t word_count, uint32_t* counts) {
  constexpr int kTagShift = 27;
  constexpr uint32_t kCount = (1u << kTagShift) - 1;
  __shared__ uint32_t tables[kWarpTables][256];
  clear(&tables[0][0], kWarpTables * 256);
  volatile uint32_t* table = tables[threadIdx.x / kLanes];
  const uint32_t tag = (threadIdx.x % kLanes) << kTagShift;
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t rounds = (word_count + threads - 1) / threads;
  uint64_t at = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (uint64_t round = 0; round < rounds; ++round, at += threads) {
    const bool is_word = at < word_count;
    const uint32_t word = is_word ? words[at] : 0;
    for (int byte = 0; byte < 4; ++byte) {
      const uint32_t bin = byte_of(word, byte);
      bool is_left = is_word;
      while (__any_sync(kWholeWarp, is_left)) {
        const uint32_t count = tag | ((table[bin] & kCount) + 1);
        __syncwarp();
        if (is_left) {
          table[bin] = count;
        }
        __syncwarp();
        is_left = is_left && table[bin] != count;
      }
    }
  }
  add_warp_tables(tables, kCount, counts);
}

static __global__ void __launch_bounds__(kWarpTables* kLanes)
    nugteren_warps(const uint32_t* words, uint64_t word_count, uint32_t* counts) {
  __shared__ uint32_t tables[kWarpTables][256];
  clear(&tables[0][0], kWarpTables * 256);
  uint32_t* table = tables[threadIdx.x / kLanes];
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (uint64_t at = thread; at < word_count; at += threads) {
    const uint32_t word = words[at];
    for (int i = 0; i < 4; ++i) {
      // Neighbouring lanes start with different bytes of their words
      atomicAdd(table + byte_of(word, (i + threadIdx.x) % 4), 1u);
    }
  }
  add_warp_tables(tables, ~0u, counts);
}

static __global__ void __launch_bounds__(kLanes)
    nugteren_lanes(const uint32_t* words, uint64_t word_count, uint32_t* counts) {
  constexpr int kWordsOfThread =
      16383;  // bytes that a thread counts, 65532: counters of 16 bits do not overflow
  __shared__ uint16_t table[256 * kLanes];
  const uint64_t tile = static_cast<uint64_t>(kLanes) * kWordsOfThread;
  for (uint64_t first = blockIdx.x * tile; first < word_count; first += gridDim.x * tile) {
    clear(reinterpret_cast<uint32_t*>(table), 256 * kLanes / 2);
    const uint64_t last = min(first + tile, word_count);
    for (uint64_t at = first + threadIdx.x; at < last; at += kLanes) {
      const uint32_t word = words[at];
      for (int byte = 0; byte < 4; ++byte) {
        const uint32_t bin = byte_of(word, byte);
        ++table[2 * (threadIdx.x + kLanes * (bin / 2)) + bin % 2];
      }
    }
    add_bins(counts, 256, [&](uint32_t bin) {
      uint32_t sum = 0;
      for (uint32_t i = 0; i < kLanes; ++i) {
        sum += table[2 * ((threadIdx.x + i) % kLanes + kLanes * (bin / 2)) + bin % 2];
      }
      return sum;
    });
    __syncthreads();
  }
}

// The tables of TRISH: 64 of 256 counters of 8 bits, each in one bank, four bins a word. Threads
// beyond 64 share them.
inline constexpr int kTrishTables = 64;

struct TrishTables {
  uint32_t words[kTrishTables / kLanes][64][kLanes];

  __device__ uint32_t* word(uint32_t table, uint32_t group) {
    return &words[table / kLanes][group][table % kLanes];
  }
  // Adds up four bins over all tables of TRISH into the 16-bit halves of two words, and clears the
  // bins.
  __device__ void take(uint32_t group, uint32_t first, uint32_t (&bins)[4]) {
    uint32_t even = 0;
    uint32_t odd = 0;
    for (uint32_t i = 0; i < kTrishTables; ++i) {
      uint32_t* four = word((first + i) % kTrishTables, group);
      even += *four & 0x00ff00ffu;
      odd += (*four >> 8) & 0x00ff00ffu;
      *four = 0;
    }
    bins[0] += even & 0xffffu;
    bins[1] += odd & 0xffffu;
    bins[2] += even >> 16;
    bins[3] += odd >> 16;
  }
};

// Histogram kernel with kShare threads at each table; a thread counts kWords words, then tables are
// summed up.
template <int kShare, int kWords, class Count>
__device__ void run_trish(const uint32_t* words, uint64_t word_count, uint32_t* counts,
                          const Count& count) {
  constexpr int kBatch = kWords % 9 == 0 ? 9 : 7;  // number of words that a thread loads at once
  static_assert(kWords % kBatch == 0 && kShare * kWords * 4 < 256);
  constexpr int kThreads = kTrishTables * kShare;
  __shared__ TrishTables tables;
  clear(&tables.words[0][0][0], 64 * kTrishTables);
  uint32_t bins[4] = {};
  const uint64_t tile = static_cast<uint64_t>(kThreads) * kWords;
  for (uint64_t first = blockIdx.x * tile; first < word_count; first += gridDim.x * tile) {
    for (int i = 0; i < kWords; i += kBatch) {
      uint32_t word[kBatch];
#pragma unroll
      for (int j = 0; j < kBatch; ++j) {
        const uint64_t at = first + static_cast<uint64_t>(i + j) * kThreads + threadIdx.x;
        word[j] = at < word_count ? words[at] : 0;
      }
#pragma unroll
      for (int j = 0; j < kBatch; ++j) {
        const uint64_t at = first + static_cast<uint64_t>(i + j) * kThreads + threadIdx.x;
        if (at < word_count) {
          count(tables, word[j]);
        }
      }
    }
    __syncthreads();
    if (threadIdx.x < 64) {
      tables.take(threadIdx.x, threadIdx.x, bins);
    }
    __syncthreads();
  }
  if (threadIdx.x < 64) {
    for (int i = 0; i < 4; ++i) {
      atomicAdd(counts + 4 * threadIdx.x + i, bins[i]);
    }
  }
}

static __global__ void __launch_bounds__(kTrishTables)
    trish(const uint32_t* words, uint64_t word_count, uint32_t* counts) {
  run_trish<1, 63>(words, word_count, counts, [](TrishTables& tables, uint32_t word) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const uint32_t bin = byte_of(word, i);
      *tables.word(threadIdx.x, bin / 4) += 1u << (8 * (bin % 4));
    }
  });
}

inline constexpr int kBankTrishShare = 8;

static __global__ void __launch_bounds__(kTrishTables* kBankTrishShare)
    bank_trish(const uint32_t* words, uint64_t word_count, uint32_t* counts) {
  run_trish<kBankTrishShare, 7>(words, word_count, counts, [](TrishTables& tables, uint32_t word) {
    uint32_t group[4];
    uint32_t added[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const uint32_t bin = byte_of(word, i);
      group[i] = bin / 4;
      added[i] = 1u << (8 * (bin % 4));
    }
    // Where several bytes of an input word update the same word of the table, the first of them
    // adds for all.
#pragma unroll
    for (int i = 3; i > 0; --i) {
#pragma unroll
      for (int j = i - 1; j >= 0; --j) {
        if (group[i] == group[j]) {
          added[j] += added[i];
          added[i] = 0;
        }
      }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (added[i] != 0) {
        atomicAdd(tables.word(threadIdx.x % kTrishTables, group[i]), added[i]);
      }
    }
  });
}

}  // namespace presort::gpu::bench
