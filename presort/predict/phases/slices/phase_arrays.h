// Where the arrays of a phase lie in simulated memory, and how the slices of its simulation move them.
// All sizes are in bytes, all places are simulated addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/problem.h"
#include "presort/cpu/plan/write_buffers.h"
#include "presort/cpu/threads/shares.h"
#include "presort/predict/phases/array_places.h"
#include "presort/predict/predictor.h"
#include "presort/predict/trace/input_window.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::predict {

// Bytes of an element of each kind of array.
struct ElementBytes {
  uint64_t label;
  uint64_t value;
  uint64_t pair;  // a label and a value in one array
};

// One array that a phase reads or writes from one end to the other.
struct PhaseArray {
  Region region;
  uint64_t element_bytes;
  sim::AccessKind kind;
};

// The arrays of the phases of one problem, on one or more threads. Every slice has arrays of its own
// (move_arrays); members that give addresses give those of the current slice.
class PhaseArrays {
 protected:
  // Requires: 1 <= threads <= machine.cores
  PhaseArrays(const Machine& machine, const SimulationOptions& options, const Problem& problem,
              PageSize page_size, size_t threads, const ArrayPlaces& places, ElementBytes bytes);

  // Offset of thread t's array in a region; uneven, so that the same elements of all threads are not in
  // one set of a cache.
  static uint64_t apart(size_t t, uint64_t bytes);

  // Divides `count` items into shares, one for each thread.
  std::vector<cpu::Share> divide(uint64_t count) const;

  // Moves the arrays to the addresses of part k, if each part has n elements.
  void move_to_part(uint64_t k, uint64_t n);

  // Moves the arrays to new addresses for a slice of a phase of n elements. Every slice has inputs and
  // outputs of its own, as far from those of earlier slices as the arrays are long, so that no slice
  // finds data in the caches that another slice has brought there. Page offsets and cache sets stay.
  void move_arrays(uint64_t slice, uint64_t n);

  // The address space of a phase whose arrays have up to n elements.
  sim::AddressSpace placed(uint64_t n) const;

  // Address of the array of T in a region.
  template <class T>
  uint64_t moved(Region region) const {
    return address_of(region) + moved_ * sizeof(T);
  }
  PhaseInput moved_input(PhaseInput input) const {
    input.offset += moved_;
    return input;
  }

  // The arrays that inputs lie in.
  std::vector<PhaseArray> arrays_of(const PhaseInput& input) const;
  // The array of the results of inputs, if the operation has results and no input lies there.
  std::vector<PhaseArray> arrays_of_results(const PhaseInput& input) const;
  // The arrays that a partition through write buffers writes.
  std::vector<PhaseArray> arrays_of_output(const cpu::WriteBuffers& through, Region to,
                                           Region to_values) const;

  // Bytes of the result of an input, which stands in the place of the input's value
  uint64_t result_bytes(const PhaseInput& input) const {
    return input.has_values && input.layout == Layout::pairs ? bytes_.pair : bytes_.value;
  }
  // Address of the results of inputs: at the place of the values, or in the region that `input` names.
  uint64_t results_at(const PhaseInput& input) const {
    return address_of(input.results_region) + input.offset * result_bytes(input);
  }
  sim::Access result_access(const PhaseInput& input, uint64_t index) const;
  // True if each of several threads writes the results of those inputs that update its own buckets
  bool writes_own_results() const;
  sim::AccessKind bucket_access() const;

  // Elements of a write buffer of a pre-sort.
  uint64_t buffer_capacity(const cpu::WriteBuffers& through) const;
  // Elements of a chunk of a pre-sort into chunks; 0 for other pre-sorts.
  uint64_t chunk_elements(const cpu::WriteBuffers& through) const;

  // Appends accesses to the lines of an array whose first access comes from elements [first, last).
  void add_lines(const PhaseArray& array, uint64_t first, uint64_t last,
                 std::vector<sim::Access>& accesses) const;
  // Appends accesses to the lines of element `index` of inputs, and of results that the thread writes
  // wherever they are, that no earlier element touches.
  void add_input_lines(const PhaseInput& input, uint64_t index,
                       std::vector<sim::Access>& accesses) const;
  // Elements of inputs or results from one that begins a line of some array to the next one that may;
  // a power of two.
  uint64_t elements_between_lines() const;

  Machine machine_;
  SimulationOptions options_;
  Problem problem_;
  ElementBytes bytes_;
  uint64_t page_bytes_;
  size_t threads_;
  ArrayPlaces places_;
  uint64_t last_level_bytes_;  // what the threads have of the last cache level
  uint64_t line_bytes_;        // bytes of its lines
  uint64_t moved_ = 0;         // elements by which all arrays are moved for the current slice
  uint64_t buckets_ = 0;       // address of the buckets
  cpu::Share own_;             // range of buckets of the simulated thread or range pass
};

}  // namespace presort::predict
