#include "presort/core/machine/fingerprint.h"

#include <cmath>

#include "presort/core/error.h"
#include "presort/core/text/byte_text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

constexpr double kSameClock = 0.1;

// True if two clocks are within a tenth of each other. If a text is not a frequency, as in a file
// written by hand, the texts must be equal.
bool near_clocks(const std::string& a, const std::string& b) {
  try {
    const double ratio = parse_frequency_hz("clock", a) / parse_frequency_hz("clock", b);
    return std::abs(std::log(ratio)) < std::log1p(kSameClock);
  } catch (const InputError&) {
    return false;
  }
}

// Two sizes as text in one unit, so that they can be compared; text that is no size stays as it is.
TwoTexts in_one_unit(const std::string& a, const std::string& b) {
  try {
    return exact_bytes(parse_bytes("size", a), parse_bytes("size", b));
  } catch (const InputError&) {
    return {a, b};
  }
}

std::vector<std::string> differences(const FingerprintFields& file, const FingerprintFields& here) {
  std::vector<std::string> sentences;
  for (const auto& [key, value] : file) {
    for (const auto& [other_key, other] : here) {
      if (key == other_key && value != other && !(key == "clock" && near_clocks(value, other))) {
        const TwoTexts texts = in_one_unit(value, other);
        sentences.push_back(key + ": the file has " + texts.first + ", here it is " + texts.second);
      }
    }
  }
  return sentences;
}

}  // namespace

FingerprintDifference compare_fingerprints(const Fingerprint& file, const Fingerprint& here) {
  return {differences(file.hard, here.hard), differences(file.soft, here.soft)};
}

std::string other_machine_message(const std::string& file,
                                  const FingerprintDifference& difference) {
  std::string message = file + " is of another machine: ";
  for (size_t i = 0; i < difference.hard.size(); ++i) {
    message += (i == 0 ? "" : "; ") + difference.hard[i];
  }
  return message;
}

}  // namespace presort
