// Two numbers of bytes as text in the same unit, so that a message can compare them.
#pragma once

#include <cstdint>
#include <string>

namespace presort::inline v0 {

struct TwoTexts {
  std::string first;
  std::string second;
};

// Two sizes as exact text, in the unit in which both are whole: 2 MiB and 1280 KiB -> "2048KiB",
// "1280KiB".
TwoTexts exact_bytes(uint64_t first, uint64_t second);

// Two sizes to a tenth, in the unit that suits the smaller one: "64.0GiB", "15.2GiB". 0 counts as
// any size.
TwoTexts rounded_bytes(uint64_t first, uint64_t second);

// The message "not enough memory: needed 64.0GiB, available 15.2GiB"
std::string memory_shortage(uint64_t needed, uint64_t available);

}  // namespace presort
