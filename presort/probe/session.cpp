#include "presort/probe/session.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "presort/probe/host/arena.h"
#include "presort/probe/workloads/core_loops.h"
#include "presort/probe/workloads/random_access.h"
#include "presort/probe/workloads/stream.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {
namespace {

constexpr uint64_t kFirstFootprint = uint64_t{16} << 10;
constexpr uint64_t kEssentialFootprint = uint64_t{256} << 10;
constexpr int kSlicesPerVisit = 4;
// Number of slices of reads by all cores; many, because other programs seldom leave all cores free
// at once
constexpr int kSlicesOfAllCores = 12;
// Chase positions visited in a warm-up: 128 MiB of lines, about 40 ms
constexpr uint64_t kWarmPositions = 2 * kMiB;
constexpr int kChainCounts[] = {1, 2, 4, 8, 12, 16, 24, 32};

// Steps in a slice of a chase, which then takes 0.1 to 1 ms: long against a clock reading, short
// against a neighbour's time slice.
uint64_t chase_steps(uint64_t footprint_bytes) {
  return footprint_bytes <= 4 * kMiB ? 1 << 15 : 1 << 13;
}

}  // namespace

std::vector<uint64_t> chase_footprints(const Topology& topology, uint64_t last_bytes) {
  const uint64_t fine_from = private_cache_bytes(topology) / 2;
  std::vector<uint64_t> footprints;
  for (uint64_t bytes = kFirstFootprint; bytes <= last_bytes; bytes *= 2) {
    footprints.push_back(bytes);
    const auto between = static_cast<uint64_t>(static_cast<double>(bytes) * std::sqrt(2.0));
    if (bytes >= fine_from && bytes < last_bytes / 2) {
      footprints.push_back(between / 4096 * 4096);
    }
  }
  return footprints;
}

std::vector<uint64_t> random_footprints(const Topology& topology, uint64_t last_bytes) {
  std::vector<uint64_t> footprints = {last_bytes,
                                      kReferenceFootprint,
                                      64 * kMiB,
                                      cache_chain_footprint(topology),
                                      std::bit_floor(private_cache_bytes(topology) / 2),
                                      kFirstFootprint};
  std::erase_if(footprints, [last_bytes](uint64_t bytes) { return bytes > last_bytes; });
  std::sort(footprints.rbegin(), footprints.rend());
  footprints.erase(std::unique(footprints.begin(), footprints.end()), footprints.end());
  return footprints;
}

uint64_t cache_chain_footprint(const Topology& topology) {
  return std::bit_ceil(4 * private_cache_bytes(topology));
}

Session::Session(const Topology& topology, const SessionLimits& limits, Progress progress)
    : topology_(topology), limits_(limits), progress_(std::move(progress)), core_(topology.cpus) {
  report("memory");
  make_arenas();
  huge_fraction_ = huge_->huge_fraction();
}

// Makes both arenas, in a third of the session's time at most; the second is no larger than the
// first.
void Session::make_arenas() {
  constexpr double kPartOfTime = 1.0 / 6;
  const auto touched_for = [this](double since_s) {
    return [this, since_s](uint64_t touched_bytes) {
      return touched_bytes >= kLeastArena &&
             (is_stopped() || elapsed_s() - since_s > kPartOfTime * limits_.seconds);
    };
  };
  huge_ = std::make_unique<Arena>(limits_.arena_bytes, Pages::huge, touched_for(elapsed_s()));
  small_ = std::make_unique<Arena>(huge_->bytes(), Pages::small, touched_for(elapsed_s()));
  limits_.arena_bytes = small_->bytes();
}

const Samples& Session::run(const IsEnough& is_enough) {
  double longest_s = 0;
  do {
    if (is_enough && pass_ > 0 && is_enough(samples_, pass_)) {
      break;
    }
    const double before = elapsed_s();
    pass();
    ++pass_;
    longest_s = std::max(longest_s, elapsed_s() - before);
  } while (!is_stopped() && elapsed_s() + longest_s < limits_.seconds);
  return samples_;
}

