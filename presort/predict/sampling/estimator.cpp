#include "presort/predict/sampling/estimator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "presort/predict/sampling/student.h"

namespace presort::inline v0::predict {

void add_counts(std::vector<LevelCounts>& sum, const std::vector<LevelCounts>& more) {
  if (sum.empty()) {
    sum = more;
    return;
  }
  for (size_t i = 0; i < more.size(); ++i) {
    sum[i].accesses += more[i].accesses;
    sum[i].hits += more[i].hits;
    sum[i].misses += more[i].misses;
    sum[i].writebacks += more[i].writebacks;
    sum[i].prefetches += more[i].prefetches;
    sum[i].useful_prefetches += more[i].useful_prefetches;
    sum[i].late_prefetches += more[i].late_prefetches;
    sum[i].useless_prefetches += more[i].useless_prefetches;
    sum[i].sector_misses += more[i].sector_misses;
    sum[i].write_throughs += more[i].write_throughs;
    sum[i].back_invalidations += more[i].back_invalidations;
    sum[i].invalidations += more[i].invalidations;
    sum[i].bytes_in += more[i].bytes_in;
    sum[i].bytes_out += more[i].bytes_out;
  }
}

void add_counts(std::vector<TlbCounts>& sum, const std::vector<TlbCounts>& more) {
  if (sum.empty()) {
    sum = more;
    return;
  }
  for (size_t i = 0; i < more.size(); ++i) {
    sum[i].accesses += more[i].accesses;
    sum[i].hits += more[i].hits;
    sum[i].misses += more[i].misses;
    sum[i].load_accesses += more[i].load_accesses;
    sum[i].load_misses += more[i].load_misses;
  }
}

void add_counts(std::optional<StorageCounts>& sum, const std::optional<StorageCounts>& more) {
  if (!more) {
    return;
  }
  if (!sum) {
    sum.emplace();
  }
  sum->page_uses += more->page_uses;
  sum->page_faults += more->page_faults;
  sum->reads += more->reads;
  sum->read_bytes += more->read_bytes;
  sum->writes += more->writes;
  sum->written_bytes += more->written_bytes;
  sum->seeks += more->seeks;
  sum->flash_bytes += more->flash_bytes;
}

void Estimator::begin_stratum(double weight) {
  if (clusters_ == 0) {
    begin_cluster();
  }
  strata_.emplace_back();
  strata_.back().cluster = clusters_ - 1;
  strata_.back().weight = weight;
}

void Estimator::add_slice(uint64_t items, const sim::Statistics& statistics) {
  strata_.back().items += static_cast<double>(items);
  strata_.back().slices.add(statistics.ns / static_cast<double>(items));
  counts_.items += items;
  add_to_slice(statistics);
}

void Estimator::add_to_slice(const sim::Statistics& statistics) {
  Stratum& stratum = strata_.back();
  stratum.ns += statistics.ns;
  stratum.stack_ns.resize(statistics.stack_ns.size());
  for (size_t i = 0; i < statistics.stack_ns.size(); ++i) {
    stratum.stack_ns[i] += statistics.stack_ns[i].second;
  }
  if (counts_.stack_ns.empty()) {
    // Takes the names and the number of the time stack's terms from the first sample
    counts_.stack_ns = statistics.stack_ns;
  }
  add_counts(counts_.levels, statistics.levels);
  add_counts(counts_.tlb, statistics.tlb);
  add_counts(counts_.storage, statistics.storage);
  counts_.walks += statistics.walks;
  counts_.accesses += statistics.accesses;
}

double Estimator::Spread::variance_of_mean() const {
  if (count < 2) {
    return 0;
  }
  const double mean = sum / count;
  const double variance = (sum_squares - count * mean * mean) / (count - 1);
  return variance > 0 ? widened(variance / count, static_cast<size_t>(count) - 1) : 0;
}

// The variance of a stratum's mean. Batches of one slice resemble each other, so slices may differ
// more than batches suggest; but with few slices that difference is known badly.
double Estimator::variance_of_mean(const Stratum& stratum) {
  return std::max(stratum.batches.variance_of_mean(), stratum.slices.variance_of_mean());
}

double Estimator::ci95_relative() const {
  double observations = 0;
  for (const Stratum& stratum : strata_) {
    observations += std::max(stratum.batches.count, stratum.slices.count);
  }
  if (complete_) {
    return 0;
  }
  if (observations < 2) {
    return std::numeric_limits<double>::infinity();
  }
  const PhaseEstimate now = estimate();
  return 1.96 * std::sqrt(now.variance) / now.ns_per_item;
}

// Adds the weighted means of the strata of one cluster (slices that were chosen together) to `sum`.
void Estimator::add_cluster(size_t cluster, PhaseEstimate& sum) const {
  double weights = 0;
  for (const Stratum& stratum : strata_) {
    weights += stratum.cluster == cluster && stratum.items > 0 ? stratum.weight : 0;
  }
  for (const Stratum& stratum : strata_) {
    if (stratum.cluster != cluster || stratum.items == 0) {
      continue;
    }
    const double share = stratum.weight / weights;
    sum.ns_per_item += share * stratum.ns / stratum.items;
    sum.variance += share * share * variance_of_mean(stratum);
    for (size_t i = 0; i < sum.stack_ns.size(); ++i) {
      sum.stack_ns[i].second += share * stratum.stack_ns[i] / stratum.items;
    }
  }
}

PhaseEstimate Estimator::estimate() const {
  PhaseEstimate result = counts_;
  for (auto& [name, ns] : result.stack_ns) {
    ns = 0;
  }
  double squares = 0;
  for (size_t cluster = 0; cluster < clusters_; ++cluster) {
    const double before = result.ns_per_item;
    add_cluster(cluster, result);
    squares += (result.ns_per_item - before) * (result.ns_per_item - before);
  }
  const double count = static_cast<double>(clusters_);
  result.ns_per_item /= count;
  result.variance /= count * count;
  for (auto& [name, ns] : result.stack_ns) {
    ns /= count;
  }
  if (clusters_ > 1) {
    const double between = squares / count - result.ns_per_item * result.ns_per_item;
    const double variance = widened(std::max(0.0, between) / (count - 1), clusters_ - 1);
    result.variance = std::max(result.variance, variance);
  }
  if (complete_) {
    result.variance = 0;
  }
  return result;
}

}  // namespace presort::predict
