// Checks that labels are as kernels require.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/error.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// Choice: check labels before anything is written, or not. A check takes one more pass over the
// labels.
enum class Checks { off, on };

// Checks that labels are below m. Errors: LabelError with the first index in [first, last) whose label is
// not below m
template <class Label>
void check_labels(std::span<const Label> labels, uint64_t m, size_t first, size_t last) {
  constexpr size_t kBlock = 1024;  // number of labels compared at a time, without branches
  for (; first < last; first += std::min(kBlock, last - first)) {
    const size_t end = first + std::min(kBlock, last - first);
    bool bad = false;
    for (size_t i = first; i < end; ++i) {
      bad |= labels[i] >= m;
    }
    for (size_t i = first; bad && i < end; ++i) {
      if (labels[i] >= m) {
        throw LabelError(i, labels[i], m);
      }
    }
  }
}

template <class Label>
void check_labels(std::span<const Label> labels, uint64_t m) {
  check_labels(labels, m, 0, labels.size());
}

// Checks labels if `checks` says so, each thread a share of them. The reported label is the first bad one
// of the first share that has one.
template <class Label>
void check_labels_if(Checks checks, std::span<const Label> labels, uint64_t m,
                     ThreadTeam& threads) {
  if (checks == Checks::on) {
    threads.run([&](size_t t) {
      const Share own = share_of(labels.size(), t, threads.size());
      check_labels(labels, m, own.first, own.last);
    });
  }
}

}  // namespace presort::cpu