void Session::pass() {
  const std::pair<const char*, void (Session::*)()> kSteps[] = {
      {"core", &Session::measure_core},
      {"memory latency", &Session::measure_uncached},
      {"cache levels", &Session::measure_chases},
      {"random accesses", &Session::measure_random},
      {"bandwidth", &Session::measure_streams},
      {"translation", &Session::measure_page_chases},
      {"small pages", &Session::measure_small_pages},
      {"teams of threads", &Session::measure_teams},
      {"pages, sets, mixed streams", &Session::measure_workloads},
  };
  for (const auto& each : kSteps) {
    const auto step = each.second;
    const bool is_essential = step == &Session::measure_core ||
                              step == &Session::measure_uncached ||
                              step == &Session::measure_chases;
    if (is_over() && !(is_essential && pass_ == 0)) {
      continue;
    }
    report(each.first);
    core_.settle();
    watch_.during([&] { (this->*step)(); });
  }
}

void Session::add(Quantity quantity, uint64_t at, const Slice& slice) {
  auto& slices = samples_[{quantity, at}];
  slices.push_back(slice);
  slices.back().pass = pass_;
  watch_.add_look({.cycle_ns = slice.cycle_ns, .crowding = slice.crowding_before});
  watch_.add_look({.cycle_ns = slice.cycle_ns, .crowding = slice.crowding_after});
}

void Session::report(const std::string& step) {
  if (progress_) {
    progress_(step, std::min(1.0, elapsed_s() / limits_.seconds));
  }
}

void Session::measure_core() {
  for (int i = 0; i < kSlicesPerVisit; ++i) {
    add(Quantity::sameAddressUpdate, 0, same_address_update());
    add(Quantity::pairUpdate, 0, pair_update());
    add(Quantity::repeatedUpdate, 0, repeated_update());
    add(Quantity::runUpdate, 0, run_update());
    add(Quantity::strayUpdate, 0, stray_update());
    add(Quantity::prefetchedUpdate, 0, prefetched_update());
    add(Quantity::floatUpdate, 0, float_update());
    add(Quantity::floatSum, 0, float_sum());
    add(Quantity::steadyBranch, 0, steady_branch());
    add(Quantity::randomBranch, 0, random_branch());
  }
}

void Session::measure_uncached() {
  Chain chain(*huge_, Layout::fewPages, kFewPagesNodes);
  for (int i = 0; i < kSlicesPerVisit && chain.flush(); ++i) {
    add(Quantity::uncachedChase, 0, chain.chase(kFewPagesNodes));
    chain.flush();
    add(Quantity::uncachedLoads, 0, chain.load_all());
    chain.flush();
    add(Quantity::uncachedStores, 0, chain.store_all());
  }
}

void Session::measure_chases() {
  for (const uint64_t bytes : chase_footprints(topology_, limits_.arena_bytes)) {
    if (is_over() && (pass_ > 0 || bytes > kEssentialFootprint)) {
      return;
    }
    core_.settle();
    Chain chain(*huge_, Layout::dense, bytes / kLineBytes);
    chain.warm(kWarmPositions);
    chain.chase(chase_steps(bytes) / 4);
    for (int i = 0; i < kSlicesPerVisit; ++i) {
      add(Quantity::chaseHuge, bytes, chain.chase(chase_steps(bytes)));
    }
    if (bytes == cache_chain_footprint(topology_)) {
      measure_chains(chain, Quantity::chainsCache);
    }
    if (bytes == limits_.arena_bytes) {
      measure_chains(chain, Quantity::chainsMemory);
    }
  }
}

void Session::measure_chains(Chain& chain, Quantity quantity) {
  for (const int count : kChainCounts) {
    for (int i = 0; i < kSlicesPerVisit / 2; ++i) {
      add(quantity, static_cast<uint64_t>(count), chain.chase_many(count, 2048));
    }
  }
}

