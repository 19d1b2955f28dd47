// Runs the tests of a folder. All random test cases follow from one seed, RapidCheck's too unless
// $RC_PARAMS says otherwise.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <string>

#include "tests/property_seed.h"

namespace presort::inline v0::test {
namespace {

constexpr int kUsage = 2;  // exit status for bad usage
uint64_t seed = 0;

// Parses a whole number; no value if the text is none.
std::optional<uint64_t> wanted_or_drawn() {
  const char* wanted = std::getenv("PRESORT_PROPERTY_SEED");
  if (wanted == nullptr || *wanted == '\0') {
    return std::random_device()();
  }
  uint64_t number = 0;
  const char* end = wanted + std::strlen(wanted);
  const auto [rest, error] = std::from_chars(wanted, end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace

uint64_t property_seed() {
  return seed;
}

}  // namespace presort::test

int main(int argc, char** argv) {
  const std::optional<uint64_t> found = presort::test::wanted_or_drawn();
  if (!found) {
    std::fprintf(stderr, "PRESORT_PROPERTY_SEED: found '%s', accepted: a whole number below 2^64\n",
                 std::getenv("PRESORT_PROPERTY_SEED"));
    return presort::test::kUsage;
  }
  presort::test::seed = *found;
  const std::string text = std::to_string(*found);
  std::fprintf(stderr, "random cases: PRESORT_PROPERTY_SEED=%s repeats them\n", text.c_str());
  setenv("RC_PARAMS", ("seed=" + text).c_str(), 0);
  return doctest::Context(argc, argv).run();
}
