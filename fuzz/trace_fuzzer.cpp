// libFuzzer target of one trace format: PRESORT_FUZZ_FORMAT, or "" for what open_trace guesses.
// Any bytes are read to their end or to an InputError; nothing else may come of them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/checks.h"
#include "presort/core/error.h"

namespace {

constexpr std::string_view kFormat = PRESORT_FUZZ_FORMAT;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::optional<std::string> format =
      kFormat.empty() ? std::nullopt : std::optional<std::string>(kFormat);
  try {  // the input's first byte chooses the reader's options
    presort::fuzz::read_trace(std::string(reinterpret_cast<const char*>(data) + 1, size - 1),
                              "fuzz", format, {.instructions = (data[0] & 1) != 0});
  } catch (const presort::InputError&) {
  }
  return 0;
}