void Session::measure_random() {
  for (const uint64_t bytes : random_footprints(topology_, limits_.arena_bytes)) {
    core_.settle();
    RandomAccess access(*huge_, bytes);
    // Warms the footprint with four random loads a line: n loads over n lines would miss 37 % of
    // them.
    access.warm(std::min(4 * bytes / kLineBytes, uint64_t{1} << 19));
    for (int i = 0; i < kSlicesPerVisit / 2; ++i) {
      add(Quantity::randomLoads, bytes, access.loads(1 << 15));
    }
    access.warm(1 << 12);
    for (int i = 0; i < kSlicesPerVisit / 2; ++i) {
      add(Quantity::randomUpdates, bytes, access.updates(1 << 15));
    }
  }
}

void Session::measure_streams() {
  Stream stream(*huge_);
  const uint64_t each =
      std::min(16 * kMiB, limits_.arena_bytes / std::max<uint64_t>(1, topology_.cpus.size()));
  const uint64_t beyond_private = 2 * private_cache_bytes(topology_);
  stream.read_again(beyond_private);
  for (int i = 0; i < kSlicesPerVisit; ++i) {
    add(Quantity::lastLevelRead, beyond_private, stream.read_again(beyond_private));
  }
  for (int i = 0; i < kSlicesPerVisit; ++i) {
    add(Quantity::streamRead, 0, stream.read(16 * kMiB));
    add(Quantity::streamCopy, 0, stream.copy(8 * kMiB));
    if (const auto slice = stream.streaming_store(8 * kMiB)) {
      add(Quantity::streamStore, 0, *slice);
    }
  }
  for (int i = 0; i < kSlicesOfAllCores && !topology_.cpus.empty(); ++i) {
    if (const auto slice = stream.read_all(topology_.cpus, each)) {
      add(Quantity::streamReadAll, 0, *slice);
    }
  }
}

void Session::measure_page_chases() {
  for (uint64_t bytes = 4 * kMiB; bytes <= std::min(limits_.arena_bytes, 128 * kMiB); bytes *= 2) {
    core_.settle();
    Chain chain(*huge_, Layout::onePerPage, bytes / 4096);
    chain.warm(kWarmPositions);
    chain.chase(bytes / 4096);
    for (int i = 0; i < kSlicesPerVisit; ++i) {
      add(Quantity::pageChase, bytes, chain.chase(1 << 14));
    }
  }
}

void Session::measure_small_pages() {
  Chain pages(*small_, Layout::onePerPage, kMiB / 4096);
  pages.chase(1 << 14);
  for (int i = 0; i < kSlicesPerVisit; ++i) {
    add(Quantity::translationChase, 0, pages.chase(1 << 15));
  }
  for (const uint64_t bytes : {kReferenceFootprint, kReferenceFootprint / 4, 16 * kMiB}) {
    if (bytes > limits_.arena_bytes) {
      continue;
    }
    core_.settle();
    Chain chain(*small_, Layout::dense, bytes / kLineBytes);
    chain.warm(kWarmPositions / 4);
    for (int i = 0; i < kSlicesPerVisit; ++i) {
      add(Quantity::chaseSmall, bytes, chain.chase(chase_steps(bytes)));
    }
    for (int i = 0; i < kSlicesPerVisit && bytes == kReferenceFootprint; ++i) {
      add(Quantity::walkedMisses, kMostChains, chain.chase_many(kMostChains, 1024));
    }
  }
}

void Session::measure_teams() {
  core_.release();
  measure_team(topology_.cpus, [this](Quantity quantity, uint64_t at, const Slice& slice) {
    add(quantity, at, slice);
  });
}

void Session::measure_workloads() {
  const Bench bench = {
      *huge_,
      *small_,
      topology_,
      limits_.second_tlb_entries,
      [this](Quantity quantity, uint64_t at, const Slice& slice) { add(quantity, at, slice); },
      nodes_};
  for (void (*measure)(const Bench&) :
       {measure_sets, measure_tlb_reach, measure_walks, measure_mixed_streams, measure_stream_pages,
        measure_flushes, measure_line_transfer, measure_nodes}) {
    if (!is_over()) {
      core_.settle();
      measure(bench);
    }
  }
}

}  // namespace presort::probe
