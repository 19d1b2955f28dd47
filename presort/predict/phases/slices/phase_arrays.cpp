#include "presort/predict/phases/slices/phase_arrays.h"

#include <algorithm>
#include <bit>

#include "presort/cpu/detail/results.h"
#include "presort/cpu/presort/buffer_capacity.h"

namespace presort::inline v0::predict {
namespace {

// Elements by which arrays of n elements move from slice to slice.
uint64_t step_of(uint64_t n) {
  constexpr uint64_t kStep = uint64_t{1} << 21;
  return (n + kStep - 1) / kStep * kStep;
}

}  // namespace

PhaseArrays::PhaseArrays(const Machine& machine, const SimulationOptions& options,
                         const Problem& problem, PageSize page_size, size_t threads,
                         const ArrayPlaces& places, ElementBytes bytes)
    : machine_(machine),
      options_(options),
      problem_(problem),
      bytes_(bytes),
      page_bytes_(page_bytes(page_size)),
      threads_(threads),
      places_(places),
      own_{0, problem.m} {
  const CacheLevel& last = machine_.caches.back();
  last_level_bytes_ = static_cast<uint64_t>(static_cast<double>(last.size_bytes) * last.share);
  line_bytes_ = last.line_bytes;
}

uint64_t PhaseArrays::apart(size_t t, uint64_t bytes) {
  constexpr uint64_t kApart = uint64_t{1} << 30;
  return t * (kApart + (bytes + kLineBytes - 1) / kLineBytes * kLineBytes);
}

std::vector<cpu::Share> PhaseArrays::divide(uint64_t count) const {
  std::vector<cpu::Share> shares;
  for (size_t t = 0; t < threads_; ++t) {
    shares.push_back(cpu::share_of(count, t, threads_));
  }
  return shares;
}

void PhaseArrays::move_to_part(uint64_t k, uint64_t n) {
  // Alignment of a part's start, in elements; larger than a write buffer
  constexpr uint64_t kAlignment = 1024;
  moved_ = k * ((n + kAlignment - 1) / kAlignment * kAlignment);
}

void PhaseArrays::move_arrays(uint64_t slice, uint64_t n) {
  constexpr uint64_t kLargestElement = 16;  // bytes of the largest element that an array can have
  constexpr uint64_t kRegionBytes = address_of(static_cast<Region>(1));
  const uint64_t step = step_of(n);
  const uint64_t fits = kRegionBytes / kLargestElement / step - 1;
  moved_ = step * (slice % std::max<uint64_t>(1, fits));
}

sim::AddressSpace PhaseArrays::placed(uint64_t n) const {
  return placed_space(machine_, problem_, page_bytes_, threads_, places_, step_of(n));
}

std::vector<PhaseArray> PhaseArrays::arrays_of(const PhaseInput& input) const {
  constexpr auto kLoad = sim::AccessKind::load;
  if (!input.has_values) {
    return {{input.first_region, bytes_.label, kLoad}};
  }
  if (input.layout == Layout::pairs) {
    return {{input.first_region, bytes_.pair, kLoad}};
  }
  return {{input.first_region, bytes_.label, kLoad}, {input.second_region, bytes_.value, kLoad}};
}

std::vector<PhaseArray> PhaseArrays::arrays_of_results(const PhaseInput& input) const {
  const bool own = input.results_region != input.first_region &&
                   (!input.has_values || input.results_region != input.second_region);
  if (!has_results(problem_.operation) || !own) {
    return {};
  }
  return {{input.results_region, bytes_.value, sim::AccessKind::store}};
}

std::vector<PhaseArray> PhaseArrays::arrays_of_output(const cpu::WriteBuffers& through, Region to,
                                                      Region to_values) const {
  constexpr auto kStore = sim::AccessKind::store;
  if (!has_values(problem_.operation)) {
    return {{to, bytes_.label, kStore}};
  }
  if (through.layout == Layout::pairs) {
    return {{to, bytes_.pair, kStore}};
  }
  return {{to, bytes_.label, kStore}, {to_values, bytes_.value, kStore}};
}

sim::Access PhaseArrays::result_access(const PhaseInput& input, uint64_t index) const {
  return {results_at(input) + index * result_bytes(input), sim::AccessKind::store, 4, 0, 0, 0};
}

bool PhaseArrays::writes_own_results() const {
  return threads_ > 1 && has_results(problem_.operation) && own_.count() < problem_.m;
}

sim::AccessKind PhaseArrays::bucket_access() const {
  return writes_buckets(problem_.operation) ? sim::AccessKind::store : sim::AccessKind::load;
}

uint64_t PhaseArrays::buffer_capacity(const cpu::WriteBuffers& through) const {
  return has_values(problem_.operation)
             ? cpu::buffer_capacity(through, bytes_.label, bytes_.value, bytes_.pair)
             : cpu::buffer_capacity(through, bytes_.label);
}

uint64_t PhaseArrays::chunk_elements(const cpu::WriteBuffers& through) const {
  cpu::WriteBuffers chunk = through;
  chunk.bytes = through.chunk_bytes;
  return through.chunk_bytes == 0 ? 0 : std::max(buffer_capacity(chunk), buffer_capacity(through));
}

void PhaseArrays::add_lines(const PhaseArray& array, uint64_t first, uint64_t last,
                            std::vector<sim::Access>& accesses) const {
  const uint64_t begin = address_of(array.region) + moved_ * array.element_bytes;
  const uint64_t end = begin + last * array.element_bytes;
  const uint64_t from = begin + first * array.element_bytes + line_bytes_ - 1;
  for (uint64_t line = from / line_bytes_ * line_bytes_; line < end; line += line_bytes_) {
    accesses.push_back({line, array.kind, 4, 0, 0, 0});
  }
}

void PhaseArrays::add_input_lines(const PhaseInput& input, uint64_t index,
                                  std::vector<sim::Access>& accesses) const {
  const auto touch = [&](Region region, uint64_t element_bytes, sim::AccessKind kind) {
    const uint64_t byte = (input.offset + index) * element_bytes;
    if ((byte & (line_bytes_ - 1)) < element_bytes) {
      accesses.push_back({address_of(region) + byte, kind, 4, 0, 0, 0});
    }
  };
  constexpr auto kLoad = sim::AccessKind::load;
  if (!input.has_values) {
    touch(input.first_region, bytes_.label, kLoad);
  } else if (input.layout == Layout::pairs) {
    touch(input.first_region, bytes_.pair, kLoad);
  } else {
    touch(input.first_region, bytes_.label, kLoad);
    touch(input.second_region, bytes_.value, kLoad);
  }
  if (has_results(problem_.operation) && !writes_own_results()) {
    touch(input.results_region, result_bytes(input), sim::AccessKind::store);
  }
}

uint64_t PhaseArrays::elements_between_lines() const {
  const bool whole_in_lines = std::has_single_bit(bytes_.pair) &&
                              std::has_single_bit(bytes_.label) &&
                              std::has_single_bit(bytes_.value);
  return whole_in_lines && bytes_.pair <= line_bytes_ ? line_bytes_ / bytes_.pair : 1;
}

}  // namespace presort::predict
