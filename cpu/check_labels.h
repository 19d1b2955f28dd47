// Checks what the kernels require of their labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/error.h"

namespace presort::cpu {

// Whether an operation checks its labels before it writes anything: one more pass over them.
enum class Checks { off, on };

// Errors: LabelError with the first index whose label is not below m
template <class Label>
void check_labels(std::span<const Label> labels, uint64_t m) {
  constexpr size_t kBlock = 1024;  // labels; compared without a branch each
  for (size_t first = 0; first < labels.size(); first += kBlock) {
    const size_t last = first + kBlock < labels.size() ? first + kBlock : labels.size();
    bool bad = false;
    for (size_t i = first; i < last; ++i) {
      bad |= labels[i] >= m;
    }
    for (size_t i = first; bad && i < last; ++i) {
      if (labels[i] >= m) {
        throw LabelError(i, labels[i], m);
      }
    }
  }
}

template <class Label>
void check_labels_if(Checks checks, std::span<const Label> labels, uint64_t m) {
  if (checks == Checks::on) {
    check_labels(labels, m);
  }
}

}  // namespace presort::cpu
