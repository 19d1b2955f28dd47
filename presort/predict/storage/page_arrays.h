// The arrays that the phases of a problem touch, as addresses and sizes of elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/problem.h"
#include "presort/cpu/presort/buffer_capacity.h"
#include "presort/cpu/threads/shares.h"
#include "presort/predict/storage/page_run.h"
#include "presort/predict/trace/input_window.h"
#include "presort/predict/trace/layout.h"

namespace presort::inline v0::predict {

// Items of a stream between two touches of its page
inline constexpr uint64_t kPageStep = 128;

// An array of which the items of a phase touch one element each, in order.
struct Stream {
  uint64_t address;
  uint64_t bytes;  // bytes of an element
  PageRun::Use use;
};

// Touches the pages of elements [first, first + count) of each stream.
inline void touch_streams(PageRun& run, const std::vector<Stream>& streams, uint64_t first,
                          uint64_t count) {
  for (const Stream& stream : streams) {
    run.touch_bytes(stream.address + first * stream.bytes, count * stream.bytes, stream.use);
  }
}

class PageArrays {
 public:
  using Use = PageRun::Use;

  // Requires: machine.storage
  PageArrays(const Machine& machine, const Problem& problem)
      : storage_(*machine.storage),
        operation_(problem.operation),
        m_(problem.m),
        label_bytes_(size_bytes(problem.types.label)),
        value_bytes_(size_bytes(problem.types.value)),
        pair_bytes_(2 * std::max(label_bytes_, value_bytes_)) {}

  uint64_t m() const { return m_; }
  uint64_t page_bytes() const { return storage_.page_bytes; }
  uint64_t pages_of_cache() const { return storage_.page_cache_bytes / storage_.page_bytes; }

  // The arrays that inputs are read from, the one with the labels first.
  std::vector<Stream> streams_of(const PhaseInput& input) const {
    const auto at = [&](Region region, uint64_t bytes) {
      return Stream{address_of(region) + input.offset * bytes, bytes, Use::read};
    };
    if (!input.has_values) {
      return {at(input.first_region, label_bytes_)};
    }
    if (input.layout == Layout::pairs) {
      return {at(input.first_region, pair_bytes_)};
    }
    return {at(input.first_region, label_bytes_), at(input.second_region, value_bytes_)};
  }

  // The arrays that a pre-sort pass writes.
  std::vector<Stream> outputs(Layout layout, Region to, Region to_values, Use use) const {
    if (!has_values(operation_)) {
      return {{address_of(to), label_bytes_, use}};
    }
    if (layout == Layout::pairs) {
      return {{address_of(to), pair_bytes_, use}};
    }
    return {{address_of(to), label_bytes_, use}, {address_of(to_values), value_bytes_, use}};
  }

  // Elements that a write buffer hands on together.
  uint64_t buffer_capacity(const cpu::WriteBuffers& through) const {
    return has_values(operation_)
               ? cpu::buffer_capacity(through, label_bytes_, value_bytes_, pair_bytes_)
               : cpu::buffer_capacity(through, label_bytes_);
  }

  uint64_t bucket_address(uint64_t label) const {
    return address_of(Region::buckets) + label * value_bytes_;
  }
  Use bucket_use() const { return writes_buckets(operation_) ? Use::write : Use::read; }

  // Brings the pages of buckets [own.first, own.last) into memory that it still holds after their
  // initialisation.
  void warm_buckets(PageRun& run, const cpu::Share& own) const {
    const uint64_t page = storage_.page_bytes;
    const uint64_t last = bucket_address(own.last);
    const uint64_t bytes = std::min(own.count() * value_bytes_, storage_.page_cache_bytes);
    for (uint64_t at = last - bytes; at < last; at += page) {
      run.warm(at, Use::read);
    }
  }

 private:
  Storage storage_;
  Operation operation_;
  uint64_t m_;
  uint64_t label_bytes_;
  uint64_t value_bytes_;
  uint64_t pair_bytes_;
};

}  // namespace presort::predict
