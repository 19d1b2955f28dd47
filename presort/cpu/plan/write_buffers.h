// The write buffers of a partition pass.
#pragma once

#include <compare>
#include <cstdint>

#include "presort/core/plan/cpu_plan.h"

namespace presort::inline v0::cpu {

// The write buffers of a partition pass, described by the fields of Presort that they depend on.
struct WriteBuffers {
  uint64_t bytes = 256;  // size of each part's buffer, bytes
  Layout layout = Layout::pairs;
  bool streaming = true;
  uint64_t chunk_bytes = 0;  // chunk size, bytes; 0: each part lies in one piece
  auto operator<=>(const WriteBuffers&) const = default;
};

constexpr WriteBuffers write_buffers(const Presort& presort) {
  return {presort.buffer_bytes, presort.layout, presort.streaming, presort.chunk_bytes};
}

}  // namespace presort::cpu
