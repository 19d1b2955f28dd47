// The pages that the plain loop touches on the parts of a partition, one part after the other.
// Inputs of a part wait for the pages of its buckets until all of them have been touched. From then
// on, if they fit into half of the page cache, they stay there, and only some inputs touch theirs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/predict/phases/phase_simulator.h"
#include "presort/predict/storage/page_arrays.h"
#include "presort/predict/storage/page_run.h"

namespace presort::inline v0::predict {

class PartRun {
 public:
  // The run of the plain loop over parts; `place`: where the inputs of all parts stand
  // Requires: all outlive this object; begin() comes first
  PartRun(const PageArrays& arrays, const Parts& parts, const PhaseInput& place)
      : arrays_(arrays), parts_(parts), place_(place) {}

  // Goes to the first input of a part; behind the last part, to the first one again.
  void begin(uint64_t part) {
    part_ = part;
    at_ = 0;
    const uint64_t m = arrays_.m();
    part_ %= ((m - 1) >> parts_.shift) + 1;
    const uint64_t low = part_ << parts_.shift;
    const uint64_t high = std::min(m, low + (uint64_t{1} << parts_.shift));
    labels_ = parts_.labels->restricted(low, high);
    PhaseInput input = place_;
    const double share = static_cast<double>(low) / static_cast<double>(m);
    input.offset += static_cast<uint64_t>(share * static_cast<double>(parts_.labels->size()));
    streams_ = arrays_.streams_of(input);
    const uint64_t page = arrays_.page_bytes();
    first_page_ = arrays_.bucket_address(low) / page;
    const uint64_t pages = (arrays_.bucket_address(high) - 1) / page - first_page_ + 1;
    unseen_ = pages;
    seen_.assign(pages, false);
    stays_ = pages <= arrays_.pages_of_cache() / 2;
  }

  // True between two parts, of which the first inputs wait for the pages of the buckets and the
  // others do not; anywhere in parts whose pages do not stay.
  bool may_cut() const { return !stays_ || at_ == labels_->size(); }

  // Runs up to `left` items of the current part or, if it has no more, of the next one with items.
  uint64_t step(PageRun& run, uint64_t left) {
    const uint64_t parts = ((arrays_.m() - 1) >> parts_.shift) + 1;
    for (uint64_t tried = 0; at_ == labels_->size(); ++tried) {
      if (tried > parts) {
        run.pass(left);
        return left;  // labels so few that no part was drawn one
      }
      begin(part_ + 1);
    }
    const uint64_t count = std::min({kPageStep, left, labels_->size() - at_});
    touch_streams(run, streams_, at_, count);
    const bool all = unseen_ > 0 || !stays_;
    const auto some = std::span(buffer_).first(all ? count : std::min(count, kKept));
    labels_->generate(at_, some);
    for (const uint64_t label : some) {
      const uint64_t address = arrays_.bucket_address(label);
      run.touch(address, arrays_.bucket_use());
      const auto page = address / arrays_.page_bytes() - first_page_;
      unseen_ -= !seen_[page];
      seen_[page] = true;
    }
    run.pass(count);
    at_ += count;
    return count;
  }

 private:
  // Number of kPageStep inputs that touch their page once all pages of the part's buckets have been
  static constexpr uint64_t kKept = 8;

  const PageArrays& arrays_;
  const Parts& parts_;
  const PhaseInput& place_;
  std::shared_ptr<const LabelSource> labels_;
  std::vector<Stream> streams_;
  std::array<uint64_t, kPageStep> buffer_;
  uint64_t part_ = 0;
  uint64_t at_ = 0;  // next input of the part
  uint64_t first_page_ = 0;
  std::vector<bool> seen_;  // for each page of the part's buckets: true if it was touched
  uint64_t unseen_ = 0;
  bool stays_ = false;  // true: the pages of the part's buckets fit into half of the page cache
};

}  // namespace presort::predict
