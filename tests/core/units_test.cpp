#include "presort/core/text/units.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <string>

#include "presort/core/error.h"

namespace units_test {

using namespace presort;

namespace {

constexpr uint64_t kLargest = std::numeric_limits<uint64_t>::max();

// The error message that `parse` throws for `text`, or "" when it accepts the text.
template <class Parse>
std::string refusal(Parse parse, std::string_view text) {
  try {
    parse("key", text);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

template <class Parse>
void check_refused(Parse parse, std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    CAPTURE(text);
    const std::string message = refusal(parse, text);
    CHECK(message.starts_with("key: found '" + std::string(text) + "', accepted: "));
  }
}

}  // namespace

TEST_CASE("counts are plain, powers of two, or have binary or decimal suffixes") {
  CHECK(parse_count("n", "0") == 0);
  CHECK(parse_count("n", "1000") == 1000);
  CHECK(parse_count("n", "2^0") == 1);
  CHECK(parse_count("n", "2^26") == 67108864);
  CHECK(parse_count("n", "2^63") == uint64_t{1} << 63);
  CHECK(parse_count("n", "64Ki") == 65536);
  CHECK(parse_count("n", "64Mi") == 67108864);
  CHECK(parse_count("n", "64Gi") == 68719476736);
  CHECK(parse_count("n", "1e6") == 1000000);
  CHECK(parse_count("n", "1.5e3") == 1500);
  CHECK(parse_count("n", "10k") == 10000);
  CHECK(parse_count("n", "10M") == 10000000);
  CHECK(parse_count("n", "1.50k") == 1500);
  CHECK(parse_count("n", "18446744073709551615") == kLargest);
}

TEST_CASE("a count that is malformed, fractional or too large is refused") {
  check_refused(parse_count, {"",
                              "-1",
                              "+1",
                              "010",
                              "0x10",
                              " 1",
                              "1 ",
                              "1e",
                              "1e-3",
                              "1e+3",
                              "1.",
                              ".5",
                              "1.5",
                              "1.0001k",
                              "2^64",
                              "2^",
                              "2^-1",
                              "2^1.5",
                              "3^2",
                              "2^026",
                              "1K",
                              "1m",
                              "1KiB",
                              "nan",
                              "inf",
                              "1_000",
                              "1,000",
                              "1e1000",
                              "1e20",
                              "17000000Ti",
                              "1e9999999999",
                              "18446744073709551616",
                              "99999999999999999999999999"});
}

TEST_CASE("bytes need a unit and come out whole") {
  CHECK(parse_bytes("size", "0B") == 0);
  CHECK(parse_bytes("size", "64B") == 64);
  CHECK(parse_bytes("size", "32KiB") == 32768);
  CHECK(parse_bytes("size", "36608KiB") == 37486592);
  CHECK(parse_bytes("size", "1.25MiB") == 1310720);
  CHECK(parse_bytes("size", "0.5KiB") == 512);
  CHECK(parse_bytes("size", "2GiB") == uint64_t{2} << 30);
  CHECK(parse_bytes("size", "16777215TiB") == uint64_t{16777215} << 40);
}

TEST_CASE("bytes without a unit, with a foreign unit, fractional or too large are refused") {
  check_refused(parse_bytes, {"64", "64b", "64KB", "64kB", "64K", "64 KiB", "0.3KiB", "1.5B", "",
                              "KiB", "16777216TiB", "-1B", "064B", "32KiB ", "32KiBx", "1e30B"});
}

TEST_CASE("times are in cycles or in seconds") {
  const Duration cycles = parse_duration("latency", "14cy");
  CHECK(cycles.in_cycles);
  CHECK(cycles.value == 14);
  CHECK(cycles.ns(2e9) == 7);
  CHECK(cycles.cycles(2e9) == 14);
  const Duration time = parse_duration("latency", "95ns");
  CHECK_FALSE(time.in_cycles);
  CHECK(time.ns(2e9) == 95);
  CHECK(time.cycles(2e9) == doctest::Approx(190));
  CHECK(parse_duration("t", "1.5us").value == 1500);
  CHECK(parse_duration("t", "2ms").value == 2e6);
  CHECK(parse_duration("t", "3s").value == 3e9);
}

TEST_CASE("a time may be negative only where that is allowed") {
  CHECK(parse_duration("rowHit", "-25ns", Sign::any).value == -25);
  CHECK(parse_duration("rowHit", "-2.5cy", Sign::any).value == -2.5);
  CHECK(parse_duration("rowHit", "25ns", Sign::any).value == 25);
  const auto parse_any = [](std::string_view key, std::string_view text) {
    return parse_duration(key, text, Sign::any);
  };
  check_refused(parse_any, {"--25ns", "-", "-ns", "+1ns"});
  const auto parse = [](std::string_view key, std::string_view text) {
    return parse_duration(key, text);
  };
  check_refused(parse, {"-25ns", "14", "14cycles", "cy", "1.5 us", "", "nans", "1e999s", "07ns"});
}

TEST_CASE("rates, frequencies and ratios are the nearest double to what is written") {
  CHECK(parse_bytes_per_second("bw", "10GB/s") == 10e9);
  CHECK(parse_bytes_per_second("bw", "13.4GB/s") == 13.4e9);
  CHECK(parse_bytes_per_second("bw", "1GiB/s") == 1073741824.0);
  CHECK(parse_bytes_per_second("bw", "250B/s") == 250);
  CHECK(parse_frequency_hz("clock", "2.5GHz") == 2.5e9);
  CHECK(parse_frequency_hz("clock", "2600MHz") == 2.6e9);
  CHECK(parse_ratio("share", "0.3") == 0.3);
  CHECK(parse_ratio("share", "30%") == 0.3);
  CHECK(parse_ratio("share", "100%") == 1);
  check_refused(parse_bytes_per_second, {"10", "10GB", "10Gb/s", "10 GB/s", "-1GB/s", "1e999B/s"});
  check_refused(parse_frequency_hz, {"2.5", "2.5Ghz", "2.5 GHz", "GHz", "0x1Hz", "infHz"});
  check_refused(parse_ratio, {"", "%", "30 %", "-0.3", "0.3x", "3e-1", "00.3", "0,3"});
}

TEST_CASE("formatted numbers are short") {
  CHECK(format_count(67108864) == "2^26");
  CHECK(format_count(1000) == "1000");
  CHECK(format_count(8) == "8");
  CHECK(format_count(0) == "0");
  CHECK(format_bytes(2097152) == "2MiB");
  CHECK(format_bytes(100) == "100B");
  CHECK(format_bytes(0) == "0B");
  CHECK(format_bytes(37486592) == "36608KiB");
  CHECK(format_bandwidth(13.4e9) == "13.4GB/s");
  CHECK(format_bandwidth(2e12) == "2000GB/s");
  CHECK(format_bandwidth(0) == "0B/s");
  CHECK(format_frequency(2.6e9) == "2.6GHz");
  CHECK(format_frequency(999) == "999Hz");
  CHECK(format_frequency(0.25) == "0.25Hz");
}

TEST_CASE("every formatted number parses back to itself") {
  CHECK(rc::check(
      "counts", [](uint64_t value) { RC_ASSERT(parse_count("n", format_count(value)) == value); }));
  CHECK(rc::check("bytes", [](uint64_t value) {
    RC_ASSERT(parse_bytes("size", format_bytes(value)) == value);
  }));
  for (int power = 0; power < 64; ++power) {
    const uint64_t value = uint64_t{1} << power;
    CHECK(parse_count("n", format_count(value)) == value);
    CHECK(parse_bytes("size", format_bytes(value)) == value);
  }
  CHECK(rc::check("rates", [](uint64_t mantissa, uint8_t scale) {
    const double value = std::ldexp(static_cast<double>(mantissa), -(scale % 64));
    RC_ASSERT(parse_bytes_per_second("bw", format_bandwidth(value)) == value);
    RC_ASSERT(parse_frequency_hz("clock", format_frequency(value)) == value);
  }));
}

TEST_CASE("events a second have powers of ten, and are no bandwidth") {
  CHECK(parse_per_second("k", "97G/s") == 97e9);
  CHECK(parse_per_second("k", "1.36G/s") == 1.36e9);
  CHECK(parse_per_second("k", "2T/s") == 2e12);
  CHECK(parse_per_second("k", "5/s") == 5);
  CHECK(format_per_second(97e9) == "97G/s");
  CHECK(format_per_second(2e12) == "2T/s");
  check_refused(parse_per_second, {"", "97", "97G", "97GB/s", "-1/s", "97 G/s", "1e999/s"});
}

}  // namespace units_test
