#include "presort/predict/sampling/sampling.h"

#include <utility>

namespace presort::inline v0::predict {

Sampler::Sampler(const Machine& machine, const SimulationOptions& options, uint64_t page_bytes)
    : record_only_(options.record_only ? options.record : nullptr), stop_(options.stop) {
  if (record_only_ == nullptr) {
    hierarchy_.emplace(machine, sim::AddressSpace(page_bytes),
                       options.dependent ? sim::MemoryMode::dependent : sim::MemoryMode::pipelined,
                       options.seed);
    hierarchy_->record_to(options.record);
  }
}

void Sampler::open_slice() {
  if (!estimator_.has_stratum()) {
    begin_stratum(1);
  }
  slice_items_ = 0;
  if (hierarchy_) {
    hierarchy_->reset_statistics();
    batch_start_ns_ = hierarchy_->now_ns();
  }
}

void Sampler::end_batch(uint64_t items) {
  if (!hierarchy_) {
    return;
  }
  const double now = hierarchy_->now_ns();
  estimator_.add_batch((now - batch_start_ns_) / static_cast<double>(items));
  batch_start_ns_ = now;
}

void Sampler::close_slice() {
  const uint64_t items = std::exchange(slice_items_, 0);
  if (items > 0 && hierarchy_) {
    estimator_.add_slice(items, hierarchy_->statistics());
  }
}

void Sampler::finish() {
  if (hierarchy_) {
    hierarchy_->reset_statistics();
    hierarchy_->write_back_pages();
    estimator_.add_to_slice(hierarchy_->statistics());
  }
}

PhaseEstimate Sampler::estimate() const {
  PhaseEstimate result = estimator_.estimate();
  result.accesses += warmed_;
  return result;
}

}  // namespace presort::predict
