#include "presort/core/labels/labels.h"

#include <algorithm>

#include "presort/core/base/random.h"
#include "presort/core/base/wide.h"
#include "presort/core/error.h"
#include "presort/core/labels/kinds/kinds.h"

namespace presort::inline v0 {
namespace {

class EmptyLabels : public LabelSource {
 public:
  explicit EmptyLabels(uint64_t m) : m_(m) {}
  uint64_t size() const override { return 0; }
  uint64_t buckets() const override { return m_; }
  void generate(uint64_t, std::span<uint64_t>) const override {}
  std::shared_ptr<const LabelSource> restricted(uint64_t, uint64_t) const override {
    return make_empty_labels(m_);
  }

 private:
  uint64_t m_;
};

struct KindRow {
  DistributionKind kind;
  LabelFactory make;
};

constexpr KindRow kKinds[] = {
    {DistributionKind::uniform, make_uniform_labels},
    {DistributionKind::zipf, make_zipf_labels},
    {DistributionKind::zipfContiguous, make_zipf_contiguous_labels},
    {DistributionKind::clustered, make_clustered_labels},
    {DistributionKind::sequential, make_sequential_labels},
    {DistributionKind::sorted, make_sorted_labels},
    {DistributionKind::permutation, make_permutation_labels},
    {DistributionKind::degenerate, make_degenerate_labels},
    {DistributionKind::rmat, make_rmat_labels},
    {DistributionKind::words, make_word_labels},
    {DistributionKind::cells, make_cell_labels},
    {DistributionKind::sessions, make_session_labels},
    {DistributionKind::strays, make_stray_labels},
};

}  // namespace

std::shared_ptr<const LabelSource> make_labels(const Distribution& distribution, uint64_t n,
                                               uint64_t m, uint64_t seed, StopToken stop) {
  if (n == 0 || m == 0) {
    throw InputError(std::string(n == 0 ? "n" : "m") + ": found '0', accepted: at least 1");
  }
  check_distribution("distribution", distribution);
  for (const KindRow& row : kKinds) {
    if (row.kind == distribution.kind) {
      return row.make({n, m, seed, stop}, distribution);
    }
  }
  throw InputError("distribution: found '" + to_string(distribution) +
                   "', accepted: one whose labels follow a formula; a file has to be read first");
}

std::shared_ptr<const LabelSource> RangedLabels::restricted(uint64_t low, uint64_t high) const {
  const LabelRange common{std::max(low, range_.low), std::min(high, range_.high)};
  if (common.low >= common.high) {
    return make_empty_labels(sequence_.m);
  }
  if (common.low == range_.low && common.high == range_.high) {
    return shared_from_this();
  }
  return narrowed(common);
}

std::shared_ptr<const LabelSource> make_empty_labels(uint64_t m) {
  return std::make_shared<EmptyLabels>(m);
}

uint64_t scaled(uint64_t n, uint64_t part, uint64_t whole) {
  return static_cast<uint64_t>((static_cast<Wide>(n) * part + whole / 2) / whole);
}

uint64_t seed_of_range(const LabelSequence& sequence, LabelRange range) {
  if (range.width() == sequence.m) {
    return sequence.seed;
  }
  return random_u64(random_u64(sequence.seed, range.low + 1), range.high);
}

}  // namespace presort
