// One way to do an operation, ours or another library's, and the arrays that it works on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "presort/core/problem.h"

namespace presort::inline v0::bench::peers {

using Label = uint32_t;
using Value = uint32_t;

struct Arrays {
  std::span<const Label> labels;
  std::span<const Value> values;
  std::span<Value> buckets;      // buckets, to which the operation adds
  std::span<std::byte> scratch;  // scratch memory, aligned to a page
};

struct Contender {
  std::string name;
  Operation operation = Operation::multireduce;  // multireduce, or histogram, which reads no values
  bool ours = false;
  int threads = 1;
  size_t scratch_bytes = 0;
  std::function<void(const Arrays&)> run;
};

}  // namespace presort::bench::peers
