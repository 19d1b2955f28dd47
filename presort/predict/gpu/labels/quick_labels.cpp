#include "presort/predict/gpu/labels/quick_labels.h"

#include <span>
#include <utility>

#include "presort/core/base/random.h"
#include "presort/core/labels/zipf_bins.h"
#include "presort/core/labels/zipf_scatter.h"

namespace presort::inline v0::predict {
namespace {

class QuickZipfLabels : public LabelSource {
 public:
  QuickZipfLabels(const Problem& problem, double shift, std::shared_ptr<const LabelSource> labels)
      : seed_(~problem.seed),
        ranks_(problem.distribution.parameter, problem.m, shift),
        scatter_(problem.distribution.parameter, problem.m, shift),
        labels_(std::move(labels)) {}

  uint64_t size() const override { return labels_->size(); }
  uint64_t buckets() const override { return labels_->buckets(); }

  // Two loops, so that the processor overlaps the steps of neighbouring labels.
  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = ranks_(random_u64(seed_, first + i));
    }
    for (uint64_t& label : out) {
      label = scatter_.label_of(label);
    }
  }

  std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const override {
    return labels_->restricted(low, high);
  }

 private:
  uint64_t seed_;
  ZipfBins ranks_;
  ZipfScatter scatter_;
  std::shared_ptr<const LabelSource> labels_;
};

}  // namespace

std::shared_ptr<const LabelSource> quick_labels(const Problem& problem,
                                                const std::shared_ptr<const LabelSource>& labels) {
  switch (problem.distribution.kind) {
    case DistributionKind::zipf:
      return std::make_shared<QuickZipfLabels>(problem, 0, labels);
    case DistributionKind::words:
      return std::make_shared<QuickZipfLabels>(problem, problem.distribution.more[0], labels);
    default:
      return labels;
  }
}

}  // namespace presort::predict
