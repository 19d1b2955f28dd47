#include "presort/core/text/byte_text.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "presort/core/base/checked.h"

namespace presort::inline v0 {
namespace {

constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
constexpr int kStep = 10;  // log2 of the factor between two units of bytes: 2^10

// The largest unit of which `bytes` has at least one.
size_t suited_unit(uint64_t bytes) {
  size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && bytes >> (kStep * (unit + 1)) != 0) {
    ++unit;
  }
  return unit;
}

// The largest unit of which `bytes` is a multiple.
size_t whole_unit(uint64_t bytes) {
  size_t unit = suited_unit(bytes);
  while (bytes % (uint64_t{1} << (kStep * unit)) != 0) {
    --unit;
  }
  return unit;
}

std::string whole_text(uint64_t bytes, size_t unit) {
  return std::to_string(bytes >> (kStep * unit)) + kUnits[unit];
}

std::string rounded_text(uint64_t bytes, size_t unit) {
  const double scale = static_cast<double>(uint64_t{1} << (kStep * unit));
  char text[48];
  std::snprintf(text, sizeof text, "%.1f%s", static_cast<double>(bytes) / scale, kUnits[unit]);
  return unit == 0 ? whole_text(bytes, unit) : text;
}

}  // namespace

TwoTexts exact_bytes(uint64_t first, uint64_t second) {
  const size_t unit = std::min(whole_unit(first), whole_unit(second));
  return {whole_text(first, unit), whole_text(second, unit)};
}

TwoTexts rounded_bytes(uint64_t first, uint64_t second) {
  const uint64_t smaller =
      first == 0 || second == 0 ? std::max(first, second) : std::min(first, second);
  const size_t unit = suited_unit(smaller);
  return {rounded_text(first, unit), rounded_text(second, unit)};
}

std::string memory_shortage(uint64_t needed, uint64_t available) {
  if (needed == kUncountable) {
    return "not enough memory: needed 2^64 bytes or more, available " +
           rounded_bytes(available, available).first;
  }
  const TwoTexts rounded = rounded_bytes(needed, available);
  const TwoTexts texts = rounded.first == rounded.second ? exact_bytes(needed, available) : rounded;
  return "not enough memory: needed " + texts.first + ", available " + texts.second;
}

}  // namespace presort
