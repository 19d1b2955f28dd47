#include "bench/peers/keys.h"
#include "bench/peers/sorts.h"

#ifdef PRESORT_PEER_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>
#endif

namespace presort::inline v0::bench::peers {

#ifdef PRESORT_PEER_TBB

namespace {

using Range = oneapi::tbb::blocked_range<size_t>;

// Multireduce by oneTBB's sort: packing keys and adding up runs are parallel too.
void sort_and_reduce_in_parallel(const Arrays& arrays) {
  constexpr size_t kGrain = size_t{1}
                            << 16;  // number of inputs of a parallel task: tens of µs of work
  const std::span<Key> keys = keys_in(arrays);
  const Range all(0, keys.size(), kGrain);
  oneapi::tbb::parallel_for(
      all, [&](const Range& range) { pack(arrays, keys, range.begin(), range.end()); });
  oneapi::tbb::parallel_sort(keys.begin(), keys.end());
  oneapi::tbb::parallel_for(all, [&](const Range& range) {
    reduce_runs(keys, arrays.buckets, range.begin(), range.end());
  });
}

Contender with_threads(int threads, uint64_t n) {
  const std::string name = "oneTBB parallel_sort";
  return {.name = threads > 1 ? name + ", " + std::to_string(threads) + " threads" : name,
          .threads = threads,
          .scratch_bytes = n * sizeof(Key),
          .run = [threads](const Arrays& arrays) {
            oneapi::tbb::task_arena(threads).execute([&] { sort_and_reduce_in_parallel(arrays); });
          }};
}

}  // namespace

void add_tbb(std::vector<Contender>& contenders, std::vector<std::string>&, uint64_t n,
             int all_threads) {
  // oneTBB counts the processors that it may use once: now, before the caller pins its thread.
  oneapi::tbb::info::default_concurrency();
  contenders.push_back(with_threads(1, n));
  if (all_threads > 1) {
    contenders.push_back(with_threads(all_threads, n));
  }
}

std::string tbb_version() {
  return std::string("oneTBB ") + TBB_runtime_version();
}

#else

void add_tbb(std::vector<Contender>&, std::vector<std::string>& left_out, uint64_t, int) {
  left_out.push_back("oneTBB parallel_sort: oneTBB was not found; Debian: libtbb-dev");
}

std::string tbb_version() {
  return {};
}

#endif

}  // namespace presort::bench::peers
